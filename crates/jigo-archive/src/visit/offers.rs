//! What a game does not say of itself, and copies of it do.

use std::collections::HashMap;

use jigo_core::finding::Code;
use jigo_core::sgf::GameText;
use jigo_core::write::Stated;

use crate::tables::FixRow;

/// A property that a game may take from a copy of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What the copy is to the game.
    pub code: Code,
    /// The property of the root.
    pub property: &'static str,
    /// Its value as it stands between brackets, in UTF-8.
    pub value: String,
    /// The first copy that says so, as file and game.
    pub from: (String, u64),
    /// Which of how many different values it is, from 1; those that more copies have come first.
    pub reading: (usize, usize),
}

impl Offer {
    /// The property as it would stand there.
    pub fn text(&self) -> String {
        format!("{}[{}]", self.property, self.value)
    }

    /// A row of the log.
    pub fn row<'a>(
        &self,
        (file, game, offset, byte): (&'a str, u64, u64, u64),
        after: &'a str,
        is_made: bool,
        reason: &'a str,
    ) -> FixRow<'a> {
        let (code, game) = (self.code, Some(game));
        FixRow { file, game, offset, code, before: "", after, is_safe: false, byte, is_made, reason }
    }

    /// Where it comes from, in words.
    pub fn source(&self) -> String {
        let ((file, game), (reading, of)) = (&self.from, self.reading);
        format!("reading {reading} of {of}: {file}#{game} says so")
    }
}

/// A game that is kept, with what it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offers {
    /// Its file, which game of it, the byte of its `(`, and the byte behind the last property of its root.
    pub place: (String, u64, u64, u64),
    /// By property, those that more copies have first.
    pub offers: Vec<Offer>,
}

/// Offers by file and game, with the byte behind the last property of the root.
pub type ByPlace = HashMap<String, HashMap<u64, (u64, Vec<Offer>)>>;

/// Offers as they are looked up by game.
pub fn by_place(offers: Vec<Offers>) -> ByPlace {
    let mut by_place = ByPlace::new();
    for Offers { place: (file, game, _, byte), offers } in offers {
        by_place.entry(file).or_default().insert(game, (byte, offers));
    }
    by_place
}

/// What a root says, as bytes: the byte of the source behind it, then for each property its place, the length of its value, and that.
pub(super) fn pack_stated(text: &GameText, stated: Stated) -> Vec<u8> {
    let mut packed = text.source_byte(stated.at).to_le_bytes().to_vec();
    for (place, value) in stated.values {
        packed.push(place);
        packed.extend((value.len() as u64).to_le_bytes());
        packed.extend(value.into_bytes());
    }
    packed
}

/// What [`super::KeyedGame::stated`] holds: the byte of the source, and properties by their place with their values.
pub(crate) fn unpack_stated(packed: &[u8]) -> Option<(u64, Vec<(u8, &str)>)> {
    let (at, mut rest) = packed.split_first_chunk::<8>()?;
    let mut values = Vec::new();
    while let Some((place, behind)) = rest.split_first() {
        let (length, behind) = behind.split_first_chunk::<8>()?;
        let (value, behind) = behind.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        values.push((*place, std::str::from_utf8(value).ok()?));
        rest = behind;
    }
    Some((u64::from_le_bytes(*at), values))
}

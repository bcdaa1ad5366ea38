//! Header values that a game can take over from its duplicates.

use std::collections::HashMap;

use jigo_core::fix::{Fix, GameInfo};
use jigo_record::finding::Code;
use jigo_record::splitter::GameText;

/// A property that a game can take over from a duplicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeableProperty {
    /// The code for the relation of the duplicate to the game.
    pub code: Code,
    /// The property of the root.
    pub property: &'static str,
    /// The value between the brackets, in UTF-8.
    pub value: String,
    /// The file and number of the first duplicate with this value.
    pub source_game: (String, u64),
    /// The rank of this value, from 1, and the number of different values. Values that more
    /// duplicates have come first.
    pub rank: (usize, usize),
}

impl MergeableProperty {
    /// Returns the property as SGF.
    pub fn text(&self) -> String {
        format!("{}[{}]", self.property, self.value)
    }

    /// Returns the fix that inserts the property at the byte `at` of the source, for a log.
    pub fn fix(&self, offset: u64, is_made: bool, reason: String) -> Fix {
        let mut fix = Fix::applied(self.code, false, offset, String::new(), self.text());
        (fix.is_made, fix.reason) = (is_made, reason);
        fix
    }

    /// Returns the source of the value in words.
    pub fn source_text(&self) -> String {
        let ((file, game), (rank, count)) = (&self.source_game, self.rank);
        format!("reading {rank} of {count}: {file}#{game} says so")
    }
}

/// A game and the values that it can take over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeableHeader {
    /// Its file, its number, the byte of its `(`, and the byte after the last property of its root.
    pub location: (String, u64, u64, u64),
    /// The values by property. Values that more duplicates have come first.
    pub properties: Vec<MergeableProperty>,
}

/// Values by file and game, with the byte after the last property of the root.
pub type MergesByGame = HashMap<String, HashMap<u64, (u64, Vec<MergeableProperty>)>>;

/// Converts a list to a map by file and game.
pub fn merges_by_game(headers: Vec<MergeableHeader>) -> MergesByGame {
    let mut merges = MergesByGame::new();
    for MergeableHeader { location: (file, game, _, byte), properties } in headers {
        merges.entry(file).or_default().insert(game, (byte, properties));
    }
    merges
}

/// Packs the values of a root.
///
/// The format is the byte of the source after the root, then for each property its index, the
/// length of its value, and the value.
pub(super) fn pack_root_values(text: &GameText, root: GameInfo) -> Vec<u8> {
    let mut packed = text.source_byte(root.offset).to_le_bytes().to_vec();
    for (property, value) in root.values {
        packed.push(property);
        packed.extend((value.len() as u64).to_le_bytes());
        packed.extend(value.into_bytes());
    }
    packed
}

/// Unpacks [`super::KeyedGame::root_values`]: the byte of the source, and the values with the
/// indices of their properties.
pub(crate) fn unpack_root_values(packed: &[u8]) -> Option<(u64, Vec<(u8, &str)>)> {
    let (offset, mut rest) = packed.split_first_chunk::<8>()?;
    let mut values = Vec::new();
    while let Some((property, rest_after)) = rest.split_first() {
        let (length, rest_after) = rest_after.split_first_chunk::<8>()?;
        let (value, rest_after) = rest_after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        values.push((*property, std::str::from_utf8(value).ok()?));
        rest = rest_after;
    }
    Some((u64::from_le_bytes(*offset), values))
}

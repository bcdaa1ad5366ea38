//! Header values, comments and territory that a game can take over from its duplicates.

use std::collections::HashMap;

use jigo_core::fix::{Fix, MergeableValues, RecordedValue};
use jigo_record::finding::Code;
use jigo_record::splitter::GameText;

/// A property that a game can take over from a duplicate, or that contradicts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeableProperty {
    /// The code for the relation of the duplicate to the game.
    pub code: Code,
    /// The property.
    pub recorded: RecordedValue,
    /// The value of the game itself that contradicts it. Such a property is not taken over.
    pub own: Option<String>,
    /// The file and number of the first duplicate with this value.
    pub source_game: (String, u64),
    /// The rank of this value, from 1, and the number of different values. Values that more
    /// duplicates have come first.
    pub rank: (usize, usize),
}

impl MergeableProperty {
    /// Returns the property as SGF.
    pub fn text(&self) -> String {
        self.in_brackets(&self.recorded.value)
    }

    fn in_brackets(&self, value: &str) -> String {
        format!("{}[{value}]", self.recorded.identifier())
    }

    /// Returns the fix that inserts the property at the byte `offset` of the source, for a log.
    pub fn fix(&self, offset: u64, is_made: bool, reason: String) -> Fix {
        let own = self.own.as_ref().map_or(String::new(), |own| self.in_brackets(own));
        let mut fix = Fix::applied(self.code, false, offset, own, self.text());
        (fix.is_made, fix.reason) = (is_made, reason);
        fix
    }

    /// Returns the source of the value in words.
    pub fn source_text(&self) -> String {
        let ((file, game), (rank, count)) = (&self.source_game, self.rank);
        let place = self.recorded.position.map_or(String::new(), |_| format!("turn {}, ", self.recorded.turn));
        let contradiction = if self.own.is_some() { "contradiction, " } else { "" };
        format!("{contradiction}{place}reading {rank} of {count}: {file}#{game} says so")
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

/// Packs the values of a game, after the byte of the source after its root.
pub(super) fn pack_values(text: &GameText, values: &MergeableValues) -> Vec<u8> {
    let pack = |value: &RecordedValue| (value.property, value.turn, value.position, value.value.clone());
    let packed: Vec<_> = values.values.iter().map(pack).collect();
    // Numbers and texts always have a form in JSON.
    serde_json::to_vec(&(text.source_byte(values.offset), packed)).unwrap_or_default()
}

/// Unpacks [`super::KeyedGame::mergeable_values`]: the byte of the source, and the values.
pub(crate) fn unpack_values(packed: &[u8]) -> Option<(u64, Vec<RecordedValue>)> {
    type Packed = (u8, u32, Option<(u64, u32)>, String);
    let (byte, values): (u64, Vec<Packed>) = serde_json::from_slice(packed).ok()?;
    let unpack = |(property, turn, position, value)| RecordedValue { property, turn, position, value };
    Some((byte, values.into_iter().map(unpack).collect()))
}

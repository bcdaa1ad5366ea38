//! Identifiers that occur again in their table.
//!
//! The thread that reads the sources compares the identifiers, in input order. The result therefore
//! depends neither on the number of threads nor on the place where an interrupted run continues.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use memchr::memmem;

use super::chunk::{Chunk, RepeatedId};
use crate::source::rows::row::RowKey;
use crate::source::{ContentKind, RowColumns};
use jigo_record::splitter::{Close, Piece};

/// The maximum number of identifiers to remember per table. The map then takes 71 MB.
const MAX_IDS: usize = 3_500_000;

/// Returns the key of a row, if the row has an identifier.
type KeyReader<'a> = &'a dyn Fn(&[u8]) -> Option<RowKey>;

/// The keys of the rows of a table so far.
///
/// The keys are hashes of 64 bits. Two different keys among 3,500,000 have the same hash with a
/// probability of 1 in 3 million.
#[derive(Default)]
pub(crate) struct RowIds {
    /// The first row with a key, by the key's hash.
    first_rows: HashMap<u64, u64>,
}

impl RowIds {
    /// Returns the rows of a chunk whose keys occurred before.
    pub(crate) fn repeated_in_chunk(&mut self, chunk: &Chunk, columns: RowColumns<'_>) -> Vec<RepeatedId> {
        let (key, header): (KeyReader, u64) = match chunk.content_kind {
            ContentKind::JsonRows if may_have_key(&chunk.bytes, columns.id) => {
                (&|line| RowKey::parse(line, columns), 0)
            }
            ContentKind::CsvRows(csv) if csv.has_id() => (&move |row| csv.key(row, columns), 1),
            _ => return Vec::new(),
        };
        let games = chunk.pieces.iter().filter_map(|piece| match piece {
            Piece::Game(range, close, _) => Some((range.clone(), *close)),
            Piece::StrayText(_) => None,
        });
        let rows = (chunk.first_game..).zip(games).filter(|(game, (_, close))| {
            // The first line of a CSV table contains the column names.
            *game > header && *close != Close::Oversized
        });
        let keys = rows.filter_map(|(game, (range, _))| Some((game - header, key(&chunk.bytes[range])?)));
        self.repeated_rows(keys)
    }

    /// Returns the rows whose keys occurred before.
    pub(crate) fn repeated_rows(&mut self, keys: impl Iterator<Item = (u64, RowKey)>) -> Vec<RepeatedId> {
        keys.filter_map(|(row, key)| self.repeated_row(row, &key)).collect()
    }

    fn repeated_row(&mut self, row: u64, key: &RowKey) -> Option<RepeatedId> {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(&first) = self.first_rows.get(&hash) {
            return Some(RepeatedId { row, first });
        }
        if self.first_rows.len() < MAX_IDS {
            self.first_rows.insert(hash, row);
        }
        None
    }
}

/// Returns true if JSON text may have a key with this name.
///
/// Tables without identifiers need no second parse of their rows.
fn may_have_key(json: &[u8], name: &str) -> bool {
    let has = |text: &[u8]| memmem::find(json, text).is_some();
    // JSON may write any character as \u and four digits, and needs a backslash before these two.
    name.contains(['"', '\\']) || has(format!("\"{name}\"").as_bytes()) || has(b"\\u")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: &str, offset: u64) -> RowKey {
        RowKey { id: id.into(), game: 1, offset }
    }

    #[test]
    fn repeated_ids_name_the_first_row() {
        let mut ids = RowIds::default();
        let first = [key("a", 0), key("b", 0), key("a", 9), key("a", 0)];
        assert_eq!(ids.repeated_rows((1..).zip(first)), [RepeatedId { row: 4, first: 1 }]);
        let second = [key("b", 0), key("c", 0), key("a", 0)];
        let expected = [RepeatedId { row: 5, first: 2 }, RepeatedId { row: 7, first: 1 }];
        assert_eq!(ids.repeated_rows((5..).zip(second)), expected);
    }

    #[test]
    fn number_of_remembered_ids_is_bounded() {
        let mut ids = RowIds { first_rows: (0..MAX_IDS as u64).map(|hash| (hash, 1)).collect() };
        assert!(ids.repeated_rows((1..).zip([key("a", 0), key("a", 0)])).is_empty());
        assert_eq!(ids.first_rows.len(), MAX_IDS);
    }

    #[test]
    fn escaped_key_may_be_the_id() {
        assert!(may_have_key(br#"{"id":"a"}"#, "id"));
        assert!(may_have_key(br#"{"\u0069d":"a"}"#, "id"));
        assert!(may_have_key(br#"{"a\"b":"a"}"#, "a\"b"));
        assert!(!may_have_key(br#"{"sgf":"(;C[id])"}"#, "id"));
    }
}

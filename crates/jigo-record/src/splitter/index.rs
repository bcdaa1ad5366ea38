//! Headers for games without one, by identifier.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use crate::sgf::tokens::escape::push_property;

/// The headers of games by their identifiers.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Identifier and SGF header of each game, one game after the other.
    text: Vec<u8>,
    /// Rows by identifier: the offsets of the identifier, of the header, and of its end.
    rows: HashTable<[u32; 3]>,
    hasher: RandomState,
}

/// The error for a row that does not fit into an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the index is larger than 4 GiB")]
pub struct TooLarge;

/// Root properties of an index, with the column names for each.
const COLUMNS: [(&str, &[&str]); 17] = [
    ("SZ", &["sz", "size", "board_size", "boardsize"]),
    ("PB", &["pb", "black", "black_name", "black_player", "player_black"]),
    ("PW", &["pw", "white", "white_name", "white_player", "player_white"]),
    ("BR", &["br", "black_rank"]),
    ("WR", &["wr", "white_rank"]),
    ("KM", &["km", "komi"]),
    ("HA", &["ha", "handicap"]),
    ("RU", &["ru", "rules", "ruleset"]),
    ("RE", &["re", "result"]),
    ("DT", &["dt", "date"]),
    ("EV", &["ev", "event"]),
    ("RO", &["ro", "round_of_event"]),
    ("PC", &["pc", "place", "server"]),
    ("TM", &["tm", "time", "main_time"]),
    ("OT", &["ot", "overtime", "byoyomi"]),
    ("SO", &["so", "source"]),
    ("GN", &["gn", "game_name"]),
];

impl Index {
    /// Returns the root property that a column's name means. Case does not matter.
    pub fn property(column: &str) -> Option<&'static str> {
        let name = column.trim().to_lowercase();
        COLUMNS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(property, _)| *property)
    }

    /// Returns an index with room for this number of games.
    pub fn with_capacity(games: usize) -> Index {
        Index { rows: HashTable::with_capacity(games), ..Index::default() }
    }

    /// Adds the header of a game, by property and value. If identifiers repeat, the first row is
    /// used.
    ///
    /// # Errors
    ///
    /// Returns an error if the index is full.
    pub fn add<'v>(
        &mut self,
        id: &str,
        header: impl IntoIterator<Item = (&'static str, &'v str)>,
    ) -> Result<(), TooLarge> {
        let start = self.text.len();
        self.text.extend_from_slice(id.as_bytes());
        let header_start = self.text.len();
        let mut has_size = false;
        for (property, value) in header {
            has_size |= property == "SZ";
            push_property(&mut self.text, property, value);
        }
        if !has_size {
            push_property(&mut self.text, "SZ", "19");
        }
        let to_u32 = |offset: usize| u32::try_from(offset).map_err(|_| TooLarge);
        let row = [to_u32(start)?, to_u32(header_start)?, to_u32(self.text.len())?];
        let (text, hasher) = (&self.text, &self.hasher);
        let hash = |row: &[u32; 3]| hasher.hash_one(identifier(text, row));
        self.rows.entry(hash(&row), |existing| identifier(text, existing) == id.as_bytes(), hash).or_insert(row);
        Ok(())
    }

    /// Returns the properties of a game as SGF. They always include SZ.
    pub fn header(&self, id: &str) -> Option<&[u8]> {
        let id = id.as_bytes();
        let row = self.rows.find(self.hasher.hash_one(id), |row| identifier(&self.text, row) == id)?;
        Some(&self.text[row[1] as usize..row[2] as usize])
    }
}

/// Returns the identifier of a row.
fn identifier<'t>(text: &'t [u8], row: &[u32; 3]) -> &'t [u8] {
    &text[row[0] as usize..row[1] as usize]
}

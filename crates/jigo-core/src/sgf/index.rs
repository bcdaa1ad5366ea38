//! Headers of games that come without, by their identifiers.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The headers of games by their identifiers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// Identifier and header as SGF of one game after the other.
    text: Vec<u8>,
    /// Hash of the identifier, and where identifier, header and what follows begin; by hash.
    rows: Vec<(u64, [u32; 3])>,
    /// Rows that are not in their order yet.
    is_sorted: bool,
}

/// Why a row is not taken into an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the index is larger than 4 GiB")]
pub struct TooLarge;

/// Root properties that an index may name, and the words that it may name them by.
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
    /// The root property that a column's name stands for; letter case does not matter.
    pub fn property(column: &str) -> Option<&'static str> {
        let name = column.trim().to_lowercase();
        COLUMNS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(property, _)| *property)
    }

    /// Adds the header of a game, by property and value. Of rows with the same identifier the first is used.
    ///
    /// # Errors
    /// When the index is full.
    pub fn add<'v>(
        &mut self,
        id: &str,
        header: impl IntoIterator<Item = (&'static str, &'v str)>,
    ) -> Result<(), TooLarge> {
        let start = self.text.len();
        self.text.extend_from_slice(id.as_bytes());
        let middle = self.text.len();
        let mut has_size = false;
        for (property, value) in header {
            has_size |= property == "SZ";
            push_property(&mut self.text, property, value);
        }
        if !has_size {
            push_property(&mut self.text, "SZ", "19");
        }
        let place = |at: usize| u32::try_from(at).map_err(|_| TooLarge);
        self.rows.push((hash(id), [place(start)?, place(middle)?, place(self.text.len())?]));
        self.is_sorted = false;
        Ok(())
    }

    /// Makes ready for being asked.
    pub fn finish(&mut self) {
        // The first of several stays before the others.
        self.rows.sort_by_key(|(hash, _)| *hash);
        self.is_sorted = true;
    }

    /// How many games it has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The properties of a game as SGF, SZ always among them.
    pub fn header(&self, id: &str) -> Option<&[u8]> {
        debug_assert!(self.is_sorted || self.rows.len() < 2, "finish was not called");
        let wanted = hash(id);
        let first = self.rows.partition_point(|(hash, _)| *hash < wanted);
        let same = self.rows[first..].iter().take_while(|(hash, _)| *hash == wanted);
        let mut named = same.map(|(_, places)| places.map(|place| place as usize));
        named
            .find(|[start, middle, _]| &self.text[*start..*middle] == id.as_bytes())
            .map(|[_, middle, end]| &self.text[middle..end])
    }
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Writes a property with one value, unless that is blank.
pub(crate) fn push_property(text: &mut Vec<u8>, name: &str, value: &str) {
    let value = value.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    if !value.is_empty() {
        text.extend_from_slice(name.as_bytes());
        push_value(text, value);
    }
}

/// Writes a value in its brackets. A `[` behind letters is escaped, too: it looks like that of a property whose value before has lost its bracket.
pub(crate) fn push_value(text: &mut Vec<u8>, value: &str) {
    text.push(b'[');
    for byte in value.bytes() {
        let is_property = byte == b'[' && text.last().is_some_and(u8::is_ascii_alphabetic);
        if is_property || matches!(byte, b']' | b'\\') {
            text.push(b'\\');
        }
        text.push(byte);
    }
    text.push(b']');
}

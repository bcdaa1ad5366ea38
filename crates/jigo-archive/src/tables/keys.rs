//! The keys table: one row per readable game, with the keys that find candidates for duplicates.

use std::fmt::{self, Write as _};

use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::{VisitedGame, hash};
use crate::row::line::{LOCATION, Line};
use crate::row::shared_columns::{FILE, GAME, OFFSET, column, table};
use crate::row::{Cells, Column, ColumnType, Row, Table, Value};
use jigo_core::analysis::Settings;
use jigo_core::similarity::{KEYS, POSITIONS, SimilarityKeys};
use jigo_record::splitter::GameText;

/// The keys of a game.
pub struct KeyRow<'a> {
    /// The game's text and position.
    pub text: &'a GameText<'a>,
    /// The number of B and W properties of its main line.
    pub turns: u32,
    /// A hash of its text.
    pub text_hash: u64,
    /// The keys.
    pub keys: &'a SimilarityKeys,
}

/// Returns the column of a key.
const fn key(index: usize, meaning: &'static str) -> Column {
    column(KEYS[index], ColumnType::Hash, meaning)
}

impl Row for KeyRow<'_> {
    table! {
        "keys", "one row for each readable game, written by jigo check --table keys; games that share a key may be duplicates in any symmetry or with exchanged colours", |row|
        let key_cell = |index: usize| row.keys.0[index].map_or(Value::Empty, Value::Hash);
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        OFFSET.not_null() => row.text.offset,
        column("turns", ColumnType::Integer, "number of turns on the main line").not_null() => row.turns,
        column("text", ColumnType::Hash, "hash of the game's bytes").not_null() => Value::Hash(row.text_hash),
        key(0, "stones after turn 40") => key_cell(0),
        key(1, "stones after turn 60") => key_cell(1),
        key(2, "stones after turn 100") => key_cell(2),
        key(3, "board, setup and all turns, without passes at the end") => key_cell(3),
        key(4, "last 20 turns, in games of more than 60") => key_cell(4),
        key(5, "turns 20, 40 and 60: Dyer's signature") => key_cell(5),
        key(6, "turns 31, 51 and 71: Dyer's second signature") => key_cell(6),
        key(7, "minimum over all windows of 12 consecutive turns from 21 to 60, by a hash order") => key_cell(7),
        key(8, "the same minimum by a second hash order") => key_cell(8),
        key(9, "the same minimum over all turns from 21 on") => key_cell(9),
        key(10, "both players and the date, if the header names them") => key_cell(10),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        line.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        write!(line, " {} turns {:016x}", self.turns, self.keys.turns().unwrap_or(0))
    }
}

/// Enables the analysis steps that the keys of games need.
pub(crate) fn request_keys(settings: &mut Settings) {
    settings.sketch = true;
    settings.positions = &POSITIONS;
}

/// Writes the keys of games.
pub struct KeyRows;

impl GameTable for KeyRows {
    const TABLE: &'static Table = KeyRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        request_keys(settings);
    }

    fn add_game(&self, &VisitedGame { text, report, .. }: &VisitedGame<'_>, rows: &mut Rows) {
        if let Some(sketch) = &report.sketch {
            let keys = SimilarityKeys::from_sketch(sketch, &report.positions);
            rows.push(&KeyRow { text, turns: report.tally.turns, text_hash: hash(text.bytes, 0), keys: &keys });
        }
    }
}

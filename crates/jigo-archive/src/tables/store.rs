//! The store table: the data that jigo duplicates keeps for later runs.

use std::fmt;

use crate::row::line::Line;
use crate::row::shared_columns::{FILE, GAME, OFFSET, column, table};
use crate::row::{Cells, Column, ColumnType, Row, Table, Value};
use jigo_core::similarity::{KEYS, SimilarityKeys};
use serde::{Deserialize, Serialize};

/// The position of a game, and the values that rank it as a representative of its duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFacts {
    /// The number of the game in the source, from 1.
    pub game: u64,
    /// The byte of its `(` in the source, from 0.
    pub offset: u64,
    /// The line of its `(` in the source, from 1.
    pub line: u64,
    /// A hash of its text.
    pub text_hash: u64,
    /// The number of B and W properties of its main line.
    pub turns: u32,
    /// The same number without passes at the end.
    pub played_turns: u32,
    /// The number of findings of severity error.
    pub errors: u32,
    /// The number of findings of severity warning.
    pub warnings: u32,
    /// The number of non-empty header values.
    pub header_values: u8,
}

/// A game of a store.
pub struct StoreRow<'a> {
    /// The source's name.
    pub file: &'a str,
    /// Its position and rank.
    pub facts: &'a GameFacts,
    /// The keys.
    pub keys: &'a SimilarityKeys,
    /// The packed data for comparisons.
    pub sketch: &'a [u8],
}

/// The file, with the type that stores of earlier versions have.
const STORED_FILE: Column = Column { kind: ColumnType::Text, ..FILE };

/// Returns the column of a key.
const fn key(index: usize) -> Column {
    column(KEYS[index], ColumnType::Integer, "as in keys, as a signed 64-bit number")
}

/// Returns the bits of a hash as a signed integer, which every format supports.
fn bits(hash: u64) -> Value<'static> {
    Value::Integer(i64::from_ne_bytes(hash.to_ne_bytes()))
}

impl Row for StoreRow<'_> {
    table! {
        "store", "one row for each game, written and read by jigo duplicates --store", |row|
        let facts = row.facts;
        let key_cell = |index: usize| row.keys.0[index].map_or(Value::Empty, bits);
        STORED_FILE => row.file,
        GAME.not_null() => facts.game,
        OFFSET.not_null() => facts.offset,
        column("text", ColumnType::Integer, "hash of the game's bytes").not_null() => bits(facts.text_hash),
        column("turns", ColumnType::Integer, "number of turns on the main line").not_null() => facts.turns,
        column("played", ColumnType::Integer, "number of turns without passes at the end").not_null() => facts.played_turns,
        column("errors", ColumnType::Integer, "findings of severity error").not_null() => facts.errors,
        column("filled", ColumnType::Integer, "header fields with a value").not_null() => facts.header_values,
        key(0) => key_cell(0),
        key(1) => key_cell(1),
        key(2) => key_cell(2),
        key(3) => key_cell(3),
        key(4) => key_cell(4),
        key(5) => key_cell(5),
        key(6) => key_cell(6),
        key(7) => key_cell(7),
        key(8) => key_cell(8),
        key(9) => key_cell(9),
        key(10) => key_cell(10),
        column("sketch", ColumnType::Bytes, "turns, clocks and header in jigo's packed form").not_null() => Value::Bytes(row.sketch),
        column("warnings", ColumnType::Integer, "findings of severity warning").not_null() => facts.warnings,
    }

    fn line(&self, _: &mut Line) -> fmt::Result {
        Ok(())
    }
}

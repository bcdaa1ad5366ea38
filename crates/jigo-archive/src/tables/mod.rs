//! The tables and their schemas.
//!
//! The tables are findings, scores, games, results, endings, comparisons, turns, fixes, parts of
//! files, duplicates, diversity, and the keys and index with which duplicates are found.

use std::sync::LazyLock;

use crate::source::InputFormat;

mod comparison;
mod diversity;
mod duplicate;
mod ending;
mod finding;
mod fix;
pub mod formats;
mod game;
mod index;
mod key;
mod part;
mod result;
pub mod schema;
mod score;
pub mod table;
mod turn;
mod value;

pub use comparison::ComparisonRow;
pub use diversity::DiversityRow;
pub use duplicate::DuplicateRow;
pub use ending::EndingRow;
pub use finding::{FindingRow, Folded, Reached, folded};
pub use fix::FixRow;
pub use game::{ENDINGS, GameRow, RESULT_KINDS};
pub use index::IndexRow;
pub use key::KeyRow;
pub use part::PartRow;
pub use result::ResultRow;
pub use score::ScoreRow;
pub use table::{Cells, Column, Kind, Row, Table};
pub use turn::TurnRow;
pub use value::Value;

use table::PROBABILITY;

/// Every table, for [`schema`] and the documentation.
pub const TABLES: [&Table; 13] = [
    FindingRow::TABLE,
    ScoreRow::TABLE,
    GameRow::TABLE,
    ResultRow::TABLE,
    EndingRow::TABLE,
    ComparisonRow::TABLE,
    TurnRow::TABLE,
    PartRow::TABLE,
    DuplicateRow::TABLE,
    DiversityRow::TABLE,
    KeyRow::TABLE,
    FixRow::TABLE,
    IndexRow::TABLE,
];

/// The tables for rows of records, with the row's identifier in place of the file.
static BY_ID: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let by_id = |table: &Table| {
        let mut columns = table.columns.to_vec();
        columns.iter_mut().filter(|column| column.name == FILE.name).for_each(|column| *column = ID);
        // This happens once per process, so leaks don't accumulate.
        Table { columns: columns.leak(), ..*table }
    };
    TABLES.map(by_id).into()
});

/// Returns the table for an input format. If the input consists of rows, their identifiers take the
/// place of files.
pub fn of_input(table: &'static Table, input: InputFormat) -> &'static Table {
    let by_id = BY_ID.iter().find(|known| input.is_rows() && known.name == table.name);
    by_id.unwrap_or(table)
}

const fn column(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
    Column::new(name, kind, meaning)
}

// Columns of more than one table.

const ID: Column = column("id", Kind::Text, "identifier of the row that the record came in").always();
const FILE: Column = column("file", Kind::Text, "path of the file, as given or found").always();
const GAME: Column = column("game", Kind::Integer, "number of the game in its file, from 1");
const OFFSET: Column = column("offset", Kind::Integer, "byte of the game's ( in the file, from 0");
const COLOR: Kind = Kind::Word(&["B", "W"]);
const DEAD_SOURCE: Column = column(
    "dead_source",
    Kind::Word(&["markup", "settled", "playouts", "engine", "given", "static"]),
    "source of the dead stones",
);
const CONFIDENCE: Column = column(
    "confidence",
    PROBABILITY,
    "probability that the dead stones are right and, if the number depends on it, the territory reading; empty if certain",
);
/// The names of all statuses of an ending.
pub const STATUSES: &[&str] = &["counted", "estimated", "unsettled", "not_counted", "not_replayed"];
const STATUS: Column = column("status", Kind::Word(STATUSES), "whether the ending was counted").always();

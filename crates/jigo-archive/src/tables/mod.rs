//! The tables: findings, scores, games, results, endings, comparisons, turns, mends; parts of files; duplicates and what finds them.

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

/// The tables of rows of records: in place of the file they name the row.
static BY_ID: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let by_id = |table: &Table| {
        let mut columns = table.columns.to_vec();
        columns.iter_mut().filter(|column| column.name == FILE.name).for_each(|column| *column = ID);
        // Once in a run, so nothing piles up.
        Table { columns: columns.leak(), ..*table }
    };
    TABLES.map(by_id).into()
});

/// The same table, with games named by the identifiers of the rows that they come in where the input has such.
pub fn of_input(table: &'static Table, input: InputFormat) -> &'static Table {
    let by_id = BY_ID.iter().find(|known| input.is_rows() && known.name == table.name);
    by_id.unwrap_or(table)
}

const fn column(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
    Column::new(name, kind, meaning)
}

// Columns that more than one table has.

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
/// What is known of an ending.
pub const STATUSES: &[&str] = &["counted", "estimated", "unsettled", "not_counted", "not_replayed"];
const STATUS: Column = column("status", Kind::Word(STATUSES), "whether the ending was counted").always();

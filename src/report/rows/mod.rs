//! The tables: findings, scores, games, comparisons, turns.

mod comparison;
mod finding;
mod game;
mod score;
mod turn;

pub use comparison::ComparisonRow;
pub use finding::FindingRow;
pub use game::GameRow;
pub use score::ScoreRow;
pub use turn::TurnRow;

use super::table::{Column, Kind, PROBABILITY, Row, Table};

/// Every table, for [`schema`](super::schema) and the documentation.
pub const TABLES: [&Table; 5] =
    [FindingRow::TABLE, ScoreRow::TABLE, GameRow::TABLE, ComparisonRow::TABLE, TurnRow::TABLE];

const fn column(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
    Column::new(name, kind, meaning)
}

// Columns that more than one table has.

const FILE: Column = column("file", Kind::Text, "path as given or found").always();
const GAME: Column = column("game", Kind::Integer, "number of the game in its file, from 1");
const COLOR: Kind = Kind::Word(&["B", "W"]);
const DEAD_SOURCE: Column = column(
    "dead_source",
    Kind::Word(&["markup", "settled", "playouts", "engine", "given"]),
    "who decided which stones are dead",
);
const CONFIDENCE: Column = column(
    "confidence",
    PROBABILITY,
    "how probable it is that these are the dead stones; empty where nothing was estimated",
);
const STATUS: Column = column(
    "status",
    Kind::Word(&["counted", "estimated", "unsettled", "not_counted", "not_replayed"]),
    "whether the ending was counted, or why not",
)
.always();

//! The tables: findings, scores, games.

mod finding;
mod game;
mod score;

pub use finding::FindingRow;
pub use game::GameRow;
pub use score::ScoreRow;

use super::table::{Column, Kind};

const fn column(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
    Column { name, kind, meaning }
}

// Columns that more than one table has.

const FILE: Column = column("file", Kind::Text, "path as given or found");
const GAME: Column = column("game", Kind::Integer, "number of the game in its file, from 1");
const DEAD_SOURCE: Column =
    column("dead_source", Kind::Word, "who decided which stones are dead: markup, settled, playouts, engine or given");
const CONFIDENCE: Column = column(
    "confidence",
    Kind::Probability,
    "how probable it is that these are the dead stones; empty where nothing was estimated",
);
const STATUS: Column = column("status", Kind::Word, "counted, estimated, unsettled, not_counted or not_replayed");

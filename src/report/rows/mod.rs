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

//! The visitor for the scores table: one row per game and ruleset.

use super::in_table::GameTable;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{Row, ScoreRow, Table};

/// Writes the scores of games. An unreadable game also has a row.
pub struct Scores;

impl GameTable for Scores {
    const TABLE: &'static Table = ScoreRow::TABLE;

    fn add_game(&self, &Visited { text, report, .. }: &Visited<'_>, rows: &mut Rows) {
        if report.scores.is_empty() {
            rows.push(&ScoreRow::new(*text, report, None));
        }
        for scored in &report.scores {
            rows.push(&ScoreRow::new(*text, report, Some(scored)));
        }
    }
}

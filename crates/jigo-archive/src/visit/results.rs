//! The visitor for the results table: one row per game with a recorded result.

use super::in_table::GameTable;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{ResultRow, Row, Table};

/// Writes recorded results next to the counts.
pub struct Results;

impl GameTable for Results {
    const TABLE: &'static Table = ResultRow::TABLE;

    fn add_game(&self, &Visited { text, report, .. }: &Visited<'_>, rows: &mut Rows) {
        if let Some(audit) = &report.audit {
            rows.push(&ResultRow { text: *text, audit });
        }
    }
}

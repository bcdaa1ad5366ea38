//! The visitor for the endings table: one row per game, with its last position.

use jigo_core::analysis::Settings;

use super::in_table::GameTable;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{EndingRow, Row, Table};

/// Writes the last positions of games, with dead stones and ownership.
pub struct Endings;

impl GameTable for Endings {
    const TABLE: &'static Table = EndingRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        settings.position = true;
    }

    fn add_game(&self, &Visited { text, report, .. }: &Visited<'_>, rows: &mut Rows) {
        rows.push(&EndingRow::new(*text, report));
    }
}

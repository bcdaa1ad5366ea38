//! The visitor for the games table: one row per game.

use jigo_core::analysis::Settings;

use super::in_table::GameTable;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{GameRow, Row, Table};

/// Writes the data of each game.
pub struct GameRows;

impl GameTable for GameRows {
    const TABLE: &'static Table = GameRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        settings.game_hash = true;
    }

    fn add_game(&self, game: &Visited<'_>, rows: &mut Rows) {
        rows.push(&GameRow::new(*game.text, game.report, game.reported.len()));
    }
}

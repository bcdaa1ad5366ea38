//! The visitor for the games table: one row per game.

use jigo_core::analyze::Settings;

use super::in_table::ToRows;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{GameRow, Row, Table};

/// Writes the data of each game.
pub struct GameRows;

impl ToRows for GameRows {
    const TABLE: &'static Table = GameRow::TABLE;

    fn ask(&self, settings: &mut Settings) {
        settings.game_hash = true;
    }

    fn game(&self, game: &Visited<'_>, rows: &mut Rows) {
        rows.push(&GameRow::new(*game.text, game.report, game.reported.len()));
    }
}

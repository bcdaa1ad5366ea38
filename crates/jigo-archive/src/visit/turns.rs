//! The visitor for the turns table: one row per replayed turn and per setup stone.

use jigo_core::analysis::Settings;

use super::in_table::GameTable;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{Row, Table, TurnRow};

/// Writes the turns of games.
pub struct Turns;

impl GameTable for Turns {
    const TABLE: &'static Table = TurnRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        settings.turns = true;
    }

    fn add_game(&self, game: &Visited<'_>, rows: &mut Rows) {
        let (text, size) = (*game.text, game.report.header.size);
        for (index, turn) in game.report.turns.iter().enumerate() {
            rows.push(&TurnRow { text, size, step: index + 1, turn });
        }
    }
}

//! The visitor for the turns table: one row per replayed turn and per setup stone.

use jigo_core::analyze::Settings;

use super::in_table::ToRows;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{Row, Table, TurnRow};

/// Writes the turns of games.
pub struct Turns;

impl ToRows for Turns {
    const TABLE: &'static Table = TurnRow::TABLE;

    fn ask(&self, settings: &mut Settings) {
        settings.turns = true;
    }

    fn game(&self, game: &Visited<'_>, rows: &mut Rows) {
        let (text, size) = (*game.text, game.report.header.size);
        for (index, turn) in game.report.turns.iter().enumerate() {
            rows.push(&TurnRow { text, size, step: index + 1, turn });
        }
    }
}

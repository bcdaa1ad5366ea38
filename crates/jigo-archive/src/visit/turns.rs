//! The turns table: a row for each turn that was replayed, and for each stone of setup.

use jigo_core::analyze::Settings;
use jigo_core::rules::select::Choice;

use super::in_table::ToRows;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{Row, Table, TurnRow};

/// Writes the turns of games that are judged by some rulesets.
pub struct Turns {
    /// The rulesets.
    pub judges: Vec<Choice>,
}

impl ToRows for Turns {
    const TABLE: &'static Table = TurnRow::TABLE;

    fn ask(&self, settings: &mut Settings) {
        settings.turns = true;
        settings.judges.clone_from(&self.judges);
    }

    fn game(&self, game: &Visited<'_>, rows: &mut Rows) {
        let (text, size) = (*game.text, game.report.header.size);
        for (index, turn) in game.report.turns.iter().enumerate() {
            rows.push(&TurnRow { text, size, step: index + 1, turn });
        }
    }
}

//! The visitor for the findings table: one row per reported finding.

use super::in_table::ToRows;
use crate::pipeline::baseline::Known;
use crate::pipeline::{Outside, Visited};
use crate::tables::formats::Rows;
use crate::tables::{FindingRow, Folded, Reached, Row, Table, folded};

/// Writes the findings of games.
pub struct Findings;

impl ToRows for Findings {
    const TABLE: &'static Table = FindingRow::TABLE;

    fn game(&self, game: &Visited<'_>, rows: &mut Rows) {
        let mut reached = Reached::default();
        if rows.is_text() {
            for (finding, folded) in folded(game.reported) {
                rows.push(&FindingRow { folded, ..FindingRow::in_game(game.text, finding, &mut reached) });
            }
            return;
        }
        let is_told = rows.tells_fingerprints() && !game.reported.is_empty();
        let number = is_told.then(|| Known::game_number(game.text, game.report));
        for finding in game.reported {
            let fingerprint = number.map(|number| Known::in_game(game.text.file, number, finding).fingerprint());
            rows.push(&FindingRow { fingerprint, ..FindingRow::in_game(game.text, finding, &mut reached) });
        }
    }

    fn outside(&self, &Outside { file, byte, line, finding, .. }: &Outside<'_>, rows: &mut Rows) {
        let words = line.map(|_| finding.detail.as_str());
        let fingerprint = rows.tells_fingerprints().then(|| Known::outside(file, finding, words).fingerprint());
        rows.push(&FindingRow { file, game: None, byte, line, finding, folded: Folded::default(), fingerprint });
    }
}

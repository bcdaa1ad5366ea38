//! The visitor for the findings table: one row per reported finding.

use super::in_table::GameTable;
use crate::pipeline::baseline::Known;
use crate::pipeline::{SourceFinding, Visited};
use crate::tables::formats::Rows;
use crate::tables::{FindingRow, Folded, Reached, Row, Table, folded};

/// Writes the findings of games.
pub struct Findings;

impl GameTable for Findings {
    const TABLE: &'static Table = FindingRow::TABLE;

    fn add_game(&self, game: &Visited<'_>, rows: &mut Rows) {
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

    fn add_finding(&self, &SourceFinding { file, byte, line, finding, .. }: &SourceFinding<'_>, rows: &mut Rows) {
        let words = line.map(|_| finding.detail.as_str());
        let fingerprint = rows.tells_fingerprints().then(|| Known::outside(file, finding, words).fingerprint());
        rows.push(&FindingRow { file, game: None, byte, line, finding, folded: Folded::default(), fingerprint });
    }
}

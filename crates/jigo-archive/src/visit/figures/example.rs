//! A reference to a game for readers of a page.

use serde::{Deserialize, Serialize};

use jigo_core::analysis::GameReport;
use jigo_record::splitter::GameText;

/// An example game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Its file.
    pub file: String,
    /// Its number in the file, from 1; `None` for a finding outside games.
    pub game: Option<u64>,
    /// The byte of its `(`, or of the stray text.
    pub offset: u64,
    /// The turn of the finding.
    pub turn: Option<u32>,
    /// The variation of the finding; empty for the main line.
    pub variation: String,
    /// The players; empty for a finding outside games.
    pub players: String,
    /// A note for the reader.
    pub note: String,
}

impl Example {
    /// Creates an example of a game's main line.
    pub fn new(text: &GameText, report: &GameReport, turn: Option<u32>, note: String) -> Example {
        let (file, players) = (text.file.to_owned(), players(report));
        Example { file, game: Some(text.game), offset: text.offset, turn, players, note, ..Example::default() }
    }
}

/// Returns the names of the players of a game.
fn players(report: &GameReport) -> String {
    let name = |name: &str, default: &str| (if name.is_empty() { default } else { name }).to_owned();
    format!("{} – {}", name(&report.header.black, "Black"), name(&report.header.white, "White"))
}

//! Games whose recorded result contradicts the count, with their last positions.

use serde::{Deserialize, Serialize};

use super::example::Example;
use crate::partial_result::PartialResult;
use jigo_core::analysis::GameReport;
use jigo_core::audit::{Audit, Cause, Verdict};
use jigo_core::diagrams::{GameDiagrams, LaterSetup, ending};
use jigo_core::replay::ReplayOptions;
use jigo_record::Reading;
use jigo_record::splitter::GameText;
use jigo_rules::HalfPoints;
use jigo_rules::board::{Mark, Picture, Point};

/// The maximum number of contradicted results, each with a diagram.
const MAX_CONTRADICTED: usize = 500;
/// A game whose recorded result contradicts the count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContradictedResult {
    /// True if every count has another winner.
    pub contradicts_winner: bool,
    /// The game.
    pub example: Example,
    /// The recorded result.
    pub stated: String,
    /// The counted final margin, Black minus White.
    pub counted: HalfPoints,
    /// The recorded margin minus the counted one; `None` if no margin is recorded.
    pub difference: Option<HalfPoints>,
    /// The ruleset of the count; empty if it is unknown.
    pub ruleset: String,
    /// The most probable cause of the difference.
    pub cause: String,
    /// The confidence of the count in thousandths; `None` without doubt.
    pub confidence: Option<u32>,
    /// The final position with dead stones and territory. Rings mark the groups in dispute. `None`
    /// if the dead stones are unknown.
    pub board: Option<Picture>,
}

impl ContradictedResult {
    /// Returns the sort key: another winner first, then the largest difference.
    fn sort_key(&self) -> (bool, i32) {
        (self.contradicts_winner, self.difference.map_or(0, |difference| difference.0.abs()))
    }
}

/// The contradicted results of a run, the worst first, up to a limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContradictedResults(Vec<ContradictedResult>);

impl ContradictedResults {
    /// Returns the games, the worst first.
    pub fn games(&self) -> &[ContradictedResult] {
        &self.0
    }

    /// Collects a game whose recorded result contradicts the count.
    pub(super) fn add_game(&mut self, text: &GameText, report: &GameReport, audit: &Audit) {
        let (Verdict::Contradicted, Some(counted_result)) = (audit.verdict, audit.counted) else { return };
        let mut game = ContradictedResult {
            contradicts_winner: audit.contradicts_winner,
            example: Example::new(text, report, None, String::new()),
            stated: audit.recorded.clone(),
            counted: counted_result,
            difference: audit.difference,
            ruleset: audit.ruleset.clone(),
            cause: audit.causes.first().map_or(String::new(), |cause| cause.to_string()),
            confidence: audit.confidence.map(|confidence| (confidence * 1000.0).round() as u32),
            board: None,
        };
        if self.index(&game) < MAX_CONTRADICTED {
            game.board = disputed_board(text, report, audit);
        }
        self.insert(game);
    }

    /// Returns the place of a game in the list.
    fn index(&self, game: &ContradictedResult) -> usize {
        self.0.partition_point(|other| other.sort_key() >= game.sort_key())
    }

    pub(super) fn insert(&mut self, game: ContradictedResult) {
        let index = self.index(&game);
        self.0.insert(index, game);
        self.0.truncate(MAX_CONTRADICTED);
    }
}

impl PartialResult for ContradictedResults {
    fn add_part(&mut self, next: ContradictedResults) {
        next.0.into_iter().for_each(|game| self.insert(game));
    }
}

/// Draws the final position of a game with its dead stones and territory, and rings on the groups
/// that the likeliest cause names.
fn disputed_board(text: &GameText, report: &GameReport, audit: &Audit) -> Option<Picture> {
    let counted_ending = report.ending.as_ref()?.as_ref().ok()?;
    let reading = Reading::from_text(text);
    let diagrams = GameDiagrams::new(&reading.record, ReplayOptions::default());
    let position = diagrams.moment_after(diagrams.turns(), LaterSetup::Included).position;
    let mut picture = ending(&position, counted_ending);
    for name in audit.causes.first().map_or(Vec::new(), Cause::stones) {
        let stone = Point::from_a1(name, position.size()).filter(|stone| position.stone(*stone).is_some());
        let chain = stone.into_iter().flat_map(|stone| position.chain(stone));
        chain.for_each(|point| picture.mark(point, Mark::Finding));
    }
    Some(picture)
}

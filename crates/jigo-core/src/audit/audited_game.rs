//! The parts of a game and of its final position that an audit compares.

use jigo_record::Header;
use jigo_rules::board::{Color, Position};
use jigo_rules::{HalfPoints, Ruleset, Tally};
use jigo_score::count::score;
use jigo_score::{Counts, MarkedEnding, Score};

/// The largest komi that players agree on. Without a recorded komi, any komi up to it is possible.
pub(super) const LARGEST_KOMI: HalfPoints = HalfPoints(19);

/// The minimum confidence in the dead stones for calling a result wrong. It holds even if the user
/// accepts estimates with less confidence.
pub const MIN_CONTRADICTION_CONFIDENCE: f32 = 0.9;

/// The parts of a game that determine its result.
#[derive(Clone, Copy)]
pub struct AuditedGame<'a> {
    /// The root properties.
    pub header: &'a Header,
    /// The counts of the replay.
    pub tally: &'a Tally,
    /// The record's ruleset as its server counts; `None` if the record names none.
    pub ruleset: Option<&'a Ruleset>,
    /// The final position with all stones on it.
    pub position: &'a Position,
    /// The final position as the record marks it; `None` without such marks.
    pub marked: Option<&'a MarkedEnding>,
    /// True if turns or setup are damaged, so that the final position may not be that of the game.
    pub is_damaged: bool,
}

impl AuditedGame<'_> {
    /// Returns the score of a position under a ruleset, with the record's komi or else the
    /// ruleset's.
    pub(super) fn score(&self, counts: &Counts, ruleset: &Ruleset) -> Option<Score> {
        score(counts, self.tally, &ruleset.axes, self.header.known_komi()).ok()
    }

    /// Returns the komi of [`AuditedGame::score`].
    pub(super) fn komi(&self, ruleset: &Ruleset) -> HalfPoints {
        self.header.known_komi().unwrap_or_else(|| ruleset.axes.komi(self.tally.handicap.stones()))
    }

    /// Returns true if komi is unrecorded and the recorded player wins with a komi from 0 to
    /// `largest`, or without komi in a game that is older than komi.
    pub(super) fn can_win(&self, (ruleset, score): &(Ruleset, Score), largest: HalfPoints) -> bool {
        let lead = score.black_minus_white() + self.komi(ruleset);
        let largest = if self.header.is_komi_of_its_time(HalfPoints(1)) { largest } else { HalfPoints::ZERO };
        let can_win = match self.header.result.winner {
            Some(Color::Black) => lead > HalfPoints::ZERO,
            Some(Color::White) => lead < largest,
            None => false,
        };
        can_win && self.header.is_komi_unrecorded()
    }
}

//! Counts of a replay: turns, prisoners, passes.

use crate::board::Color;

/// The counts of a replay. Arrays are ordered Black first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of `B` and `W` properties with any value.
    pub turns: u32,
    /// Number of stones played.
    pub plays: [u32; 2],
    /// Number of recorded passes.
    pub passes: [u32; 2],
    /// Number of passes that the record omits. Without them one player would take two consecutive
    /// turns.
    pub implied_passes: [u32; 2],
    /// Stones that the player of this colour lost: to captures and suicides, and dead stones that
    /// the record removes after the last turn.
    pub lost: [u32; 2],
    /// Stones placed by setup minus those removed by it.
    ///
    /// A stone replaced by a play counts as removed.
    pub setup: [i32; 2],
    /// Number of setups after the first turn, without those that only remove stones after the last.
    pub setups_in_play: u32,
    /// Number of handicap stones, or 0 if fewer than 2.
    ///
    /// These are Black's setup stones in the root if White has none. Otherwise they are Black's
    /// turns before White's first, up to the number in HA.
    pub handicap: u32,
    /// Player of the first turn.
    pub first: Option<Color>,
    /// Player of the last turn.
    pub last: Option<Color>,
    /// Player of the first recorded pass.
    pub first_passer: Option<Color>,
    /// Number of recorded passes after the last play.
    pub closing_passes: u32,
    /// Number of turns that a judging ruleset forbids, that were off the board or that were
    /// unreadable.
    pub illegal: u32,
    /// Number of plays that recreated an earlier position.
    pub repetitions: u32,
    /// Turn before which the replay stopped.
    pub stopped_at: Option<u32>,
    /// Resource that ran out, if this stopped the replay.
    pub exhausted: Option<ExhaustedLimit>,
}

/// A resource that a replay can exhaust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExhaustedLimit {
    /// Time.
    Time,
    /// Number of findings.
    Findings,
}

impl Tally {
    /// Returns true if the handicap stones were set up instead of placed as turns.
    pub fn has_handicap_setup(&self) -> bool {
        self.handicap > 0 && self.setup[0] > 0
    }

    /// Returns true if every turn so far was a play whose stone is still on the board, and setup
    /// added no stones.
    pub fn has_all_played_stones(&self) -> bool {
        self.plays.iter().sum::<u32>() == self.turns && self.lost == [0; 2] && self.setup == [0; 2]
    }

    /// Returns the number of handicap stones placed as turns, without the one turn that Black has
    /// in an even game.
    pub fn extra_opening_turns(&self) -> i32 {
        if self.has_handicap_setup() { 0 } else { (self.handicap as i32 - 1).max(0) }
    }
}

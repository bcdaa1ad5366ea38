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
    /// The handicap stones.
    pub handicap: Handicap,
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

/// Black's stones before White's first play, by the way in which the record gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handicap {
    /// Number of stones set up.
    pub set_up: u32,
    /// Number of stones played.
    pub plays: u32,
    /// Number of White's passes between these plays, which the rules demand and which cost nothing.
    pub passes: u32,
}

impl Handicap {
    /// Returns the number of stones, or 0 for a single one, which is an even game.
    pub fn stones(self) -> u32 {
        Some(self.set_up + self.plays).filter(|stones| *stones >= 2).unwrap_or(0)
    }
}

impl Tally {
    /// Returns the player to move after the last turn. White moves first in a handicap game.
    pub fn next_player(&self) -> Color {
        let first_player = if self.handicap.stones() > 0 { Color::White } else { Color::Black };
        self.last.map_or(first_player, Color::opponent)
    }

    /// Returns each player's passes, including implied ones and excluding those of White that are
    /// part of the handicap.
    pub fn free_passes(&self) -> [i32; 2] {
        let passes = [0, 1].map(|side| (self.passes[side] + self.implied_passes[side]) as i32);
        [passes[0], passes[1] - self.handicap.passes as i32]
    }

    /// Returns true if every turn so far was a play whose stone is still on the board, and setup
    /// added no stones.
    pub fn has_all_played_stones(&self) -> bool {
        self.plays.iter().sum::<u32>() == self.turns && self.lost == [0; 2] && self.setup == [0; 2]
    }

    /// Returns the number of Black's handicap plays for which White took no turn, without the one
    /// play that Black has in an even game.
    pub fn extra_opening_turns(&self) -> i32 {
        let Handicap { plays, passes, .. } = self.handicap;
        (plays as i32 - passes as i32 - i32::from(self.first == Some(Color::Black))).max(0)
    }
}

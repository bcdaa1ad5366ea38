//! Replay of a record: makes every turn and reports findings under several rulesets.

mod game;
mod judge;

use game::{Bounds, GameUnderWay};

use crate::board::{Color, Position};
use crate::budget::Budget;
use crate::finding::Finding;
use crate::record::{GameRecord, Step};
use crate::rules::{Referee, Ruleset};

/// The reaction to a turn that a ruleset forbids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnIllegal {
    /// Make the turn and continue, as FF\[4\] demands.
    #[default]
    Play,
    /// Stop before the turn.
    Stop,
}

/// Options of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Reaction to a turn that a ruleset forbids.
    pub on_illegal: OnIllegal,
    /// Attributes a position after setup to no player.
    ///
    /// If false, the position counts as created by the opponent of the player to move, as if by a
    /// play.
    pub literal_setup: bool,
}

/// The counts of a replay. Arrays are ordered Black first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of `B` and `W` properties, whatever their values.
    pub turns: u32,
    /// Number of stones played.
    pub plays: [u32; 2],
    /// Number of recorded passes.
    pub passes: [u32; 2],
    /// Number of passes that the record omits. Without them one player would take two consecutive
    /// turns.
    pub implied_passes: [u32; 2],
    /// Stones that the player of this colour lost during play, to captures and suicides.
    pub lost: [u32; 2],
    /// Stones placed by setup minus those removed by it.
    ///
    /// A stone replaced by a play counts as removed.
    pub setup: [i32; 2],
    /// Number of handicap stones, or 0 if less than 2.
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
    /// Number of turns that broke a rule of the judges, were off the board or were unreadable.
    pub illegal: u32,
    /// Number of plays that recreated an earlier position.
    pub repetitions: u32,
    /// Turn before which the replay stopped.
    pub stopped_at: Option<u32>,
    /// Resource that ran out, if this stopped the replay.
    pub short_of: Option<Shortage>,
}

/// A resource that a replay can exhaust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shortage {
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

    /// Returns true if the stones of all turns so far are still on the board.
    ///
    /// Setup stones are not considered.
    pub fn is_as_played(&self) -> bool {
        self.plays.iter().sum::<u32>() == self.turns && self.lost == [0; 2] && self.setup == [0; 2]
    }

    /// Returns the number of handicap stones placed as turns, without the one turn that Black has
    /// in an even game.
    pub fn opening_run(&self) -> i32 {
        if self.has_handicap_setup() { 0 } else { (self.handicap as i32 - 1).max(0) }
    }
}

/// Replays games one after the other on the same board.
pub struct Replayer {
    /// Time limit of a replay, which stops when the budget is spent.
    pub budget: Budget,
    /// Largest number of findings, including those before the replay. The replay stops if there are
    /// more.
    pub most_findings: u64,
    referee: Referee,
}

/// Creates a replayer without limits.
impl Default for Replayer {
    fn default() -> Replayer {
        Replayer { budget: Budget::default(), most_findings: u64::MAX, referee: Referee::default() }
    }
}

impl Replayer {
    /// Replays `record` under every ruleset of `judges` and appends the findings to `findings`.
    pub fn replay(
        &mut self,
        record: &GameRecord,
        judges: &[Ruleset],
        options: ReplayOptions,
        findings: &mut Vec<Finding>,
    ) -> Tally {
        let bounds = Bounds { budget: &self.budget, most_findings: self.most_findings };
        let mut game = GameUnderWay::new((&mut self.referee, bounds), record, judges, options, findings);
        game.run(None::<fn(&Step, &Tally, &Position) -> usize>);
        game.close()
    }

    /// Replays like [`Replayer::replay`] and calls `watch` after steps.
    ///
    /// `watch` receives the step, the counts so far and the position after it. It returns the
    /// number of steps to skip before its next call.
    pub fn replay_watched(
        &mut self,
        record: &GameRecord,
        (judges, options): (&[Ruleset], ReplayOptions),
        findings: &mut Vec<Finding>,
        watch: impl FnMut(&Step, &Tally, &Position) -> usize,
    ) -> Tally {
        let bounds = Bounds { budget: &self.budget, most_findings: self.most_findings };
        let mut game = GameUnderWay::new((&mut self.referee, bounds), record, judges, options, findings);
        game.run(Some(watch));
        game.close()
    }

    /// Returns the final position of the last replay.
    pub fn position(&self) -> &Position {
        self.referee.position()
    }
}

/// Formats a number with its noun: `1 stone`, `2 stones`.
fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

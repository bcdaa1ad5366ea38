//! Replay of a record: makes every turn and reports findings under several rulesets.

mod game_replay;
mod options;
mod rulings;

use game_replay::{Bounds, GameReplay};
pub use options::{OnIllegal, ReplayOptions};

use jigo_record::finding::Finding;
use jigo_record::{GameRecord, Step};
use jigo_rules::board::Position;
use jigo_rules::budget::Budget;
use jigo_rules::{History, Referee, Ruleset, Tally};

/// Replays games one after the other on the same board.
pub struct Replayer {
    /// Time limit of a replay, which stops when the budget is spent.
    pub budget: Budget,
    /// Largest number of findings, including those before the replay. The replay stops if there are
    /// more.
    pub max_findings: u64,
    referee: Referee,
}

/// Creates a replayer without limits.
impl Default for Replayer {
    fn default() -> Replayer {
        Replayer { budget: Budget::default(), max_findings: u64::MAX, referee: Referee::default() }
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
        self.replay_with_observer(record, judges, options, findings, |_, _, _| usize::MAX)
    }

    /// Replays like [`Replayer::replay`] and calls `observer` after steps.
    ///
    /// `observer` receives the step, the counts so far and the position after it. It returns the
    /// number of steps to skip before its next call.
    pub fn replay_with_observer(
        &mut self,
        record: &GameRecord,
        judges: &[Ruleset],
        options: ReplayOptions,
        findings: &mut Vec<Finding>,
        observer: impl FnMut(&Step, &Tally, &Position) -> usize,
    ) -> Tally {
        let bounds = Bounds { budget: &self.budget, max_findings: self.max_findings };
        let mut game = GameReplay::new(&mut self.referee, bounds, record, judges, options, findings);
        game.run(observer);
        game.close()
    }

    /// Returns the final position of the last replay.
    pub fn position(&self) -> &Position {
        self.referee.position()
    }

    /// Returns the turns of the last replay since its last setup.
    pub(crate) fn history(&self) -> &History {
        self.referee.history()
    }
}

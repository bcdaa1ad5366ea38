//! A record under rulesets: every turn made, every finding named.

mod game;
mod judge;

use game::{Bounds, GameUnderWay};

use crate::board::{Color, Position};
use crate::budget::Budget;
use crate::finding::Finding;
use crate::record::{GameRecord, Step};
use crate::rules::{Referee, Ruleset};

/// What to do with a turn that a ruleset forbids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnIllegal {
    /// Make it and go on, as FF\[4\] demands.
    #[default]
    Play,
    /// Stop before it.
    Stop,
}

/// How to replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// What to do with a turn that a ruleset forbids.
    pub on_illegal: OnIllegal,
    /// Nobody has left a position that was set up. Otherwise it is attributed to the player who is not to move, as if by a play.
    pub literal_setup: bool,
}

/// What the replay counted. Arrays hold Black's number first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// B and W properties seen, whatever they held.
    pub turns: u32,
    /// Stones played.
    pub plays: [u32; 2],
    /// Passes recorded.
    pub passes: [u32; 2],
    /// Passes left out of the record by a player who would have taken two turns in a row otherwise.
    pub implied_passes: [u32; 2],
    /// Stones that the player of this colour lost during play, to captures and suicides.
    pub lost: [u32; 2],
    /// Stones put down by setup less those it took off; a stone that a play replaced counts as taken off.
    pub setup: [i32; 2],
    /// Handicap stones: Black's setup in the root when White has none, else the turns Black takes before White's first,
    /// as far as HA covers them. 0 where it is less than 2.
    pub handicap: u32,
    /// Who took the first turn.
    pub first: Option<Color>,
    /// Who took the last turn.
    pub last: Option<Color>,
    /// Who took the first recorded pass of the game.
    pub first_passer: Option<Color>,
    /// Recorded passes at the end, without a play after them.
    pub closing_passes: u32,
    /// Turns that broke a rule judged by, or were off the board or unreadable.
    pub illegal: u32,
    /// Plays that brought back an earlier position.
    pub repetitions: u32,
    /// The turn before which the replay stopped.
    pub stopped_at: Option<u32>,
    /// What it ran out of, where that is why.
    pub short_of: Option<Shortage>,
}

/// What a replay ran out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shortage {
    /// Time.
    Time,
    /// Room for findings.
    Findings,
}

impl Tally {
    /// Whether the handicap stones were set up rather than placed as turns.
    pub fn has_handicap_setup(&self) -> bool {
        self.handicap > 0 && self.setup[0] > 0
    }

    /// Whether every turn so far put down a stone that is still there. It does not say so of setup.
    pub fn is_as_played(&self) -> bool {
        self.plays.iter().sum::<u32>() == self.turns && self.lost == [0; 2] && self.setup == [0; 2]
    }

    /// Turns that Black took before White's first beyond the one that Black has in an even game: handicap stones placed as turns.
    pub fn opening_run(&self) -> i32 {
        if self.has_handicap_setup() { 0 } else { (self.handicap as i32 - 1).max(0) }
    }
}

/// Replays games, one after the other, on the same board.
pub struct Replayer {
    /// How long a replay may take; it stops where there is no more.
    pub budget: Budget,
    /// How many findings there may be, those before the replay among them; it stops where there are more.
    pub most_findings: u64,
    referee: Referee,
}

/// Neither time nor findings are limited.
impl Default for Replayer {
    fn default() -> Replayer {
        Replayer { budget: Budget::default(), most_findings: u64::MAX, referee: Referee::default() }
    }
}

impl Replayer {
    /// Replays `record`, judged by every ruleset of `judges`, and adds what it finds to `findings`.
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

    /// The same; `watch` sees steps that were made, with what was counted by then and the position they led to, and says how many steps it need not see before
    /// the next one.
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

    /// The position that the last replay ended with.
    pub fn position(&self) -> &Position {
        self.referee.position()
    }
}

/// `1 stone`, `2 stones`.
fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

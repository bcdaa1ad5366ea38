//! The score of an ending: dead stones, owners of the points, and the count under each ruleset.

mod cell_set;
pub mod count;
pub(crate) mod dead;
mod disjoint;
pub mod evaluation;
mod eye;
mod false_eye;
pub(crate) mod fights;
mod gap;
mod grid;
mod group_tax;
mod known;
mod markup;
pub mod owner;
pub mod playout;
mod region;
pub mod seki;
pub mod settled;
pub mod territory;
mod unfinished;

pub use count::{Counts, Score};
pub use dead::{DeadSource, Decider, Ending, Engine, StartEngine};
pub use owner::{Owner, owners};

use crate::record::ResultKind;
use crate::replay::Tally;

/// Below this confidence an estimated ending is more often wrong than right.
pub const MIN_CONFIDENCE: f32 = 0.5;

/// The reason why a game has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uncounted {
    /// The game ended by resignation.
    Resignation,
    /// The game ended on time.
    Time,
    /// The game was forfeited.
    Forfeit,
    /// The recorded result is void.
    Void,
    /// The recorded result is not a score and two passes do not end the record, or the record has
    /// no turns and at most handicap stones.
    Unfinished,
    /// The replay stopped before the end.
    Stopped,
    /// No source decided which stones are dead.
    Unsettled,
    /// The confidence of the estimate is below the requested minimum.
    Doubtful,
    /// Too many points are open for an estimate.
    Open,
    /// Area and territory do not differ by the stones played, which is an error in jigo.
    BrokenIdentity,
}

impl Uncounted {
    /// Returns the word in the reason column.
    pub const fn name(self) -> &'static str {
        match self {
            Uncounted::Resignation => "resignation",
            Uncounted::Time => "time",
            Uncounted::Forfeit => "forfeit",
            Uncounted::Void => "void",
            Uncounted::Unfinished => "unfinished",
            Uncounted::Stopped => "stopped",
            Uncounted::Unsettled => "dead stones unknown",
            Uncounted::Doubtful => "dead stones doubtful",
            Uncounted::Open => "much of the board is open",
            Uncounted::BrokenIdentity => "internal error",
        }
    }

    /// Returns the word in the status column.
    pub const fn status(self) -> &'static str {
        match self {
            Uncounted::Unsettled | Uncounted::Doubtful | Uncounted::Open => "unsettled",
            _ => "not_counted",
        }
    }
}

/// Returns the reason, according to the record, not to score a game.
///
/// For example, the players never counted a game that ended by resignation.
pub fn ended_otherwise(result: ResultKind, tally: &Tally) -> Option<Uncounted> {
    match result {
        _ if tally.stopped_at.is_some() => Some(Uncounted::Stopped),
        // The record contains the result of a game without the game.
        ResultKind::Score | ResultKind::Draw if tally.turns == 0 && tally.setup.contains(&0) => {
            Some(Uncounted::Unfinished)
        }
        ResultKind::Score | ResultKind::Draw => None,
        ResultKind::Resignation => Some(Uncounted::Resignation),
        ResultKind::Time => Some(Uncounted::Time),
        ResultKind::Forfeit => Some(Uncounted::Forfeit),
        ResultKind::Void => Some(Uncounted::Void),
        _ if tally.closing_passes >= 2 => None,
        ResultKind::Missing | ResultKind::Unknown | ResultKind::Win | ResultKind::Unreadable => {
            Some(Uncounted::Unfinished)
        }
    }
}

//! What an ending is worth: which stones are dead, whose the points are, what each ruleset makes of it.

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

/// Why a game has no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uncounted {
    /// It ended by resignation.
    Resignation,
    /// It ended on time.
    Time,
    /// It was forfeited.
    Forfeit,
    /// The record says void.
    Void,
    /// The record states no count, and two passes do not end it; or it has no turns, and no more on the board than handicap stones.
    Unfinished,
    /// The replay stopped before the end.
    Stopped,
    /// Nobody decided which stones are dead, and the position does not.
    Unsettled,
    /// The dead stones were estimated with less confidence than asked for.
    Doubtful,
    /// The estimate is of a position in which too many points are nobody's yet.
    Open,
    /// Area and territory do not differ by the stones played: an error of ours.
    BrokenIdentity,
}

impl Uncounted {
    /// The word in the reason column.
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

    /// The word in the status column.
    pub const fn status(self) -> &'static str {
        match self {
            Uncounted::Unsettled | Uncounted::Doubtful | Uncounted::Open => "unsettled",
            _ => "not_counted",
        }
    }
}

/// Why the ending of a game is not to be counted, by what the record says of it: a game that somebody resigned was never
/// counted by its players.
pub fn ended_otherwise(result: ResultKind, tally: &Tally) -> Option<Uncounted> {
    match result {
        _ if tally.stopped_at.is_some() => Some(Uncounted::Stopped),
        // The record has the result of a game and not the game.
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

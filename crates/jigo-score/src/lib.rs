//! Endings of Go games: dead stones, territory, and the score under every ruleset.
//!
//! Count a position whose dead stones are known, under two rulesets:
//!
//! ```
//! use jigo_rules::{Axes, Point, Ruleset, Tally, diagram};
//! use jigo_score::{Counts, score};
//!
//! // The white stone in the left corner is dead.
//! let position = diagram::read("O X . O .\n. X . O .")?;
//! let counts = Counts::from_position(&position, &[Point::new(0, 0)]);
//!
//! for (name, margin) in [("chinese", "0"), ("tromp-taylor", "0")] {
//!     let ruleset: Ruleset = name.parse()?;
//!     let score = score(&counts, &Tally::default(), &ruleset.axes, Some(Default::default()));
//!     assert_eq!(score.unwrap().black_minus_white().to_string(), margin);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If the dead stones are unknown, [`Decider`] finds them: proven ones by [`settled_dead_stones`],
//! the others by a static evaluation and by playouts, with a confidence.
//!
//! # Modules
//!
//! The order of the modules is the direction of the data: each module uses only those before it.

#![warn(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]
// Outside tests, a comment must show why an unwrap or expect cannot fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
// Items marked `pub` are for other crates. Everything else is visible to this crate only.
#![warn(unreachable_pub)]

pub mod shape;
pub mod evaluation;
mod markup;
pub mod seki;
pub mod pass_alive;
mod group_tax;
mod playout_input;
mod score_parts;
pub mod count;
pub mod playout;
mod dead_stones;
pub mod owner;
mod given_stones;
pub mod fights;
mod end_signs;

pub use count::{Counts, NoScore, Remark, Score, score};
pub use dead_stones::{DeadSource, Decider, Ending, Engine, EngineFactory, FinalPosition};
pub use given_stones::{GivenStones, GivenStonesError};
pub use markup::MarkedEnding;
pub use owner::{Owner, owners};
pub use pass_alive::{OpponentSuicide, PassAlive, pass_alive, settled_dead_stones};
pub use playout::{Estimate, estimate};
pub use score_parts::{ScorePart, ScoreParts};
pub use seki::Territory;
pub use shape::territory::FloodedTerritory;

/// Below this confidence an estimated ending is more often wrong than right.
pub const MIN_CONFIDENCE: f32 = 0.5;

jigo_rules::named! {
    /// The reason why a game has no score.
    pub enum UncountedReason {
        /// The game ended by resignation.
        Resignation = "resignation",
        /// The game ended on time.
        Time = "time",
        /// The game was forfeited.
        Forfeit = "forfeit",
        /// The recorded result is void.
        Void = "void",
        /// The recorded result is not a score and two passes do not end the record, or the record
        /// has no turns and at most handicap stones.
        Unfinished = "unfinished",
        /// The replay stopped before the end.
        Stopped = "stopped",
        /// No source decided which stones are dead.
        Unsettled = "dead stones unknown",
        /// The confidence of the estimate is below the requested minimum.
        Doubtful = "dead stones doubtful",
        /// Too many points are open for an estimate.
        Open = "much of the board is open",
        /// The dead stones given for the game are not stones of its last position.
        WrongGivenStones = "given stones not on the board",
        /// A chain of a board without a game has no liberties.
        NoLiberties = "chain without liberties",
        /// Area and territory do not differ by the stones played, which is an error in jigo.
        BrokenIdentity = "internal error",
    }
}

impl UncountedReason {
    /// Returns the word in the status column.
    pub const fn status(self) -> &'static str {
        match self {
            UncountedReason::Unsettled
            | UncountedReason::Doubtful
            | UncountedReason::Open
            | UncountedReason::WrongGivenStones => "unsettled",
            _ => "not_counted",
        }
    }
}

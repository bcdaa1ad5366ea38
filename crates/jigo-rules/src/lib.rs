//! The rules of Go without records: boards, captures, superko, rulesets and a referee.
//!
//! A referee refuses a move that violates superko. White sends two stones, Black takes them and
//! returns one, and White's capture would repeat the first position:
//!
//! ```
//! use jigo_rules::{Color, IllegalTurn, Point, Referee, Ruleset, Turn, diagram};
//!
//! let start = diagram::read("X X . . .\nX X O . .\n. O . O .")?;
//! let mut referee = Referee::new(start.size());
//! referee.set_up(start.size().iter().map(|point| (point, start.stone(point))), None);
//!
//! let superko: Ruleset = "chinese-psk".parse()?;
//! let play = |color, column| Turn::play(color, Point::new(column, 2));
//! referee.try_turn(play(Color::White, 0), &superko)?;
//! referee.try_turn(play(Color::Black, 2), &superko)?;
//! let refused = referee.try_turn(play(Color::White, 1), &superko);
//! assert_eq!(refused, Err(IllegalTurn::Superko(0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! The order of the modules is the direction of the data: each module uses only those before it.
//!
//! - [`named!`], [`suggestions`] and [`budget`]: names of values, corrections for misspelled names, and time limits.
//! - [`board`]: points, positions, captures and position hashes.
//! - [`half_points`]: scores and komi as integers.
//! - [`ruleset`], [`presets`], [`ru_property`], [`select`]: rules as independent axes, the table of
//!   presets, and the names of rules in records and options.
//! - [`cycle`], [`History`] and [`Referee`]: repetitions and the verdict on a turn.
//!
//! # Conventions
//!
//! - Turns count from 1; turn 0 is the initial position with its setup.
//! - Points are columns and rows from 0 at the top left. They print as SGF pairs, column first.
//! - Scores, komi and margins are whole [`HalfPoints`]. Margins are Black minus White.
//! - Arrays of two hold Black's value first; [`Color::index`] is the index.

#![warn(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]
// Outside tests, a comment must show why an unwrap or expect cannot fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
// Items marked `pub` are for other crates. Everything else is visible to this crate only.
#![warn(unreachable_pub)]

mod named;
pub mod suggestions;
pub mod budget;
pub mod board;
pub mod half_points;
pub mod ruleset;
pub mod presets;
pub mod ru_property;
pub mod select;
mod tally;
mod position_index;
mod history;
pub mod cycle;
mod referee;

#[doc(inline)]
pub use board::diagram;
pub use board::{
    Action, BoardSize, Color, MarkedTerritory, Point, PointSet, Position, PositionHash, RemovedStones, Stones, Turn,
};
pub use half_points::{HalfPoints, HalfPointsError, format_margin};
pub use history::fast_path::PlaySequence;
pub use history::{History, Repetition};
pub use position_index::HistoryEntry;
pub use presets::{PRESETS, Preset, PresetGroup, SourceQuality};
pub use referee::{IllegalTurn, Referee, RuleViolation, TurnFacts};
pub use ruleset::{
    Axes, Button, DeadStones, End, HandicapBonus, HandicapPlacement, LongCycle, RepetitionRule, Resumption, RulesBasis,
    Ruleset, Scoring, Suicide, TerritoryReading, Tie,
};
pub use select::RulesError;
pub use tally::{ExhaustedLimit, Handicap, Tally};

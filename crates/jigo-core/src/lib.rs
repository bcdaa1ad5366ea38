//! Reads records of Go games, replays them under any ruleset, and counts their endings.
//!
//! ```
//! use jigo_core::{Game, Ruleset};
//!
//! // White retakes a ko at once on turn 2.
//! let sgf = "(;SZ[9]RU[Japanese]KM[6.5]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[bb])";
//! let game = Game::parse(sgf)?;
//! let rules = game.ruleset().unwrap_or_else(Ruleset::unknown);
//! for finding in game.replay(&rules).illegal() {
//!     println!("turn {:?}: {} ({})", finding.place.turn, finding.code.name(), finding.detail);
//! }
//! # Ok::<(), jigo_core::NotAGame>(())
//! ```
//!
//! The crate does no input or output, starts no threads and does not play Go. The command `jigo`
//! and its support for archives of many games build on it.
//!
//! # Overview
//!
//! | to | use |
//! |---|---|
//! | read one game, or all games of a text | [`Game::parse`], [`games`] |
//! | list the flaws of a record | [`Game::findings`], [`Replay::findings`], [`Finding`], [`Code`] |
//! | replay it under a ruleset | [`Game::replay`], [`Ruleset`], [`PRESETS`] |
//! | look at a position | [`Replay::position`], [`Position`], [`diagram`] |
//! | find the dead stones | [`Replay::ending`], [`settled_dead_stones()`], [`estimate()`] |
//! | count | [`Replay::score`], [`Counts`], [`Score`] |
//! | referee a running game | [`Referee::try_turn`] |
//!
//! # Conventions
//!
//! - Turns count from 1; turn 0 is the initial position with its setup. Bytes count from 0.
//! - Points are columns and rows from 0 at the top left. They print as SGF pairs, column first.
//! - Scores, komi and margins are whole [`HalfPoints`]. Margins are Black minus White.
//! - Arrays of two hold Black's number first; [`Color::index`] is the index.
//! - A game with illegal moves, damage or a senseless header is still a game. Its flaws are
//!   [`Finding`]s.
//!
//! # Versions
//!
//! The items on this page follow semantic versioning: before 1.0, a change that breaks callers
//! raises the second number. Enums and errors marked `non_exhaustive` may grow in any version.
//! Findings may grow as well: a later version may find more in the same record, or may count an
//! estimated ending differently. Items that this page does not show serve jigo's own crates and
//! change without notice.

#![warn(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]
// Outside tests, every unwrap or expect needs a comment that proves that it can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
// Items marked pub are used by other crates, so a search for their callers must include these.
#![warn(unreachable_pub)]

pub mod similarity;
pub mod replay;
pub mod pattern;
pub mod audit;
pub mod fix;
pub mod analysis;
pub mod training;
pub mod diagrams;
mod game;

pub use game::{Game, NotAGame, Replay, games};
#[doc(inline)]
pub use jigo_record::{
    Code, Coordinates, Date, Description, Dialect, Finding, FixDescription, FixSafety, GameRecord, Header, KomiUnit,
    Place, Precision, Rank, RecordedResult, RepeatedPosition, ResultKind, ResultOddity, ServerScoring, Setup, Severity,
    Step, StepKind,
};
#[doc(inline)]
pub use jigo_rules::{
    Action, Axes, BoardSize, Button, Color, End, ExhaustedLimit, HalfPoints, HalfPointsError, HandicapBonus,
    HandicapPlacement, History, HistoryEntry, IllegalTurn, LongCycle, MarkedTerritory, PRESETS, PlaySequence, Point,
    PointSet, Position, PositionHash, Preset, PresetGroup, Referee, RemovedStones, Repetition, RepetitionRule,
    Resumption, RuleViolation, RulesBasis, RulesError, Ruleset, Scoring, SourceQuality, Stones, Suicide, Tally,
    TerritoryReading, Tie, Turn, TurnFacts, diagram,
};
#[doc(inline)]
pub use jigo_score::{
    Counts, DeadSource, Ending, Estimate, FloodedTerritory, MIN_CONFIDENCE, NoScore, OpponentSuicide, Owner, PassAlive,
    Remark, Score, ScorePart, ScoreParts, Territory, estimate, pass_alive, settled_dead_stones,
};

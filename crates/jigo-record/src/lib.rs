//! Go game records: a damage-tolerant reader of SGF, GIB, NGF, UGF and move lists, and a writer of
//! SGF.
//!
//! Read a GIB file of a Korean server:
//!
//! ```
//! use jigo_record::Reading;
//! use jigo_record::sgf::Charset;
//! use jigo_record::splitter::{Close, GameText, RecordKind};
//!
//! let gib = b"\\HS\n\\[GAMEBLACKNAME=Kim (3D)\\]\n\\HE\n\\GS\nINI 0 1 0 &4\n\
//!     STO 0 2 1 3 3\nSTO 0 3 2 15 15\n\\GE\n";
//! let kind = RecordKind::from_start(gib).unwrap();
//! let text = GameText { kind, ..GameText::single(gib, Close::Parenthesis, Charset::UTF8) };
//! let reading = Reading::from_text(&text);
//! assert_eq!(reading.record.header.black, "Kim");
//! assert_eq!(reading.record.steps.len(), 2);
//! ```
//!
//! Damaged text is read as far as it can be read; each damage is a [`Finding`].
//!
//! # Modules
//!
//! The order of the modules is the direction of the data: each module uses only those before it.

#![warn(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]
// Outside tests, a comment must show why an unwrap or expect cannot fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
// Items marked `pub` are for other crates. Everything else is visible to this crate only.
#![warn(unreachable_pub)]

pub mod finding;
pub mod sgf;
pub mod header;
pub mod splitter;
pub mod formats;
pub mod record;
pub mod conformance;
pub mod write;

pub use finding::code::Description;
pub use finding::{Code, Finding, FixDescription, FixSafety, Place, RepeatedPosition, Severity};
pub use header::dialect::KomiUnit;
pub use header::time_control::{Overtime, OvertimeKind, TimeControl};
pub use header::{
    Date, Dialect, DialectChoice, Header, NameConflict, PlayerId, PlayerList, Precision, Rank, RecordedResult,
    ResultKind, ResultOddity, ServerScoring, has_remark, is_placeholder_name, normalize_player_name,
};
pub use record::{
    Coordinates, Evaluation, EvaluationForm, GameDetails, GameRecord, HandicapPrefix, Reading, Setup, Step, StepKind,
    Unreadable, size_text, with_small_letters,
};

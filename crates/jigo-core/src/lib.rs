//! One game of Go: its record read, replayed, audited and counted. No files, no threads, no command line.
//!
//! The way of the data, each module using only those before it:
//!
//! ```text
//! bytes ─split, decode─▶ GameText ─read─▶ GameRecord ─replay─▶ Tally and findings ─dead stones─▶ Ending ─count─▶ Score
//! ```
//!
//! [`board`] is Go without records; [`finding`] names what can be wrong; [`rules`] says what rulesets forbid and count;
//! [`sgf`] cuts bytes into games; [`record`] reads one; [`replay`] plays it; [`score`] counts its ending; [`audit`] compares what its
//! parts say; [`analyze`] does all that for one game; [`album`] draws it.

// Outside tests a comment has to show why an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod album;
pub mod analyze;
pub mod audit;
pub mod board;
pub mod finding;
pub mod record;
pub mod replay;
pub mod rules;
pub mod score;
pub mod sgf;

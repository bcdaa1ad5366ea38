//! jigo audits and rescores archives of Go game records.
//!
//! The way of the data, each module using only those before it:
//!
//! ```text
//! bytes ─discover─▶ Source ─unpack, split, decode─▶ GameText ─read─▶ GameRecord ─replay─▶ Tally and findings
//!       ─dead stones─▶ Ending ─count─▶ Score ─rows─▶ CSV, text
//! ```
//!
//! [`board`] is Go without records; [`finding`] names what can be wrong; [`rules`] says what rulesets forbid and count;
//! [`input`] cuts bytes into games; [`record`] reads one; [`replay`] plays it; [`contradiction`] compares what its parts say;
//! [`score`] counts its ending; [`analyze`] does all that for one game; [`report`] writes rows; [`pipeline`] runs it on every core; [`cli`] is the command line.

// FF[4] is the name of the SGF standard, not a link, and stands in texts that users read.
#![allow(rustdoc::broken_intra_doc_links)]
// Outside tests a comment has to show why an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod analyze;
pub mod board;
pub mod cli;
pub mod contradiction;
pub mod finding;
pub mod input;
pub mod pipeline;
pub mod record;
pub mod replay;
pub mod report;
pub mod rules;
pub mod score;

//! Archives of Go game records: find, unpack, split, analyse and tabulate.
//!
//! - [`partial_result`] merges the counts of parts of a run.
//! - [`source`] finds inputs and opens their containers.
//! - [`row`] defines columns and cells, and [`formats`] writes rows.
//! - [`report_rows`] reads the tables of reports.
//! - [`records`] splits the texts into games.
//! - [`locate`] finds one game by its name.
//! - [`pipeline`] analyses the games on all cores.
//! - [`tables`] contains the tables, with the visitors that fill them.
//! - [`visit`] contains the visitors for other products of a run.
//! - [`duplicates`] finds games that occur more than once.
//! - [`engine`] asks a GTP engine for dead stones.

// Outside tests, a comment must prove that an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
// An item is `pub` only if other crates use it. Without this rule, a search for unused items would
// have to cover the whole workspace.
#![warn(unreachable_pub)]

pub mod partial_result;
mod stored_bytes;
pub mod source;
pub mod engine;
pub mod compressed_output;
pub mod row;
pub mod summary;
pub mod formats;
pub mod report_rows;
pub mod records;
pub mod locate;
pub mod pipeline;
pub mod tables;
pub mod visit;
pub mod duplicates;

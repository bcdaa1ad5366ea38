//! The `jigo` command: audits and rescores archives of Go game records.
//!
//! [`commands`] contains the command line. [`turn_sequences`] checks the referee against published
//! counts. [`jigo_core`] analyses games, [`jigo_archive`] reads archives, and [`jigo_diagrams`]
//! draws boards.

// Outside tests, a comment must prove that an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod version;
pub mod turn_sequences;
mod html;
mod progress;
mod args;
pub mod commands;

//! The `jigo` command: audits and rescores archives of Go game records.
//!
//! [`commands`] contains the command line, [`svg()`] draws the pictures of `jigo show`, and
//! [`perft`] checks the referee against published counts. [`jigo_core`] analyses games,
//! [`jigo_archive`] reads archives.

// Outside tests, a comment must prove that an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod perft;
mod diagrams;
mod html;
mod args;
mod run;
pub mod commands;

pub use diagrams::svg::svg;

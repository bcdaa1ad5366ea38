//! The `jigo` command: audits and rescores archives of Go game records.
//!
//! [`cli`] is the command line, [`svg()`] what `jigo show` draws, [`perft`] the proof of the referee. Games are
//! analysed by [`jigo_core`], archives by [`jigo_archive`].

// Outside tests a comment has to show why an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod cli;
mod page;
pub mod perft;
mod picture;

pub use picture::svg::svg;

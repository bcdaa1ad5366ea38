//! Comparison of two records that may be the same game: symmetries, shared keys, aligned turns,
//! headers.
//!
//! A [`Sketch`] is a game reduced to the compared data, small enough to store for millions of
//! games. [`Keys`] find candidate pairs. [`Census`] and [`Outline`] reject most of them at low
//! cost. [`compare`] classifies the rest.

mod align;
mod class;
mod header;
mod keys;
mod names;
mod outline;
mod pack;
mod sketch;
mod symmetry;

pub use class::{Class, Comparison, compare};
pub use header::{Field, Fields};
pub use keys::{KEYS, Keys, POSITIONS, least_position};
pub use outline::{Census, Outline};
pub use sketch::{Sketch, Snapshots, Stone};
pub use symmetry::{Symmetry, View};

//! Comparison of two records that may be the same game: symmetries, shared keys, aligned turns,
//! headers.
//!
//! A [`GameSketch`] is a game reduced to the compared data, small enough to store for millions of
//! games. [`SimilarityKeys`] find candidate pairs. [`Census`] and [`Outline`] reject most of them
//! at low cost. [`compare_records`] classifies the rest.

mod align;
mod class;
mod header_sketch;
mod keys;
mod names;
mod outline;
mod first_position;
mod serialization;
mod sketch;
mod symmetry;

pub use class::{Class, RecordComparison, compare_records};
pub use header_sketch::{HeaderField, HeaderFields, HeaderSketch};
pub use keys::{KEYS, POSITIONS, SimilarityKeys, canonical_position_hash};
pub use names::are_different_names;
pub use outline::{Census, Outline};
pub use sketch::{GameSketch, PackedTurn, Snapshots};
pub use symmetry::{Symmetry, View};

//! Two records of perhaps one game: the symmetries between them, the keys that they share, how their turns align, what their headers say.
//!
//! [`Sketch`] is what of a game takes part, small enough to be kept for millions; [`Keys`] find those that may be one; [`Census`] and [`Outline`]
//! tell most of these apart; [`compare`] says what two are to each other.

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

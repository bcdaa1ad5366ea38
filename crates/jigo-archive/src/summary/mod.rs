//! The counts of a run, and the condition on them that makes a run fail.

mod gate;
mod totals;

pub use gate::{Gate, GateError};
pub use totals::{GameCounts, SCHEMA_VERSION, Summary, with_noun};

//! The counts of a run, and the condition on them that makes a run fail.

mod gate;
mod share_estimate;
mod totals;

pub use gate::{Gate, GateError};
pub use share_estimate::ShareEstimate;
pub use totals::{CodeCounts, GameCounts, Summary, code_line, with_noun};

//! What the parts of a game say against each other: record against record, stated against counted.

mod cause;
mod contradiction;
mod difference;
mod explain;
mod verdict;
mod winner;

pub use cause::{Cause, SwappedColors};
pub use contradiction::contradictions;
pub use difference::Difference;
pub use verdict::{Audit, Decided, SURE_FROM, StatedGame, Verdict, agrees, audit};

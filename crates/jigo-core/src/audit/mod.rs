//! Comparison of a record's parts with each other, and of the recorded result with the count.

mod cause;
mod contradiction;
mod difference;
mod explain;
mod judge;
mod uncounted;
mod verdict;
mod winner;

pub use cause::{Cause, SwappedColors};
pub use contradiction::contradictions;
pub use difference::Difference;
pub use judge::{Decided, SURE_FROM, StatedGame, agrees, audit};
pub use uncounted::ended_otherwise;
pub use verdict::{Audit, Verdict};

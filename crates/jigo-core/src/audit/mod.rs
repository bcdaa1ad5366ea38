//! What the parts of a game say against each other: record against record, stated against counted.

mod contradiction;
mod margin;

pub use contradiction::contradictions;
pub use margin::{Difference, agrees, explanations};

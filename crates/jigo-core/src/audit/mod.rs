//! Comparison of a record's parts with each other, and of the recorded result with the count.

mod audited_game;
mod cause;
mod counted_ending;
mod contradiction;
mod difference;
mod removals;
mod explain;
mod mark_faults;
mod problem;
mod result_comparison;
mod uncounted;
mod verdict;
mod winner;

pub use audited_game::{AuditedGame, MIN_CONTRADICTION_CONFIDENCE};
pub use cause::{Cause, SwappedColors};
pub use contradiction::contradictions;
pub(crate) use counted_ending::confidence;
pub use counted_ending::{CountedEnding, Unscored, unfinished_note};
pub use difference::MarginDifference;
pub use mark_faults::{MarkFault, MarkFaultKind, MarkedResult};
pub use problem::problem_findings;
pub use result_comparison::{agrees, audit};
pub use uncounted::uncounted_reason;
pub use verdict::{Audit, Verdict};

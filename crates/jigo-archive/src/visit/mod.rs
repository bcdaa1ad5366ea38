//! The visitors that fill no table: figures and examples for the page, pairs of rulesets, extracted
//! games, fixes, and games with their keys.

pub mod extract;
pub mod figures;
mod fixes;
mod header_merge;
mod keyed_games;
pub mod pairs;
mod serde_map;

pub use extract::Extract;
pub use figures::{Figures, FiguresVisitor};
pub use fixes::{FixBatch, FixCount, FixFault, FixVerifier, Fixes, Segment, SourceEnd, UnsafeFixes};
pub(crate) use header_merge::unpack_stated;
pub use header_merge::{ByPlace, MergeableHeader, MergeableProperty, by_place};
pub use keyed_games::{KeyVisitor, KeyedGame};
pub use pairs::{PairVisitor, Pairs};

#[cfg(test)]
mod tests;

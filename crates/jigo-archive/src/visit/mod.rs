//! The visitors that fill no table: figures and examples for pages, pairs of rulesets, extracted
//! games, fixes, and games with their keys.

pub mod extract;
pub mod figures;
mod fix_visitor;
mod header_merge;
mod key_visitor;
mod match_examples;
mod pair_grouping;
pub mod pairs;
mod serde_map;

pub use extract::ExtractVisitor;
pub use figures::{Figures, FiguresVisitor};
pub use fix_visitor::{FixBatch, FixCount, FixFault, FixSettings, FixVerifier, FixVisitor, Segment, SourceEnd};
pub(crate) use header_merge::unpack_values;
pub use header_merge::{MergeableHeader, MergeableProperty, MergesByGame, merges_by_game};
pub use key_visitor::{KeyVisitor, KeyedGame};
pub use match_examples::{MatchExample, MatchExampleVisitor};
pub(crate) use match_examples::{note, players};
pub use pair_grouping::PairGrouping;
pub use pairs::{PairVisitor, Pairs};

#[cfg(test)]
mod tests;

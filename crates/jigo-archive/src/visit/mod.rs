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
pub use figures::{Figures, OfPage};
pub use fixes::{FixBatch, FixCount, FixFault, FixVerifier, Fixes, Segment, SourceEnd, UnsafeFixes};
pub(crate) use header_merge::unpack_stated;
pub use header_merge::{ByPlace, Offer, Offers, by_place};
pub use keyed_games::{KeyedGame, OfKeys};
pub use pairs::{OfPairs, Pairs};

#[cfg(test)]
mod tests;

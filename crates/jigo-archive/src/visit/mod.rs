//! The visitors, one file each: rows of tables, figures and examples for the page, pairs of
//! rulesets.

mod aggregate;
mod as_list;
mod comparisons;
mod diversity;
mod endings;
pub mod extract;
pub mod figures;
mod findings;
mod fixes;
mod games;
mod in_table;
mod keys;
mod offers;
pub mod pairs;
mod results;
mod scores;
mod turns;

pub use aggregate::Aggregate;
pub use comparisons::{Comparisons, ListedPairs};
pub use diversity::Diversity;
pub use endings::Endings;
pub use extract::Extract;
pub use figures::{Figures, OfPage};
pub use findings::Findings;
pub use fixes::{FixBatch, FixCount, FixFault, FixVerifier, Fixes, Segment, SourceEnd, UnsafeFixes};
pub use games::GameRows;
pub use in_table::{GameTable, TableVisitor};
pub use keys::{KeyRows, KeyedGame, OfKeys};
pub(crate) use offers::unpack_stated;
pub use offers::{ByPlace, Offer, Offers, by_place};
pub use pairs::{OfPairs, Pairs};
pub use results::Results;
pub use scores::Scores;
pub use turns::Turns;

#[cfg(test)]
mod tests;

//! What is made of the games of a run: rows of tables, numbers and examples for the page, pairs of rulesets. A file each.

mod as_list;
mod comparisons;
pub mod figures;
mod findings;
mod games;
mod in_table;
pub mod pairs;
mod results;
mod scores;
mod turns;

pub use comparisons::Comparisons;
pub use figures::{Figures, OfPage};
pub use findings::Findings;
pub use games::Games;
pub use in_table::{InTable, ToRows};
pub use pairs::{OfPairs, Pairs};
pub use results::Results;
pub use scores::Scores;
pub use turns::Turns;

#[cfg(test)]
mod tests;

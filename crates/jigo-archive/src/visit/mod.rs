//! What is made of the games of a run: numbers and examples for the page, pairs of rulesets, what is known already.

mod as_list;
pub mod baseline;
pub mod figures;
pub mod pairs;

pub use figures::Figures;

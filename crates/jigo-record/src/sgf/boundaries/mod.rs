//! The beginnings and ends of games, also in damaged text.

pub mod root_start;
mod property_chain;
pub mod recovery;
pub(crate) mod soundness;
pub mod value_end;
mod tree_balance;
pub mod game_span;

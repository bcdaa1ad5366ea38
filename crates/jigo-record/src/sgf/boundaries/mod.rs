//! The beginnings and ends of games, also in damaged text.

pub mod root_start;
mod property_chain;
pub mod recovery;
mod tree_balance;
pub mod game_span;

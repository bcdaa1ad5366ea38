//! Characters as tokens: identifiers, values, escapes and runs of turns.

pub mod scan_budget;
pub mod ff4;
pub mod long_names;
pub mod escape;
pub mod turns;
pub mod lexer;

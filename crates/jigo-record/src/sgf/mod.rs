//! SGF as text: charsets, tokens, the extent of a game, recovery after damage.

pub mod byte_order;
pub mod charset;
pub mod escape;
pub mod ff4;
pub mod game_span;
pub mod lead;
mod legibility;
pub mod lexer;
pub mod limits;
pub mod long_names;
mod property_chain;
pub mod recovery;
pub mod root_start;
pub mod scan_budget;
pub mod trail_bytes;
mod tree_balance;
pub mod turns;
pub mod utf16;

pub use charset::Charset;
pub use limits::Limits;

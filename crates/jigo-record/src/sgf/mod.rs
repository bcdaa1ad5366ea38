//! SGF as text: charsets, tokens, the extent of a game, recovery after damage.
//!
//! The order of the modules is the direction of the data.

pub mod limits;
pub mod encoding;
pub mod tokens;
pub mod boundaries;
pub mod grammar;
pub mod charset;
pub mod double_encoding;
pub mod trail_bytes;

pub use charset::Charset;
pub use limits::Limits;

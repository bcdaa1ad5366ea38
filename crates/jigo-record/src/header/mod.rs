//! Values of the header: komi, result, date, rank, and how servers and programs write them.

pub(crate) mod amount;
pub(crate) mod date;
pub mod dialect;
pub mod komi;
pub(crate) mod rank;
pub(crate) mod result;
pub(crate) mod result_words;
pub mod root_property;
mod server_scoring;

pub use date::{Date, Precision};
pub use dialect::{Dialect, DialectChoice};
pub use rank::Rank;
pub use result::{ResultKind, ResultOddity, StatedResult, has_remark};
pub use server_scoring::Practice;

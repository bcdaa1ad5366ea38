//! Values of the header: komi, result, date, rank, and how servers and programs write them.

pub(crate) mod amount;
pub(crate) mod date;
pub mod dialect;
mod dialect_choice;
pub(crate) mod english_result;
mod game_header;
pub mod komi;
pub(crate) mod rank;
pub(crate) mod result;
pub(crate) mod result_parser;
pub(crate) mod result_words;
pub mod root_property;
mod server_scoring;
pub mod time_control;

pub use date::{Date, Precision};
pub use dialect::Dialect;
pub use dialect_choice::DialectChoice;
pub use game_header::Header;
pub use rank::Rank;
pub use result::{RecordedResult, ResultKind, ResultOddity};
pub use result_parser::has_remark;
pub use server_scoring::ServerScoring;

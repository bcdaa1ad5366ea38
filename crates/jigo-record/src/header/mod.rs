//! Values of the header: komi, result, date, rank, and how servers and programs write them.

pub(crate) mod amount;
pub(crate) mod date;
mod date_search;
pub mod dialect;
mod game_header;
pub mod komi;
mod player_list;
mod player_name;
pub(crate) mod rank;
pub(crate) mod result;
pub mod root_property;
pub mod time_control;
pub mod written_date;

pub use date::{Date, Precision};
pub use dialect::Dialect;
pub use dialect::dialect_choice::DialectChoice;
pub use dialect::server_scoring::ServerScoring;
pub use game_header::Header;
pub use player_list::{NameConflict, PlayerId, PlayerList};
pub use player_name::{is_placeholder_name, normalize_player_name};
pub use rank::Rank;
pub use result::result_parser::has_remark;
pub use result::{RecordedResult, ResultKind, ResultOddity};

//! The options that commands share, as typed.

pub mod examples;
pub mod limits;
mod values;
mod config_args;
mod groups;
pub mod format;
pub mod repro_command;
pub mod short_help;
pub mod typed_words;
pub mod run_request;
mod given_stones_args;

pub use jigo_run::config::option_value::cli::OfferedValues;
pub use values::{FormatArg, SchemaFormatArg, ShowFormatArg, TableFormatArg, WhenArg};

pub use config_args::{ConfigArgs, configured_matches};
pub(crate) use examples::examples;
pub use given_stones_args::{GivenStonesArgs, wrong_stones};
pub use groups::{CountingArgs, InputArgs, OutputArgs, RunArgs};
pub use run_request::run_request;
#[cfg(feature = "columnar")]
pub use values::BinaryFormatArg;

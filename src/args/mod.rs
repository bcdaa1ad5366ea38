//! The options that commands share, as typed.

pub mod examples;
mod completion;
pub mod limits;
mod values;
mod config_args;
mod groups;
pub mod format;
pub mod repro_command;
pub mod run_options;
mod given_stones_args;

pub use completion::{OfferedValues, codes, presets, tables};

pub use config_args::{ConfigArgs, configured_matches};
pub use given_stones_args::{GivenStonesArgs, wrong_stones};
pub use groups::{
    BaselineArgs, CountArgs, CountingArgs, EndingArgs, InputArgs, JudgingArgs, MIN_CONFIDENCE, OutputArgs, RunArgs,
    default_dead,
};
#[cfg(feature = "columnar")]
pub use values::BinaryFormatArg;
pub use values::{FormatArg, GroupingArg, ListArg, SchemaFormatArg, ShowFormatArg, TableFormatArg, WhenArg, named};

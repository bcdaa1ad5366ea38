//! The flags that commands share, as they are written.

mod groups;
mod offered;
mod values;

use clap::Parser;

use super::Command;
use super::examples;

pub use offered::{OfferedValues, codes, presets, tables};

pub use groups::{
    BaselineArgs, CountArgs, EndingArgs, InputArgs, JudgingArgs, MIN_CONFIDENCE, OutputArgs, RunArgs, default_dead,
};
#[cfg(feature = "columnar")]
pub use values::BinaryFormatArg;
pub use values::{
    FormatArg, InputFormatArg, ListArg, OnIllegalArg, SchemaFormatArg, ScoreTableArg, SeverityArg, ShowFormatArg,
    TableArg, TableFormatArg, VariationsArg, WhenArg,
};

/// Audits and rescores archives of Go game records.
#[derive(Parser, Debug)]
#[command(version, about, max_term_width = 110)]
#[command(after_help = examples::JIGO)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

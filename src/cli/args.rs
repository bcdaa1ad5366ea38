//! The flags that commands share, as they are written.

mod groups;
mod offered;
mod values;

use std::any::TypeId;
use std::ffi::OsString;
use std::time::Duration;

use clap::{Arg, CommandFactory, FromArgMatches, Parser};

use super::Command;
use super::examples;
use super::limits::Size;

pub use offered::{NamedCodes, OfferedValues, codes, presets, tables};

pub use groups::{
    BaselineArgs, CountArgs, CountingArgs, EndingArgs, InputArgs, JudgingArgs, MIN_CONFIDENCE, OutputArgs, RunArgs,
    default_dead,
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

impl Cli {
    /// The flags of a command line, of which the first word is the name of the program. Prints what is wrong with it, or the help that it asks for, and ends the
    /// program then.
    pub fn of_words(words: Vec<OsString>) -> Cli {
        let mut command = Cli::command().mut_subcommands(|command| command.mut_args(below_zero));
        let read = command.try_get_matches_from_mut(words).and_then(|matches| Cli::from_arg_matches(&matches));
        read.unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

/// Lets an option that takes a number say itself that it takes none below zero; else -1 is held for an unknown option.
fn below_zero(argument: Arg) -> Arg {
    let whole = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>()];
    let others = [TypeId::of::<f32>(), TypeId::of::<Size>(), TypeId::of::<Duration>()];
    let kind = argument.get_value_parser().type_id();
    let is_number = !argument.is_positional() && whole.iter().chain(&others).any(|number| kind == *number);
    if is_number { argument.allow_negative_numbers(true) } else { argument }
}

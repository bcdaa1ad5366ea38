//! The options that commands share, as typed.

mod groups;
mod offered;
mod values;

use std::any::TypeId;
use std::ffi::OsString;
use std::ops::RangeInclusive;

use clap::{Arg, CommandFactory, FromArgMatches, Parser};

use super::Command;
use super::examples;

pub use offered::{NamedCodes, OfferedValues, codes, limit_names, presets, source_limit_names, tables};

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
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Parses a command line, whose first word is the name of the program. Prints an error or the
    /// requested help, and then ends the program.
    pub fn of_words(words: Vec<OsString>) -> Cli {
        let mut command = Cli::command().mut_subcommands(|command| command.mut_args(below_zero));
        let read = command.try_get_matches_from_mut(words).and_then(|matches| Cli::from_arg_matches(&matches));
        read.unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

/// Returns a parser for whole numbers in a range. Its error names the range.
pub fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        let is_large = text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit());
        number.ok_or_else(|| match (range.start(), range.end()) {
            (_, &u64::MAX) if is_large => format!("it takes a whole number, {} at most", u64::MAX),
            (least, &u64::MAX) => format!("it takes a whole number, {least} or more"),
            (least, most) => format!("it takes a whole number from {least} to {most}"),
        })
    }
}

/// Lets a number option report a negative value itself. Otherwise clap reports -1 as an unknown
/// option.
fn below_zero(argument: Arg) -> Arg {
    let numbers = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<f32>()];
    let kind = argument.get_value_parser().type_id();
    let is_number = !argument.is_positional() && numbers.iter().any(|number| kind == *number);
    if is_number { argument.allow_negative_numbers(true) } else { argument }
}

//! The command line. [`Cli`] contains the typed options, `plan.rs` interprets them, and each
//! command has a file.

mod abandon;
mod access;
mod again;
mod args;
mod baseline;
mod check;
mod checkpoint;
mod checksum;
mod compare;
mod copies;
mod dialects;
mod duplicates;
#[cfg(feature = "columnar")]
pub mod embedded;
mod examples;
mod exclusive;
pub mod explain;
mod extract;
mod fix;
mod format;
mod identity;
mod interrupt;
pub mod limits;
mod manual;
mod names;
mod output;
mod perft;
mod place_lock;
mod places;
mod plain;
mod plan;
mod progress;
mod report;
mod resume;
mod rules;
mod run;
mod schema;
mod score;
mod sealed;
mod settings;
mod show;
mod split;
mod standard_error;
mod table;
mod unfinished;
mod waiting;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

pub use args::Cli;
use interrupt::Interrupt;
use standard_error::note;

/// Defines the commands. Each line has the options with their help text, and the function that runs
/// the command.
macro_rules! commands {
    ($($name:ident($module:ident::$args:ident) => $carry_out:path,)*) => {
        /// The commands.
        #[derive(Subcommand, Debug)]
        #[allow(missing_docs)] // The documentation of each command is at its options.
        pub enum Command {
            $($name($module::$args),)*
        }

        impl Command {
            fn carry_out(&self) -> Result<Exit> {
                match self {
                    $(Command::$name(args) => $carry_out(args),)*
                }
            }
        }
    };
}

commands! {
    Check(check::CheckArgs) => check::check,
    Score(score::ScoreArgs) => score::score,
    Report(report::ReportArgs) => report::report,
    Split(split::SplitArgs) => split::split,
    Compare(compare::CompareArgs) => compare::compare,
    Duplicates(duplicates::DuplicatesArgs) => duplicates::duplicates,
    Fix(fix::FixArgs) => fix::fix,
    Extract(extract::ExtractArgs) => extract::extract,
    Show(show::ShowArgs) => show::show,
    Rules(rules::RulesArgs) => rules::rules,
    Dialects(dialects::DialectsArgs) => dialects::dialects,
    Explain(explain::ExplainArgs) => explain::explain,
    Schema(schema::SchemaArgs) => schema::schema,
    Completions(manual::CompletionsArgs) => manual::completions,
    Man(manual::ManArgs) => manual::man,
    Perft(perft::PerftArgs) => perft::perft,
}

/// The result of a command, which becomes its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// No errors were found.
    Clean,
    /// Findings of severity error exist.
    Findings,
    /// The command failed, or a named input could not be read.
    Failure,
    /// A signal with this number ended the run early.
    Interrupted(u8),
}

impl Exit {
    /// Returns the exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failure => 2,
            Exit::Interrupted(signal) => 128 + signal,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Runs the program: parses its command line, runs the command and prints errors.
pub fn main() -> ExitCode {
    carry_out(std::env::args_os()).into()
}

/// Runs the command of a command line. The first word is the name of the program.
pub fn carry_out(words: impl IntoIterator<Item = OsString>) -> Exit {
    let words = without_help_of_help(words);
    if is_topic(&words) {
        // As for other help texts, a closed pipe is not a failure.
        let _ = io::stdout().write_all(limits::topic().as_bytes());
        return Exit::Clean;
    }
    let command = Cli::of_words(words).command;
    match Interrupt::listen().and_then(|_| command.carry_out()) {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Clean,
        Err(error) => {
            note(&format!("{error:#}"));
            Exit::Failure
        }
    }
}

/// Removes `-h` and `--help` after `jigo help`, which prints the help text anyway.
fn without_help_of_help(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "-h" && word != "--help");
    }
    words
}

/// Returns true for `jigo help limits`, the only help topic that is not a command.
fn is_topic(words: &[OsString]) -> bool {
    words.len() == 3 && words[1] == "help" && words[2] == limits::TOPIC
}

/// Returns true if the reader of the output has closed the pipe, which is not a failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}

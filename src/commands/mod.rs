//! The command line. [`Cli`] contains the typed options, and each command has a file.

mod check;
mod compare;
mod config;
mod dialects;
mod duplicates;
pub mod explain;
mod extract;
mod find;
mod fix;
mod manual;
mod perft;
mod report;
mod report_diff;
mod rules;
mod schema;
mod score;
mod show;
mod split;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::args::short_help::with_short_help;
use crate::args::typed_words::{foreign_option, unknown_word, with_show_before_paths};
use crate::args::{configured_matches, examples, limits};
use crate::version::VERSION;
use jigo_run::interrupt::Interrupt;
pub use jigo_run::process::Exit;
use jigo_run::process::{is_broken_pipe, note};

/// Audits and rescores archives of Go game records.
#[derive(Parser, Debug)]
#[command(version = VERSION, about, max_term_width = 110, override_usage = "jigo <COMMAND>\n       jigo <FILE>...")]
#[command(after_help = examples::JIGO)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Parses a command line, whose first word is the name of the program, with the defaults of the
    /// configuration file. Prints an error of the command line or the requested help, and then ends
    /// the program.
    ///
    /// # Errors
    /// Fails if the configuration file can't be read or is faulty.
    pub fn parse_words(words: Vec<OsString>) -> Result<Cli> {
        let words = find::with_hyphens_protected(words);
        let command = Cli::command().mut_subcommands(|command| command.mut_args(below_zero));
        let mut command = with_short_help(command);
        let words = with_show_before_paths(words, &command);
        let matches = configured_matches(command.clone(), words.clone());
        let parsed = matches.and_then(|matches| Ok(Cli::from_arg_matches(&matches)?));
        parsed.map_err(|error| match error.downcast::<clap::Error>() {
            Ok(error) => match unknown_word(&error).or_else(|| foreign_option(&error, &command, &words)) {
                Some(message) => anyhow!(message),
                None => error.format(&mut command).exit(),
            },
            Err(error) => error,
        })
    }
}

/// Defines the commands. Each line has the options with their help text, and the function that runs
/// the command.
macro_rules! commands {
    ($($name:ident($module:ident::$args:ident) => $run:expr,)*) => {
        /// The commands.
        #[derive(Subcommand, Debug)]
        #[allow(missing_docs)] // The documentation of each command is at its options.
        pub enum Command {
            $($name($module::$args),)*
        }

        impl Command {
            fn execute(&self) -> Result<Exit> {
                match self {
                    $(Command::$name(args) => {
                        let execute: fn(&$module::$args) -> Result<Exit> = $run;
                        execute(args)
                    })*
                }
            }
        }
    };
}

commands! {
    Check(check::CheckArgs) => check::check,
    Score(score::ScoreArgs) => score::score,
    Report(report::ReportArgs) => |args| report::report(args, Cli::command),
    Merge(report::MergeArgs) => report::merge,
    Diff(report_diff::DiffArgs) => report_diff::diff,
    Split(split::SplitArgs) => split::split,
    Compare(compare::CompareArgs) => compare::compare,
    Duplicates(duplicates::DuplicatesArgs) => duplicates::duplicates,
    Find(find::FindArgs) => find::find,
    Fix(fix::FixArgs) => fix::fix,
    Extract(extract::ExtractArgs) => extract::extract,
    Show(show::ShowArgs) => show::show,
    Rules(rules::RulesArgs) => rules::rules,
    Dialects(dialects::DialectsArgs) => dialects::dialects,
    Explain(explain::ExplainArgs) => explain::explain,
    Schema(schema::SchemaArgs) => schema::schema,
    Config(config::ConfigCommandArgs) => config::config,
    Completions(manual::CompletionsArgs) => |args| manual::completions(args, Cli::command()),
    Man(manual::ManArgs) => |args| manual::man(args, Cli::command()),
    Perft(perft::PerftArgs) => perft::perft,
}

/// Runs the program: parses its command line, runs the command and prints errors.
pub fn main() -> ExitCode {
    execute(std::env::args_os()).into()
}

/// Runs the command of a command line. The first word is the name of the program.
pub fn execute(words: impl IntoIterator<Item = OsString>) -> Exit {
    let words = without_help_of_help(words);
    if is_topic(&words) {
        let mut out = io::stdout();
        return match out.write_all(limits::topic().as_bytes()).and_then(|()| out.flush()) {
            // As for other help texts, a closed pipe is not a failure.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                note(&format!("standard output: {error}"));
                Exit::Failure
            }
            _ => Exit::Clean,
        };
    }
    let run = || {
        let command = Cli::parse_words(words)?.command;
        Interrupt::listen()?;
        command.execute()
    };
    match run() {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Clean,
        Err(error) => {
            note(&format!("{error:#}{}", remedy(&error)));
            Exit::Failure
        }
    }
}

/// Returns the remedy for an error of the system whose text names none.
fn remedy(error: &anyhow::Error) -> &'static str {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    match causes.any(|cause| cause.kind() == io::ErrorKind::FileTooLarge) {
        true => ": raise the limit of file sizes (ulimit -f), or divide the output",
        false => "",
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

/// Lets an option report a negative value itself. Otherwise clap reports -1 as an unknown option.
fn below_zero(argument: Arg) -> Arg {
    let has_value = !argument.is_positional() && argument.get_action().takes_values();
    if has_value { argument.allow_negative_numbers(true) } else { argument }
}

//! The command line: raw flags ([`args`]), what they mean ([`plan`]), one file for each command.

pub mod args;
mod baseline;
mod check;
mod compare;
mod dialects;
mod examples;
pub mod explain;
mod identity;
mod interrupt;
mod limits;
mod manual;
mod output;
mod perft;
pub mod plan;
mod progress;
mod report;
mod resume;
mod rules;
mod run;
mod schema;
mod show;
mod split;
mod unfinished;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

use jigo_archive::tables::formats::text::visible;

/// How a command ended, as scripts see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing is wrong.
    Clean,
    /// There are findings of severity error.
    Findings,
    /// The command could not be carried out, or an input named outright could not be read.
    Failure,
    /// A signal with this number ended the run early.
    Interrupted(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failure => 2,
            Exit::Interrupted(signal) => 128 + signal,
        })
    }
}

/// Parses the command line, carries it out, prints errors, and says how it ended.
pub fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Check(args) => check::check(&args),
        Command::Score(args) => check::score(&args),
        Command::Split(args) => split::split(&args),
        Command::Report(args) => report::report(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Show(args) => show::show(&args),
        Command::Rules(args) => rules::rules(args.name.as_deref()),
        Command::Dialects => dialects::dialects(),
        Command::Explain(args) => explain::explain(args.code.as_deref()),
        Command::Schema(args) => schema::schema(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
        Command::Perft(args) => perft::perft(&args),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) if is_broken_pipe(&error) => Exit::Clean.into(),
        Err(error) => {
            // Without standard error there is nobody left to tell.
            let _ = writeln!(io::stderr(), "jigo: {}", visible(&format!("{error:#}")));
            Exit::Failure.into()
        }
    }
}

/// Whoever read our output has seen enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}

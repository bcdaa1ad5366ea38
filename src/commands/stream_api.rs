//! The rows of a command for another program, with the options of the command.

use std::ffi::OsString;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Parser;

use super::check::{CheckArgs, check_options};
use super::duplicates::{DuplicatesArgs, DuplicatesTableArg};
use super::score::ScoreArgs;
use crate::args::run_options::run_options;
use crate::args::{BaselineArgs, CountingArgs, OutputArgs, ScoreTableArg, TableArg};
use crate::commands::{Cli, Command};
use jigo_archive::formats::Format;
use jigo_archive::source::Source;
use jigo_run::baseline::BaselineRun;
use jigo_run::stream::{PreparedRun, StreamTable};
use jigo_run::{InputSources, RunConfig, RunOptions};

/// Validates a command. `words` are its name and options without paths. The name `games` is not a
/// command, but selects the games table of `report`.
///
/// # Errors
/// Returns the message of the command if the options contradict each other, if an option says where
/// to write, or if a named source can't be opened.
pub fn prepare(words: &[OsString], sources: Vec<Source>) -> Result<PreparedRun> {
    let of_games = words.first().is_some_and(|word| word == "games");
    let command = if of_games { "score".into() } else { words.first().cloned().unwrap_or_default() };
    let line = ["jigo".into(), command].into_iter().chain(words.iter().skip(1).cloned());
    let command = Cli::try_parse_from(line).map_err(|error| anyhow!(reason(&error.to_string())))?.command;
    let (options, table) = match &command {
        Command::Check(args) => of_check(args)?,
        Command::Score(args) => of_score(args, of_games)?,
        Command::Duplicates(args) => of_duplicates(args)?,
        _ => bail!("only check, score, games and duplicates have rows for another program"),
    };
    let mut config = RunConfig::new(options, || Ok(InputSources::from(sources)))?;
    if let Command::Check(args) = &command
        && let Some(baseline) = BaselineRun::begin(args.baseline.files(false), &config)?
    {
        config = config.with_baseline(baseline.known());
    }
    PreparedRun::new(config, table)
}

fn of_check(args: &CheckArgs) -> Result<(RunOptions, StreamTable)> {
    writes_nothing(&args.output)?;
    let BaselineArgs { write_baseline, prune_baseline, .. } = &args.baseline;
    ensure!(write_baseline.is_none() && !prune_baseline, "baselines are written by the command");
    ensure!(!args.duplicates, "--duplicates is for the command; use the rows of duplicates instead");
    let options = check_options(args, Format::Arrow)?;
    let table = match args.table {
        TableArg::Findings => StreamTable::Findings,
        TableArg::Turns => StreamTable::Turns,
        TableArg::Keys => StreamTable::Keys,
    };
    Ok((options, table))
}

fn of_score(args: &ScoreArgs, of_games: bool) -> Result<(RunOptions, StreamTable)> {
    let CountingArgs { input, run, count } = &args.counting;
    writes_nothing(&args.output)?;
    let reads_positions = !of_games && args.table != ScoreTableArg::Results;
    let options = RunOptions { reads_positions, ..run_options(input, run, Some(count), Format::Arrow)? };
    let table = match args.table {
        _ if of_games => StreamTable::Games,
        ScoreTableArg::Scores => StreamTable::Scores,
        ScoreTableArg::Results => StreamTable::Results,
        ScoreTableArg::Endings => StreamTable::Endings,
    };
    Ok((options, table))
}

fn of_duplicates(args: &DuplicatesArgs) -> Result<(RunOptions, StreamTable)> {
    writes_nothing(&args.output)?;
    ensure!(args.table == DuplicatesTableArg::Duplicates, "only --table duplicates has rows here");
    let has_file = args.store.is_some() || args.merge_headers || args.checkpoint.is_some();
    ensure!(!has_file, "--store, --merge-headers and --checkpoint are for the command");
    let options = run_options(&args.input, &args.run, None, Format::Arrow)?;
    Ok((RunOptions { finds_duplicates: true, ..options }, StreamTable::Duplicates(args.keep.into())))
}

/// Returns the first sentence of a clap message, without the usage that follows.
fn reason(text: &str) -> String {
    let first = text.split("\n\n").next().unwrap_or(text).trim();
    first.strip_prefix("error: ").unwrap_or(first).to_owned()
}

fn writes_nothing(output: &OutputArgs) -> Result<()> {
    let OutputArgs { output, summary, force, .. } = output;
    ensure!(output.is_none() && summary.is_none() && !force, "--output, --summary and --force are for the command");
    Ok(())
}

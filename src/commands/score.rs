//! `jigo score`: the counted results of endings.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::args::examples::examples;
use crate::args::run_options::run_options;
use crate::args::{CountingArgs, GivenStonesArgs, OutputArgs, TableFormatArg, format, named};
use jigo_archive::pipeline::Selection;
use jigo_archive::tables::{EndingRows, ResultRows, ScoreRows};
use jigo_run::config::table_options::ScoreTable;
use jigo_run::config::values;
use jigo_run::execution::run_table::table;
use jigo_run::process::exit::Exit;
use jigo_run::process::stderr::note;
use jigo_run::{RunConfig, RunOptions};

/// Count the endings of games, one row per game and ruleset
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo score games/" "the count of every ending under the usual rulesets"
    "jigo score --rules japanese,aga --format text game.sgf" "one game under two rulesets, for reading"
    "jigo score --sample 10 --format jsonl games/" "about every tenth game"
    "jigo score --table endings --format parquet --output endings.parquet games/" "every last position with its dead stones and the owner of each point"
    "jigo score --dead-stones A5 games/marked.sgf" "one game with its dead stones by hand"
    "jigo score --all-endings --komi preset game.sgf" "a game that ended by resignation, with the komi of each ruleset"
))]
pub struct ScoreArgs {
    /// Choose the table
    ///
    /// Write counts, recorded results compared with counts, or final positions.
    #[arg(long, value_name = "TABLE", default_value = "scores", value_parser = named(ScoreTable::NAMES))]
    pub table: ScoreTable,
    /// The options for inputs, run and counting.
    #[command(flatten)]
    pub counting: CountingArgs,
    /// Set the format of the rows [default: from the suffix of --output; otherwise text on a
    /// terminal, else csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// The options for dead stones by hand.
    #[command(flatten)]
    pub given: GivenStonesArgs,
    /// Count only the games listed in FILE by file and game, with the dead stones of its columns
    ///
    /// FILE is a table in CSV, JSON lines or Parquet with the columns file and game. The optional
    /// columns dead_stones and seki name stones as --dead-stones and --seki do. An empty cell of
    /// dead_stones leaves the game to --dead; none names no stone.
    #[arg(long, value_name = "FILE", conflicts_with = "dead_stones", help_heading = "Selection")]
    pub games: Option<PathBuf>,
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Writes one row for each game and ruleset, for each recorded result, or for each final position.
///
/// # Errors
/// Fails if the options contradict each other or the output fails.
pub fn score(args: &ScoreArgs) -> Result<Exit> {
    let CountingArgs { input, run, count } = &args.counting;
    let format = format::row_format(args.format.map(|format| format.0), run.safe_text, &args.output)?;
    let options = args.table.apply(run_options(input, run, Some(count), format)?)?;
    let games = args.games.as_deref().map(values::game_list).transpose()?.flatten();
    let config = match args.given.stones() {
        Some(stones) => args.given.run_config(stones, input, options)?,
        None => {
            let selection = Selection { games: games.clone(), ..options.selection };
            RunConfig::new(RunOptions { selection, ..options }, || input.sources())?
        }
    };
    let files = args.output.files();
    run.read_files(input).reads("--games", args.games.as_deref()).table(&files).check(config.sources())?;
    let exit = match args.table {
        ScoreTable::Endings => table(&config, &files, EndingRows),
        ScoreTable::Results => table(&config, &files, ResultRows),
        ScoreTable::Scores => table(&config, &files, ScoreRows),
    }?;
    if let Some(games) = games.filter(|_| !config.is_quiet()) {
        let is_complete = config.job().selection.limit.is_none() && config.interrupt().received().is_none();
        games.messages(is_complete).iter().for_each(|message| note(message));
    }
    Ok(exit)
}

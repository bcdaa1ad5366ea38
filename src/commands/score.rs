//! `jigo score`: the counted results of endings.

use anyhow::Result;
use clap::Args;

use crate::args::repro_command::own_words;
use crate::args::{CountingArgs, GivenStonesArgs, OutputArgs, TableFormatArg, examples, format, run_request};
use crate::version::BUILD;
use jigo_archive::tables::{EndingRows, ResultRows, ScoreRows};
use jigo_run::config::command_tables::ScoreTable;
use jigo_run::config::file_path::FileStamp;
use jigo_run::config::options::ScoreOptions;
use jigo_run::execution::run_table::table;
use jigo_run::process::{Exit, note};
use jigo_run::{RunConfig, RunRequest};

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
    /// The options of this command.
    #[command(flatten)]
    pub options: ScoreOptions,
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
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Writes one row for each game and ruleset, for each recorded result, or for each final position.
///
/// # Errors
/// Fails if the options contradict each other or the output fails.
pub fn score(args: &ScoreArgs) -> Result<Exit> {
    let CountingArgs { run, count } = &args.counting;
    let format = format::row_format(args.format.map(|format| format.0), run.options.process.safe_text, &args.output)?;
    let listed = args.options.list.games.as_deref().map(FileStamp::new);
    let identity = Some((BUILD, serde_json::to_value((&args.options, listed))?));
    let identity = identity.filter(|_| args.given.stones().is_none());
    let own = own_words("score", &args.options).filter(|_| args.given.stones().is_none());
    let color = args.output.color.choice();
    let request = args.options.apply(RunRequest { identity, color, ..run_request(run, Some(count), format, own) })?;
    let games = request.games.clone();
    let files = &args.output.files;
    let flag_paths = run.read_files().reads("--games", args.options.list.games.as_deref()).table(files);
    let config = match args.given.stones() {
        Some(stones) => args.given.run_config(stones, &run.input, request)?,
        None => RunConfig::new(request, || run.input.sources(&flag_paths))?,
    };
    flag_paths.check(&config.sources)?;
    let exit = match *args.options.table {
        ScoreTable::Endings => table(&config, files, EndingRows),
        ScoreTable::Results => table(&config, files, ResultRows),
        ScoreTable::Scores => table(&config, files, ScoreRows),
    }?;
    if let Some(games) = games.filter(|_| !config.is_quiet()) {
        let is_complete = config.job.selection.limit.is_none() && config.interrupt.received().is_none();
        games.messages(is_complete).iter().for_each(|message| note(message));
    }
    Ok(exit)
}

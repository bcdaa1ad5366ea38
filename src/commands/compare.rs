//! `jigo compare`: the same endings counted under pairs of rulesets.

use std::iter;

use anyhow::Result;

use crate::args::{CountingArgs, OutputArgs, TableFormatArg, examples, format, run_request};
use clap::Args;
use jigo_archive::formats::Format;
use jigo_archive::tables::{ComparisonRows, PairSelection};
use jigo_archive::visit::{PairGrouping, PairVisitor};
use jigo_run::config::option_value::{Typed, integer_parser};
use jigo_run::config::run_request::FindingsUse;
use jigo_run::execution::run_table::{aggregate_table, table};
use jigo_run::process::Exit;
use jigo_run::{RunConfig, RunRequest};

/// Compare counts under pairs of rulesets: how often margins and winners differ, and why
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo compare games/" "how many margins and winners depend on the ruleset, and why"
    "jigo compare --rules japanese,chinese --by server --format csv games/" "the same for each server, as a table"
    "jigo compare --rules japanese,chinese --list games/" "the games with another winner under the two, one row each"
    "jigo compare --rules all --list=margin --all-pairs --format jsonl games/" "every game and pair of rulesets with another margin"
))]
pub struct CompareArgs {
    /// List the games instead of counting them
    ///
    /// Write one row per game, for the two rulesets whose counts differ most.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "winner")]
    pub list: Option<Typed<PairSelection>>,
    /// With --list, write one row for each pair of rulesets that differs
    #[arg(long, requires = "list")]
    pub all_pairs: bool,
    /// Compare the rulesets separately for each group of games with equal values: year,server
    ///
    /// Name columns of the table of games, separated by commas; see jigo schema games. server is
    /// another name of dialect, board of width,height, rank of black_rank,white_rank, and id of file,
    /// for rows of records. A column with more than 100,000 values is refused.
    #[arg(long, value_name = "COLUMNS", conflicts_with = "list", hide_possible_values = true)]
    pub by: Option<Typed<PairGrouping>>,
    /// Leave out pairs of rulesets and groups with fewer counted games than N
    ///
    /// In text, pairs with fewer than 30 games are left out by default if others have as many.
    #[arg(long, value_name = "N", conflicts_with = "list", value_parser = integer_parser::<u64>(0..=u64::MAX))]
    pub min_games: Option<u64>,
    /// The options for inputs, run and counting.
    #[command(flatten)]
    pub counting: CountingArgs,
    /// Set the format of the rows
    ///
    /// Without --list, each pair of rulesets has a row, and the default is text. With --list the
    /// default is text on a terminal, else csv. The name of --output may also tell the format.
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Returns the name and the own options of the command.
fn own_words(args: &CompareArgs) -> Vec<String> {
    let words = [
        args.list.as_ref().map(|which| format!("--list={which}")),
        args.all_pairs.then(|| "--all-pairs".into()),
        args.by.as_ref().map(|columns| format!("--by {columns}")),
        args.min_games.map(|games| format!("--min-games {games}")),
    ];
    iter::once("compare".into()).chain(words.into_iter().flatten()).collect()
}

/// Writes a table of pairs of rulesets, or a list of games with `--list`.
///
/// # Errors
/// Fails if the options contradict each other or the output fails.
pub fn compare(args: &CompareArgs) -> Result<Exit> {
    let counting = &args.counting;
    let named_format = args.format.map(|format| format.0);
    let row_format = |named| format::row_format(named, counting.run.options.process.safe_text, &args.output);
    let format = match (&args.list, named_format) {
        // People read the table of pairs, so it is text unless the name of the output tells another
        // format.
        (None, None) => row_format(Some(Format::Text { color: false })).or_else(|_| row_format(None))?,
        _ => row_format(named_format)?,
    };
    let CountingArgs { run: run_args, count } = counting;
    let request = run_request(run_args, Some(count), format, Some(own_words(args)));
    let config = RunConfig::new(
        RunRequest { findings: FindingsUse::Ignored, color: args.output.color.choice(), ..request },
        || run_args.sources(),
    )?;
    let files = &args.output.files;
    run_args.read_files().table(files).check(&config.sources)?;
    if let Some(selection) = args.list.as_deref().copied() {
        return table(&config, files, ComparisonRows { selection, all_pairs: args.all_pairs });
    }
    let visitor = PairVisitor { grouping: args.by.as_deref().cloned(), min_games: args.min_games };
    aggregate_table(&config, files, &visitor, "the rulesets are not compared")
}

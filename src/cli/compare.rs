//! `jigo compare`: rulesets against each other, counted or game by game.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result};

use super::Exit;
use super::format;
use super::output::Output;
use super::places::NamedPlaces;
use super::plan::Plan;
use super::run::{conclude, interrupted, is_possible, run};
use super::table::{put_totals, table, totals};
use clap::Args;
use jigo_archive::tables::formats::Format;
use jigo_archive::visit::{Comparisons, ListedPairs, OfPairs, Pairs};

use super::args::{CountingArgs, ListArg, OutputArgs, TableFormatArg};
use super::examples::examples;

/// Count endings under pairs of rulesets: how many margins and winners change, and why
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo compare games/" "how many margins and winners depend on the ruleset, and why"
    "jigo compare --rules japanese,chinese --list games/" "the games with another winner under the two, one row each"
    "jigo compare --rules all --list=margin --all-pairs --format jsonl games/" "every game and pair of rulesets with another margin"
))]
pub struct CompareArgs {
    /// What to read, how to go about it and how to count.
    #[command(flatten)]
    pub counting: CountingArgs,
    /// List games instead of counting them
    ///
    /// One row a game, with the pair of rulesets that makes most of a difference.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "winner")]
    pub list: Option<ListArg>,
    /// In the list, one row for each pair of rulesets that differ so
    #[arg(long, requires = "list")]
    pub all_pairs: bool,
    /// How the list is written [default: as --output ends; else text on a terminal, and csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output", requires = "list")]
    pub format: Option<TableFormatArg>,
    /// Where the table or list goes.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A table of pairs of rulesets, or with `--list` the games.
///
/// # Errors
/// When the flags make no sense or the output fails.
pub fn compare(args: &CompareArgs) -> Result<Exit> {
    let started = Instant::now();
    let counting = &args.counting;
    let comparisons = args.list.map(|list| match list {
        ListArg::Winner => Comparisons::Winner,
        ListArg::Margin => Comparisons::Margin,
        ListArg::Unsettled => Comparisons::Unsettled,
        ListArg::All => Comparisons::All,
    });
    let format = match &comparisons {
        Some(_) => format::of_rows(args.format.map(|format| format.0), counting.run.safe_text, &args.output)?,
        // The table of pairs is for people, wherever it goes.
        None => format::of_rows(Some(Format::Text { color: false }), false, &args.output)
            .context("without --list the rulesets are compared in a text")?,
    };
    let mut plan = Plan::new(&counting.input, &counting.run, Some(&counting.count), format)?;
    plan.exports_only = true;
    NamedPlaces::of(&counting.input).table(&args.output).check(&plan.sources)?;
    if let Some(which) = comparisons {
        return table(&plan, &args.output, ListedPairs { which, all_pairs: args.all_pairs });
    }
    is_possible(&plan, &OfPairs)?;
    let mut out = Output::open(args.output.output.as_deref(), args.output.force)?;
    let totals = totals(&args.output)?;
    let mut pairs = Pairs::default();
    let summary = run(&plan, &OfPairs, |output| {
        pairs.add(&output.part);
        Ok(())
    })?;
    if let Some(signal) = plan.interrupt.came() {
        return Ok(interrupted(&plan, &summary, started, signal, "the rulesets are not compared"));
    }
    out.write_all(pairs.text().as_bytes()).with_context(|| out.failure())?;
    out.finish()?;
    put_totals(totals, &summary, None, None)?;
    Ok(conclude(&plan, &summary, started))
}

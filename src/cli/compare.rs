//! `jigo compare`: rulesets against each other, counted or game by game.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result};

use super::Exit;
use super::args::{CompareArgs, ListArg};
use super::check::{put_totals, table, totals};
use super::output::Output;
use super::plan::{Plan, format};
use super::run::{conclude, run};
use jigo_archive::visit::{Comparisons, OfPairs, Pairs};

/// A table of pairs of rulesets, or with `--list` the games.
///
/// # Errors
/// When the flags make no sense or the output fails.
pub fn compare(args: &CompareArgs) -> Result<Exit> {
    let started = Instant::now();
    let comparisons = args.list.map(|list| match list {
        ListArg::Winner => Comparisons::Winner,
        ListArg::Margin => Comparisons::Margin,
        ListArg::Unsettled => Comparisons::Unsettled,
        ListArg::All => Comparisons::All,
    });
    let format = format(args.format.0, Some(&args.output));
    let plan = Plan::new(&args.input, &args.run, Some(&args.count), format)?;
    if let Some(comparisons) = comparisons {
        return table(&plan, &args.output, comparisons);
    }
    let mut out = Output::open(args.output.output.as_deref(), args.output.force)?;
    let totals = totals(&args.output)?;
    let mut pairs = Pairs::default();
    let summary = run(&plan, &OfPairs, |output| {
        pairs.add(&output.part);
        Ok(())
    })?;
    out.write_all(pairs.text().as_bytes()).with_context(|| out.failure())?;
    out.finish()?;
    put_totals(totals, &summary)?;
    Ok(conclude(&plan, &summary, started))
}

//! `jigo check` and `jigo score`: one table to one output.

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use anyhow::{Result, bail};

use super::Exit;
use super::args::{CheckArgs, InputFormatArg, OutputArgs, ScoreArgs};
use super::baseline::BaselineRun;
use super::output::{Output, TableOutput};
use super::plan::{Plan, format};
use super::run::{conclude, run};
use crate::input::InputFormat;
use crate::pipeline::{BatchOutput, Tables};
use crate::report::rows::{FindingRow, ScoreRow};
use crate::report::{Row, Rows, Table};

/// One row for each finding.
///
/// # Errors
/// When the flags make no sense or the output fails.
pub fn check(args: &CheckArgs) -> Result<Exit> {
    let tables = Tables { findings: true, ..Tables::default() };
    let mut plan = Plan::new(&args.input, &args.run, None, format(args.format, Some(&args.output)), tables)?;
    let baseline = BaselineRun::begin(&args.baseline, args.output.force, &mut plan)?;
    let exit = table(&plan, &args.output, FindingRow::TABLE, |output| output.findings)?;
    if let Some(baseline) = baseline {
        let line = baseline.end(&args.baseline, &plan)?;
        if !plan.quiet {
            // Without standard error there is nobody left to tell.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
    Ok(exit)
}

/// One row for each game and ruleset.
///
/// # Errors
/// When the flags make no sense or the output fails.
pub fn score(args: &ScoreArgs) -> Result<Exit> {
    let tables = Tables { scores: true, ..Tables::default() };
    let mut plan =
        Plan::new(&args.input, &args.run, Some(&args.count), format(args.format.0, Some(&args.output)), tables)?;
    plan.job.input = match args.input_format {
        InputFormatArg::Sgf => InputFormat::Sgf,
        InputFormatArg::Positions => InputFormat::Positions,
    };
    table(&plan, &args.output, ScoreRow::TABLE, |output| output.scores)
}

fn table(plan: &Plan, output: &OutputArgs, table: &Table, rows: fn(BatchOutput) -> Option<Rows>) -> Result<Exit> {
    let started = Instant::now();
    if plan.job.format.is_binary() && output.output.is_none() && io::stdout().is_terminal() {
        bail!("this format is not for a terminal: name a file with --output, or send it down a pipe");
    }
    let out = Output::open(output.output.as_deref(), output.force)?;
    let failure = out.failure();
    let mut out = TableOutput::new(plan.job.format, table, out, failure)?;
    let summary = run(plan, |output| out.write(rows(output)))?;
    out.finish()?.finish()?;
    Ok(conclude(plan, &summary, started))
}

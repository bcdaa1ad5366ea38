//! `jigo check` and `jigo score`: one table to one output.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;

use super::Exit;
use super::args::{CheckArgs, InputFormatArg, OutputArgs, ScoreArgs};
use super::baseline::BaselineRun;
use super::output::Output;
use super::plan::Plan;
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
    let mut plan = Plan::new(&args.input, &args.run, None, args.output.format, tables)?;
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
    let mut plan = Plan::new(&args.input, &args.run, Some(&args.count), args.output.format, tables)?;
    plan.job.input = match args.input_format {
        InputFormatArg::Sgf => InputFormat::Sgf,
        InputFormatArg::Positions => InputFormat::Positions,
    };
    table(&plan, &args.output, ScoreRow::TABLE, |output| output.scores)
}

fn table(plan: &Plan, output: &OutputArgs, table: &Table, rows: fn(BatchOutput) -> Option<Rows>) -> Result<Exit> {
    let started = Instant::now();
    let mut out = Output::open(output.output.as_deref(), output.force)?;
    out.write(&plan.job.format.header(table))?;
    let summary = run(plan, |output| out.write(&rows(output).map_or(Vec::new(), Rows::into_bytes)))?;
    out.finish()?;
    Ok(conclude(plan, &summary, started))
}

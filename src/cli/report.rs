//! `jigo report`: all tables, the summary and the page, in one pass.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};

use super::Exit;
use super::args::ReportArgs;
use super::output::{PendingFile, TableOutput};
use super::plan::{Plan, format};
use super::run::{conclude, interrupted, run};
use crate::pipeline::Tables;
use crate::report::html::{Links, page};
use crate::report::rows::{FindingRow, GameRow, ScoreRow};
use crate::report::{Figures, Row, Table};

/// Writes the tables, summary.json and index.html into a folder. They get their names when all are whole.
///
/// # Errors
/// When the flags make no sense, tables are there already, or writing fails.
pub fn report(args: &ReportArgs) -> Result<Exit> {
    let started = Instant::now();
    let tables = Tables { findings: true, scores: true, games: true, figures: true, ..Tables::default() };
    let plan = Plan::new(&args.input, &args.run, Some(&args.count), format(args.format.0, None), tables)?;
    let folder = args.out.display();
    fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {folder}"))?;
    let mut games = table(args, &plan, GameRow::TABLE)?;
    let mut findings = table(args, &plan, FindingRow::TABLE)?;
    let mut scores = table(args, &plan, ScoreRow::TABLE)?;
    let mut totals = PendingFile::create(&args.out.join("summary.json"), args.force)?;
    let mut index = PendingFile::create(&args.out.join("index.html"), args.force)?;
    let mut figures = Figures::default();
    let summary = run(&plan, |output| {
        if let Some(part) = output.figures {
            figures.add(*part);
        }
        games.write(output.games)?;
        findings.write(output.findings)?;
        scores.write(output.scores)
    })?;
    if let Some(signal) = plan.interrupt.came() {
        let left = format!("nothing is written to {folder}");
        return Ok(interrupted(&plan, &summary, started, signal, &left));
    }
    totals.append(summary.json().as_bytes())?;
    let links = Links::new(&args.out, plan.job.format.extension());
    index.append(page(&summary, &mut figures, &links).as_bytes())?;
    let tables = [games.finish()?.close()?, findings.finish()?.close()?, scores.finish()?.close()?];
    for file in tables.into_iter().chain([totals.close()?, index.close()?]) {
        file.put_in_place()?;
    }
    Ok(conclude(&plan, &summary, started))
}

/// Opens the file of a table, named after it and the format.
fn table(args: &ReportArgs, plan: &Plan, table: &'static Table) -> Result<TableOutput<PendingFile>> {
    let name = format!("{}.{}", table.name, plan.job.format.extension());
    let file = PendingFile::create(&args.out.join(name), args.force)?;
    let failure = file.failure();
    TableOutput::new(plan.job.format, plan.job.table(table), file, failure)
}

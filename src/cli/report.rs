//! `jigo report`: all tables, the summary and the page, in one pass.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use super::Exit;
use super::args::ReportArgs;
use super::identity::Identity;
use super::output::TableOutput;
use super::plan::{Plan, format};
use super::resume::continued;
use super::run::{conclude, interrupted, run_on};
use super::unfinished::{Counts, Found, Unfinished};
use crate::page::{Links, page};
use jigo_archive::pipeline::{Done, Tables};
use jigo_archive::summary::Summary;
use jigo_archive::tables::{FindingRow, GameRow, ScoreRow};
use jigo_archive::tables::{Row, Table};

/// The page.
const PAGE: &str = "index.html";
/// The last file of a report to get its name.
const SUMMARY: &str = "summary.json";

/// Writes the tables, index.html and summary.json into a folder. They get their names when all are whole.
///
/// # Errors
/// When the flags make no sense, tables are there already, or writing fails.
pub fn report(args: &ReportArgs) -> Result<Exit> {
    let started = Instant::now();
    let recorded = args.resume.as_deref().map(|folder| continued(folder, args)).transpose()?;
    let args = recorded.as_ref().unwrap_or(args);
    let tables = Tables { findings: true, scores: true, games: true, figures: true, ..Tables::default() };
    let plan = Plan::new(&args.input, &args.run, Some(&args.count), format(args.format.0, None), tables)?;
    let Some(folder) = args.resume.as_deref().or(args.out.as_deref()) else { bail!("name a folder with --out") };
    let (mut unfinished, done) = match begin(args, folder, &plan)? {
        Found::Whole(summary) => return Ok(conclude(&plan, &summary, started)),
        Found::Begun(unfinished, done) => (unfinished, done),
    };
    let summary = match write(&plan, folder, &mut unfinished, done) {
        Ok(summary) => summary,
        Err(error) => {
            if let Some(advice) = unfinished.advice() {
                // Without standard error there is nobody left to tell.
                let _ = writeln!(io::stderr(), "jigo: {advice}");
            }
            return Err(error);
        }
    };
    if let Some(signal) = plan.interrupt.came() {
        let left = unfinished.advice().unwrap_or_else(|| "no report is written".into());
        return Ok(interrupted(&plan, &summary, started, signal, &left));
    }
    unfinished.finish(&summary)?;
    Ok(conclude(&plan, &summary, started))
}

/// Begins the report, or finds what there is of it.
fn begin(args: &ReportArgs, folder: &Path, plan: &Plan) -> Result<Found> {
    let identity = Identity::of(plan);
    if args.resume.is_some() {
        return Unfinished::resume(folder, &identity, args.force);
    }
    let tables = [GameRow::TABLE, FindingRow::TABLE, ScoreRow::TABLE].map(|table| file_name(plan, table));
    let files: Vec<&str> = tables.iter().map(String::as_str).chain([PAGE, SUMMARY]).collect();
    let unfinished = Unfinished::begin(folder, &files, &identity, args.force)?;
    Ok(Found::Begun(unfinished, Box::default()))
}

/// Writes the tables from where they are to their ends, and what is made of them.
fn write(plan: &Plan, folder: &Path, unfinished: &mut Unfinished, mut counts: Box<Counts>) -> Result<Summary> {
    let mut games = table(unfinished, plan, GameRow::TABLE)?;
    let mut findings = table(unfinished, plan, FindingRow::TABLE)?;
    let mut scores = table(unfinished, plan, ScoreRow::TABLE)?;
    let done = Done { batches: counts.batches, summary: counts.summary.clone() };
    let summary = run_on(plan, done, |output| {
        games.write(output.games)?;
        findings.write(output.findings)?;
        scores.write(output.scores)?;
        counts.batches += 1;
        counts.summary.add(&output.summary);
        if let Some(figures) = output.figures {
            counts.figures.add(*figures);
        }
        unfinished.batch_done(&counts)
    })?;
    if plan.interrupt.came().is_some() {
        unfinished.keep(&counts)?;
        return Ok(summary);
    }
    for table in [games, findings, scores] {
        table.finish()?;
    }
    let links = Links::new(folder, plan.job.format.extension());
    unfinished.whole(PAGE, page(&summary, &mut counts.figures, &links).as_bytes())?;
    unfinished.whole(SUMMARY, summary.json().as_bytes())?;
    Ok(summary)
}

/// Opens the file of a table, or goes on with it.
fn table(unfinished: &mut Unfinished, plan: &Plan, table: &'static Table) -> Result<TableOutput<File>> {
    let name = file_name(plan, table);
    let failure = unfinished.failure(&name);
    match unfinished.part(&name)? {
        (file, true) => Ok(TableOutput::resumed(file, failure)),
        (file, false) => TableOutput::new(plan.job.format, plan.job.table(table), file, failure),
    }
}

/// The file of a table is named after it and the format.
fn file_name(plan: &Plan, table: &Table) -> String {
    format!("{}.{}", table.name, plan.job.format.extension())
}

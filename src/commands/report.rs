//! `jigo report`: all tables, the summary and the page in one pass.

mod checkpoint;
mod report_staging;
mod report_duplicates;
mod resume;

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::commands::report::checkpoint::{DUPLICATES, ReportFile, TABLES};
use crate::commands::report::report_duplicates::{Copies, write_copies};
use crate::commands::report::report_staging::{FolderState, ReportDone, Unfinished};
use crate::commands::report::resume::continued;
use crate::html::{Links, page};
use crate::run::duplicate_rows::count_copies;
use crate::run::execute::{conclude_resumed, interrupted, looks_for_what_is_asked, run_on};
use crate::run::exit::Exit;
use crate::run::output::TableOutput;
use crate::run::path_conflicts::NamedPlaces;
use crate::run::plan::Plan;
use crate::run::repro_command::inputs;
use crate::run::run_fingerprint::Identity;
use crate::run::stderr::{note, print};
use clap::Args;
use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::formats::Rows;
use jigo_archive::pipeline::{Done, Visitor};
use jigo_archive::row::Table;
use jigo_archive::row::line::visible;
use jigo_archive::summary::Summary;
use jigo_archive::tables::{Findings, GameRows, Results, Scores};
use jigo_archive::visit::{KeyedGame, OfPage};
use serde_json::Map;

use crate::args::examples::examples;
use crate::args::{CountingArgs, TableFormatArg};
use std::path::PathBuf;

/// Write all tables, summary.json and the page index.html into a folder, in one pass
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo report --out audit games/" "all tables and a summary in one pass; then open audit/index.html"
    "jigo report --out half --limit 100 --exit-zero games/" "the first hundred games, as a preview"
))]
pub struct ReportArgs {
    /// Also find duplicate games
    ///
    /// Write duplicates.csv and a section of the page. jigo duplicates explains the method.
    #[arg(long)]
    pub duplicates: bool,
    /// The options for inputs, run and counting.
    #[command(flatten)]
    pub counting: CountingArgs,
    /// Write the tables into DIR; create it if it is missing
    #[arg(long, value_name = "DIR", help_heading = "Output", required_unless_present = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the unfinished run in DIR, with its inputs and options
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub resume: Option<PathBuf>,
    /// Set the format of the tables
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: TableFormatArg,
    /// Replace existing tables
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// Writes the tables, index.html and summary.json into a folder. They get their names when all are
/// complete.
///
/// # Errors
/// Fails if the options contradict each other, if tables exist already, or if writing fails.
pub fn report(args: &ReportArgs) -> Result<Exit> {
    let started = Instant::now();
    let recorded = args.resume.as_deref().map(|folder| continued(folder, args)).transpose()?;
    let args = recorded.as_ref().unwrap_or(args);
    let CountingArgs { input, run, count } = &args.counting;
    let mut plan = Plan::new(input, run, Some(count), args.format.0)?;
    plan.shows_findings = true;
    plan.finds_copies = args.duplicates;
    looks_for_what_is_asked(&plan)?;
    let Some(folder) = args.resume.as_deref().or(args.out.as_deref()) else { bail!("name a folder with --out") };
    let inputs = inputs(&args.counting, &plan.sources);
    let (mut unfinished, done) = match begin(args, folder, &plan)? {
        FolderState::Whole(summary) => return Ok(conclude_report(&plan, &summary, (started, summary.found), folder)),
        FolderState::Begun(unfinished, done) => (unfinished, done),
    };
    let links = Links::new(folder, plan.format.extension(), inputs);
    let before = done.summary.found;
    let summary = match write(&plan, (&links, args.duplicates), &mut unfinished, done) {
        Ok(summary) => summary,
        Err(error) => {
            if let Some(advice) = unfinished.advice() {
                note(&advice);
            }
            return Err(error);
        }
    };
    if let Some(signal) = plan.interrupt.came() {
        let left = unfinished.advice().unwrap_or_else(|| "no report is written".into());
        return Ok(interrupted(&plan, &summary, started, signal, &left));
    }
    unfinished.finish(&summary)?;
    Ok(conclude_report(&plan, &summary, (started, before), folder))
}

/// Prints the summary and, as the last line, the path of the page.
fn conclude_report(plan: &Plan, summary: &Summary, (started, before): (Instant, u64), folder: &Path) -> Exit {
    let exit = conclude_resumed(plan, summary, started, before);
    if !plan.quiet {
        print(&format!("{}\n", visible(&folder.join(ReportFile::PAGE.name()).display().to_string())));
    }
    exit
}

/// Begins a report, or loads the state of an unfinished one.
fn begin(args: &ReportArgs, folder: &Path, plan: &Plan) -> Result<FolderState> {
    let identity = Identity::of(plan).with_copies(args.duplicates);
    let tables = TABLES.into_iter().chain(args.duplicates.then_some(DUPLICATES));
    let tables = tables.map(|table| ReportFile::of_table(table, plan.format));
    let files: Vec<ReportFile> = tables.chain([ReportFile::PAGE, ReportFile::SUMMARY]).collect();
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(file.name())).collect();
    let places =
        paths.iter().fold(NamedPlaces::of(&args.counting.input), |places, path| places.writes("--out", Some(path)));
    places.check(&plan.sources)?;
    if args.resume.is_some() {
        return Unfinished::resume(folder, &files, &identity, args.force);
    }
    let unfinished = Unfinished::begin(folder, &files, &identity, args.force)?;
    Ok(FolderState::Begun(unfinished, Box::default()))
}

/// Writes the remaining rows of the tables, and the files that depend on them.
fn write(
    plan: &Plan,
    (links, with_copies): (&Links, bool),
    unfinished: &mut Unfinished,
    mut counts: Box<ReportDone>,
) -> Result<Summary> {
    let (games, findings, scores, results) =
        (plan.table(GameRows), plan.table(Findings), plan.table(Scores), plan.table(Results));
    let rows: Vec<&dyn Visitor<Accumulator = Rows>> = vec![&games, &findings, &scores, &results];
    let mut tables = Vec::new();
    for table in [games.table(), findings.table(), scores.table(), results.table()] {
        tables.push(open_table(unfinished, plan, table)?);
    }
    let mut copies = with_copies.then(|| Copies::new(plan, counts.batches > 0));
    let of_keys = copies.as_ref().and_then(|copies| copies.visitor());
    let keys: Vec<&dyn Visitor<Accumulator = Vec<KeyedGame>>> = of_keys.iter().map(|visitor| visitor as _).collect();
    let done = Done { batches: counts.batches, summary: counts.summary.clone() };
    let mut ends_batch = true;
    let summary = run_on(plan, &(&rows, &(&OfPage, &keys)), done, |output| {
        let (rows, (figures, keys)) = output.product;
        let counts_of_rows: Vec<u64> = rows.iter().map(Rows::count).collect();
        tables.iter_mut().zip(rows).try_for_each(|(table, rows)| table.write(rows))?;
        copies.iter_mut().zip(keys).try_for_each(|(copies, keys)| copies.add(keys))?;
        ends_batch = output.rest_from.is_none();
        counts.batches += u64::from(ends_batch);
        counts.rows.iter_mut().zip(counts_of_rows).for_each(|(sum, more)| *sum += more);
        counts.summary.add(&output.summary);
        counts.figures.add(*figures);
        if ends_batch { unfinished.batch_done(&counts) } else { Ok(()) }
    })?;
    let copies = match (copies, plan.interrupt.came()) {
        (Some(copies), None) => copies.find(plan)?,
        _ => None,
    };
    if plan.interrupt.came().is_some() {
        // In the middle of a batch, the tables contain rows that are newer than the last
        // checkpoint. A resumed run cuts them off.
        if ends_batch {
            unfinished.keep(&counts)?;
        }
        return Ok(summary);
    }
    for table in tables {
        table.finish()?;
    }
    finish(plan, links, unfinished, (&mut counts, copies), summary)
}

/// Writes the files that depend on the tables: duplicates, the page and the summary.
fn finish(
    plan: &Plan,
    links: &Links,
    unfinished: &mut Unfinished,
    (counts, copies): (&mut ReportDone, Option<DuplicateSet>),
    mut summary: Summary,
) -> Result<Summary> {
    copies.iter().for_each(|found| count_copies(plan, &mut summary, found));
    let of_copies = copies.as_ref().map(|found| write_copies(plan, unfinished, found)).transpose()?;
    let page = page(&summary, &mut counts.figures, links, copies.as_ref());
    unfinished.whole(ReportFile::PAGE, page.as_bytes())?;
    let mut files = Map::new();
    for (table, rows) in TABLES.into_iter().zip(counts.rows).chain(of_copies.map(|rows| (DUPLICATES, rows))) {
        let file = ReportFile::of_table(table, plan.format);
        files.insert(file.name().to_owned(), unfinished.checked(&file, rows)?);
    }
    unfinished
        .whole(ReportFile::SUMMARY, summary.json_with(files, copies.as_ref().map(DuplicateSet::json)).as_bytes())?;
    Ok(summary)
}

/// Opens the file of a table, or continues it.
fn open_table(unfinished: &mut Unfinished, plan: &Plan, table: &Table) -> Result<TableOutput<File>> {
    let name = ReportFile::of_table(table, plan.format);
    let failure = unfinished.failure(&name);
    match unfinished.part(&name)? {
        (file, true) => Ok(TableOutput::resumed(file, failure)),
        (file, false) => TableOutput::new(plan.format, table, file, failure),
    }
}

//! `jigo report`: all tables, the summary and the page in one pass.

mod checkpoint;
mod report_args;
mod report_staging;
mod report_duplicates;
mod resume;

use std::fs::File;
use std::path::Path;
use std::time::Instant;

pub use report_args::ReportArgs;

use anyhow::{Result, bail};

use crate::args::repro_command::inputs;
use crate::args::run_request::run_request;
use crate::commands::report::checkpoint::{DUPLICATES, ReportFile, TABLES};
use crate::commands::report::report_duplicates::{DuplicateSearch, write_duplicates};
use crate::commands::report::report_staging::{ReportProgress, ReportStart, StagedReport};
use crate::commands::report::resume::resumed_args;
use crate::html::{Links, page};
use crate::version::BUILD;
use clap::Command;
use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::formats::Rows;
use jigo_archive::pipeline::{ResumePoint, Visitor};
use jigo_archive::row::Table;
use jigo_archive::row::line::visible;
use jigo_archive::summary::Summary;
use jigo_archive::tables::{FindingRows, GameRows, ResultRows, ScoreRows};
use jigo_archive::visit::{FiguresVisitor, FixSettings, FixVisitor, KeyedGame};
use jigo_core::fix::FixOptions;
use jigo_run::config::run_request::FindingsUse;
use jigo_run::execution::conclude::{conclude_resumed, interrupted};
use jigo_run::execution::duplicate_rows::count_duplicates;
use jigo_run::execution::execute::{check_searched_codes, run_from};
use jigo_run::output::TableOutput;
use jigo_run::process::exit::Exit;
use jigo_run::process::stderr::{note, print};
use jigo_run::run_fingerprint::{RowOptions, RunFingerprint};
use jigo_run::{RunConfig, RunRequest};
use serde::Serialize;
use serde_json::Map;

use crate::args::CountingArgs;
use std::path::PathBuf;

/// Writes the tables, index.html and summary.json into a folder. They get their names when all are
/// complete. `command_line` returns the definition of the whole command line, which a resumed run
/// needs.
///
/// # Errors
/// Fails if the options contradict each other, if tables exist already, or if writing fails.
pub fn report(args: &ReportArgs, command_line: fn() -> Command) -> Result<Exit> {
    let started = Instant::now();
    let recorded = args.resume.as_deref().map(|folder| resumed_args(folder, args, command_line())).transpose()?;
    let args = recorded.as_ref().unwrap_or(args);
    let CountingArgs { input, run, count } = &args.counting;
    let request = RunRequest {
        findings: FindingsUse::Listed,
        finds_duplicates: args.duplicates,
        ..run_request(input, run, Some(count), args.format.0)
    };
    let config = RunConfig::new(request, || input.sources())?;
    check_searched_codes(&config)?;
    let Some(folder) = args.resume.as_deref().or(args.out.as_deref()) else { bail!("name a folder with --out") };
    let inputs = inputs(input, run, Some(count), config.sources());
    let (mut staged, resume_point) = match begin(args, folder, &config)? {
        ReportStart::Complete(summary) => {
            return Ok(conclude_report(&config, &summary, started, summary.found, folder));
        }
        ReportStart::Unfinished(staged, resume_point) => (staged, resume_point),
    };
    let links = Links::new(folder, config.format().extension(), inputs);
    let resumed_games = resume_point.summary.found;
    let summary = match write(args, &config, &links, &mut staged, resume_point) {
        Ok(summary) => summary,
        Err(error) => {
            if let Some(advice) = staged.advice() {
                note(&advice);
            }
            return Err(error);
        }
    };
    if let Some(signal) = config.interrupt().received() {
        let message = staged.advice().unwrap_or_else(|| "no report is written".into());
        return Ok(interrupted(&config, &summary, started, signal, &message));
    }
    staged.finish(&summary)?;
    Ok(conclude_report(&config, &summary, started, resumed_games, folder))
}

/// Prints the summary and, as the last line, the path of the page.
fn conclude_report(config: &RunConfig, summary: &Summary, started: Instant, resumed_games: u64, folder: &Path) -> Exit {
    let exit = conclude_resumed(config, summary, started, resumed_games);
    if !config.is_quiet() {
        print(&format!("{}\n", visible(&folder.join(ReportFile::PAGE.name()).display().to_string())));
    }
    exit
}

/// The options that must be the same in a run that resumes another one.
#[derive(Serialize)]
struct ReportOptions<'a> {
    rows: RowOptions<'a>,
    format: &'static str,
    safe_text: bool,
    duplicates: bool,
}

/// Begins a report, or loads the state of an unfinished one.
fn begin(args: &ReportArgs, folder: &Path, config: &RunConfig) -> Result<ReportStart> {
    let CountingArgs { input, run, count } = &args.counting;
    let options = ReportOptions {
        rows: RowOptions::new(config, Some(count)),
        format: args.format.0.properties().name,
        safe_text: run.options.process.safe_text,
        duplicates: args.duplicates,
    };
    let fingerprint = RunFingerprint::new(BUILD, config, &options)?.with_format(config.format());
    let tables = TABLES.into_iter().chain(args.duplicates.then_some(DUPLICATES));
    let tables = tables.map(|table| ReportFile::of_table(table, config.format()));
    let files: Vec<ReportFile> = tables.chain([ReportFile::PAGE, ReportFile::SUMMARY]).collect();
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(file.name())).collect();
    let read_files = run.read_files(input);
    let flag_paths = paths.iter().fold(read_files, |flag_paths, path| flag_paths.writes("--out", Some(path)));
    flag_paths.check(config.sources())?;
    if args.resume.is_some() {
        return StagedReport::resume(folder, &files, &fingerprint, args.force);
    }
    let staged = StagedReport::begin(folder, &files, &fingerprint, args.force)?;
    Ok(ReportStart::Unfinished(Box::new(staged), Box::default()))
}

/// Writes the remaining rows of the tables, and the files that depend on them.
fn write(
    args: &ReportArgs,
    config: &RunConfig,
    links: &Links,
    staged: &mut StagedReport,
    mut progress: Box<ReportProgress>,
) -> Result<Summary> {
    let (games, findings, scores, results) =
        (config.table(GameRows), config.table(FindingRows), config.table(ScoreRows), config.table(ResultRows));
    let rows: Vec<&dyn Visitor<Accumulator = Rows>> = vec![&games, &findings, &scores, &results];
    let mut tables = Vec::new();
    for table in [games.table(), findings.table(), scores.table(), results.table()] {
        tables.push(open_table(staged, config, table)?);
    }
    let mut search = args.duplicates.then(|| DuplicateSearch::new(config, progress.batches > 0));
    let key_visitor = search.as_ref().and_then(|search| search.visitor());
    let keys: Vec<&dyn Visitor<Accumulator = Vec<KeyedGame>>> =
        key_visitor.iter().map(|visitor| visitor as _).collect();
    let resume_point = ResumePoint { batches: progress.batches, summary: progress.summary.clone() };
    let mut ends_batch = true;
    let summary = run_from(config, &(&rows, &(&figures_visitor(config), &keys)), resume_point, |output| {
        let (rows, (figures, keys)) = output.product;
        let row_counts: Vec<u64> = rows.iter().map(Rows::count).collect();
        tables.iter_mut().zip(rows).try_for_each(|(table, rows)| table.write(rows))?;
        search.iter_mut().zip(keys).try_for_each(|(search, keys)| search.add(keys))?;
        ends_batch = output.next_step.is_none();
        progress.batches += u64::from(ends_batch);
        progress.rows.iter_mut().zip(row_counts).for_each(|(sum, count)| *sum += count);
        progress.summary.add(&output.summary);
        progress.figures.add(*figures);
        if ends_batch { staged.record_batch(&progress) } else { Ok(()) }
    })?;
    let duplicates = match (search, config.interrupt().received()) {
        (Some(search), None) => search.find(config)?,
        _ => None,
    };
    if config.interrupt().received().is_some() {
        // In the middle of a batch, the tables contain rows that are newer than the last
        // checkpoint. A resumed run cuts them off.
        if ends_batch {
            staged.save_progress(&progress)?;
        }
        return Ok(summary);
    }
    for table in tables {
        table.finish()?;
    }
    finish(config, links, staged, &mut progress, duplicates, summary)
}

/// Returns the visitor that collects the figures of the page.
fn figures_visitor(config: &RunConfig) -> FiguresVisitor {
    let job = config.job();
    let (codes, dialect, limits) = (job.reported_codes, job.settings.dialect, job.settings.limits);
    let fixes = FixSettings::new(job, config.format(), FixOptions { codes, dialect, limits, ..FixOptions::safe() });
    FiguresVisitor { fixes: FixVisitor { settings: job.settings.clone(), fixes } }
}

/// Writes the files that depend on the tables: duplicates, the page and the summary.
fn finish(
    config: &RunConfig,
    links: &Links,
    staged: &mut StagedReport,
    progress: &mut ReportProgress,
    duplicates: Option<DuplicateSet>,
    mut summary: Summary,
) -> Result<Summary> {
    duplicates.iter().for_each(|set| count_duplicates(config, &mut summary, set));
    let duplicate_rows = duplicates.as_ref().map(|set| write_duplicates(config, staged, set)).transpose()?;
    let page = page(&summary, &mut progress.figures, links, duplicates.as_ref());
    staged.write_file(ReportFile::PAGE, page.as_bytes())?;
    let mut files = Map::new();
    for (table, rows) in TABLES.into_iter().zip(progress.rows).chain(duplicate_rows.map(|rows| (DUPLICATES, rows))) {
        let file = ReportFile::of_table(table, config.format());
        files.insert(file.name().to_owned(), staged.checksum(&file, rows)?);
    }
    staged.write_file(
        ReportFile::SUMMARY,
        summary.json_with(files, duplicates.as_ref().map(DuplicateSet::json), config.configuration()).as_bytes(),
    )?;
    Ok(summary)
}

/// Opens the file of a table, or continues it.
fn open_table(staged: &mut StagedReport, config: &RunConfig, table: &Table) -> Result<TableOutput<File>> {
    let name = ReportFile::of_table(table, config.format());
    let failure = staged.failure(&name);
    match staged.append_to(&name)? {
        (file, true) => Ok(TableOutput::resumed(file, failure)),
        (file, false) => TableOutput::new(config.format(), table, file, failure),
    }
}

//! `jigo report`: all tables, the summary and the page in one pass.

mod card_visitor;
mod merge;
mod report_args;
mod report_staging;
mod report_state;

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub use merge::{MergeArgs, merge};
pub use report_args::ReportArgs;

use anyhow::{Context, Result, bail};

use crate::args::repro_command::inputs;
use crate::args::{CountingArgs, run_request};
use crate::commands::report::card_visitor::CardVisitor;
use crate::commands::report::report_args::resumed_args;
use crate::commands::report::report_staging::{DUPLICATES, PAGE, StagedReport, TABLES, files, table_file};
use crate::commands::report::report_state::ReportState;
use crate::html::{GameCards, Inputs};
use crate::version::BUILD;
use clap::Command;
use jigo_archive::duplicates::{DuplicateSet, KeyedGames, Preference, find_duplicates};
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::partial_result::PartialResult;
use jigo_archive::row::Table;
use jigo_archive::row::line::visible;
use jigo_archive::summary::Summary;
use jigo_archive::tables::{FindingRows, GameRows, ResultRows, ScoreRows};
use jigo_archive::visit::{Figures, FiguresVisitor, FixSettings, FixVisitor, KeyVisitor};
use jigo_core::fix::FixOptions;
use jigo_run::config::run_request::FindingsUse;
use jigo_run::execution::{
    SPILL_FAILED, check_searched_codes, conclude_resumed, count_duplicates, interrupted, run_in_parts, write_in_batches,
};
use jigo_run::output::Output;
use jigo_run::process::{Exit, note};
use jigo_run::run_fingerprint::RunFingerprint;
use jigo_run::{RunConfig, RunRequest};
use serde_json::Value;

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
    let CountingArgs { run, count } = &args.counting;
    let own = iter::once("report").chain(args.duplicates.then_some("--duplicates")).map(str::to_owned).collect();
    let request = RunRequest {
        findings: FindingsUse::Listed,
        finds_duplicates: args.duplicates,
        ..run_request(run, Some(count), args.format.0, Some(own))
    };
    let config = RunConfig::new(request, || run.sources())?;
    check_searched_codes(&config)?;
    let Some(folder) = args.resume.as_deref().or(args.out.as_deref()) else { bail!("name a folder with --out") };
    let inputs = inputs(run, Some(count), &config.sources);
    let (mut staged, options) = begin(args, folder, &config)?;
    let resumed_games = staged.parts.before.summary.found;
    let summary = write(args, &config, (folder, inputs, options), &mut staged)
        .inspect_err(|_| staged.parts.advice().into_iter().for_each(note))?;
    if let Some(signal) = config.interrupt.received() {
        let message = staged.parts.advice().unwrap_or("no report is written");
        return Ok(interrupted(&config, &summary, started, signal, message));
    }
    staged.finish()?;
    let exit = conclude_resumed(&config, &summary, started, resumed_games);
    // The last line is the path of the page.
    config.print(&format!("{}\n", visible(&folder.join(PAGE).display().to_string())));
    Ok(exit)
}

/// Begins a report, or opens an unfinished one. Also returns the options that affect the rows.
fn begin(args: &ReportArgs, folder: &Path, config: &RunConfig) -> Result<(StagedReport, Value)> {
    let CountingArgs { run, count } = &args.counting;
    // All other options of the command are those of its rows, or only name files.
    let own = (args.format.0.properties().name, run.options.process.safe_text, args.duplicates);
    let refusal = "a run that writes Parquet or Arrow can't be resumed; use --format csv or jsonl";
    let obstacle = (!config.format.is_lines()).then(|| refusal.to_owned());
    let fingerprint = RunFingerprint::new(BUILD, config, Some(count), &own)?.with_obstacle(obstacle);
    let files = files(config.format, args.duplicates);
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let read_files = run.read_files();
    let flag_paths = paths.iter().fold(read_files, |flag_paths, path| flag_paths.writes("--out", Some(path)));
    flag_paths.check(&config.sources)?;
    let staged = StagedReport::begin(folder, &files, &fingerprint, args.resume.is_some(), args.force)?;
    Ok((staged, fingerprint.options().clone()))
}

/// Writes the rows of the tables, and the files that depend on them.
fn write(
    args: &ReportArgs,
    config: &RunConfig,
    (folder, inputs, options): (&Path, Inputs, Value),
    staged: &mut StagedReport,
) -> Result<Summary> {
    let (games, findings, scores, results) =
        (config.table(GameRows), config.table(FindingRows), config.table(ScoreRows), config.table(ResultRows));
    let rows = (&games, &(&findings, &(&scores, &results)));
    let mut tables = Vec::new();
    for table in [games.table(), findings.table(), scores.table(), results.table()] {
        tables.push(open_table(staged, config, table)?);
    }
    let mut keyed_games = args.duplicates.then(|| KeyedGames::new(config.job.settings.limits.memory));
    let keys = args.duplicates.then_some(KeyVisitor { keeps_headers: false });
    let (mut figures, mut cards, mut counts) = (Figures::default(), GameCards::default(), [0; TABLES.len()]);
    let summary = run_in_parts(
        config,
        &(&rows, &(&figures_visitor(config), &(&keys, &CardVisitor::new(&config.job.settings)))),
        Some(&mut staged.parts),
        |output| {
            let ((games, (findings, (scores, results))), (batch_figures, (keys, batch_cards))) = output.product;
            let rows = [games, findings, scores, results];
            for ((table, count), rows) in tables.iter_mut().zip(&mut counts).zip(rows) {
                *count += rows.count();
                table.write(rows)?;
            }
            figures.add_part(*batch_figures);
            cards.add(batch_cards);
            keyed_games.as_mut().map_or(Ok(()), |games| games.add(keys).context(SPILL_FAILED))
        },
    )?;
    let find = |games| find_duplicates(games, &Preference::default(), config.threads).context(SPILL_FAILED);
    let keyed_games = keyed_games.filter(|_| config.interrupt.received().is_none());
    let duplicates = keyed_games.map(find).transpose()?;
    if config.interrupt.received().is_some() {
        return Ok(summary);
    }
    for table in tables {
        table.finish()?.finish()?;
    }
    let provenance = config.provenance().clone().with_start(staged.started()?);
    let state =
        ReportState { build: BUILD.into(), options, summary, figures, cards, inputs, provenance, rows: Vec::new() };
    finish(config, (folder, staged), counts, duplicates, state)
}

/// Returns the visitor that collects the figures of the page.
fn figures_visitor(config: &RunConfig) -> FiguresVisitor {
    let job = &config.job;
    let (codes, dialect, limits) = (job.reported_codes, job.settings.dialect, job.settings.limits);
    let fixes = FixSettings::new(job, config.format, FixOptions { codes, dialect, limits, ..FixOptions::safe() });
    let interrupt = Arc::clone(config.interrupt.signal());
    FiguresVisitor { fixes: FixVisitor { settings: job.settings.clone(), fixes, interrupt } }
}

/// Writes the files that depend on the tables: duplicates, the page and the summary. `counts` are
/// the numbers of rows of the tables.
fn finish(
    config: &RunConfig,
    (folder, staged): (&Path, &mut StagedReport),
    counts: [u64; TABLES.len()],
    duplicates: Option<DuplicateSet>,
    mut state: ReportState,
) -> Result<Summary> {
    duplicates.iter().for_each(|set| count_duplicates(config, &mut state.summary, set));
    let duplicate_rows = duplicates.as_ref().map(|set| write_duplicates(config, staged, set)).transpose()?;
    let tables = TABLES.into_iter().zip(counts).chain(duplicate_rows.map(|rows| (DUPLICATES, rows)));
    state.write(staged, (folder, config.format), tables, duplicates.as_ref())?;
    Ok(state.summary)
}

/// Writes the table of duplicates. Returns the number of its rows.
fn write_duplicates(config: &RunConfig, staged: &mut StagedReport, duplicates: &DuplicateSet) -> Result<u64> {
    let mut out = open_table(staged, config, DUPLICATES.for_input(config.job.input))?;
    let count = write_in_batches(config, duplicates.rows(), |rows| Ok(out.write(rows)?))?;
    out.finish()?.finish()?;
    Ok(count)
}

/// Opens the file of a table.
fn open_table(staged: &mut StagedReport, config: &RunConfig, table: &Table) -> Result<TableWriter<Output>> {
    let file = staged.create(&table_file(table, config.format))?;
    Ok(TableWriter::new(config.format, table, || Some(config.provenance().text()), file)?)
}

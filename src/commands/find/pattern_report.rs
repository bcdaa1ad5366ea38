//! The folder of `jigo find --out`: the tables of matches and continuations, and a page.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use crate::html::pattern::PatternPage;
use crate::html::{Inputs, Links};
use jigo_archive::formats::Rows;
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::partial_result::PartialResult as _;
use jigo_archive::pipeline::Visitor as _;
use jigo_archive::row::Table;
use jigo_archive::row::line::visible;
use jigo_archive::tables::{Aggregate, Continuations, GameTable, MatchRows};
use jigo_archive::visit::MatchExampleVisitor;
use jigo_core::pattern::PatternSearch;
use jigo_run::RunConfig;
use jigo_run::execution::run_table::{open_summary, write_summary};
use jigo_run::execution::{check_run, conclude, interrupted, run};
use jigo_run::output::path_conflicts::TableFiles;
use jigo_run::output::{ClosedFile, PendingFile, cleanup, close_all};
use jigo_run::process::Exit;

/// The name of the page.
const PAGE: &str = "index.html";
/// The message about the files of an interrupted run.
const UNFINISHED: &str = "no page is written";

/// Returns the paths of the files in a folder, in the order in which they appear: matches,
/// continuations, and the page. The tables have the format of the run.
pub(super) fn report_paths(folder: &Path, config: &RunConfig) -> [PathBuf; 3] {
    let extension = config.format.extension();
    let of_table = |table: &Table| folder.join(format!("{}.{extension}", table.name));
    [of_table(MatchRows::TABLE), of_table(Continuations::TABLE), folder.join(PAGE)]
}

/// Searches a pattern and writes the tables and the page. The files appear when all are complete,
/// the page last.
///
/// # Errors
/// Fails if a file exists and may not be replaced, or if writing fails.
pub(super) fn write_report(
    config: &RunConfig,
    ([matches_path, continuations_path, page_path], files): (&[PathBuf; 3], &TableFiles),
    inputs: Inputs,
    search: &Arc<PatternSearch>,
) -> Result<Exit> {
    let started = Instant::now();
    let rows = config.table(MatchRows { search: Arc::clone(search) });
    let continuations = Continuations { search: Arc::clone(search), follows_matches: false };
    let visitor = (&rows, &(&continuations, &MatchExampleVisitor));
    check_run(config, &visitor)?;
    let open = |path: &Path| PendingFile::create_below(path, None, files.force);
    let provenance = || Some(config.provenance().text());
    let open_table = |path: &Path, table: &Table| -> Result<_> {
        Ok(TableWriter::new(config.format, table, provenance, open(path)?)?)
    };
    let continuation_table = Continuations::TABLE.for_input(config.job.input);
    let mut match_output = open_table(matches_path, rows.table())?;
    let mut continuation_output = open_table(continuations_path, continuation_table)?;
    let (mut page_file, totals) = (open(page_path)?, open_summary(files)?);
    let links = Links::new(page_path.parent().unwrap_or(Path::new(".")), config.format.extension(), inputs);
    cleanup::set_remaining_message(UNFINISHED);
    let (mut total, mut examples) = (continuations.start_batch(), Vec::new());
    let summary = run(config, &visitor, |output| {
        let (rows, (counts, batch_examples)) = output.product;
        MatchExampleVisitor::merge(&mut examples, batch_examples);
        total.add_part(counts);
        Ok(match_output.write(rows)?)
    })?;
    if let Some(signal) = config.interrupt.received() {
        return Ok(interrupted(config, &summary, started, signal, UNFINISHED));
    }
    let page = PatternPage {
        pattern: search.pattern(),
        continuations: &continuations.rows(&total),
        examples: &examples,
        summary: &summary,
        links: &links,
    };
    page_file.append(page.html().as_bytes())?;
    let mut last_rows = Rows::new(config.format, continuation_table);
    continuations.finish(total, &mut last_rows);
    continuation_output.write(last_rows)?;
    put_in_place(vec![match_output.finish()?, continuation_output.finish()?, page_file])?;
    write_summary(config, totals, &summary, &[], None)?;
    let exit = conclude(config, &summary, started);
    config.print(&format!("{}\n", visible(&page_path.display().to_string())));
    Ok(exit)
}

/// Gives complete files their names.
fn put_in_place(files: Vec<PendingFile>) -> Result<()> {
    let closed: Vec<ClosedFile> = close_all(files).into_iter().collect::<Result<_>>()?;
    closed.into_iter().try_for_each(ClosedFile::put_in_place)
}

//! Runs that write one table to one output.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::Map;

use super::output::{Output, PendingFile, TableOutput};
use super::plan::Plan;
use crate::args::OutputArgs;
use crate::run::execute::{closed_pipe, conclude, interrupted, is_possible, run};
use crate::run::exit::{Exit, is_broken_pipe};
use crate::run::output::{cleanup, table_checksum};
use jigo_archive::duplicates::FoundCopies;
use jigo_archive::pipeline::Visitor;
use jigo_archive::summary::Summary;
use jigo_archive::tables::Table;
use jigo_archive::tables::formats::Rows;
use jigo_archive::visit::ToRows;

/// Runs a plan whose result is one table.
pub fn table(plan: &Plan, output: &OutputArgs, rows: impl ToRows) -> Result<Exit> {
    let nothing = Beside { visitor: (), made: (), see: |_: &mut (), ()| Ok(()), last: |(), _: &mut Summary| Ok(None) };
    table_beside(plan, output, rows, nothing)
}

/// A second visitor that runs along with the rows of a table.
pub struct Beside<V, M, S, L> {
    /// The visitor.
    pub visitor: V,
    /// The initial accumulator.
    pub made: M,
    /// Adds the product of a batch to the accumulator, in input order.
    pub see: S,
    /// Returns the rows to append to the table, and adds them to the counts.
    pub last: L,
}

/// Runs a plan whose result is one table, with a second visitor.
pub fn table_beside<V: Visitor, M: Send>(
    plan: &Plan,
    output: &OutputArgs,
    rows: impl ToRows,
    beside: Beside<
        V,
        M,
        impl FnMut(&mut M, V::Part) -> Result<()> + Send,
        impl FnOnce(M, &mut Summary) -> Result<Option<Rows>>,
    >,
) -> Result<Exit> {
    let started = Instant::now();
    let Beside { visitor, mut made, mut see, last } = beside;
    let rows = plan.table(rows);
    let table = rows.table();
    has_such_rows(plan, table)?;
    let visitor = (rows, visitor);
    is_possible(plan, &visitor)?;
    let out = Output::open(output.output.as_deref(), output.force)?;
    let failure = out.failure();
    let mut out = TableOutput::new(plan.format, table, out, failure)?;
    let totals = totals(output)?;
    cleanup::leaves(match &output.output {
        Some(path) => not_written(path),
        None => "the last row may be incomplete, the rest is not written".into(),
    });
    let mut count = 0;
    let written = run(plan, &visitor, |output| {
        let (rows, part) = output.part;
        see(&mut made, part)?;
        count += rows.count();
        out.write(rows)
    });
    let mut summary = match written {
        Err(error) if is_broken_pipe(&error) => return Ok(closed_pipe(plan)),
        summary => summary?,
    };
    if let Some(signal) = plan.interrupt.came() {
        let left = left_of(out, output.output.as_deref())?;
        return Ok(interrupted(plan, &summary, started, signal, &left));
    }
    if let Some(last) = last(made, &mut summary)? {
        count += last.count();
        match out.write(last) {
            Err(error) if is_broken_pipe(&error) => return Ok(closed_pipe(plan)),
            written => written?,
        }
    }
    out.finish()?.finish()?;
    put_totals(totals, &summary, output.output.as_deref().map(|path| (path, count)), None)?;
    Ok(conclude(plan, &summary, started))
}

/// Checks that a format for findings is used for findings only.
fn has_such_rows(plan: &Plan, table: &Table) -> Result<()> {
    ensure!(
        plan.shows_findings || !plan.format.named().for_findings,
        "{} is a format for findings, and the rows are {}; choose another with --format or the name of --output, or use jigo check --table findings",
        plan.format.named().name,
        table.name
    );
    Ok(())
}

/// Completes an interrupted stream. Returns the message about the remaining rows or file.
fn left_of(out: TableOutput<Output>, path: Option<&Path>) -> Result<String> {
    if let Some(path) = path {
        return Ok(not_written(path));
    }
    out.finish()?.finish()?;
    Ok("their rows are complete, the rest is not written".into())
}

/// Returns the message about a file that was not written because a run ended early.
fn not_written(path: &Path) -> String {
    format!("{} is not written", path.display())
}

/// Opens the file of `--summary`.
///
/// # Errors
/// Fails if it can't be written.
pub fn totals(output: &OutputArgs) -> Result<Option<PendingFile>> {
    output.summary.as_deref().map(|path| PendingFile::create(path, output.force)).transpose()
}

/// Writes the file of `--summary` and puts it in its place. The summary describes the file that was
/// `written`, with its number of rows, and the duplicates in `copies`.
///
/// # Errors
/// Fails if it can't be written.
pub fn put_totals(
    totals: Option<PendingFile>,
    summary: &Summary,
    written: Option<(&Path, u64)>,
    copies: Option<&FoundCopies>,
) -> Result<()> {
    let Some(mut totals) = totals else { return Ok(()) };
    let mut files = Map::new();
    if let Some((path, rows)) = written {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = table_checksum::of(path, rows).with_context(|| format!("cannot read {}", path.display()))?;
        files.insert(name, found);
    }
    totals.append(summary.json_with(files, copies.map(FoundCopies::json)).as_bytes())?;
    totals.close()?.put_in_place()
}

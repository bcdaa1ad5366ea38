//! Runs that write one table to one output.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::Map;

use super::output::{Output, PendingFile, TableOutput};
use super::plan::Plan;
use crate::args::OutputArgs;
use crate::run::execute::{closed_pipe, conclude, interrupted, is_possible, run};
use crate::run::exit::{Exit, is_broken_pipe};
use crate::run::output::{cleanup, table_checksum};
use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::formats::Rows;
use jigo_archive::pipeline::Visitor;
use jigo_archive::row::Table;
use jigo_archive::summary::Summary;
use jigo_archive::tables::{Aggregate, GameTable};

/// Runs a plan whose result is one table.
pub fn table(plan: &Plan, output: &OutputArgs, rows: impl GameTable) -> Result<Exit> {
    let visitor = plan.table(rows);
    let mut table = TableRun::begin(plan, output, visitor.table(), &visitor)?;
    let ended = run(plan, &visitor, |output| table.write(output.product));
    match table.ended(ended)? {
        ControlFlow::Continue((table, summary)) => table.finish(&summary),
        ControlFlow::Break(exit) => Ok(exit),
    }
}

/// Runs a plan whose result is one table. The rows of `aggregate` follow those of the games.
pub fn table_with_aggregate<A: Aggregate>(
    plan: &Plan,
    output: &OutputArgs,
    rows: impl GameTable,
    aggregate: &A,
) -> Result<Exit> {
    let rows = plan.table(rows);
    let visitor = (&rows, aggregate);
    let mut table = TableRun::begin(plan, output, rows.table(), &visitor)?;
    let mut total = aggregate.start();
    let ended = run(plan, &visitor, |output| {
        let (rows, batch) = output.product;
        aggregate.merge(&mut total, batch)?;
        table.write(rows)
    });
    let (mut table, mut summary) = match table.ended(ended)? {
        ControlFlow::Continue(complete) => complete,
        ControlFlow::Break(exit) => return Ok(exit),
    };
    let mut last = Rows::new(plan.format, rows.table());
    aggregate.finish(total, &mut last, &mut summary)?;
    match table.write(last) {
        Err(error) if is_broken_pipe(&error) => Ok(closed_pipe(plan)),
        written => written.and_then(|()| table.finish(&summary)),
    }
}

/// Runs a plan whose result is the table of an aggregate. `unfinished` is the message about the
/// rows if a signal ends the run.
pub fn aggregate_table<A: Aggregate>(
    plan: &Plan,
    output: &OutputArgs,
    aggregate: &A,
    unfinished: &str,
) -> Result<Exit> {
    let started = Instant::now();
    let table = A::TABLE.for_input(plan.job.input);
    plan.format.check_table(table)?;
    is_possible(plan, aggregate)?;
    let out = Output::open(output.output.as_deref(), output.force)?;
    let totals = totals(output)?;
    let mut total = aggregate.start();
    let mut summary = run(plan, aggregate, |output| Ok(aggregate.merge(&mut total, output.product)?))?;
    if let Some(signal) = plan.interrupt.came() {
        return Ok(interrupted(plan, &summary, started, signal, unfinished));
    }
    let mut rows = Rows::new(plan.format, table);
    aggregate.finish(total, &mut rows, &mut summary)?;
    let count = rows.count();
    let failure = out.failure();
    let mut out = TableOutput::new(plan.format, table, out, failure)?;
    out.write(rows)?;
    out.finish()?.finish()?;
    put_totals(totals, &summary, output.output.as_deref().map(|path| (path, count)), None)?;
    Ok(conclude(plan, &summary, started))
}

/// A run that writes the rows of games to one output.
struct TableRun<'a> {
    plan: &'a Plan,
    output: &'a OutputArgs,
    started: Instant,
    out: TableOutput<Output>,
    totals: Option<PendingFile>,
    /// The number of rows so far.
    count: u64,
}

impl<'a> TableRun<'a> {
    /// Checks the plan, opens the output, and writes the beginning of the table.
    fn begin(
        plan: &'a Plan,
        output: &'a OutputArgs,
        table: &Table,
        visitor: &(impl Visitor + ?Sized),
    ) -> Result<TableRun<'a>> {
        let started = Instant::now();
        plan.format.check_table(table)?;
        is_possible(plan, visitor)?;
        let out = Output::open(output.output.as_deref(), output.force)?;
        let failure = out.failure();
        let out = TableOutput::new(plan.format, table, out, failure)?;
        let totals = totals(output)?;
        cleanup::leaves(match &output.output {
            Some(path) => not_written(path),
            None => "the last row may be incomplete, the rest is not written".into(),
        });
        Ok(TableRun { plan, output, started, out, totals, count: 0 })
    }

    /// Writes the rows of a batch.
    fn write(&mut self, rows: Rows) -> Result<()> {
        self.count += rows.count();
        self.out.write(rows)
    }

    /// Returns the run with its counts, or its exit if the reader or a signal has ended it early.
    fn ended(self, ended: Result<Summary>) -> Result<ControlFlow<Exit, (TableRun<'a>, Summary)>> {
        let plan = self.plan;
        let summary = match ended {
            Err(error) if is_broken_pipe(&error) => return Ok(ControlFlow::Break(closed_pipe(plan))),
            summary => summary?,
        };
        let Some(signal) = plan.interrupt.came() else { return Ok(ControlFlow::Continue((self, summary))) };
        let left = left_of(self.out, self.output.output.as_deref())?;
        Ok(ControlFlow::Break(interrupted(plan, &summary, self.started, signal, &left)))
    }

    /// Writes the end of the table, and the file of `--summary`.
    fn finish(self, summary: &Summary) -> Result<Exit> {
        let TableRun { plan, output, started, out, totals, count } = self;
        out.finish()?.finish()?;
        put_totals(totals, summary, output.output.as_deref().map(|path| (path, count)), None)?;
        Ok(conclude(plan, summary, started))
    }
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
    copies: Option<&DuplicateSet>,
) -> Result<()> {
    let Some(mut totals) = totals else { return Ok(()) };
    let mut files = Map::new();
    if let Some((path, rows)) = written {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = table_checksum::of(path, rows).with_context(|| format!("cannot read {}", path.display()))?;
        files.insert(name, found);
    }
    totals.append(summary.json_with(files, copies.map(DuplicateSet::json)).as_bytes())?;
    totals.close()?.put_in_place()
}

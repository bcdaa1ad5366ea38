//! Runs that write one table to one output.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::Map;

use crate::config::RunConfig;
use crate::execution::conclude::{closed_pipe, conclude_resumed, interrupted};
use crate::execution::execute::{check_run, run, run_from, run_sum};
use crate::execution::table_file::{TableFile, unwritten_file_message};
use crate::output::path_conflicts::TableFiles;
use crate::output::{PendingFile, cleanup, table_checksum};
use crate::parts::Parts;
use crate::process::{Exit, is_broken_pipe, note};
use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::formats::Rows;
use jigo_archive::partial_result::PartialResult as _;
use jigo_archive::pipeline::Visitor;
use jigo_archive::row::Table;
use jigo_archive::summary::Summary;
use jigo_archive::tables::{Aggregate, GameTable};

/// Performs a run whose result is one table.
pub fn table(config: &RunConfig, files: &TableFiles, rows: impl GameTable) -> Result<Exit> {
    let visitor = config.table(rows);
    let mut table = TableRun::begin(config, files, (visitor.table(), true), &visitor)?;
    let resume_point = table.out.parts().map(|parts| parts.before.clone()).unwrap_or_default();
    let result = run_from(config, &visitor, resume_point, |output| table.out.write(output));
    match table.continue_or_exit(result)? {
        ControlFlow::Continue((table, summary)) => table.finish(&summary),
        ControlFlow::Break(exit) => Ok(exit),
    }
}

/// Performs a run whose result is one table. The rows of `aggregate` follow those of the games.
pub fn table_with_aggregate<A: Aggregate>(
    config: &RunConfig,
    files: &TableFiles,
    rows: impl GameTable,
    aggregate: &A,
) -> Result<Exit> {
    let merge = |total: &mut A::Accumulator, batch| {
        total.add_part(batch);
        Ok(())
    };
    table_with_total(config, files, rows, (aggregate, aggregate.start_batch()), merge, |total, rows, _| {
        aggregate.finish(total, rows);
        Ok(())
    })
}

/// Performs a run whose result is one table. `merge` adds the products of a second visitor to a
/// total, and `finish` appends the rows of the total to those of the games.
pub fn table_with_total<V: Visitor, T: Send>(
    config: &RunConfig,
    files: &TableFiles,
    rows: impl GameTable,
    (visitor, mut total): (&V, T),
    mut merge: impl FnMut(&mut T, V::Accumulator) -> Result<()> + Send,
    finish: impl FnOnce(T, &mut Rows, &mut Summary) -> Result<()>,
) -> Result<Exit> {
    let rows = config.table(rows);
    let visitor = (&rows, visitor);
    let mut table = TableRun::begin(config, files, (rows.table(), false), &visitor)?;
    let result = run(config, &visitor, |output| {
        let (rows, batch) = output.product;
        merge(&mut total, batch)?;
        table.out.write_rows(rows)
    });
    let (mut table, mut summary) = match table.continue_or_exit(result)? {
        ControlFlow::Continue(complete) => complete,
        ControlFlow::Break(exit) => return Ok(exit),
    };
    let mut last = Rows::new(config.format, rows.table());
    finish(total, &mut last, &mut summary)?;
    match table.out.write_rows(last) {
        Err(error) if is_broken_pipe(&error) => Ok(closed_pipe(config)),
        write_result => write_result.and_then(|()| table.finish(&summary)),
    }
}

/// Performs a run whose result is the table of an aggregate. `unfinished` is the message about the
/// rows if a signal ends the run.
pub fn aggregate_table<A: Aggregate>(
    config: &RunConfig,
    files: &TableFiles,
    aggregate: &A,
    unfinished: &str,
) -> Result<Exit> {
    let started = Instant::now();
    let table = A::TABLE.for_input(config.job.input);
    config.format.check_table(table)?;
    check_run(config, aggregate)?;
    let mut out = TableFile::open(config, files, table, false)?;
    let totals = open_summary(files)?;
    let (total, summary) = run_sum(config, aggregate)?;
    if let Some(signal) = config.interrupt.received() {
        return Ok(interrupted(config, &summary, started, signal, unfinished));
    }
    let mut rows = Rows::new(config.format, table);
    aggregate.finish(total, &mut rows);
    out.write_rows(rows)?;
    TableRun { config, started, out, totals }.finish(&summary)
}

/// A run that writes the rows of games to one output.
struct TableRun<'a> {
    config: &'a RunConfig,
    started: Instant,
    out: TableFile<'a>,
    totals: Option<PendingFile>,
}

impl<'a> TableRun<'a> {
    /// Checks the run, opens the output, and writes the beginning of the table.
    fn begin(
        config: &'a RunConfig,
        files: &'a TableFiles,
        (table, is_of_games): (&Table, bool),
        visitor: &(impl Visitor + ?Sized),
    ) -> Result<TableRun<'a>> {
        let started = Instant::now();
        config.format.check_table(table)?;
        check_run(config, visitor)?;
        let mut out = TableFile::open(config, files, table, is_of_games)?;
        out.write_rows(Rows::new(config.format, table))?;
        let totals = open_summary(files)?;
        if out.parts().and_then(Parts::advice).is_none() {
            cleanup::set_remaining_message(match &files.rows {
                Some(path) => unwritten_file_message(path),
                None => "the last row may be incomplete, the rest is not written".into(),
            });
        }
        Ok(TableRun { config, started, out, totals })
    }

    /// Returns the run with its counts, or its exit if the reader or a signal has ended it early.
    fn continue_or_exit(self, result: Result<Summary>) -> Result<ControlFlow<Exit, (TableRun<'a>, Summary)>> {
        let config = self.config;
        let summary = match result {
            Err(error) if is_broken_pipe(&error) => return Ok(ControlFlow::Break(closed_pipe(config))),
            summary => summary.inspect_err(|_| self.out.parts().and_then(Parts::advice).into_iter().for_each(note))?,
        };
        let Some(signal) = config.interrupt.received() else { return Ok(ControlFlow::Continue((self, summary))) };
        let advice = self.out.interrupt()?;
        Ok(ControlFlow::Break(interrupted(config, &summary, self.started, signal, &advice)))
    }

    /// Writes the end of the table, and the file of `--summary`.
    fn finish(self, summary: &Summary) -> Result<Exit> {
        let TableRun { config, started, out, totals } = self;
        let resumed_games = out.parts().map_or(0, |parts| parts.before.summary.found);
        let written = out.finish()?;
        write_summary(config, totals, summary, &written, None)?;
        Ok(conclude_resumed(config, summary, started, resumed_games))
    }
}

/// Opens the file of `--summary`.
///
/// # Errors
/// Fails if it can't be written.
pub fn open_summary(files: &TableFiles) -> Result<Option<PendingFile>> {
    files.summary.as_deref().map(|path| PendingFile::create(path, files.force)).transpose()
}

/// Writes the file of `--summary` and puts it in its place. The summary describes the files that were
/// `written`, with their numbers of rows, and the duplicates in `duplicates`.
///
/// # Errors
/// Fails if it can't be written.
pub fn write_summary(
    config: &RunConfig,
    totals: Option<PendingFile>,
    summary: &Summary,
    written: &[(PathBuf, u64)],
    duplicates: Option<&DuplicateSet>,
) -> Result<()> {
    let Some(mut totals) = totals else { return Ok(()) };
    let mut files = Map::new();
    for (path, rows) in written {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let checksum =
            table_checksum::table_checksum(path, *rows).with_context(|| format!("cannot read {}", path.display()))?;
        files.insert(name, checksum);
    }
    totals.append(summary.json_with(files, duplicates.map(DuplicateSet::json), config.configuration()).as_bytes())?;
    totals.close()?.put_in_place()
}

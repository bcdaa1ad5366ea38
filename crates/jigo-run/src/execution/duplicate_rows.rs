//! Rows and counts of duplicates, for every command that searches for them.

use anyhow::{Context, Result};

use crate::config::RunConfig;
use crate::process::note;
use jigo_archive::duplicates::{DuplicateSet, KeyedGames, Preference, find_duplicates};
use jigo_archive::formats::Rows;
use jigo_archive::row::{Row, Table};
use jigo_archive::summary::Summary;
use jigo_archive::tables::FixRow;

/// The message if the games fit neither into memory nor into temporary files.
pub const SPILL_FAILED: &str = "cannot keep the games in a temporary file; TMPDIR names another folder for it";

/// Finds the duplicates, and names the preferred folders that contain no game.
///
/// # Errors
/// Fails if the games fit neither into memory nor into temporary files.
pub fn find_preferred(config: &RunConfig, games: KeyedGames, preference: &Preference) -> Result<DuplicateSet> {
    for folder in preference.unused_folders(&games).filter(|_| !config.is_quiet()) {
        note(&format!("--prefer {folder}: no game is in it; name folders as the column file does"));
    }
    find_duplicates(games, preference, config.threads).context(SPILL_FAILED)
}

/// Adds the findings on duplicates to the counts, so that `--fail-if` can use them.
pub fn count_duplicates(config: &RunConfig, summary: &mut Summary, duplicates: &DuplicateSet) {
    let reported = duplicates.counts_by_code().filter(|(code, _)| config.job.reported_codes.contains(*code));
    reported.for_each(|(code, games)| summary.add_duplicates(code, games));
}

/// Returns the table of the log.
pub fn log_table(config: &RunConfig) -> &'static Table {
    FixRow::TABLE.for_input(config.job.input)
}

/// The number of rows that are written together.
pub const BATCH_ROWS: usize = 1024;

/// Passes the rows to `sink` in groups. Returns their number.
///
/// # Errors
/// Returns the first error of `sink`.
pub fn write_in_batches<R: Row>(
    config: &RunConfig,
    mut all: impl Iterator<Item = R>,
    mut sink: impl FnMut(Rows) -> Result<()>,
) -> Result<u64> {
    let table = R::TABLE.for_input(config.job.input);
    let mut count = 0;
    loop {
        let mut rows = Rows::new(config.format, table);
        all.by_ref().take(BATCH_ROWS).for_each(|row| rows.push(&row));
        let row_count = rows.count();
        count += row_count;
        sink(rows)?;
        if row_count < BATCH_ROWS as u64 {
            return Ok(count);
        }
    }
}

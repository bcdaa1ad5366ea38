//! The search for duplicates in a report.

use std::fs::File;

use anyhow::{Context, Result};

use super::checkpoint::{DUPLICATES, ReportFile};
use crate::commands::report::report_staging::StagedReport;
use jigo_archive::duplicates::{DuplicateSet, KeepRule, KeyedGames, find_duplicates};
use jigo_archive::visit::{KeyVisitor, KeyedGame};
use jigo_run::RunConfig;
use jigo_run::execution::duplicate_rows::{SPILL_FAILED, write_in_batches};
use jigo_run::execution::execute::run;
use jigo_run::output::TableOutput;

/// The games of a report that are compared with each other.
pub struct DuplicateSearch {
    games: KeyedGames,
    /// True if this run resumes another one. Checkpoints contain no keys of games, so this run
    /// reads all inputs a second time.
    is_resumed: bool,
}

impl DuplicateSearch {
    /// Creates an empty collection.
    pub fn new(config: &RunConfig, is_resumed: bool) -> DuplicateSearch {
        DuplicateSearch { games: KeyedGames::new(config.job().settings.limits.memory), is_resumed }
    }

    /// Returns the visitor that collects keys while the tables are written, or `None` if the run is
    /// resumed.
    pub fn visitor(&self) -> Option<KeyVisitor> {
        (!self.is_resumed).then_some(KEY_VISITOR)
    }

    /// Adds the games of a batch.
    ///
    /// # Errors
    /// Fails if they don't fit onto the disk.
    pub fn add(&mut self, games: Vec<KeyedGame>) -> Result<()> {
        self.games.add(games).context(SPILL_FAILED)
    }

    /// Compares the games with each other. Returns `None` after a signal.
    ///
    /// # Errors
    /// Fails if inputs can't be read a second time, or the temporary files don't fit onto the disk.
    pub fn find(mut self, config: &RunConfig) -> Result<Option<DuplicateSet>> {
        if self.is_resumed {
            run(config, &KEY_VISITOR, |output| self.add(output.product))?;
        }
        if config.interrupt().received().is_some() {
            return Ok(None);
        }
        find_duplicates(self.games, KeepRule::Best, config.threads()).context(SPILL_FAILED).map(Some)
    }
}

const KEY_VISITOR: KeyVisitor = KeyVisitor { keeps_headers: false };

/// Writes the table of duplicates. Returns the number of its rows.
///
/// # Errors
/// Fails if the table can't be written.
pub fn write_duplicates(config: &RunConfig, staged: &mut StagedReport, duplicates: &DuplicateSet) -> Result<u64> {
    let name = ReportFile::of_table(DUPLICATES, config.format());
    let failure = staged.failure(&name);
    let file: File = staged.write_file(name, b"")?;
    let table = DUPLICATES.for_input(config.job().input);
    let mut out = TableOutput::new(config.format(), table, file, failure)?;
    let count = write_in_batches(config, duplicates.members.iter().map(|member| duplicates.row(member)), |rows| {
        out.write(rows)
    })?;
    out.finish()?;
    Ok(count)
}

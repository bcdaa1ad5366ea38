//! The search for duplicates in a report.

use std::fs::File;

use anyhow::{Context, Result};

use super::checkpoint::{DUPLICATES, ReportFile};
use crate::commands::report::report_staging::Unfinished;
use crate::run::duplicate_rows::{SPILLED, in_parts};
use crate::run::execute::run;
use crate::run::output::TableOutput;
use crate::run::plan::Plan;
use jigo_archive::duplicates::{DuplicateSet, KeepRule, KeyedGames, find_duplicates};
use jigo_archive::visit::{KeyedGame, OfKeys};

/// The games of a report that are compared with each other.
pub struct Copies {
    games: KeyedGames,
    /// True if this run resumes another one. Checkpoints contain no keys of games, so this run
    /// reads all inputs a second time.
    is_resumed: bool,
}

impl Copies {
    /// Creates an empty collection.
    pub fn new(plan: &Plan, is_resumed: bool) -> Copies {
        Copies { games: KeyedGames::new(plan.job.settings.limits.memory), is_resumed }
    }

    /// Returns the visitor that collects keys while the tables are written, or `None` if the run is
    /// resumed.
    pub fn visitor(&self) -> Option<OfKeys> {
        (!self.is_resumed).then_some(OF_KEYS)
    }

    /// Adds the games of a batch.
    ///
    /// # Errors
    /// Fails if they don't fit onto the disk.
    pub fn add(&mut self, games: Vec<KeyedGame>) -> Result<()> {
        self.games.add(games).context(SPILLED)
    }

    /// Compares the games with each other. Returns `None` after a signal.
    ///
    /// # Errors
    /// Fails if inputs can't be read a second time, or the temporary files don't fit onto the disk.
    pub fn find(mut self, plan: &Plan) -> Result<Option<DuplicateSet>> {
        if self.is_resumed {
            run(plan, &OF_KEYS, |output| self.add(output.product))?;
        }
        if plan.interrupt.came().is_some() {
            return Ok(None);
        }
        find_duplicates(self.games, KeepRule::Best, plan.jobs).context(SPILLED).map(Some)
    }
}

const OF_KEYS: OfKeys = OfKeys { keeps_headers: false };

/// Writes the table of duplicates. Returns the number of its rows.
///
/// # Errors
/// Fails if the table can't be written.
pub fn write_copies(plan: &Plan, unfinished: &mut Unfinished, found: &DuplicateSet) -> Result<u64> {
    let name = ReportFile::of_table(DUPLICATES, plan.format);
    let failure = unfinished.failure(&name);
    let file: File = unfinished.whole(name, b"")?;
    let table = DUPLICATES.for_input(plan.job.input);
    let mut out = TableOutput::new(plan.format, table, file, failure)?;
    let count = in_parts(plan, found.members.iter().map(|member| found.row(member)), |rows| out.write(rows))?;
    out.finish()?;
    Ok(count)
}

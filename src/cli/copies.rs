//! Games that are there twice, beside the tables of a report.

use std::fs::File;

use anyhow::{Context, Result};

use super::checkpoint::{DUPLICATES, ReportFile};
use super::duplicates::{SPILLED, in_parts};
use super::output::TableOutput;
use super::plan::Plan;
use super::run::run;
use super::unfinished::Unfinished;
use jigo_archive::duplicates::{FoundCopies, Keep, KeyedGames, find};
use jigo_archive::summary::Summary;
use jigo_archive::tables::of_input;
use jigo_archive::visit::{KeyedGame, OfKeys};

/// The games of a report that are to be held against each other.
pub struct Copies {
    games: KeyedGames,
    /// The run goes on with another, which kept no keys of its games: all inputs are gone through a second time.
    is_resumed: bool,
}

impl Copies {
    /// None yet.
    pub fn new(plan: &Plan, is_resumed: bool) -> Copies {
        Copies { games: KeyedGames::new(plan.job.settings.limits.memory), is_resumed }
    }

    /// What gathers the keys in the pass that writes the tables.
    pub fn visitor(&self) -> Option<OfKeys> {
        (!self.is_resumed).then_some(OF_KEYS)
    }

    /// Adds the games of a batch.
    ///
    /// # Errors
    /// When they don't fit onto the disk.
    pub fn add(&mut self, games: Vec<KeyedGame>) -> Result<()> {
        self.games.add(games).context(SPILLED)
    }

    /// Holds the games against each other; `None` where a signal came before.
    ///
    /// # Errors
    /// When inputs can't be read a second time, or what is spilled does not fit onto the disk.
    pub fn find(mut self, plan: &Plan) -> Result<Option<FoundCopies>> {
        if self.is_resumed {
            run(plan, &OF_KEYS, |output| self.add(output.part))?;
        }
        if plan.interrupt.came().is_some() {
            return Ok(None);
        }
        find(self.games, Keep::Best, plan.jobs).context(SPILLED).map(Some)
    }
}

const OF_KEYS: OfKeys = OfKeys { keeps_headers: false };

/// Adds the games that are there again to those with findings, for who asks about them by `--fail-if`.
pub fn count_copies(plan: &Plan, summary: &mut Summary, found: &FoundCopies) {
    let reported = found.by_code().filter(|(code, _)| plan.job.reported[*code as usize]);
    reported.for_each(|(code, games)| summary.copies(code, games));
}

/// Writes the table of copies; gives its rows.
///
/// # Errors
/// When it can't be written.
pub fn write_copies(plan: &Plan, unfinished: &mut Unfinished, found: &FoundCopies) -> Result<u64> {
    let name = ReportFile::of_table(DUPLICATES, plan.format);
    let failure = unfinished.failure(&name);
    let file: File = unfinished.whole(name, b"")?;
    let table = of_input(DUPLICATES, plan.job.input);
    let mut out = TableOutput::new(plan.format, table, file, failure)?;
    let count = in_parts(plan, found.twins.iter().map(|twin| found.row(twin)), |rows| out.write(rows))?;
    out.finish()?;
    Ok(count)
}

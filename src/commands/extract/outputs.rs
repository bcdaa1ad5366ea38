//! The outputs of a run, and the parts from which a later run resumes.
//!
//! The parts are in a staging directory, next to the file of `--out` or inside its folder. When
//! everything is written, the outputs get their names, the games last, and the directory is
//! removed. If a run is killed during these renames, the next run writes the outputs again, and
//! accepts those that have their names already.

use anyhow::{Context, Result, bail};

use super::sink::{OutputKind, Sink, Target};
use crate::commands::extract::staging::{create_in_folder, staging_place};
use jigo_archive::formats::Format;
use jigo_archive::partial_result::PartialResult;
use jigo_archive::pipeline::BatchOutput;
use jigo_archive::visit::extract::{ExtractBatch, ExtractCount, ExtractedGames, MAX_SHORTENED_GAMES, RejectCounts};
use jigo_run::output::check_writable;
use jigo_run::parts::Parts;
use jigo_run::process::stderr::note;
use jigo_run::run_fingerprint::RunFingerprint;

/// Outputs that are being written.
pub struct Outputs {
    games: Sink,
    rejects: Option<Sink>,
    log: Option<Sink>,
    reject_table: Option<Sink>,
    /// The number of games in each output.
    pub count: ExtractCount,
    /// The number of rejected games by reason.
    pub reject_counts: RejectCounts,
    /// The number of games found.
    pub found: u64,
    /// The number of messages about games with properties left out that may still be printed.
    messages_left: usize,
}

/// The options for opening outputs.
pub struct OutputOptions<'a> {
    /// The identity of the run.
    pub fingerprint: RunFingerprint,
    /// The targets of games, rejects, log and rejects table.
    pub targets: [Option<&'a Target>; 4],
    /// The value of `--resume`.
    pub resumes: bool,
    /// The value of `--force`.
    pub force: bool,
    /// The value of `--quiet`.
    pub is_quiet: bool,
}

impl OutputOptions<'_> {
    /// Returns the reason why a later run can't resume this one, if there is one.
    fn obstacle(&self) -> Option<String> {
        let of_target = self.targets.into_iter().flatten().find_map(Target::obstacle);
        of_target.or_else(|| self.fingerprint.obstacle().map(str::to_owned))
    }

    /// Opens the parts of an earlier run to resume, or creates those of a new run. Removes the
    /// leftovers of an earlier run that is not resumed. Returns `None` if the run needs no staging
    /// directory.
    fn parts(&self, games: &Target) -> Result<Option<Parts>> {
        let obstacle = self.obstacle();
        if let (true, Some(reason)) = (self.resumes, &obstacle) {
            bail!("--resume: {reason}");
        }
        let Some(path) = &games.path else { return Ok(None) };
        let is_folder = games.kind == OutputKind::Folder;
        if let Some(mut earlier) = Parts::open(staging_place(path, is_folder))? {
            let has_progress = earlier.before().batches > 0;
            if has_progress && self.resumes {
                earlier.resume(&self.fingerprint).context("--resume")?;
                return Ok(Some(earlier));
            }
            if has_progress && !self.force {
                bail!(
                    "{} has an unfinished run, with {} games done: repeat the command with --resume to continue, or with --force to start again",
                    path.display(),
                    earlier.before().summary.found
                );
            }
            earlier.remove()?;
        }
        let create = || Parts::create(staging_place(path, is_folder), &self.fingerprint, obstacle.is_none());
        if is_folder {
            let (mut parts, is_new) = create_in_folder(path, create)?;
            if is_new {
                parts.staging().set_created_target(path.clone());
            }
            return Ok(Some(parts));
        }
        check_writable(path, self.force)?;
        if obstacle.is_none() { create().map(Some) } else { Ok(None) }
    }
}

impl Outputs {
    /// Opens all outputs before the work begins, and the parts of the run.
    ///
    /// # Errors
    /// Fails if an output or an unfinished run exists that may not be replaced, if an output can't
    /// be written, or if the unfinished run is a different one.
    pub fn open(options: &OutputOptions) -> Result<(Outputs, Option<Parts>)> {
        let [games, rejects, log, reject_table] = options.targets;
        let Some(games) = games else { bail!("name an output with --out") };
        let mut parts = options.parts(games)?;
        let may_exist = parts.as_ref().map_or(Ok(false), Parts::is_complete)?;
        let open = |target: &Target| Sink::open(target, options.force, may_exist, None);
        let outputs = Outputs {
            games: Sink::open(games, options.force, may_exist, parts.as_mut().map(Parts::staging))?,
            rejects: rejects.map(open).transpose()?,
            log: log.map(open).transpose()?,
            reject_table: reject_table.map(open).transpose()?,
            count: ExtractCount::default(),
            reject_counts: RejectCounts::default(),
            found: 0,
            messages_left: if options.is_quiet { 0 } else { MAX_SHORTENED_GAMES },
        };
        Ok((outputs, parts))
    }

    /// Writes the games of a batch.
    ///
    /// # Errors
    /// Fails if they can't be written.
    pub fn write(&mut self, output: BatchOutput<ExtractBatch>) -> Result<()> {
        let ExtractBatch {
            games, rejects, count, reject_counts, reject_rows, log, unread_inputs, shortened_games, ..
        } = output.product;
        unread_inputs.iter().for_each(|message| note(message));
        // The summary has the number of all of them.
        for message in shortened_games.iter().take(self.messages_left) {
            self.messages_left -= 1;
            note(message);
        }
        self.games.write(games)?;
        for (sink, rows) in [(&mut self.log, log), (&mut self.reject_table, reject_rows)] {
            if let (Some(sink), Some(rows)) = (sink, rows) {
                // The sink ignores this format and uses its own.
                sink.write(ExtractedGames::Rows(Box::new(rows), Format::Csv, 0))?;
            }
        }
        self.rejects.as_mut().map_or(Ok(()), |sink| sink.write(rejects))?;
        self.count.add_part(count);
        self.reject_counts.add_part(reject_counts);
        self.found += output.rejected + output.summary.found;
        Ok(())
    }

    /// Puts all outputs in their places. The games are last, so that their presence shows that all
    /// outputs are complete.
    ///
    /// # Errors
    /// Fails if an output can't be completed, or if a path exists that may not be replaced.
    pub fn finish(self, mut parts: Option<Parts>) -> Result<()> {
        let finish = |parts: &mut Option<Parts>| {
            parts.as_mut().map_or(Ok(()), Parts::begin_naming)?;
            let all = self.rejects.into_iter().chain(self.log).chain(self.reject_table).chain([self.games]);
            all.map(Sink::finish).collect::<Result<Vec<_>>>()
        };
        finish(&mut parts).inspect_err(|_| print_advice(parts.as_ref()))?;
        parts.into_iter().for_each(Parts::finish);
        Ok(())
    }

    /// Completes standard output, and abandons the other outputs.
    ///
    /// # Errors
    /// Fails if standard output can't be written.
    pub fn finish_stream(self) -> Result<()> {
        self.games.finish()
    }
}

/// Prints the message about resuming after a failure, if a later run can resume this one.
pub fn print_advice(parts: Option<&Parts>) {
    parts.and_then(Parts::advice).into_iter().for_each(note);
}

//! The outputs of a run, with a checkpoint from which a later run resumes.
//!
//! Each output is in a staging directory, next to its final path or inside its folder. The staging
//! directory of `--out` also contains the [`RunFingerprint`] and the checkpoint, which records the
//! lengths of the outputs and the counts after a number of batches.
//!
//! When everything is written, a last checkpoint records that. Then the outputs get their names,
//! the games last, and the directories are removed. If a run is killed during these renames, the
//! next run completes them.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::sink::{OutputKind, Sink, Target};
use crate::commands::extract::resumable::{ADVICE, OutputStart, staging_place};
use jigo_archive::formats::Format;
use jigo_archive::pipeline::{BatchOutput, ResumePoint};
use jigo_archive::summary::Summary;
use jigo_archive::visit::extract::{ExtractBatch, ExtractCount, ExtractedGames, MAX_SHORTENED_GAMES, RejectCounts};
use jigo_run::output::check_writable;
use jigo_run::output::checksummed_json::Durability;
use jigo_run::output::regular_file::is_regular_file;
use jigo_run::output::staging_dir::StagingDir;
use jigo_run::process::stderr::note;
use jigo_run::run_fingerprint::{FINGERPRINT_FILE, INPUTS_FILE, RunFingerprint};

/// The beginning of the first line of a checkpoint. The number changes with the format.
const HEAD: &str = "jigo extract checkpoint 3 ";

/// The progress of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtractCheckpoint {
    /// The number of batches whose games are written.
    batches: u64,
    /// The counts of these batches.
    summary: Summary,
    /// The number of their games in each output.
    count: ExtractCount,
    /// The number of rejected games by reason.
    reject_counts: RejectCounts,
    /// The number of games that were not selected.
    passed: u64,
    /// The lengths of the existing outputs in bytes: games, rejects, log, rejects table.
    lengths: Vec<u64>,
    /// True if everything is written, but not yet in its final place.
    is_whole: bool,
}

impl ExtractCheckpoint {
    /// Returns the newest checkpoint that agrees with the outputs.
    fn read(staging: &StagingDir, targets: &[Option<&Target>; 4]) -> Result<Option<ExtractCheckpoint>> {
        let fits = |checkpoint: &ExtractCheckpoint| {
            let mut target_lengths = targets.iter().flatten().zip(&checkpoint.lengths);
            checkpoint.is_whole || target_lengths.all(|(target, length)| target.staged_length().unwrap_or(0) >= *length)
        };
        staging.checkpoint(HEAD, |found: &ExtractCheckpoint| {
            found.summary.is_balanced() && found.is_balanced() && fits(found)
        })
    }

    /// Returns true if the counts account for every game.
    fn is_balanced(&self) -> bool {
        self.summary.found + self.passed == self.count.extracted + self.count.rejected
            && self.count.rejected == self.reject_counts.total()
    }
}

/// Outputs that are being written.
pub struct Outputs {
    games: Sink,
    rejects: Option<Sink>,
    log: Option<Sink>,
    reject_table: Option<Sink>,
    done: ExtractCheckpoint,
    /// The number of games from earlier runs.
    pub before: u64,
    /// True if the run writes checkpoints for a later run that resumes it.
    is_resumable: bool,
    /// True in the middle of a batch, when more of its games follow.
    is_within_batch: bool,
    /// The number of messages about games with properties left out that may still be printed.
    messages_left: usize,
}

/// The options for opening outputs.
pub struct OutputOptions<'a> {
    /// The identity of the run, or the reason why it can't be resumed.
    pub fingerprint: Result<RunFingerprint, String>,
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
    /// Returns the checkpoint of an earlier run to resume. Removes the leftovers of an earlier run
    /// that is not resumed.
    fn before(&self) -> Result<Option<ExtractCheckpoint>> {
        let OutputOptions { fingerprint, targets, resumes, force, is_quiet: _ } = self;
        if let (true, Err(reason)) = (resumes, fingerprint) {
            bail!("--resume: {reason}");
        }
        let Some(games) = targets[0] else { return Ok(None) };
        let Some(path) = &games.path else { return Ok(None) };
        let Some(staging) = StagingDir::open(staging_place(path, games.kind.staging_location()))? else {
            return Ok(None);
        };
        let checkpoint = ExtractCheckpoint::read(&staging, targets)?;
        match (checkpoint, fingerprint) {
            (Some(checkpoint), Ok(fingerprint)) if *resumes => {
                let recorded = staging.path().join(FINGERPRINT_FILE);
                // If a complete run was killed while it removed its directory, perhaps only the
                // checkpoint remains.
                let is_kept = is_regular_file(&recorded)? && is_regular_file(&staging.path().join(INPUTS_FILE))?;
                if !checkpoint.is_whole || is_kept {
                    fingerprint.compare(&recorded).context("--resume")?;
                }
                let outputs = targets.iter().flatten().count();
                ensure!(checkpoint.lengths.len() == outputs, "--resume: the unfinished run has other outputs");
                Ok(Some(checkpoint))
            }
            (Some(checkpoint), _) if !force => bail!(
                "{} has an unfinished run, with {} games done: repeat the command with --resume to continue, or with --force to start again",
                path.display(),
                checkpoint.summary.found
            ),
            _ => {
                if games.kind != OutputKind::Folder {
                    check_writable(path, true)?;
                }
                staging.remove()?;
                Ok(None)
            }
        }
    }
}

impl Outputs {
    /// Opens all outputs before the work begins, or resumes them.
    ///
    /// # Errors
    /// Fails if an output or an unfinished run exists that may not be replaced, if an output can't
    /// be written, or if the unfinished run is a different one.
    pub fn open(options: &OutputOptions) -> Result<Outputs> {
        let OutputOptions { fingerprint, targets, force, .. } = options;
        let before = options.before()?;
        let mut lengths = before.iter().flat_map(|before| &before.lengths);
        let mut open = |target: &Target| {
            let begin = match (fingerprint, &before) {
                (Err(_), _) => None,
                (Ok(_), None) => Some(OutputStart::New),
                (Ok(_), Some(ExtractCheckpoint { is_whole: true, .. })) => Some(OutputStart::Complete),
                (Ok(_), Some(_)) => Some(OutputStart::Append(lengths.next().copied().unwrap_or_default())),
            };
            Sink::open(target, *force, begin)
        };
        let [games, rejects, log, reject_table] = *targets;
        let Some(games) = games else { bail!("name an output with --out") };
        let games = open(games)?;
        let rejects = rejects.map(&mut open).transpose()?;
        let log = log.map(&mut open).transpose()?;
        let reject_table = reject_table.map(&mut open).transpose()?;
        let is_resumable = fingerprint.is_ok();
        if let (Some(staging), Ok(fingerprint), None) = (&games.staging, fingerprint, &before) {
            let written = fingerprint.write(&staging.path().join(FINGERPRINT_FILE));
            written.with_context(|| format!("cannot write to {}", staging.path().display()))?;
        }
        let is_resumed = before.is_some();
        let done = before.unwrap_or_default();
        let messages_left = if options.is_quiet { 0 } else { MAX_SHORTENED_GAMES };
        let before = done.summary.found;
        let is_within_batch = false;
        let mut outputs =
            Outputs { games, rejects, log, reject_table, done, before, is_resumable, is_within_batch, messages_left };
        if is_resumed {
            outputs.keep_staging();
        }
        Ok(outputs)
    }

    /// Returns the progress.
    pub fn resume_point(&self) -> ResumePoint {
        ResumePoint { batches: self.done.batches, summary: self.done.summary.clone() }
    }

    /// Returns true if everything was written by an earlier run, which was killed before the
    /// outputs were in their places.
    pub fn is_whole(&self) -> bool {
        self.done.is_whole
    }

    /// Returns the number of games in each output, and the number of games found.
    pub fn count(&self) -> (ExtractCount, u64) {
        (self.done.count, self.done.summary.found + self.done.passed)
    }

    /// Returns the number of rejected games by reason.
    pub fn reject_counts(&self) -> &RejectCounts {
        &self.done.reject_counts
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
        let ends_batch = output.next_step.is_none();
        self.done.count.add(count);
        self.done.reject_counts.add(reject_counts);
        self.done.passed += output.rejected;
        self.done.summary.add(&output.summary);
        self.done.batches += u64::from(ends_batch);
        self.is_within_batch = !ends_batch;
        let staging = self.games.staging.as_ref().filter(|_| self.is_resumable && ends_batch);
        let due = staging.and_then(StagingDir::next_checkpoint);
        due.map_or(Ok(()), |durability| self.save(durability))
    }

    /// Saves the progress for a later run, if there is any. Returns the message about it.
    ///
    /// # Errors
    /// Fails if a checkpoint can't be written.
    pub fn keep(&mut self) -> Result<Option<&'static str>> {
        // In the middle of a batch, the outputs contain games that are newer than the last
        // checkpoint. A resumed run cuts them off.
        if self.is_resumable && !self.is_within_batch && self.done.batches > 0 {
            self.save(Durability::Synced)?;
        }
        Ok(self.advice())
    }

    /// Returns the message about resuming after a failure, if the run can be resumed.
    pub fn advice(&self) -> Option<&'static str> {
        let staging = self.games.staging.as_ref().filter(|_| self.is_resumable);
        staging.and_then(StagingDir::advice).map(|_| ADVICE)
    }

    /// Writes a checkpoint of the progress, and keeps the staging directories from now on.
    fn save(&mut self, durability: Durability) -> Result<()> {
        let sinks = [&self.games].into_iter().chain(&self.rejects).chain(&self.log).chain(&self.reject_table);
        let lengths: Result<Vec<u64>> = sinks.map(|sink| sink.length(durability)).collect();
        self.done.lengths = lengths?;
        if let Some(staging) = &mut self.games.staging {
            staging.save(HEAD, &self.done, durability)?;
        }
        self.keep_staging();
        Ok(())
    }

    /// Keeps the staging directories from now on, because a run can be resumed from them.
    fn keep_staging(&mut self) {
        let tables = self.log.iter_mut().chain(&mut self.reject_table);
        let sinks = [&mut self.games].into_iter().chain(&mut self.rejects).chain(tables);
        sinks.filter_map(|sink| sink.staging.as_mut()).for_each(StagingDir::keep);
    }

    /// Puts all outputs in their places. The games are last, so that their presence shows that all
    /// outputs are complete.
    ///
    /// # Errors
    /// Fails if an output can't be completed, or if a path exists that may not be replaced.
    pub fn finish(mut self) -> Result<()> {
        if self.is_resumable && !self.done.is_whole {
            self.done.is_whole = true;
            self.save(Durability::Synced).inspect_err(|_| print_advice(self.advice()))?;
        }
        let advice = self.advice();
        let all = self.rejects.into_iter().chain(self.log).chain(self.reject_table).chain([self.games]);
        let emptied: Result<Vec<_>> = all.map(Sink::finish).collect();
        // Remove the directory with the checkpoint last.
        let emptied = emptied.inspect_err(|_| print_advice(advice))?;
        emptied.into_iter().flatten().for_each(|mut staging| staging.complete());
        Ok(())
    }

    /// Completes standard output, and abandons the other outputs.
    ///
    /// # Errors
    /// Fails if standard output can't be written.
    pub fn finish_stream(self) -> Result<()> {
        self.games.finish().map(drop)
    }
}

/// Prints the message about resuming after a failure, if there is one.
pub fn print_advice(advice: Option<&str>) {
    if let Some(advice) = advice {
        note(advice);
    }
}

/// Returns the identity if a later run can resume this one.
///
/// # Errors
/// Returns a sentence about the output or input that prevents this.
pub fn resumable(fingerprint: RunFingerprint, targets: [Option<&Target>; 4]) -> Result<RunFingerprint, String> {
    if let Some(reason) = targets.into_iter().flatten().find_map(Target::obstacle) {
        return Err(reason);
    }
    match fingerprint.obstacle() {
        Some(reason) => Err(reason.to_owned()),
        None => Ok(fingerprint),
    }
}

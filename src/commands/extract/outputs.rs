//! The outputs of a run, and the parts from which a later run resumes.
//!
//! The parts are in a staging directory, next to the file of `--out` or inside its folder. When
//! everything is written, the outputs get their names, the games last, and the directory is
//! removed. If a run is killed during these renames, the next run writes the outputs again, and
//! accepts those that have their names already.

use anyhow::{Result, bail};

use super::extract_args::{ExtractArgs, FormArg};
use super::options::Targets;
use super::sink::{OutputKind, Sink, Target};
use crate::commands::extract::folder::staging_place;
use crate::version::BUILD;
use jigo_archive::partial_result::PartialResult;
use jigo_archive::pipeline::BatchOutput;
use jigo_archive::visit::extract::{ExtractBatch, ExtractCount, ExtractedGames, MAX_SHORTENED_GAMES, RejectCounts};
use jigo_run::RunConfig;
use jigo_run::output::{check_writable, cleanup};
use jigo_run::parts::{EarlierRun, Parts};
use jigo_run::process::note;
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

/// Begins or resumes the parts of a run. Returns `None` for standard output.
fn open_parts(args: &ExtractArgs, config: &RunConfig, targets: &Targets) -> Result<Option<Parts>> {
    let fingerprint = RunFingerprint::new(BUILD, config, Some(&args.counting.count), args)?;
    let obstacle = (args.form == FormArg::Npz).then(|| "--as npz can't be resumed; split the games first".into());
    let fingerprint = fingerprint.with_obstacle(targets.obstacle().or(obstacle));
    if let (true, Some(reason)) = (args.resume, fingerprint.obstacle()) {
        bail!("--resume: {reason}");
    }
    let Some(path) = &targets.games.path else { return Ok(None) };
    let is_folder = targets.games.kind == OutputKind::Folder;
    let earlier_run = EarlierRun::of_options(args.resume, args.force);
    let check_file = || if is_folder { Ok(()) } else { check_writable(path, args.force).map(drop) };
    Parts::begin(&staging_place(path, is_folder), &fingerprint, earlier_run, check_file).map(Some)
}

impl Outputs {
    /// Opens all outputs before the work begins, and the parts of the run.
    ///
    /// # Errors
    /// Fails if an output or an unfinished run exists that may not be replaced, if an output can't
    /// be written, or if the unfinished run is a different one.
    pub fn open(args: &ExtractArgs, config: &RunConfig, targets: &Targets) -> Result<(Outputs, Option<Parts>)> {
        let mut parts = open_parts(args, config, targets)?;
        let may_exist = parts.as_ref().map_or(Ok(false), Parts::is_complete)?;
        let open = |target: &Option<Target>| {
            target.as_ref().map(|target| Sink::open(target, args.force, may_exist, None)).transpose()
        };
        let outputs = Outputs {
            games: Sink::open(&targets.games, args.force, may_exist, parts.as_mut().map(|parts| &mut parts.staging))?,
            rejects: open(&targets.rejects)?,
            log: open(&targets.log)?,
            reject_table: open(&targets.reject_table)?,
            count: ExtractCount::default(),
            reject_counts: RejectCounts::default(),
            found: 0,
            messages_left: if config.is_quiet() { 0 } else { MAX_SHORTENED_GAMES },
        };
        if parts.as_ref().and_then(Parts::advice).is_none() {
            cleanup::set_remaining_message(targets.resume_advice());
            if args.resume && !config.is_quiet() {
                note("there is no unfinished run to resume; a new run starts");
            }
        }
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
                sink.write(ExtractedGames::Rows(Box::new(rows)))?;
            }
        }
        self.rejects.as_mut().zip(rejects).map_or(Ok(()), |(sink, rejects)| sink.write(rejects))?;
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

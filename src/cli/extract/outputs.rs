//! All outputs of a run, with a checkpoint from which a later run goes on.
//!
//! Each output waits in a folder of its own, beside it or within it. In that of `--out` stands what run it is of ([`Identity`]), and the checkpoint: after so
//! many batches the outputs had these lengths, and this was counted. When all is written, a last checkpoint says so, the outputs get their names, the games last, and
//! the folders go. Whoever is killed in between is finished by the next run.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::kept::{Begin, WaitingOutput};
use super::sink::{OutputKind, Sink, Target};
use crate::cli::abandon;
use crate::cli::identity::Identity;
use crate::cli::plain::is_plain;
use crate::cli::sealed;
use crate::cli::standard_error::note;
use crate::cli::waiting::{CHECKPOINTS, IDENTITY, Rhythm, is_there, lock, write_checkpoint};
use jigo_archive::pipeline::{BatchOutput, Done};
use jigo_archive::summary::Summary;
use jigo_archive::tables::formats::Format;
use jigo_archive::visit::extract::{Count, Extracted, MAX_NAMED, Taken};

/// What the first line of a checkpoint begins with; the number changes with what follows.
const HEAD: &str = "jigo extract checkpoint 2 ";

/// How far a run is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtractCheckpoint {
    /// Batches whose games are written.
    batches: u64,
    /// What was counted in them.
    summary: Summary,
    /// Where their games went.
    count: Count,
    /// Games that were not selected.
    passed: u64,
    /// How long the outputs are: games, rejects, log, as far as there are such.
    lengths: Vec<u64>,
    /// All of it is written, and waits for its places.
    is_whole: bool,
}

impl ExtractCheckpoint {
    /// The newest one whose outputs are there as it says.
    fn read(folder: &Path, targets: &[Option<&Target>; 3]) -> Result<Option<ExtractCheckpoint>> {
        let fits = |found: &ExtractCheckpoint| {
            let mut both = targets.iter().flatten().zip(&found.lengths);
            found.is_whole || both.all(|(target, length)| target.kept().unwrap_or(0) >= *length)
        };
        for name in CHECKPOINTS {
            let path = folder.join(name);
            let found: Option<ExtractCheckpoint> =
                sealed::read(HEAD, &path).with_context(|| format!("cannot read {}", path.display()))?;
            let is_sound = |found: &ExtractCheckpoint| found.summary.closes() && found.closes() && fits(found);
            if let Some(found) = found.filter(is_sound) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether no game is lost.
    fn closes(&self) -> bool {
        self.summary.found + self.passed == self.count.extracted + self.count.rejected
    }
}

/// Outputs that are being written.
pub struct Outputs {
    games: Sink,
    rejects: Option<Sink>,
    log: Option<Sink>,
    done: ExtractCheckpoint,
    /// Games that a run before this one had done.
    pub before: u64,
    /// Where a later run goes on.
    state: Option<ResumeState>,
    /// The number of messages about games with properties left out that may still be printed.
    messages_left: usize,
}

struct ResumeState {
    folder: PathBuf,
    rhythm: Rhythm,
    /// There is something to go on from.
    is_kept: bool,
    /// The batch under work has more outputs.
    is_within_batch: bool,
}

/// How outputs are opened.
pub struct Opening<'a> {
    /// What run it is, where a later one can go on; else why it can't.
    pub identity: Result<Identity, String>,
    /// The games, the rejects, the log.
    pub targets: [Option<&'a Target>; 3],
    /// `--resume`.
    pub resumes: bool,
    /// `--force`.
    pub force: bool,
    /// `--quiet`.
    pub is_quiet: bool,
}

impl Opening<'_> {
    /// What a run before this one has done that is to be gone on with. What it left and nobody wants is taken away.
    fn before(&self) -> Result<Option<ExtractCheckpoint>> {
        let Opening { identity, targets, resumes, force, is_quiet: _ } = self;
        if let (true, Err(why)) = (resumes, identity) {
            bail!("--resume: {why}");
        }
        let Some(games) = targets[0] else { return Ok(None) };
        let (Some(path), Some(folder)) = (&games.path, games.waiting()) else { return Ok(None) };
        if !is_there(&folder)? {
            return Ok(None);
        }
        let lock = lock(&folder, path)?;
        let found = ExtractCheckpoint::read(&folder, targets)?;
        drop(lock);
        match (found, identity) {
            (Some(found), Ok(identity)) if *resumes => {
                let recorded = folder.join(IDENTITY);
                // Of a whole run that was killed as it took its folder away, the checkpoint is left.
                if !found.is_whole || is_plain(&recorded)? {
                    identity.compare(&recorded).context("--resume")?;
                }
                let outputs = targets.iter().flatten().count();
                ensure!(found.lengths.len() == outputs, "--resume: the unfinished run has other outputs");
                Ok(Some(found))
            }
            (Some(found), _) if !force => bail!(
                "{} has an unfinished run, with {} games done: the same command with --resume goes on, --force begins anew",
                path.display(),
                found.summary.found
            ),
            _ => {
                drop(WaitingOutput::begin(path, games.kind == OutputKind::Folder, true, Begin::Anew)?);
                Ok(None)
            }
        }
    }
}

impl Outputs {
    /// Opens all outputs before the work begins, or goes on with them.
    ///
    /// # Errors
    /// When something is there that may not be replaced, an unfinished run among it; when nothing can be written there; when a run that is to be gone on with is
    /// another one.
    pub fn open(opening: &Opening) -> Result<Outputs> {
        let Opening { identity, targets, force, .. } = opening;
        let before = opening.before()?;
        let mut lengths = before.iter().flat_map(|before| &before.lengths);
        let mut open = |target: &Target| {
            let begin = match (identity, &before) {
                (Err(_), _) => None,
                (Ok(_), None) => Some(Begin::Anew),
                (Ok(_), Some(ExtractCheckpoint { is_whole: true, .. })) => Some(Begin::Whole),
                (Ok(_), Some(_)) => Some(Begin::On(lengths.next().copied().unwrap_or_default())),
            };
            Sink::open(target, *force, begin)
        };
        let [games, rejects, log] = *targets;
        let Some(games) = games else { bail!("name an output with --out") };
        let place = games.waiting();
        let games = open(games)?;
        let rejects = rejects.map(&mut open).transpose()?;
        let log = log.map(&mut open).transpose()?;
        let state = match (place, identity) {
            (Some(folder), Ok(identity)) => {
                if before.is_none() {
                    let written = identity.write(&folder.join(IDENTITY));
                    written.with_context(|| format!("cannot write to {}", folder.display()))?;
                }
                Some(ResumeState { folder, rhythm: Rhythm::new(), is_kept: false, is_within_batch: false })
            }
            _ => None,
        };
        let goes_on = before.is_some();
        let done = before.unwrap_or_default();
        let messages_left = if opening.is_quiet { 0 } else { MAX_NAMED };
        let mut outputs = Outputs { games, rejects, log, before: done.summary.found, done, state, messages_left };
        if goes_on {
            outputs.is_kept();
        }
        Ok(outputs)
    }

    /// What is done.
    pub fn done(&self) -> Done {
        Done { batches: self.done.batches, summary: self.done.summary.clone() }
    }

    /// Everything is written, and a run that was killed had no time to put it in place.
    pub fn is_whole(&self) -> bool {
        self.done.is_whole
    }

    /// Where games went, and how many were found.
    pub fn count(&self) -> (Count, u64) {
        (self.done.count, self.done.summary.found + self.done.passed)
    }

    /// Writes the games of a batch.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn write(&mut self, output: BatchOutput<Extracted>) -> Result<()> {
        let Extracted { games, rejects, count, log, unread, left_out } = output.part;
        unread.iter().for_each(|message| note(message));
        // The summary has the number of all of them.
        for message in left_out.iter().take(self.messages_left) {
            self.messages_left -= 1;
            note(message);
        }
        self.games.write(games)?;
        self.log.as_mut().zip(log).map_or(Ok(()), |(sink, rows)| {
            // The format is that of the sink.
            sink.write(Taken::Rows(Box::new(rows), Format::Csv, 0))
        })?;
        self.rejects.as_mut().map_or(Ok(()), |sink| sink.write(rejects))?;
        let ends_batch = output.rest_from.is_none();
        self.done.count.add(count);
        self.done.passed += output.passed;
        self.done.summary.add(&output.summary);
        self.done.batches += u64::from(ends_batch);
        let Some(state) = &mut self.state else { return Ok(()) };
        state.is_within_batch = !ends_batch;
        let due = state.rhythm.due().filter(|_| ends_batch);
        due.map_or(Ok(()), |is_synced| self.save(is_synced))
    }

    /// Keeps what is done for a later run, if there is anything; says what is left where the run ends early.
    ///
    /// # Errors
    /// When a checkpoint can't be written.
    pub fn keep(&mut self) -> Result<Option<&'static str>> {
        // Within a batch, the outputs have games that the checkpoint before it does not know of; who goes on cuts them off.
        let is_at_end = self.state.as_ref().is_some_and(|state| !state.is_within_batch);
        if is_at_end && self.done.batches > 0 {
            self.save(true)?;
        }
        Ok(self.advice())
    }

    /// How to go on after a failure, if there is something to go on from.
    pub fn advice(&self) -> Option<&'static str> {
        self.state.as_ref().filter(|state| state.is_kept).map(|_| ADVICE)
    }

    fn sinks(&self) -> impl Iterator<Item = &Sink> {
        [&self.games].into_iter().chain(&self.rejects).chain(&self.log)
    }

    /// Writes a checkpoint of what is done up to here.
    fn save(&mut self, is_synced: bool) -> Result<()> {
        let lengths: Result<Vec<u64>> = self.sinks().map(|sink| sink.length(is_synced)).collect();
        self.done.lengths = lengths?;
        let Some(state) = &mut self.state else { return Ok(()) };
        let written =
            sealed::to_bytes(HEAD, &self.done).and_then(|bytes| write_checkpoint(&state.folder, &bytes, is_synced));
        written.with_context(|| format!("cannot write to {}", state.folder.display()))?;
        state.rhythm.written(is_synced);
        self.is_kept();
        Ok(())
    }

    /// From now on there is something to go on from.
    fn is_kept(&mut self) {
        let Some(state) = &mut self.state else { return };
        if !std::mem::replace(&mut state.is_kept, true) {
            [&mut self.games].into_iter().chain(&mut self.rejects).chain(&mut self.log).for_each(Sink::keep);
            abandon::leaves(ADVICE);
        }
    }

    /// Puts all outputs in their places, the games last: whoever finds them finds the others, too.
    ///
    /// # Errors
    /// When they can't be written to the end, or something stands in a place that may not be replaced.
    pub fn finish(mut self) -> Result<()> {
        if self.state.is_some() && !self.done.is_whole {
            self.done.is_whole = true;
            self.save(true).inspect_err(|_| tell(self.advice()))?;
        }
        let advice = self.advice();
        let all = self.rejects.into_iter().chain(self.log).chain([self.games]);
        let waiting: Result<Vec<_>> = all.map(Sink::finish).collect();
        // The folder with the checkpoint is the last to go.
        waiting.inspect_err(|_| tell(advice))?.into_iter().flatten().for_each(WaitingOutput::remove);
        Ok(())
    }

    /// Ends what is written to standard output, and leaves the rest.
    ///
    /// # Errors
    /// When that fails.
    pub fn finish_stream(self) -> Result<()> {
        self.games.finish().map(drop)
    }
}

/// What to say where there is something to go on from.
const ADVICE: &str = "what is done is kept: the same command with --resume goes on from there";

/// Tells how to go on after a failure, where that is possible.
pub fn tell(advice: Option<&str>) {
    if let Some(advice) = advice {
        note(advice);
    }
}

/// Why no later run can go on, where that is so.
///
/// # Errors
/// A sentence on the output or the inputs.
pub fn resumable(identity: Identity, targets: [Option<&Target>; 3]) -> Result<Identity, String> {
    if let Some(why) = targets.into_iter().flatten().find_map(Target::obstacle) {
        return Err(why);
    }
    match identity.obstacle() {
        Some(why) => Err(why.to_owned()),
        None => Ok(identity),
    }
}

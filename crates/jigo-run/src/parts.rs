//! Parts: the outputs of the batches of a run, from which a later run goes on.
//!
//! Such a run appends the output of each batch to a file in its staging directory, next to its
//! [fingerprint](crate::run_fingerprint). A part is complete or absent: its first line contains its
//! number, its length and a hash. A resumed run first passes the existing parts to the consumer of
//! its outputs, then reads the batches that follow. Therefore the consumer knows nothing about
//! resuming, and the results equal those of an uninterrupted run.
//!
//! The directory may come from a stranger. A part contains no path to write to, and invented parts
//! only add invented rows.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use jigo_archive::partial_result::PartialResult;
use jigo_archive::pipeline::{BatchOutput, ResumePoint, hash};
use jigo_archive::summary::Summary;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output::put_in_place;
use crate::output::regular_file::{self, is_regular_file};
use crate::output::staging_dir::{StagingDir, StagingPlace, sync_folder};
use crate::run_fingerprint::{FINGERPRINT_FILE, RunFingerprint};

/// The file of the parts.
pub const PARTS_FILE: &str = "parts";
/// The file that exists as soon as the outputs get their names.
pub const COMPLETE_FILE: &str = "complete";
/// The beginning of the first line of a part. The number changes with the format.
const HEAD: &str = "jigo part 1";
/// The maximum length of the first line in bytes.
const MAX_HEAD_BYTES: u64 = 100;
/// The time after which a run that fails keeps its parts. Repeating less work is simpler.
const MIN_KEPT_TIME: Duration = Duration::from_millis(100);
/// The largest count in a part. No archive reaches it, and the sum of two fits into 64 bits.
const MAX_COUNT: u64 = 1 << 53;

/// The parts of a run, in a staging directory that this run has locked.
pub struct Parts {
    /// The staging directory.
    pub staging: StagingDir,
    file: File,
    /// True if this run adds parts. A run whose inputs can't be read again has none.
    is_resumable: bool,
    /// The complete batches of earlier runs, and their counts.
    pub before: ResumePoint,
    /// The number of the parts of these batches, and of their bytes.
    count: u64,
    length: u64,
    /// The number of parts so far.
    next: u64,
    /// True if this run has completed a batch.
    has_progress: bool,
    started: Instant,
}

/// How a run begins if an earlier run left parts.
pub enum EarlierRun<'a> {
    /// Resumes it. The text begins the message if it had other inputs or options.
    Resume(&'a str),
    /// Resumes it, and fails if it does not exist or has no progress.
    Require(&'a str),
    /// Fails if it has progress. The text tells how to continue it, and how to start again.
    Keep(&'a str),
    /// Removes it.
    Remove,
}

impl EarlierRun<'_> {
    /// Returns the choice of `--resume` and `--force`.
    pub fn of_options(resume: bool, force: bool) -> EarlierRun<'static> {
        match (resume, force) {
            (true, _) => EarlierRun::Resume("--resume"),
            (false, true) => EarlierRun::Remove,
            (false, false) => {
                EarlierRun::Keep("repeat the command with --resume to continue, or with --force to start again")
            }
        }
    }
}

/// A part without its first line.
#[derive(Default, Serialize, Deserialize)]
pub struct Part<S, T> {
    /// The counts of the games.
    pub summary: S,
    /// The number of games that were not selected.
    pub rejected: u64,
    /// The number of batches that end with the part.
    pub batches: u64,
    /// The product.
    pub product: T,
}

impl Parts {
    /// Resumes the earlier run in the directory, or removes it and begins a new one. A run whose
    /// inputs can't be read again adds no parts. `check_outputs` fails if the outputs can't get
    /// their names. Outputs that an earlier run was about to name are not checked.
    ///
    /// # Errors
    /// Fails if the path is not such a directory, if another run has locked it, if it can't be read
    /// or written, or if the earlier run must not be removed or can't be resumed.
    pub fn begin(
        place: &StagingPlace,
        fingerprint: &RunFingerprint,
        earlier_run: EarlierRun,
        check_outputs: impl FnOnce() -> Result<()>,
    ) -> Result<Parts> {
        let earlier = Parts::open(place)?;
        let has_progress = earlier.as_ref().is_some_and(|parts| parts.before.batches > 0);
        let is_resumed = matches!(earlier_run, EarlierRun::Resume(_));
        match (earlier, earlier_run) {
            (Some(mut earlier), EarlierRun::Resume(refusal) | EarlierRun::Require(refusal)) if has_progress => {
                if !earlier.is_complete()? {
                    check_outputs()?;
                }
                earlier.resume(fingerprint).with_context(|| refusal.to_owned())?;
                return Ok(earlier);
            }
            (earlier, EarlierRun::Require(_)) => bail!(no_progress(place.target, earlier.is_some(), fingerprint)),
            (Some(earlier), EarlierRun::Keep(advice)) if has_progress => {
                let games = earlier.before.summary.found;
                bail!("{} holds an unfinished run, with {games} games done: {advice}", place.target.display())
            }
            (earlier, _) => earlier.map_or(Ok(()), |earlier| earlier.staging.remove())?,
        }
        let is_free = check_outputs();
        // The outputs of a complete run are there, and its parts are gone.
        if is_resumed {
            is_free.context("no run is unfinished, so there is nothing to resume")?
        } else {
            is_free?
        }
        Parts::create(place, fingerprint)
    }

    /// Opens the directory of an earlier run. Returns `None` if there is none.
    fn open(place: &StagingPlace) -> Result<Option<Parts>> {
        let Some(staging) = StagingDir::open(place)? else { return Ok(None) };
        let failure = format!("cannot read {}", staging.path().display());
        let file = open_file(&staging).with_context(|| failure.clone())?;
        let mut parts = Parts::new(staging, file, true);
        parts.count_batches().context(failure)?;
        Ok(Some(parts))
    }

    /// Creates the directory of a new run.
    fn create(place: &StagingPlace, fingerprint: &RunFingerprint) -> Result<Parts> {
        let staging = StagingDir::create(place)?;
        let written = fingerprint.write(&staging.path().join(FINGERPRINT_FILE));
        let file = written.and_then(|()| open_file(&staging));
        let file = file.with_context(|| format!("cannot write to {}", staging.path().display()))?;
        Ok(Parts::new(staging, file, fingerprint.obstacle().is_none()))
    }

    fn new(staging: StagingDir, file: File, is_resumable: bool) -> Parts {
        Parts {
            staging,
            file,
            is_resumable,
            before: ResumePoint::default(),
            count: 0,
            length: 0,
            next: 0,
            has_progress: false,
            started: Instant::now(),
        }
    }

    /// Returns true if an earlier run was ended while its outputs got their names.
    ///
    /// # Errors
    /// Fails if the directory can't be read.
    pub fn is_complete(&self) -> Result<bool> {
        let path = self.staging.path().join(COMPLETE_FILE);
        is_regular_file(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// Compares the fingerprint of the run with that of the earlier run, and prepares to add parts
    /// after its last complete batch.
    fn resume(&mut self, fingerprint: &RunFingerprint) -> Result<()> {
        fingerprint.compare(&self.staging.path().join(FINGERPRINT_FILE))?;
        self.file.set_len(self.length).with_context(|| self.failure())?;
        self.staging.keep();
        Ok(())
    }

    /// Passes the parts of earlier runs to `sink`, in order.
    ///
    /// # Errors
    /// Fails if a part can't be read, or if the sink fails.
    pub fn replay<T: DeserializeOwned>(&self, mut sink: impl FnMut(BatchOutput<T>) -> Result<()>) -> Result<()> {
        let mut reader = BufReader::new(&self.file);
        reader.rewind().with_context(|| self.failure())?;
        for number in 0..self.count {
            let body = read_part(&mut reader, number).with_context(|| self.failure())?;
            let part: Option<Part<Summary, T>> = body.and_then(|body| serde_json::from_slice(&body).ok());
            let Part { summary, rejected, batches, product } = part.ok_or_else(|| self.damaged())?;
            sink(BatchOutput::from_part(product, summary, rejected, batches > 0))?;
        }
        Ok(())
    }

    /// Adds the output of a batch.
    ///
    /// # Errors
    /// Fails if it can't be written.
    pub fn add<T: Serialize>(&mut self, output: &BatchOutput<T>) -> Result<()> {
        let BatchOutput { summary, rejected, product, .. } = output;
        let batches = u64::from(output.next_step.is_none());
        self.add_part(&Part { summary, rejected: *rejected, batches, product })
    }

    /// Adds a part.
    ///
    /// # Errors
    /// Fails if it can't be written.
    pub fn add_part(&mut self, part: &Part<impl Serialize, impl Serialize>) -> Result<()> {
        if !self.is_resumable {
            return Ok(());
        }
        let body = serde_json::to_vec(part).with_context(|| self.failure())?;
        let head = format!("{HEAD} {} {:016x} {}\n", self.next, hash(&body, self.next), body.len());
        let written = self.file.write_all(&[head.as_bytes(), &body, b"\n"].concat());
        written.with_context(|| self.failure())?;
        self.next += 1;
        self.has_progress |= part.batches > 0;
        if part.batches > 0 && self.started.elapsed() >= MIN_KEPT_TIME {
            self.staging.keep();
        }
        Ok(())
    }

    /// Keeps the parts for a later run, if there are any.
    pub(crate) fn keep(&mut self) -> Result<()> {
        if self.has_progress {
            self.file.sync_all().with_context(|| self.failure())?;
            self.staging.keep();
        }
        Ok(())
    }

    /// Returns the message about resuming after a failure, if a later run can resume this one.
    pub fn advice(&self) -> Option<&str> {
        self.staging.advice().filter(|_| self.is_resumable)
    }

    /// Records that all outputs are complete and get their names from now on.
    ///
    /// # Errors
    /// Fails if that can't be written.
    pub fn begin_naming(&mut self) -> Result<()> {
        self.keep()?;
        let written = regular_file::write(&self.staging.path().join(COMPLETE_FILE), b"");
        written.with_context(|| self.failure())
    }

    /// Gives the files of the staging directory their names in `folder`, in order, and removes the
    /// directory. An earlier run may have been killed after it gave some files their names.
    ///
    /// # Errors
    /// Fails if a file is missing, or if a path exists that may not be replaced.
    pub fn publish(mut self, folder: &Path, names: &[String], force: bool) -> Result<()> {
        let may_exist = self.is_complete()?;
        self.begin_naming()?;
        for name in names {
            let (staged, path) = (self.staging.path().join(name), folder.join(name));
            match is_regular_file(&staged).with_context(|| format!("cannot write {}", path.display()))? {
                true => put_in_place(&staged, &path, force)?,
                false => ensure!(may_exist && path.exists(), self.damaged()),
            }
        }
        // The renames are done. Some file systems do not support waiting for a directory.
        let _ = sync_folder(folder);
        self.finish();
        Ok(())
    }

    /// Removes the directory, because all outputs are in their places.
    pub fn finish(mut self) {
        // Without the parts, the rest is not taken for an unfinished run. If this fails, the next
        // run compares the outputs.
        let _ = fs::remove_file(self.staging.path().join(PARTS_FILE));
        self.staging.complete();
    }

    /// Returns the error for a directory whose content is not that of a run.
    pub fn damaged(&self) -> anyhow::Error {
        anyhow!("the unfinished run in {} is damaged; use --force to start again", self.staging.path().display())
    }

    fn failure(&self) -> String {
        format!("cannot write to {}", self.staging.path().display())
    }

    /// Counts the parts up to the end of the last complete batch. Whatever follows is the rest of a
    /// part that a kill or a crash cut short.
    fn count_batches(&mut self) -> io::Result<()> {
        let mut reader = BufReader::new(&self.file);
        let mut summary = Summary::default();
        for number in 0.. {
            let Some(body) = read_part(&mut reader, number)? else { break };
            let Ok(part) = serde_json::from_slice::<Part<Summary, IgnoredAny>>(&body) else { break };
            if !has_small_counts(&serde_json::to_value(&part.summary)?) || !part.summary.is_balanced() {
                break;
            }
            summary.add_part(part.summary);
            if part.batches > 0 && has_small_counts(&serde_json::to_value(&summary)?) {
                let batches = self.before.batches.saturating_add(part.batches);
                self.before = ResumePoint { batches, summary: summary.clone() };
                (self.count, self.length) = (number + 1, reader.stream_position()?);
            }
        }
        self.next = self.count;
        Ok(())
    }
}

/// Returns the message about a missing run, or about one without progress.
fn no_progress(target: &Path, exists: bool, fingerprint: &RunFingerprint) -> String {
    let name = target.display();
    let problem = match exists {
        false => format!("{name} holds no unfinished run"),
        true => format!("the unfinished run in {name} has no progress yet; begin it again without --resume"),
    };
    let obstacle = fingerprint.obstacle().map(|reason| format!(", and --resume would not work: {reason}"));
    problem + &obstacle.unwrap_or_default()
}

fn open_file(staging: &StagingDir) -> io::Result<File> {
    let path = staging.path().join(PARTS_FILE);
    let exists = is_regular_file(&path)?;
    File::options().read(true).append(true).create_new(!exists).open(path)
}

/// Reads the part with this number. Returns `None` if it is not complete.
fn read_part(reader: &mut impl BufRead, number: u64) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    reader.by_ref().take(MAX_HEAD_BYTES).read_until(b'\n', &mut head)?;
    let head = String::from_utf8_lossy(&head);
    let fields: Vec<&str> = head.strip_prefix(HEAD).unwrap_or_default().split_whitespace().collect();
    let [found, sum, length] = fields[..] else { return Ok(None) };
    let (Ok(true), Ok(length)) = (found.parse().map(|found: u64| found == number), length.parse::<u64>()) else {
        return Ok(None);
    };
    let mut body = Vec::new();
    reader.by_ref().take(length.saturating_add(1)).read_to_end(&mut body)?;
    let is_complete = body.pop() == Some(b'\n') && body.len() as u64 == length;
    Ok((is_complete && sum == format!("{:016x}", hash(&body, number))).then_some(body))
}

/// Returns true if no count is too large to be added to another one.
pub fn has_small_counts(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() <= MAX_COUNT),
        Value::Array(values) => values.iter().all(has_small_counts),
        Value::Object(values) => values.values().all(has_small_counts),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &Path) -> StagingPlace<'_> {
        StagingPlace { folder: folder.join("staging"), target: folder, advice: "resume".into() }
    }

    /// Returns the batches that a later run finds in some bytes.
    fn batches(bytes: &[u8]) -> u64 {
        let folder = tempfile::tempdir().unwrap();
        let mut parts =
            Parts::new(StagingDir::create(&place(folder.path())).unwrap(), tempfile::tempfile().unwrap(), true);
        parts.file.write_all(bytes).unwrap();
        parts.file.rewind().unwrap();
        parts.count_batches().unwrap();
        let mut found = Vec::new();
        parts
            .replay(|output: BatchOutput<String>| {
                found.push(output.product);
                Ok(())
            })
            .unwrap();
        assert_eq!(found, ["a", "b", "c"][..found.len()]);
        parts.before.batches
    }

    #[test]
    fn only_complete_batches_are_found_in_cut_or_changed_parts() {
        let folder = tempfile::tempdir().unwrap();
        let mut parts =
            Parts::new(StagingDir::create(&place(folder.path())).unwrap(), tempfile::tempfile().unwrap(), true);
        let mut ends = Vec::new();
        for (product, ends_batch) in [("a", true), ("b", false), ("c", true)] {
            let summary = Summary { found: 1, replayed: 1, ..Summary::default() };
            parts.add(&BatchOutput::from_part(product.to_owned(), summary, 0, ends_batch)).unwrap();
            ends.push(parts.file.metadata().unwrap().len() as usize);
        }
        let mut bytes = Vec::new();
        parts.file.rewind().unwrap();
        parts.file.read_to_end(&mut bytes).unwrap();
        assert_eq!(batches(&bytes), 2);
        for length in 0..bytes.len() {
            assert_eq!(batches(&bytes[..length]), u64::from(length >= ends[0]), "{length}");
            let mut changed = bytes.clone();
            changed[length] ^= 1;
            assert_eq!(batches(&changed), u64::from(length >= ends[0]), "{length}");
        }
        assert_eq!(batches(&bytes[ends[0]..]), 0, "the first part is missing");
    }
}

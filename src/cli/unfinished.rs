//! A report before it is whole: a folder inside the report's, from which an interrupted run goes on.
//!
//! It holds the tables as far as they are written, what run they are of ([`identity`](super::identity)), and a checkpoint: after so many
//! batches the tables had these lengths, and the summary and the figures of the page were those. When all is written, a last checkpoint says so, the tables get their
//! names one by one, the summary last, and the folder goes. Whoever is killed in between is finished by the next run.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempPath;

use super::identity::Identity;
use jigo_archive::summary::Summary;
use jigo_archive::visit::Figures;

/// The folder's name.
pub const NAME: &str = ".jigo-unfinished";

/// The checkpoint's name, and that of the last one that is known to be on the disk.
const CHECKPOINTS: [&str; 2] = ["checkpoint.json", "checkpoint-synced.json"];
/// What run it is.
const IDENTITY: &str = "run.json";
/// Held by the run that is at work.
const LOCK: &str = "lock";

/// Time between two checkpoints: they cost next to nothing, so a kill loses next to nothing.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(100);
/// Time between two checkpoints that wait for the disk, for the day that the machine goes down.
const SYNC_EVERY: Duration = Duration::from_secs(30);

/// What is done of a report: so many batches, with what is counted in them.
#[derive(Default)]
pub struct Counts {
    /// Batches whose rows are written.
    pub batches: u64,
    /// What summary.json is made of.
    pub summary: Summary,
    /// What the page is made of.
    pub figures: Figures,
}

/// What a folder for a report holds when a run comes to it.
pub enum Found {
    /// A report that is to be written, from the start or from a checkpoint.
    Begun(Unfinished, Box<Counts>),
    /// A whole report that a run had no time to put in place; it is now. These are its counts.
    Whole(Box<Summary>),
}

/// A report that is being written.
pub struct Unfinished {
    report: PathBuf,
    folder: PathBuf,
    force: bool,
    parts: Vec<(String, File)>,
    /// Lengths that the parts had at the checkpoint which the run goes on from.
    lengths: Value,
    last: Instant,
    last_synced: Instant,
    can_go_on: bool,
    is_kept: bool,
    _lock: File,
}

impl Unfinished {
    /// Begins a report of these files in a folder, which is made where it is missing. What an earlier run left unfinished is taken away.
    ///
    /// # Errors
    /// When another run is at work there; without `force` when one of the files is there, or an unfinished run that could go on.
    pub fn begin(report: &Path, names: &[&str], identity: &Identity, force: bool) -> Result<Unfinished> {
        let shown = report.display();
        fs::create_dir_all(report).with_context(|| format!("cannot make the folder {shown}"))?;
        let folder = report.join(NAME);
        if folder.is_dir() {
            let lock = lock(report)?;
            if let Some(checkpoint) = checkpoint(&folder)? {
                if checkpoint["whole"].is_array() {
                    put_in_place(report, &checkpoint, force)?;
                } else if !force {
                    let games = &checkpoint["summary"]["found"];
                    bail!(
                        "{shown} holds an unfinished run, with {games} games done: --resume {shown} continues it, --force begins anew"
                    );
                }
            }
            fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
            drop(lock);
        }
        for name in names {
            let path = report.join(name);
            ensure!(!path.is_dir(), "{} is a folder", path.display());
            let is_there = !force && fs::symlink_metadata(&path).is_ok();
            ensure!(!is_there, "{} is there already; --force replaces it", path.display());
        }
        fs::create_dir(&folder).with_context(|| format!("cannot write to {shown}"))?;
        let unfinished = Unfinished::new(report, force, identity, lock(report)?);
        identity.write(&folder.join(IDENTITY)).with_context(|| format!("cannot write to {shown}"))?;
        Ok(unfinished)
    }

    /// Goes on with a report where its last checkpoint was.
    ///
    /// # Errors
    /// When there is none, another run is at work on it, or it is one of other inputs, options or another jigo.
    pub fn resume(report: &Path, identity: &Identity, force: bool) -> Result<Found> {
        let shown = report.display();
        let folder = report.join(NAME);
        let nothing = |what: String| match identity.obstacle() {
            Some(why) => anyhow!("{what}, and --resume would be of no use: {why}"),
            None => anyhow!(what),
        };
        ensure!(folder.is_dir(), nothing(no_run(report)));
        let lock = lock(report)?;
        let Some(found) = checkpoint(&folder)? else {
            bail!(nothing(format!(
                "the unfinished run in {shown} has nothing done yet; --out {shown} in place of --resume begins anew"
            )));
        };
        let summary = Summary::from_state(&found["summary"]).ok_or_else(|| damaged(report))?;
        if found["whole"].is_array() {
            put_in_place(report, &found, force)?;
            fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
            return Ok(Found::Whole(Box::new(summary)));
        }
        identity.compare(&folder.join(IDENTITY)).with_context(|| format!("{shown} can't be resumed"))?;
        let batches = found["batches"].as_u64().ok_or_else(|| damaged(report))?;
        let figures = Figures::deserialize(&found["figures"]).map_err(|_| damaged(report))?;
        let mut unfinished = Unfinished::new(report, force, identity, lock);
        (unfinished.lengths, unfinished.is_kept) = (found["lengths"].clone(), true);
        Ok(Found::Begun(unfinished, Box::new(Counts { batches, summary, figures })))
    }

    fn new(report: &Path, force: bool, identity: &Identity, lock: File) -> Unfinished {
        Unfinished {
            report: report.to_owned(),
            folder: report.join(NAME),
            force,
            parts: Vec::new(),
            lengths: Value::Null,
            last: Instant::now(),
            last_synced: Instant::now(),
            can_go_on: identity.obstacle().is_none(),
            is_kept: false,
            _lock: lock,
        }
    }

    /// Opens a file that grows: an empty one, or what a checkpoint says was written of it. Says which.
    ///
    /// # Errors
    /// When it can't be opened, or is shorter than the checkpoint says.
    pub fn part(&mut self, name: &str) -> Result<(File, bool)> {
        let failure = || self.failure(name);
        let path = self.folder.join(name);
        let is_resumed = self.lengths.is_object();
        let file = File::options().create(!is_resumed).append(true).open(&path).with_context(failure)?;
        if is_resumed {
            let length = self.lengths[name].as_u64().ok_or_else(|| damaged(&self.report))?;
            file.set_len(length).with_context(failure)?;
        }
        self.parts.push((name.to_owned(), file.try_clone().with_context(failure)?));
        Ok((file, is_resumed))
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// When that fails.
    pub fn whole(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let written = File::create(self.folder.join(name)).and_then(|mut file| file.write_all(bytes).map(|()| file));
        let file = written.with_context(|| self.failure(name))?;
        self.parts.push((name.to_owned(), file));
        Ok(())
    }

    /// What to say when a file can't be written.
    pub fn failure(&self, name: &str) -> String {
        format!("cannot write {}", self.report.join(name).display())
    }

    /// Notes that another batch is written, with what is done up to here.
    ///
    /// # Errors
    /// When a checkpoint can't be written.
    pub fn batch_done(&mut self, counts: &Counts) -> Result<()> {
        if !self.can_go_on || self.last.elapsed() < CHECKPOINT_EVERY {
            return Ok(());
        }
        let is_synced = self.last_synced.elapsed() >= SYNC_EVERY;
        self.save(checkpoint_of(counts), is_synced)?;
        self.is_kept = true;
        self.last = Instant::now();
        if is_synced {
            self.last_synced = self.last;
        }
        Ok(())
    }

    /// Keeps what is done for a later run, if there is anything and it can go on.
    ///
    /// # Errors
    /// When a checkpoint can't be written.
    pub fn keep(&mut self, counts: &Counts) -> Result<()> {
        if self.can_go_on && counts.batches > 0 {
            self.save(checkpoint_of(counts), true)?;
            self.is_kept = true;
        }
        Ok(())
    }

    /// Writes a checkpoint, to which the lengths of the parts are added.
    fn save(&self, mut checkpoint: Value, is_synced: bool) -> Result<()> {
        let failure = || format!("cannot write to {}", self.folder.display());
        let mut lengths = serde_json::Map::new();
        for (name, file) in &self.parts {
            if is_synced {
                file.sync_all().with_context(|| self.failure(name))?;
            }
            lengths.insert(name.clone(), file.metadata().with_context(failure)?.len().into());
        }
        checkpoint["lengths"] = lengths.into();
        let names = if is_synced { CHECKPOINTS.as_slice() } else { &CHECKPOINTS[..1] };
        names.iter().try_for_each(|name| replace(&self.folder, name, &checkpoint, is_synced)).with_context(failure)
    }

    /// Gives all files their names, in this order, and ends the unfinished state.
    ///
    /// # Errors
    /// When they can't be written to the end, or something stands in a place that may not be replaced.
    pub fn finish(mut self, summary: &Summary) -> Result<()> {
        let names: Vec<String> = self.parts.iter().map(|(name, _)| name.clone()).collect();
        let checkpoint = json!({ "summary": summary.state(), "whole": names, "force": self.force });
        self.save(checkpoint.clone(), true)?;
        self.is_kept = true;
        put_in_place(&self.report, &checkpoint, self.force)?;
        self.is_kept = false;
        Ok(())
    }

    /// How to go on after a failure, if there is something to go on from.
    pub fn advice(&self) -> Option<String> {
        let shown = self.report.display();
        self.is_kept.then(|| format!("what is done is kept: jigo report --resume {shown} goes on from there"))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_kept {
            // If it can't be removed, the next run tries again.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// What a run goes on from.
fn checkpoint_of(counts: &Counts) -> Value {
    let Counts { batches, summary, figures } = counts;
    json!({ "batches": batches, "summary": summary.state(), "figures": figures })
}

/// Makes sure that no other run is at work on the report.
fn lock(report: &Path) -> Result<File> {
    let shown = report.display();
    let file = File::create(report.join(NAME).join(LOCK)).with_context(|| format!("cannot write to {shown}"))?;
    match file.try_lock() {
        // There are file systems without locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!("another jigo is writing to {shown}"),
    }
}

/// The newest checkpoint whose files are there as it says.
fn checkpoint(folder: &Path) -> Result<Option<Value>> {
    for name in CHECKPOINTS {
        let bytes = match fs::read(folder.join(name)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", folder.join(name).display())),
        };
        // After a crash of the machine a file may be there without its bytes.
        let Ok(value) = serde_json::from_slice::<Value>(&bytes) else { continue };
        let is_there = |(name, length): (&String, &Value)| {
            let found = fs::metadata(folder.join(name)).map_or(0, |found| found.len());
            length.as_u64().is_some_and(|length| found >= length)
        };
        if value["whole"].is_array() || value["lengths"].as_object().is_some_and(|map| map.iter().all(is_there)) {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The arguments that the unfinished run in a report's folder was begun with.
///
/// # Errors
/// When there is none, or they can't be read.
pub fn recorded_arguments(report: &Path) -> Result<(PathBuf, Vec<String>)> {
    let shown = report.display();
    let folder = report.join(NAME);
    ensure!(
        folder.is_dir(),
        "{}; one that reads standard input, or writes Parquet or Arrow, leaves none behind",
        no_run(report)
    );
    Identity::arguments(&folder.join(IDENTITY)).with_context(|| format!("{shown} can't be resumed"))
}

fn no_run(report: &Path) -> String {
    format!("{} holds no unfinished run", report.display())
}

fn damaged(report: &Path) -> anyhow::Error {
    anyhow!("the checkpoint in {} is damaged; --force begins anew", report.join(NAME).display())
}

/// Writes a file beside its place and moves it there, so that it is the old one or the new one at any moment.
fn replace(folder: &Path, name: &str, state: &Value, is_synced: bool) -> io::Result<()> {
    let new = folder.join(format!("{name}.new"));
    let mut file = File::create(&new)?;
    file.write_all(state.to_string().as_bytes())?;
    if is_synced {
        file.sync_all()?;
    }
    fs::rename(new, folder.join(name))?;
    if is_synced { sync_folder(folder) } else { Ok(()) }
}

/// Moves the files of a whole report out of the unfinished folder; those that are in place already are no more there.
fn put_in_place(report: &Path, checkpoint: &Value, force: bool) -> Result<()> {
    let force = force || checkpoint["force"] == true;
    let folder = report.join(NAME);
    let names = checkpoint["whole"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    for name in names {
        let (from, to) = (folder.join(name), report.join(name));
        if !from.exists() {
            continue;
        }
        place(&from, &to, force).with_context(|| format!("cannot write {}", to.display()))?;
    }
    // Renaming is done; whether the folder can be waited for depends on the file system.
    let _ = sync_folder(report);
    Ok(())
}

fn place(from: &Path, to: &Path, force: bool) -> io::Result<()> {
    if force {
        return fs::rename(from, to);
    }
    TempPath::try_from_path(from)?.persist_noclobber(to).map_err(|error| {
        // It stays where it was.
        let _ = error.path.keep();
        error.error
    })
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

//! A report before it is whole: a folder inside the report's, from which an interrupted run goes on.
//!
//! It holds the tables as far as they are written, what run they are of ([`identity`](super::identity)), and a [`Checkpoint`]: after so many
//! batches the tables had these lengths, and the summary and the figures of the page were those. When all is written, a last checkpoint says so, the tables get their
//! names one by one, the summary last, and the folder goes. Whoever is killed in between is finished by the next run,
//! which has to be told again that an earlier report may be replaced.
//!
//! A folder may come from a stranger: nothing in it is followed to another place.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::Value;

use super::abandon::{self, Unwhole};
use super::checkpoint::{Checkpoint, ReportFile, Stage, TABLES};
use super::checksum;
use super::identity::Identity;
use super::plain::{self, is_plain};
use super::waiting::{self, CHECKPOINTS, IDENTITY, Rhythm, is_there, lock, sync_folder, write_checkpoint};
use jigo_archive::summary::Summary;
use jigo_archive::visit::Figures;

/// The folder's name.
pub const NAME: &str = ".jigo-unfinished";

/// What is done of a report: so many batches, with what is counted in them.
#[derive(Default)]
pub struct ReportDone {
    /// Batches whose rows are written.
    pub batches: u64,
    /// What summary.json is made of.
    pub summary: Summary,
    /// What the page is made of.
    pub figures: Figures,
    /// Rows of the tables, in the order of [`TABLES`].
    pub rows: [u64; TABLES.len()],
}

/// What a folder for a report holds when a run comes to it.
pub enum FolderState {
    /// A report that is to be written, from the start or from a checkpoint.
    Begun(Unfinished, Box<ReportDone>),
    /// A whole report that a run had no time to put in place; it is now. These are its counts.
    Whole(Box<Summary>),
}

/// A report that is being written.
pub struct Unfinished {
    report: PathBuf,
    folder: PathBuf,
    force: bool,
    parts: Vec<(ReportFile, File)>,
    /// Lengths that the parts had at the checkpoint which the run goes on from.
    lengths: Option<BTreeMap<ReportFile, u64>>,
    rhythm: Rhythm,
    can_go_on: bool,
    /// The folder, as long as there is nothing to go on from.
    unwhole: Option<Unwhole>,
    _lock: File,
}

impl Unfinished {
    /// Begins a report of these files in a folder, which is made where it is missing. What an earlier run left unfinished is taken away.
    ///
    /// # Errors
    /// When another run is at work there; without `force` when one of the files is there, or an unfinished run that could go on.
    pub fn begin(report: &Path, files: &[ReportFile], identity: &Identity, force: bool) -> Result<Unfinished> {
        let shown = report.display();
        fs::create_dir_all(report).with_context(|| format!("cannot make the folder {shown}"))?;
        let folder = report.join(NAME);
        if is_there(&folder)? {
            let lock = lock(&folder, report)?;
            if let Some(Checkpoint { summary, stage }) = checkpoint(&folder)? {
                match stage {
                    Stage::Whole(files) => put_in_place(report, &files, force)?,
                    Stage::Begun { .. } => ensure!(
                        force,
                        "{shown} holds an unfinished run, with {} games done: --resume {shown} continues it, --force begins anew",
                        summary.found
                    ),
                }
            }
            waiting::remove(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
            drop(lock);
        }
        check_places(report, files, force)?;
        fs::create_dir(&folder).with_context(|| format!("cannot write to {shown}"))?;
        let unwhole = Unwhole::new(&folder);
        let mut unfinished = Unfinished::new(report, force, identity, lock(&folder, report)?);
        unfinished.unwhole = Some(unwhole);
        identity.write(&folder.join(IDENTITY)).with_context(|| format!("cannot write to {shown}"))?;
        abandon::leaves("no report is written");
        Ok(unfinished)
    }

    /// Goes on with a report of these files where its last checkpoint was.
    ///
    /// # Errors
    /// When there is none, another run is at work on it, or it is one of other inputs, options or another jigo; without `force` when one of the files is there.
    pub fn resume(report: &Path, files: &[ReportFile], identity: &Identity, force: bool) -> Result<FolderState> {
        let shown = report.display();
        let folder = report.join(NAME);
        let nothing = |what: String| match identity.obstacle() {
            Some(why) => anyhow!("{what}, and --resume would be of no use: {why}"),
            None => anyhow!(what),
        };
        ensure!(is_there(&folder)?, nothing(no_run(report)));
        let lock = lock(&folder, report)?;
        let Some(Checkpoint { summary, stage }) = checkpoint(&folder)? else {
            bail!(nothing(format!(
                "the unfinished run in {shown} has nothing done yet; --out {shown} in place of --resume begins anew"
            )));
        };
        let summary = summary.into_owned();
        match stage {
            Stage::Whole(files) => {
                put_in_place(report, &files, force)?;
                waiting::remove(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
                Ok(FolderState::Whole(Box::new(summary)))
            }
            Stage::Begun { batches, figures, rows, lengths } => {
                identity.compare(&folder.join(IDENTITY)).with_context(|| format!("{shown} can't be resumed"))?;
                check_places(report, files, force)?;
                let mut unfinished = Unfinished::new(report, force, identity, lock);
                unfinished.lengths = Some(lengths);
                unfinished.is_kept();
                Ok(FolderState::Begun(
                    unfinished,
                    Box::new(ReportDone { batches, summary, figures: figures.into_owned(), rows }),
                ))
            }
        }
    }

    fn new(report: &Path, force: bool, identity: &Identity, lock: File) -> Unfinished {
        Unfinished {
            report: report.to_owned(),
            folder: report.join(NAME),
            force,
            parts: Vec::new(),
            lengths: None,
            rhythm: Rhythm::new(),
            can_go_on: identity.obstacle().is_none(),
            unwhole: None,
            _lock: lock,
        }
    }

    /// From now on there is something to go on from.
    fn is_kept(&mut self) {
        self.unwhole = None;
        abandon::leaves(self.advice().unwrap_or_default());
    }

    /// Opens a file that grows: an empty one, or what a checkpoint says was written of it. Says which.
    ///
    /// # Errors
    /// When it can't be opened, or is shorter than the checkpoint says.
    pub fn part(&mut self, file: &ReportFile) -> Result<(File, bool)> {
        let failure = || self.failure(file);
        let path = self.folder.join(file.name());
        let is_there = is_plain(&path).with_context(failure)?;
        let mut options = File::options();
        let opened = if is_there { options.append(true) } else { options.append(true).create_new(true) }.open(&path);
        let opened = opened.with_context(failure)?;
        let length = match &self.lengths {
            Some(lengths) => *lengths.get(file).filter(|_| is_there).ok_or_else(|| damaged(&self.report))?,
            None => 0,
        };
        opened.set_len(length).with_context(failure)?;
        self.parts.push((file.clone(), opened.try_clone().with_context(failure)?));
        Ok((opened, self.lengths.is_some()))
    }

    /// Writes a whole file; more can be written to it.
    ///
    /// # Errors
    /// When that fails.
    pub fn whole(&mut self, file: ReportFile, bytes: &[u8]) -> Result<File> {
        let written = plain::write(&self.folder.join(file.name()), bytes).with_context(|| self.failure(&file))?;
        let open = written.try_clone().with_context(|| self.failure(&file))?;
        self.parts.push((file, written));
        Ok(open)
    }

    /// What can be said of a table that is written, so that others see whether they have the same.
    ///
    /// # Errors
    /// When it can't be read back.
    pub fn checked(&self, file: &ReportFile, rows: u64) -> Result<Value> {
        checksum::of(&self.folder.join(file.name()), rows).with_context(|| self.failure(file))
    }

    /// What to say when a file can't be written.
    pub fn failure(&self, file: &ReportFile) -> String {
        format!("cannot write {}", self.report.join(file.name()).display())
    }

    /// Notes that another batch is written, with what is done up to here.
    ///
    /// # Errors
    /// When a checkpoint can't be written.
    pub fn batch_done(&mut self, counts: &ReportDone) -> Result<()> {
        let due = self.rhythm.due().filter(|_| self.can_go_on);
        due.map_or(Ok(()), |is_synced| self.save(counts, is_synced))
    }

    /// Keeps what is done for a later run, if there is anything and it can go on.
    ///
    /// # Errors
    /// When a checkpoint can't be written.
    pub fn keep(&mut self, counts: &ReportDone) -> Result<()> {
        if self.can_go_on && counts.batches > 0 {
            self.save(counts, true)?;
        }
        Ok(())
    }

    /// Writes a checkpoint of what is counted up to here.
    fn save(&mut self, counts: &ReportDone, is_synced: bool) -> Result<()> {
        let mut lengths = BTreeMap::new();
        for (file, open) in &self.parts {
            if is_synced {
                open.sync_all().with_context(|| self.failure(file))?;
            }
            lengths.insert(file.clone(), open.metadata().with_context(|| self.failure(file))?.len());
        }
        let ReportDone { batches, summary, figures, rows } = counts;
        let stage = Stage::Begun { batches: *batches, figures: Cow::Borrowed(figures), rows: *rows, lengths };
        self.write(&Checkpoint { summary: Cow::Borrowed(summary), stage }, is_synced)
    }

    fn write(&mut self, checkpoint: &Checkpoint, is_synced: bool) -> Result<()> {
        let written = checkpoint.to_bytes().and_then(|bytes| write_checkpoint(&self.folder, &bytes, is_synced));
        written.with_context(|| format!("cannot write to {}", self.folder.display()))?;
        self.rhythm.written(is_synced);
        self.is_kept();
        Ok(())
    }

    /// Gives all files their names, in this order, and ends the unfinished state.
    ///
    /// # Errors
    /// When they can't be written to the end, or something stands in a place that may not be replaced.
    pub fn finish(mut self, summary: &Summary) -> Result<()> {
        for (file, open) in &self.parts {
            open.sync_all().with_context(|| self.failure(file))?;
        }
        let files: Vec<ReportFile> = self.parts.iter().map(|(file, _)| file.clone()).collect();
        let stage = Stage::Whole(files.clone());
        self.write(&Checkpoint { summary: Cow::Borrowed(summary), stage }, true)?;
        put_in_place(&self.report, &files, self.force)?;
        self.unwhole = Some(Unwhole::new(&self.folder));
        Ok(())
    }

    /// How to go on after a failure, if there is something to go on from.
    pub fn advice(&self) -> Option<String> {
        let shown = self.report.display();
        let force = if self.force { " --force" } else { "" };
        let advice = || format!("what is done is kept: jigo report --resume {shown}{force} goes on from there");
        self.unwhole.is_none().then(advice)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.unwhole.is_some() {
            // If it can't be removed, the next run tries again.
            let _ = waiting::remove(&self.folder);
        }
    }
}

/// The newest checkpoint whose files are there as it says.
fn checkpoint(folder: &Path) -> Result<Option<Checkpoint<'static>>> {
    let is_there = |(file, length): (&ReportFile, &u64)| {
        let found = fs::symlink_metadata(folder.join(file.name())).map_or(0, |found| found.len());
        found >= *length
    };
    for name in CHECKPOINTS {
        let path = folder.join(name);
        let found = Checkpoint::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_usable = |found: &Checkpoint| match &found.stage {
            Stage::Begun { lengths, .. } => lengths.iter().all(is_there),
            Stage::Whole(_) => true,
        };
        if let Some(found) = found.filter(is_usable) {
            return Ok(Some(found));
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
        is_there(&report.join(NAME))?,
        "{}; one that reads standard input, or writes Parquet or Arrow, leaves none behind",
        no_run(report)
    );
    let identity = folder.join(IDENTITY);
    ensure!(
        fs::symlink_metadata(&identity).is_ok(),
        "{shown} holds what is left of a run that was killed as it began or ended; where summary.json is there, the report is whole, and {} can be removed",
        folder.display()
    );
    Identity::arguments(&identity).with_context(|| format!("{shown} can't be resumed"))
}

fn no_run(report: &Path) -> String {
    format!("{} holds no unfinished run", report.display())
}

fn damaged(report: &Path) -> anyhow::Error {
    anyhow!("the checkpoint in {} is damaged; --force begins anew", report.join(NAME).display())
}

/// Whether the files of a report can be put in their places, before anything is done for them.
fn check_places(report: &Path, files: &[ReportFile], force: bool) -> Result<()> {
    for file in files {
        let path = report.join(file.name());
        ensure!(!path.is_dir(), "{} is a folder", path.display());
        let is_there = !force && fs::symlink_metadata(&path).is_ok();
        ensure!(!is_there, "{} is there already; --force replaces it", path.display());
    }
    Ok(())
}

/// Moves the files of a whole report out of the unfinished folder; those that are in place already are no more there.
fn put_in_place(report: &Path, files: &[ReportFile], force: bool) -> Result<()> {
    for file in files {
        let (from, to) = (report.join(NAME).join(file.name()), report.join(file.name()));
        waiting::put_in_place(&from, &to, force)?;
    }
    // Renaming is done; whether the folder can be waited for depends on the file system.
    let _ = sync_folder(report);
    Ok(())
}

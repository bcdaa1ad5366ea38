//! The staging directory of a report, from which an interrupted run can be resumed.
//!
//! The directory is inside the report's folder. It contains the tables so far, the run's
//! [`identity`](jigo_run::run_fingerprint), and a [`Checkpoint`], which records the lengths of the
//! tables, the summary and the figures after a number of batches. When everything is written, a
//! last checkpoint records that. Then the files get their names one by one, the summary last, and
//! the directory is removed.
//!
//! If a run is killed during these renames, the next run completes them. It needs `--force` again
//! if an earlier report must be replaced.
//!
//! The folder may come from a stranger, so no link inside it is followed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::Value;

use super::checkpoint::{Checkpoint, ReportFile, TABLES, WritingStage};
use jigo_archive::summary::Summary;
use jigo_archive::visit::Figures;
use jigo_run::output::cleanup::{self, CleanupGuard};
use jigo_run::output::regular_file::{self, is_regular_file};
use jigo_run::output::staging_dir::{
    self, CHECKPOINTS, CheckpointSchedule, FINGERPRINT_FILE, exists, lock, sync_folder, write_checkpoint,
};
use jigo_run::output::table_checksum;
use jigo_run::run_fingerprint::RunFingerprint;

/// The name of the directory.
pub const FOLDER_NAME: &str = ".jigo-unfinished";

/// The progress of a report: the batches so far and their counts.
#[derive(Default)]
pub struct ReportProgress {
    /// The number of batches whose rows are written.
    pub batches: u64,
    /// The counts for summary.json.
    pub summary: Summary,
    /// The figures for the page.
    pub figures: Figures,
    /// The number of rows of each table, in the order of [`TABLES`].
    pub rows: [u64; TABLES.len()],
}

/// The state of a report's folder at the start of a run.
pub enum ReportStart {
    /// A report that must be written, from the beginning or from a checkpoint.
    Unfinished(StagedReport, Box<ReportProgress>),
    /// A complete report that an earlier run could not put in place. This run has done so. The
    /// value contains its counts.
    Complete(Box<Summary>),
}

/// A report that is being written.
pub struct StagedReport {
    report: PathBuf,
    folder: PathBuf,
    force: bool,
    parts: Vec<(ReportFile, File)>,
    /// The lengths of the files at the checkpoint from which this run resumes.
    lengths: Option<BTreeMap<ReportFile, u64>>,
    schedule: CheckpointSchedule,
    is_resumable: bool,
    /// Removes the directory on exit, until there is a checkpoint from which a run can be resumed.
    guard: Option<CleanupGuard>,
    _lock: File,
}

impl StagedReport {
    /// Begins a report of these files in a folder, which is created if it is missing. The leftovers
    /// of an unfinished run are removed.
    ///
    /// # Errors
    /// Fails if another run writes there. Without `force`, also fails if one of the files exists,
    /// or if there is an unfinished run that can be resumed.
    pub fn begin(
        report: &Path,
        files: &[ReportFile],
        fingerprint: &RunFingerprint,
        force: bool,
    ) -> Result<StagedReport> {
        let name = report.display();
        fs::create_dir_all(report).with_context(|| format!("cannot make the folder {name}"))?;
        let folder = report.join(FOLDER_NAME);
        if exists(&folder)? {
            let lock = lock(&folder, report)?;
            if let Some(Checkpoint { summary, stage }) = checkpoint(&folder)? {
                match stage {
                    WritingStage::Complete(files) => put_in_place(report, &files, force)?,
                    WritingStage::InProgress { .. } => ensure!(
                        force,
                        "{name} holds an unfinished run, with {} games done: use --resume {name} to continue it, or --force to start again",
                        summary.found
                    ),
                }
            }
            staging_dir::remove(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
            drop(lock);
        }
        check_paths(report, files, force)?;
        fs::create_dir(&folder).with_context(|| format!("cannot write to {name}"))?;
        let guard = CleanupGuard::new(&folder);
        let mut staged = StagedReport::new(report, force, fingerprint, lock(&folder, report)?);
        staged.guard = Some(guard);
        fingerprint.write(&folder.join(FINGERPRINT_FILE)).with_context(|| format!("cannot write to {name}"))?;
        cleanup::set_remaining_message("no report is written");
        Ok(staged)
    }

    /// Resumes a report of these files from its last checkpoint.
    ///
    /// # Errors
    /// Fails if there is no checkpoint, if another run writes there, or if the unfinished run has
    /// other inputs, other options or another version of jigo. Without `force`, also fails if one
    /// of the files exists.
    pub fn resume(
        report: &Path,
        files: &[ReportFile],
        fingerprint: &RunFingerprint,
        force: bool,
    ) -> Result<ReportStart> {
        let name = report.display();
        let folder = report.join(FOLDER_NAME);
        let nothing = |problem: String| match fingerprint.obstacle() {
            Some(reason) => anyhow!("{problem}, and --resume would not work: {reason}"),
            None => anyhow!(problem),
        };
        ensure!(exists(&folder)?, nothing(no_run_message(report)));
        let lock = lock(&folder, report)?;
        let Some(Checkpoint { summary, stage }) = checkpoint(&folder)? else {
            bail!(nothing(format!(
                "the unfinished run in {name} has no progress yet; use --out {name} instead of --resume to start again"
            )));
        };
        let summary = summary.into_owned();
        match stage {
            WritingStage::Complete(files) => {
                put_in_place(report, &files, force)?;
                staging_dir::remove(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
                Ok(ReportStart::Complete(Box::new(summary)))
            }
            WritingStage::InProgress { batches, figures, rows, lengths } => {
                fingerprint
                    .compare(&folder.join(FINGERPRINT_FILE))
                    .with_context(|| format!("{name} can't be resumed"))?;
                check_paths(report, files, force)?;
                let mut staged = StagedReport::new(report, force, fingerprint, lock);
                staged.lengths = Some(lengths);
                staged.keep_folder();
                Ok(ReportStart::Unfinished(
                    staged,
                    Box::new(ReportProgress { batches, summary, figures: figures.into_owned(), rows }),
                ))
            }
        }
    }

    fn new(report: &Path, force: bool, fingerprint: &RunFingerprint, lock: File) -> StagedReport {
        StagedReport {
            report: report.to_owned(),
            folder: report.join(FOLDER_NAME),
            force,
            parts: Vec::new(),
            lengths: None,
            schedule: CheckpointSchedule::default(),
            is_resumable: fingerprint.obstacle().is_none(),
            guard: None,
            _lock: lock,
        }
    }

    /// Keeps the directory from now on, because a run can be resumed from it.
    fn keep_folder(&mut self) {
        self.guard = None;
        cleanup::set_remaining_message(self.advice().unwrap_or_default());
    }

    /// Opens a file to append to. The file is empty, or has the content that the checkpoint
    /// records. Returns true in the second case.
    ///
    /// # Errors
    /// Fails if the file can't be opened, or is shorter than the checkpoint records.
    pub fn append_to(&mut self, file: &ReportFile) -> Result<(File, bool)> {
        let failure = || self.failure(file);
        let path = self.folder.join(file.name());
        let exists = is_regular_file(&path).with_context(failure)?;
        let mut options = File::options();
        let opened = if exists { options.append(true) } else { options.append(true).create_new(true) }.open(&path);
        let opened = opened.with_context(failure)?;
        let length = match &self.lengths {
            Some(lengths) => *lengths.get(file).filter(|_| exists).ok_or_else(|| damaged(&self.report))?,
            None => 0,
        };
        opened.set_len(length).with_context(failure)?;
        self.parts.push((file.clone(), opened.try_clone().with_context(failure)?));
        Ok((opened, self.lengths.is_some()))
    }

    /// Writes a complete file. Returns it, so that more can be appended.
    ///
    /// # Errors
    /// Fails if the file can't be written.
    pub fn write_file(&mut self, file: ReportFile, bytes: &[u8]) -> Result<File> {
        let result = regular_file::write(&self.folder.join(file.name()), bytes).with_context(|| self.failure(&file))?;
        let open = result.try_clone().with_context(|| self.failure(&file))?;
        self.parts.push((file, result));
        Ok(open)
    }

    /// Returns the checksum of a written table, which lets other programs verify a copy.
    ///
    /// # Errors
    /// Fails if the table can't be read.
    pub fn checksum(&self, file: &ReportFile, rows: u64) -> Result<Value> {
        table_checksum::table_checksum(&self.folder.join(file.name()), rows).with_context(|| self.failure(file))
    }

    /// Returns the message for a failed write.
    pub fn failure(&self, file: &ReportFile) -> String {
        format!("cannot write {}", self.report.join(file.name()).display())
    }

    /// Records that another batch is written. `counts` is the progress so far.
    ///
    /// # Errors
    /// Fails if a checkpoint can't be written.
    pub fn record_batch(&mut self, counts: &ReportProgress) -> Result<()> {
        let due = self.schedule.next_checkpoint().filter(|_| self.is_resumable);
        due.map_or(Ok(()), |is_synced| self.save(counts, is_synced))
    }

    /// Saves the progress for a later run, if there is any and the run can be resumed.
    ///
    /// # Errors
    /// Fails if a checkpoint can't be written.
    pub fn save_progress(&mut self, counts: &ReportProgress) -> Result<()> {
        if self.is_resumable && counts.batches > 0 {
            self.save(counts, true)?;
        }
        Ok(())
    }

    /// Writes a checkpoint of the progress.
    fn save(&mut self, counts: &ReportProgress, is_synced: bool) -> Result<()> {
        let mut lengths = BTreeMap::new();
        for (file, open) in &self.parts {
            if is_synced {
                open.sync_all().with_context(|| self.failure(file))?;
            }
            lengths.insert(file.clone(), open.metadata().with_context(|| self.failure(file))?.len());
        }
        let ReportProgress { batches, summary, figures, rows } = counts;
        let stage =
            WritingStage::InProgress { batches: *batches, figures: Cow::Borrowed(figures), rows: *rows, lengths };
        self.write(&Checkpoint { summary: Cow::Borrowed(summary), stage }, is_synced)
    }

    fn write(&mut self, checkpoint: &Checkpoint, is_synced: bool) -> Result<()> {
        let result = checkpoint.to_bytes().and_then(|bytes| write_checkpoint(&self.folder, &bytes, is_synced));
        result.with_context(|| format!("cannot write to {}", self.folder.display()))?;
        self.schedule.record(is_synced);
        self.keep_folder();
        Ok(())
    }

    /// Gives all files their names, in order, and removes the directory.
    ///
    /// # Errors
    /// Fails if a file can't be completed, or if a path exists that may not be replaced.
    pub fn finish(mut self, summary: &Summary) -> Result<()> {
        for (file, open) in &self.parts {
            open.sync_all().with_context(|| self.failure(file))?;
        }
        let files: Vec<ReportFile> = self.parts.iter().map(|(file, _)| file.clone()).collect();
        let stage = WritingStage::Complete(files.clone());
        self.write(&Checkpoint { summary: Cow::Borrowed(summary), stage }, true)?;
        put_in_place(&self.report, &files, self.force)?;
        self.guard = Some(CleanupGuard::new(&self.folder));
        Ok(())
    }

    /// Returns the message about resuming after a failure, if the run can be resumed.
    pub fn advice(&self) -> Option<String> {
        let report = self.report.display();
        let force = if self.force { " --force" } else { "" };
        let advice = || format!("progress is saved; jigo report --resume {report}{force} continues");
        self.guard.is_none().then(advice)
    }
}

impl Drop for StagedReport {
    fn drop(&mut self) {
        if self.guard.is_some() {
            // If this fails, the next run tries again.
            let _ = staging_dir::remove(&self.folder);
        }
    }
}

/// Returns the newest checkpoint that agrees with the files.
fn checkpoint(folder: &Path) -> Result<Option<Checkpoint<'static>>> {
    let is_complete = |(file, length): (&ReportFile, &u64)| {
        let actual_length =
            fs::symlink_metadata(folder.join(file.name())).map_or(0, |actual_length| actual_length.len());
        actual_length >= *length
    };
    for name in CHECKPOINTS {
        let path = folder.join(name);
        let actual_length = Checkpoint::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_usable = |actual_length: &Checkpoint| match &actual_length.stage {
            WritingStage::InProgress { lengths, .. } => lengths.iter().all(is_complete),
            WritingStage::Complete(_) => true,
        };
        if let Some(actual_length) = actual_length.filter(is_usable) {
            return Ok(Some(actual_length));
        }
    }
    Ok(None)
}

/// Returns the arguments of the unfinished run in a report's folder.
///
/// # Errors
/// Fails if there is no such run, or if its arguments can't be read.
pub fn recorded_arguments(report: &Path) -> Result<(PathBuf, Vec<String>)> {
    let name = report.display();
    let folder = report.join(FOLDER_NAME);
    ensure!(
        exists(&report.join(FOLDER_NAME))?,
        "{}; a run that reads standard input, or writes Parquet or Arrow, can't be resumed",
        no_run_message(report)
    );
    let fingerprint = folder.join(FINGERPRINT_FILE);
    ensure!(
        fs::symlink_metadata(&fingerprint).is_ok(),
        "{name} holds the leftovers of a run that was killed at its start or end; if summary.json exists, the report is complete, and {} can be removed",
        folder.display()
    );
    RunFingerprint::arguments(&fingerprint).with_context(|| format!("{name} can't be resumed"))
}

fn no_run_message(report: &Path) -> String {
    format!("{} holds no unfinished run", report.display())
}

fn damaged(report: &Path) -> anyhow::Error {
    anyhow!("the checkpoint in {} is damaged; use --force to start again", report.join(FOLDER_NAME).display())
}

/// Checks before the work begins that the files of a report can be put in their places.
fn check_paths(report: &Path, files: &[ReportFile], force: bool) -> Result<()> {
    for file in files {
        let path = report.join(file.name());
        ensure!(!path.is_dir(), "{} is a folder", path.display());
        let exists = !force && fs::symlink_metadata(&path).is_ok();
        ensure!(!exists, "{} is there already; --force replaces it", path.display());
    }
    Ok(())
}

/// Moves the files of a complete report out of the staging directory. Files that are in their
/// places already are skipped.
fn put_in_place(report: &Path, files: &[ReportFile], force: bool) -> Result<()> {
    for file in files {
        let (source, target) = (report.join(FOLDER_NAME).join(file.name()), report.join(file.name()));
        staging_dir::put_in_place(&source, &target, force)?;
    }
    // The renames are done. Some file systems do not support waiting for a directory.
    let _ = sync_folder(report);
    Ok(())
}

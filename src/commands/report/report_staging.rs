//! The staging directory of a report, from which an interrupted run can be resumed.
//!
//! The directory is inside the report's folder. It contains the tables so far, the run's
//! [fingerprint](jigo_run::run_fingerprint), and a [`Checkpoint`], which records the lengths of the
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

use super::checkpoint::{Checkpoint, HEAD, ReportFile, TABLES, WritingStage};
use jigo_archive::summary::Summary;
use jigo_archive::visit::Figures;
use jigo_run::output::checksummed_json::Durability;
use jigo_run::output::staging_dir::{StagingDir, StagingPlace, exists, sync_folder};
use jigo_run::output::{cleanup, regular_file, table_checksum};
use jigo_run::run_fingerprint::{FINGERPRINT_FILE, RunFingerprint};

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
    Unfinished(Box<StagedReport>, Box<ReportProgress>),
    /// A complete report that an earlier run could not put in place. This run has done so. The
    /// value contains its counts.
    Complete(Box<Summary>),
}

/// A report that is being written.
pub struct StagedReport {
    report: PathBuf,
    staging: StagingDir,
    force: bool,
    parts: Vec<(ReportFile, File)>,
    /// The lengths of the files at the checkpoint from which this run resumes.
    lengths: Option<BTreeMap<ReportFile, u64>>,
    is_resumable: bool,
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
        if let Some(before) = StagingDir::open(place(report, force))? {
            if let Some(Checkpoint { summary, stage }) = checkpoint(&before)? {
                match stage {
                    WritingStage::Complete(files) => publish(&before, report, &files, force)?,
                    WritingStage::InProgress { .. } => ensure!(
                        force,
                        "{name} holds an unfinished run, with {} games done: use --resume {name} to continue it, or --force to start again",
                        summary.found
                    ),
                }
            }
            before.remove()?;
        }
        check_paths(report, files, force)?;
        let staging = StagingDir::create(place(report, force))?;
        let written = fingerprint.write(&staging.path().join(FINGERPRINT_FILE));
        written.with_context(|| format!("cannot write to {name}"))?;
        cleanup::set_remaining_message("no report is written");
        Ok(StagedReport::new(report, staging, force, fingerprint))
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
        let no_run_error = |problem: String| match fingerprint.obstacle() {
            Some(reason) => anyhow!("{problem}, and --resume would not work: {reason}"),
            None => anyhow!(problem),
        };
        let Some(mut staging) = StagingDir::open(place(report, force))? else {
            bail!(no_run_error(no_run_message(report)));
        };
        let Some(Checkpoint { summary, stage }) = checkpoint(&staging)? else {
            bail!(no_run_error(format!(
                "the unfinished run in {name} has no progress yet; use --out {name} instead of --resume to start again"
            )));
        };
        let summary = summary.into_owned();
        match stage {
            WritingStage::Complete(files) => {
                publish(&staging, report, &files, force)?;
                staging.remove()?;
                Ok(ReportStart::Complete(Box::new(summary)))
            }
            WritingStage::InProgress { batches, figures, rows, lengths } => {
                fingerprint
                    .compare(&staging.path().join(FINGERPRINT_FILE))
                    .with_context(|| format!("{name} can't be resumed"))?;
                check_paths(report, files, force)?;
                staging.keep();
                let staged =
                    StagedReport { lengths: Some(lengths), ..StagedReport::new(report, staging, force, fingerprint) };
                Ok(ReportStart::Unfinished(
                    Box::new(staged),
                    Box::new(ReportProgress { batches, summary, figures: figures.into_owned(), rows }),
                ))
            }
        }
    }

    fn new(report: &Path, staging: StagingDir, force: bool, fingerprint: &RunFingerprint) -> StagedReport {
        let is_resumable = fingerprint.obstacle().is_none();
        StagedReport { report: report.to_owned(), staging, force, parts: Vec::new(), lengths: None, is_resumable }
    }

    /// Opens a file to append to. The file is empty, or has the content that the checkpoint
    /// records. Returns true in the second case.
    ///
    /// # Errors
    /// Fails if the file can't be opened, or is shorter than the checkpoint records.
    pub fn append_to(&mut self, file: &ReportFile) -> Result<(File, bool)> {
        let failure = || self.failure(file);
        let length = match &self.lengths {
            Some(lengths) => Some(*lengths.get(file).ok_or_else(|| damaged(&self.report))?),
            None => None,
        };
        let opened = self.staging.append_to(file.name(), &self.report.join(file.name()), length);
        let opened = opened.with_context(failure)?.ok_or_else(|| damaged(&self.report))?;
        self.parts.push((file.clone(), opened.try_clone().with_context(failure)?));
        Ok((opened, self.lengths.is_some()))
    }

    /// Writes a complete file. Returns it, so that more can be appended.
    ///
    /// # Errors
    /// Fails if the file can't be written.
    pub fn write_file(&mut self, file: ReportFile, bytes: &[u8]) -> Result<File> {
        let result =
            regular_file::write(&self.staging.path().join(file.name()), bytes).with_context(|| self.failure(&file))?;
        let open = result.try_clone().with_context(|| self.failure(&file))?;
        self.parts.push((file, result));
        Ok(open)
    }

    /// Returns the checksum of a written table, which lets other programs verify a copy.
    ///
    /// # Errors
    /// Fails if the table can't be read.
    pub fn checksum(&self, file: &ReportFile, rows: u64) -> Result<Value> {
        table_checksum::table_checksum(&self.staging.path().join(file.name()), rows).with_context(|| self.failure(file))
    }

    /// Returns the message for a failed write.
    pub fn failure(&self, file: &ReportFile) -> String {
        format!("cannot write {}", self.report.join(file.name()).display())
    }

    /// Records that another batch is written.
    ///
    /// # Errors
    /// Fails if a checkpoint can't be written.
    pub fn record_batch(&mut self, progress: &ReportProgress) -> Result<()> {
        let due = self.staging.next_checkpoint().filter(|_| self.is_resumable);
        due.map_or(Ok(()), |durability| self.save(progress, durability))
    }

    /// Saves the progress for a later run, if there is any and the run can be resumed.
    ///
    /// # Errors
    /// Fails if a checkpoint can't be written.
    pub fn save_progress(&mut self, progress: &ReportProgress) -> Result<()> {
        if self.is_resumable && progress.batches > 0 {
            self.save(progress, Durability::Synced)?;
        }
        Ok(())
    }

    /// Writes a checkpoint of the progress.
    fn save(&mut self, progress: &ReportProgress, durability: Durability) -> Result<()> {
        let mut lengths = BTreeMap::new();
        for (file, open) in &self.parts {
            if durability == Durability::Synced {
                open.sync_all().with_context(|| self.failure(file))?;
            }
            lengths.insert(file.clone(), open.metadata().with_context(|| self.failure(file))?.len());
        }
        let ReportProgress { batches, summary, figures, rows } = progress;
        let stage =
            WritingStage::InProgress { batches: *batches, figures: Cow::Borrowed(figures), rows: *rows, lengths };
        self.staging.save(HEAD, &Checkpoint { summary: Cow::Borrowed(summary), stage }, durability)
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
        self.staging.save(HEAD, &Checkpoint { summary: Cow::Borrowed(summary), stage }, Durability::Synced)?;
        publish(&self.staging, &self.report, &files, self.force)?;
        self.staging.complete();
        Ok(())
    }

    /// Returns the message about resuming after a failure, if the run can be resumed.
    pub fn advice(&self) -> Option<String> {
        self.staging.advice().map(str::to_owned)
    }
}

/// Returns the staging directory of a report.
fn place(report: &Path, force: bool) -> StagingPlace<'_> {
    let force = if force { " --force" } else { "" };
    let advice = format!("progress is saved; jigo report --resume {}{force} continues", report.display());
    StagingPlace { folder: report.join(FOLDER_NAME), target: report, advice }
}

/// Returns the newest checkpoint that agrees with the files.
fn checkpoint(staging: &StagingDir) -> Result<Option<Checkpoint<'static>>> {
    let has_bytes = |(file, length): (&ReportFile, &u64)| {
        let found = fs::symlink_metadata(staging.path().join(file.name())).map_or(0, |found| found.len());
        found >= *length
    };
    staging.checkpoint(HEAD, |found: &Checkpoint| {
        let has_files = match &found.stage {
            WritingStage::InProgress { lengths, .. } => lengths.iter().all(has_bytes),
            WritingStage::Complete(_) => true,
        };
        found.is_consistent() && has_files
    })
}

/// Returns the arguments of the unfinished run in a report's folder.
///
/// # Errors
/// Fails if there is no such run, or if its arguments can't be read.
pub fn recorded_arguments(report: &Path) -> Result<(PathBuf, Vec<String>)> {
    let name = report.display();
    let folder = report.join(FOLDER_NAME);
    ensure!(
        exists(&folder)?,
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
fn publish(staging: &StagingDir, report: &Path, files: &[ReportFile], force: bool) -> Result<()> {
    for file in files {
        staging.publish(file.name(), &report.join(file.name()), force)?;
    }
    // The renames are done. Some file systems do not support waiting for a directory.
    let _ = sync_folder(report);
    Ok(())
}

//! The files of a report, and its staging directory, from which an interrupted run can be resumed.
//!
//! The directory is inside the report's folder. It contains the files so far and the [`Parts`] of
//! the run. When everything is written, the files get their names one by one, the summary last, and
//! the directory is removed. If a run is killed during these renames, the next run writes the files
//! again, and accepts those that have their names already.
//!
//! The folder may come from a stranger, so no link inside it is followed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use jigo_archive::formats::Format;
use jigo_archive::row::{Row, Table};
use jigo_archive::tables::{DuplicateRow, FindingRows, GameRows, GameTable, ResultRows, ScoreRows};
use jigo_run::output::staging_dir::{StagingPlace, exists};
use jigo_run::output::{Output, PendingFile, cleanup, table_checksum};
use jigo_run::parts::{EarlierRun, Parts};
use jigo_run::run_fingerprint::{FINGERPRINT_FILE, RunFingerprint};

/// The name of the directory.
pub const FOLDER_NAME: &str = ".jigo-unfinished";

/// A report that is being written.
pub struct StagedReport {
    /// The outputs of the batches so far.
    pub parts: Parts,
    folder: PathBuf,
    force: bool,
    files: Vec<String>,
}

impl StagedReport {
    /// Begins a report of these files in a folder, which is created if it is missing. If
    /// `is_resumed` is true, resumes the unfinished report there.
    ///
    /// # Errors
    /// Fails if another run writes there. Fails to resume a run that is missing, or that has other
    /// inputs, other options or another version of jigo. Without `force`, also fails if one of the
    /// files exists, or if a new run would remove an unfinished one.
    pub fn begin(
        folder: &Path,
        files: &[String],
        fingerprint: &RunFingerprint,
        is_resumed: bool,
        force: bool,
    ) -> Result<StagedReport> {
        let name = folder.display();
        let refusal = format!("{name} can't be resumed");
        let advice = format!("use --resume {name} to continue it, or --force to start again");
        let earlier_run = match (is_resumed, force) {
            (true, _) => EarlierRun::Require(&refusal),
            (false, true) => EarlierRun::Remove,
            (false, false) => EarlierRun::Keep(&advice),
        };
        let check = || check_paths(folder, files, force);
        let parts = Parts::begin(&place(folder, force), fingerprint, earlier_run, check)?;
        if !is_resumed {
            cleanup::set_remaining_message("no report is written");
        }
        Ok(StagedReport { parts, folder: folder.to_owned(), force, files: Vec::new() })
    }

    /// Opens a file.
    ///
    /// # Errors
    /// Fails if the file can't be created.
    pub fn create(&mut self, name: &str) -> Result<Output> {
        self.files.push(name.to_owned());
        let file = PendingFile::create_staged(&self.parts.staging.path().join(name), &self.folder.join(name));
        file.map(Output::File)
    }

    /// Writes a file.
    ///
    /// # Errors
    /// Fails if the file can't be written.
    pub fn write_file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut file = self.create(name)?;
        file.write_all(bytes)?;
        file.finish()
    }

    /// Returns the checksum of a written table, which lets other programs verify a copy.
    ///
    /// # Errors
    /// Fails if the table can't be read.
    pub fn checksum(&self, name: &str, rows: u64) -> Result<Value> {
        let path = self.parts.staging.path().join(name);
        table_checksum::table_checksum(&path, rows).with_context(|| format!("cannot read {}", path.display()))
    }

    /// Returns the beginning of the run, also if it was resumed.
    ///
    /// # Errors
    /// Fails if the staging directory can't be read.
    pub fn started(&self) -> Result<SystemTime> {
        let path = self.parts.staging.path().join(FINGERPRINT_FILE);
        let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
        modified.with_context(|| format!("cannot read {}", path.display()))
    }

    /// Gives all files their names, in order, and removes the directory.
    ///
    /// # Errors
    /// Fails if a path exists that may not be replaced.
    pub fn finish(self) -> Result<()> {
        self.parts.publish(&self.folder, &self.files, self.force)
    }
}

/// Returns the staging directory of a report.
fn place(folder: &Path, force: bool) -> StagingPlace<'_> {
    let force = if force { " --force" } else { "" };
    let advice = format!("progress is saved; jigo report --resume {}{force} continues", folder.display());
    StagingPlace { folder: folder.join(FOLDER_NAME), target: folder, advice }
}

/// Returns the arguments of the unfinished run in a report's folder.
///
/// # Errors
/// Fails if there is no such run, or if its arguments can't be read.
pub fn recorded_arguments(report: &Path) -> Result<(PathBuf, Vec<String>)> {
    let name = report.display();
    let folder = report.join(FOLDER_NAME);
    if !exists(&folder)? {
        ensure!(!report.join(SUMMARY).exists(), "{name} is a complete report; there is nothing to resume");
        bail!(
            "{name} holds no unfinished run; a run that reads standard input, or writes Parquet or Arrow, can't be resumed"
        );
    }
    let fingerprint = folder.join(FINGERPRINT_FILE);
    ensure!(
        fs::symlink_metadata(&fingerprint).is_ok(),
        "{name} holds the leftovers of a run that was killed at its start or end; if summary.json exists, the report is complete, and {} can be removed",
        folder.display()
    );
    RunFingerprint::arguments(&fingerprint).with_context(|| format!("{name} can't be resumed"))
}

/// Checks before the work begins that the files of a report can be put in their places.
fn check_paths(folder: &Path, files: &[String], force: bool) -> Result<()> {
    for file in files {
        let path = folder.join(file);
        ensure!(!path.is_dir(), "{} is a folder", path.display());
        let exists = !force && fs::symlink_metadata(&path).is_ok();
        ensure!(!exists, "{} is there already; --force replaces it", path.display());
    }
    Ok(())
}

/// The page.
pub const PAGE: &str = "index.html";
/// The summary, which is the last file of a report to get its name.
pub const SUMMARY: &str = "summary.json";
/// The state of the report, from which it can be merged with others.
pub const STATE: &str = "merge.json";
/// The description of the run: program, command, inputs and time.
pub const PROVENANCE: &str = "provenance.json";
/// The tables of every report.
pub const TABLES: [&Table; 4] = [GameRows::TABLE, FindingRows::TABLE, ScoreRows::TABLE, ResultRows::TABLE];
/// The table of duplicates, which is written last and only on request.
pub const DUPLICATES: &Table = DuplicateRow::TABLE;

/// Returns true if a report can be merged with others.
pub fn is_mergeable(format: Format, finds_duplicates: bool) -> bool {
    matches!(format, Format::Csv | Format::SafeCsv) && !finds_duplicates
}

/// Returns the names of all files of a report.
pub fn files(format: Format, finds_duplicates: bool) -> Vec<String> {
    let tables = TABLES.into_iter().chain(finds_duplicates.then_some(DUPLICATES));
    let state = is_mergeable(format, finds_duplicates).then_some(STATE);
    let others = state.into_iter().chain([PAGE, PROVENANCE, SUMMARY]).map(str::to_owned);
    tables.map(|table| table_file(table, format)).chain(others).collect()
}

/// Returns the file name of a table.
pub fn table_file(table: &Table, format: Format) -> String {
    format!("{}.{}", table.name, format.extension())
}

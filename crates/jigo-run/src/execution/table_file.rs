//! The place of a table: standard output, a file, or a folder of numbered files.
//!
//! Each file of a folder has the rows of a range of batches. They are in a staging directory inside
//! the folder until all are complete. Each complete file is one of the [`Parts`] of the run, so
//! that a later run goes on after it.

use std::fs;
use std::mem::take;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::config::RunConfig;
use crate::output::path_conflicts::TableFiles;
use crate::output::staging_dir::StagingPlace;
use crate::output::{Output, PendingFile};
use crate::parts::{EarlierRun, Part, Parts};
use crate::run_fingerprint::RunFingerprint;
use jigo_archive::formats::Rows;
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::partial_result::PartialResult as _;
use jigo_archive::pipeline::BatchOutput;
use jigo_archive::row::Table;
use jigo_archive::summary::Summary;

/// The name of the staging directory.
const STAGING: &str = ".jigo-unfinished";

/// A table that is being written.
pub struct TableFile<'a> {
    config: &'a RunConfig,
    files: &'a TableFiles,
    table: Table,
    /// The single output before its first rows.
    out: Option<Output>,
    /// The current output.
    writer: Option<TableWriter<Output>>,
    /// The complete files of a folder.
    parts: Option<Parts>,
    /// The numbers of rows in the complete files.
    counts: Vec<u64>,
    /// The counts and the number of rows of the current output.
    current: Part<Summary, u64>,
}

impl<'a> TableFile<'a> {
    /// Opens the output before the work begins. `is_of_games` is false if the table also has rows
    /// that depend on the whole run, which can't be resumed then.
    ///
    /// # Errors
    /// Fails if something exists there that may not be replaced, if the output can't be written, or
    /// if the run can't be resumed.
    pub fn open(
        config: &'a RunConfig,
        files: &'a TableFiles,
        table: &Table,
        is_of_games: bool,
    ) -> Result<TableFile<'a>> {
        let (mut out, mut parts, mut counts) = (None, None, Vec::new());
        if let Some(folder) = files.folder() {
            let earlier = begin_parts(config, files, folder, is_of_games)?;
            earlier.replay(|part: BatchOutput<u64>| {
                counts.push(part.product);
                Ok(())
            })?;
            parts = Some(earlier);
        } else {
            ensure!(!files.resume, "--resume needs a folder: name one that ends with / with --output");
            out = Some(Output::open(files.rows.as_deref(), files.force)?);
        }
        let (table, current) = (*table, Part::default());
        Ok(TableFile { config, files, table, out, writer: None, parts, counts, current })
    }

    /// Returns the parts of a run that writes to a folder.
    pub fn parts(&self) -> Option<&Parts> {
        self.parts.as_ref()
    }

    /// Writes the rows of a batch. Its end may complete a file of a folder.
    ///
    /// # Errors
    /// Fails if they can't be written.
    pub fn write(&mut self, output: BatchOutput<Rows>) -> Result<()> {
        let ends_batch = output.next_step.is_none();
        self.current.batches += u64::from(ends_batch);
        self.current.rejected += output.rejected;
        self.current.summary.add_part(output.summary);
        self.append(output.product)?;
        if ends_batch { self.complete_if_full() } else { Ok(()) }
    }

    /// Writes rows that depend on the whole run.
    ///
    /// # Errors
    /// Fails if they can't be written.
    pub fn write_rows(&mut self, rows: Rows) -> Result<()> {
        self.append(rows)?;
        self.complete_if_full()
    }

    /// Appends rows to the current file.
    fn append(&mut self, rows: Rows) -> Result<()> {
        self.current.product += rows.count();
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            // Only the first file may be empty.
            None if rows.count() == 0 && !self.counts.is_empty() => return Ok(()),
            None => {
                let out = match self.out.take() {
                    Some(out) => out,
                    None => self.next_file()?,
                };
                TableWriter::new(self.config.format, &self.table, || Some(self.config.provenance().text()), out)?
            }
        };
        let written = writer.write(rows);
        self.writer = Some(writer);
        Ok(written?)
    }

    /// Completes the current file of a folder if it has enough rows.
    fn complete_if_full(&mut self) -> Result<()> {
        let is_full = self.parts.is_some() && self.current.product >= self.files.part_rows;
        if is_full { self.complete() } else { Ok(()) }
    }

    /// Completes the current output.
    fn complete(&mut self) -> Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        writer.finish()?.finish()?;
        let current = take(&mut self.current);
        self.counts.push(current.product);
        self.parts.as_mut().map_or(Ok(()), |parts| parts.add_part(&current))
    }

    /// Completes an interrupted stream. Returns the message about the remaining rows or files.
    ///
    /// # Errors
    /// Fails if standard output can't be written.
    pub fn interrupt(mut self) -> Result<String> {
        self.parts.as_mut().map_or(Ok(()), Parts::keep)?;
        match (&self.parts, &self.files.rows) {
            (_, None) => {
                self.finish()?;
                Ok("their rows are complete, the rest is not written".into())
            }
            (parts, Some(path)) => {
                let advice = parts.as_ref().and_then(Parts::advice).map(str::to_owned);
                Ok(advice.unwrap_or_else(|| unwritten_file_message(path)))
            }
        }
    }

    /// Writes the end of the table, and gives all files of a folder their names. Returns the files
    /// with their numbers of rows.
    ///
    /// # Errors
    /// Fails if the output can't be written, or if a file would replace another one.
    pub fn finish(mut self) -> Result<Vec<(PathBuf, u64)>> {
        self.append(Rows::new(self.config.format, &self.table))?;
        self.complete()?;
        let Some(parts) = self.parts.take() else {
            return Ok(self.files.rows.iter().cloned().zip(self.counts).collect());
        };
        let folder = self.files.rows.clone().unwrap_or_default();
        let names: Vec<String> = (0..self.counts.len()).map(|number| self.file_name(number)).collect();
        parts.publish(&folder, &names, false)?;
        Ok(names.iter().map(|name| folder.join(name)).zip(self.counts).collect())
    }

    fn file_name(&self, number: usize) -> String {
        format!("part-{number:05}.{}", self.config.format.extension())
    }

    /// Opens the next file of a folder.
    fn next_file(&self) -> Result<Output> {
        let name = self.file_name(self.counts.len());
        let staged = self.parts.as_ref().map_or(Path::new(""), |parts| parts.staging.path()).join(&name);
        let place = self.files.rows.as_deref().unwrap_or(Path::new("")).join(&name);
        PendingFile::create_staged(&staged, &place).map(Output::File)
    }
}

/// Begins or resumes the parts of a table in a folder.
fn begin_parts(config: &RunConfig, files: &TableFiles, folder: &Path, is_of_games: bool) -> Result<Parts> {
    let refusal = "only jigo check and score resume tables, and not with a baseline, --duplicates or stones by hand";
    let identity = config.request.identity.clone().filter(|_| is_of_games);
    ensure!(!files.resume || identity.is_some(), "--resume: {refusal}");
    let obstacle = identity.is_none().then(|| refusal.to_owned());
    let (build, own) = identity.unwrap_or_default();
    let own = (own, config.format.properties().name, config.request.run.process.safe_text, files.part_rows);
    let counting = config.request.counting.as_ref().map(|counting| &counting.options);
    let fingerprint = RunFingerprint::new(build, config, counting, &own)?.with_obstacle(obstacle);
    let advice = "progress is saved; repeat the command with --resume to continue".into();
    let place = StagingPlace { folder: folder.join(STAGING), target: folder, advice };
    Parts::begin(&place, &fingerprint, EarlierRun::of_options(files.resume, files.force), || {
        let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let is_empty = entries.all(|entry| entry.file_name() == STAGING);
        ensure!(is_empty, "{} is not empty; empty it or name another folder", folder.display());
        Ok(())
    })
}

/// Returns the message about a file that was not written because a run ended early.
pub fn unwritten_file_message(path: &Path) -> String {
    format!("{} is not written", path.display())
}

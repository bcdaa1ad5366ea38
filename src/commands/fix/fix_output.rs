//! The output of `jigo fix`: a list of the fixes, a diff, or files.

use std::path::Path;

use anyhow::{Result, bail};

use super::FixArgs;
use super::backup::Backup;
use super::diff::Diff;
use super::files::{FixDestination, FixedFiles, TABLE_ADVICE};
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::row::Row;
use jigo_archive::tables::FixRow;
use jigo_archive::visit::Segment;
use jigo_run::RunConfig;
use jigo_run::output::Output;

/// The destination of fixed sources.
pub enum FixOutput {
    /// A list of the fixes, a diff, or a diff and its log.
    Preview { diff: Option<Box<Diff<Output>>>, log: Option<Box<TableWriter<Output>>> },
    /// Files.
    Files(Box<FixedFiles>),
}

impl FixOutput {
    /// Adds the next part of a source.
    pub fn add(&mut self, mut segment: Segment) -> Result<()> {
        match self {
            FixOutput::Preview { diff, log } => {
                if let (Some(log), Some(rows)) = (log, segment.rows.take()) {
                    log.write(rows)?;
                }
                diff.as_mut().map_or(Ok(()), |diff| diff.add(&segment))
            }
            FixOutput::Files(files) => files.add(segment),
        }
    }

    /// Ends a batch, whose sources are not read again.
    pub fn end_batch(&mut self) -> Result<()> {
        if let FixOutput::Files(files) = self { files.end_batch() } else { Ok(()) }
    }

    /// Ends the output after the run failed with this error.
    pub fn abort(self, error: anyhow::Error) -> anyhow::Error {
        if let FixOutput::Files(files) = self { files.abort(error) } else { error }
    }

    /// Completes the output. Returns the number of changed files. `is_complete` is false if the run
    /// ended early.
    pub fn finish(self, is_complete: bool) -> Result<Option<u64>> {
        match self {
            FixOutput::Preview { diff, log } => {
                diff.map_or(Ok(()), |diff| diff.finish()?.finish())?;
                log.map_or(Ok(()), |log| log.finish()?.finish())?;
                Ok(None)
            }
            FixOutput::Files(files) => files.finish(is_complete).map(Some),
        }
    }
}

/// Opens the output that the options choose.
///
/// # Errors
/// Fails if the options contradict each other or the output can't be opened.
pub fn open(args: &FixArgs, config: &RunConfig) -> Result<FixOutput> {
    if let (true, Some(table)) = (args.diff, config.sources.iter().find(|source| source.is_table())) {
        bail!("{}: a table can't be patched; {TABLE_ADVICE}", table.name);
    }
    let destination = match &args.out {
        _ if args.diff => {
            let diff = Some(Box::new(Diff::new(Output::stdout())));
            return Ok(FixOutput::Preview { diff, log: log(args, config)?.map(Box::new) });
        }
        Some(out) if out == Path::new("-") => FixDestination::Stdout,
        Some(out) if out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf")) && !out.is_dir() => {
            FixDestination::File(out.clone())
        }
        Some(out) if !out.is_dir() && is_table(out) => {
            bail!(
                "--out {}: jigo fix writes records and not tables; use --out DIR, and jigo extract --out FILE.jsonl to make a table of them",
                out.display()
            )
        }
        Some(out) => FixDestination::Folder(out.clone()),
        None if args.in_place => FixDestination::InPlace(backup(args, config)?),
        None => {
            let list = log(args, config)?.map_or_else(|| open_log(config, Output::stdout()), Ok)?;
            return Ok(FixOutput::Preview { diff: None, log: Some(Box::new(list)) });
        }
    };
    let log_path = args.log.as_deref();
    let mut files = FixedFiles::new(destination, &config.sources, config.job.input, log_path, args.force)?;
    if let Some(log) = log(args, config)? {
        files.set_log(log);
    }
    Ok(FixOutput::Files(Box::new(files)))
}

/// Returns the backups of `--backup`.
fn backup(args: &FixArgs, config: &RunConfig) -> Result<Option<Backup>> {
    let Some(backup) = args.backup.as_deref().map(|suffix| Backup::new(suffix, args.force)) else { return Ok(None) };
    let headers = args.run.input.options.records.headers.as_deref().map(Path::to_owned);
    let reserved = [("--log", &args.log), ("--files-from", &args.run.input.files_from), ("--headers", &headers)];
    backup.check_inputs(&config.sources, &reserved)?;
    Ok(Some(backup))
}

/// Returns true if the file has the name of a table.
fn is_table(path: &Path) -> bool {
    const ENDINGS: [&str; 6] = ["jsonl", "ndjson", "csv", "parquet", "arrow", "arrows"];
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|table_suffix| ending.eq_ignore_ascii_case(table_suffix)))
}

/// Opens the file of `--log`.
fn log(args: &FixArgs, config: &RunConfig) -> Result<Option<TableWriter<Output>>> {
    let open = |path: &Path| open_log(config, Output::open(Some(path), args.force)?);
    args.log.as_deref().map(open).transpose()
}

fn open_log(config: &RunConfig, out: Output) -> Result<TableWriter<Output>> {
    Ok(TableWriter::new(config.format, FixRow::TABLE, || None, out)?)
}

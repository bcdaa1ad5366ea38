//! The destinations of games: a stream, rows, a zip or a folder.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::extract_args::GamesFormatArg;
use super::folder::{GameFolder, NAMES};
use crate::commands::extract::resumable::{
    OutputStart, PART_FILE, ResumableFile, StagingLocation, open_staging, staging_path,
};
use jigo_archive::compressed_output::{CompressedOutput, Compression, ZipOutput};
use jigo_archive::formats::Format;
use jigo_archive::row::{Row as _, Table};
use jigo_archive::source::Source;
use jigo_archive::tables::PartRow;
use jigo_archive::visit::extract::{Destination, ExtractedGames, Pattern};
use jigo_run::output::checksummed_json::Durability;
use jigo_run::output::path_conflicts::ReservedPaths;
use jigo_run::output::staging_dir::StagingDir;
use jigo_run::output::unique_names::UniqueNames;
use jigo_run::output::{Output, TableOutput};

/// The kind of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// One text of records.
    Text(Compression),
    /// Rows.
    Rows(Format, Compression),
    /// A zip with one file per game.
    Zip,
    /// A folder with one file per game.
    Folder,
}

impl OutputKind {
    /// Returns the form in which the visitor prepares games for this kind.
    pub fn destination(self, pattern: Pattern) -> Destination {
        match self {
            OutputKind::Text(_) => Destination::Text,
            OutputKind::Rows(format, _) => Destination::Rows(format),
            OutputKind::Zip | OutputKind::Folder => Destination::Files(pattern),
        }
    }

    /// Returns the location of the staging directory.
    pub fn staging_location(self) -> StagingLocation {
        if self == OutputKind::Folder { StagingLocation::InFolder } else { StagingLocation::NextToFile }
    }

    fn from_format(format: GamesFormatArg, compression: Compression) -> OutputKind {
        match format {
            GamesFormatArg::Sgf => OutputKind::Text(compression),
            GamesFormatArg::Jsonl => OutputKind::Rows(Format::Jsonl, compression),
            #[cfg(feature = "columnar")]
            GamesFormatArg::Arrow => OutputKind::Rows(Format::Arrow, compression),
            #[cfg(feature = "columnar")]
            GamesFormatArg::Parquet => OutputKind::Rows(Format::Parquet, compression),
        }
    }

    /// Returns the kind that a file name implies.
    fn from_name(name: &str) -> Result<OutputKind> {
        let lower = name.to_ascii_lowercase();
        let (rest, compression) = match lower.rsplit_once('.') {
            Some((rest, "gz")) => (rest, Compression::Gzip),
            Some((rest, "zst")) => (rest, Compression::Zstd),
            _ => (&*lower, Compression::None),
        };
        let ending = rest.rsplit_once('.').map_or("", |(_, ending)| ending);
        Ok(match ending {
            "sgf" | "sgfs" | "mgt" => OutputKind::Text(compression),
            "jsonl" | "ndjson" => OutputKind::Rows(Format::Jsonl, compression),
            #[cfg(feature = "columnar")]
            "parquet" if compression == Compression::None => OutputKind::Rows(Format::Parquet, compression),
            #[cfg(feature = "columnar")]
            "arrows" | "arrow" if compression == Compression::None => OutputKind::Rows(Format::Arrow, compression),
            "zip" if compression == Compression::None => OutputKind::Zip,
            _ => bail!(
                "the extension of '{name}' is not one for games; use .sgf or .jsonl, either also with .gz or .zst; .parquet, .arrows, .zip; or a folder, which ends with /"
            ),
        })
    }
}

/// An output with its kind.
pub struct Target {
    /// The path. `None` for standard output.
    pub path: Option<PathBuf>,
    /// The kind.
    pub kind: OutputKind,
    /// The table of rows.
    pub table: &'static Table,
    /// The paths that the files of a folder must not replace.
    reserved: Arc<ReservedPaths>,
}

impl Target {
    /// Creates a target for games, or for rows of this table. The path `None` is standard output.
    pub fn new(path: Option<&Path>, kind: OutputKind, table: &'static Table) -> Target {
        Target { path: path.map(Path::to_owned), kind, table, reserved: Arc::default() }
    }

    /// Sets the flag that names the target. If it is a folder, its files must not replace an input
    /// or another output.
    pub fn check_conflicts<'a>(
        mut self,
        sources: &[Source],
        flag: &'static str,
        others: impl Iterator<Item = (&'static str, Option<&'a Path>)>,
    ) -> Target {
        if let (OutputKind::Folder, Some(path)) = (self.kind, &self.path) {
            let reserved = ReservedPaths::from_sources(sources, flag, path);
            self.reserved = Arc::new(others.fold(reserved, |reserved, (flag, path)| reserved.with_file(flag, path)));
        }
        self
    }

    /// Returns the target of a path.
    ///
    /// # Errors
    /// Fails if the extension is unknown or contradicts the format.
    pub fn from_path(path: &Path, format: Option<GamesFormatArg>) -> Result<Target> {
        let path_text = path.to_string_lossy();
        if path_text == "-" {
            let kind = OutputKind::from_format(format.unwrap_or(GamesFormatArg::Sgf), Compression::None);
            return Ok(Target::new(None, kind, PartRow::TABLE));
        }
        let is_folder = path_text.ends_with(['/', std::path::MAIN_SEPARATOR]) || path.is_dir();
        let kind = match (is_folder, format) {
            (true, None | Some(GamesFormatArg::Sgf)) => OutputKind::Folder,
            (true, Some(_)) => bail!("{path_text} is a folder, which contains SGF files"),
            (false, None) => {
                OutputKind::from_name(&path.file_name().map_or(path_text.clone(), |name| name.to_string_lossy()))?
            }
            (false, Some(format)) => {
                let named_kind = OutputKind::from_name(&path_text).ok();
                let compression = match named_kind {
                    Some(OutputKind::Text(compression) | OutputKind::Rows(_, compression)) => compression,
                    _ => Compression::None,
                };
                let kind = OutputKind::from_format(format, compression);
                ensure!(
                    named_kind.is_none_or(|named_kind| named_kind == kind),
                    "the ending of '{path_text}' and --format contradict each other"
                );
                kind
            }
        };
        Ok(Target::new(Some(path), kind, PartRow::TABLE))
    }

    /// Returns the format and table of rows.
    pub fn rows(&self) -> Option<(Format, &'static Table)> {
        match self.kind {
            OutputKind::Rows(format, _) => Some((format, self.table)),
            _ => None,
        }
    }

    /// Returns the reason why a later run can't resume this output, if there is one. Compressed
    /// files, and formats with an index at the end, can't be appended to.
    pub fn obstacle(&self) -> Option<String> {
        let can_resume = match self.kind {
            OutputKind::Text(compression) => compression == Compression::None,
            OutputKind::Rows(format, compression) => format.is_lines() && compression == Compression::None,
            OutputKind::Zip => false,
            OutputKind::Folder => true,
        };
        match &self.path {
            None => Some("standard output can't be resumed".into()),
            Some(_) if can_resume => None,
            Some(path) => {
                let is_games = self.table.name == PartRow::TABLE.name;
                let alternative = if is_games { ".sgf, .jsonl or a folder" } else { ".csv or .jsonl" };
                Some(format!("{} can't be resumed; use {alternative}", path.display()))
            }
        }
    }

    /// Returns the staging directory from which a later run resumes.
    pub fn staging_path(&self) -> Option<PathBuf> {
        self.path.as_ref().map(|path| staging_path(path, self.kind.staging_location()))
    }

    /// Returns the number of bytes of games or names in the staging directory.
    pub fn staged_length(&self) -> Option<u64> {
        let grows = self.staging_path()?.join(if self.kind == OutputKind::Folder { NAMES } else { PART_FILE });
        std::fs::symlink_metadata(grows).ok().map(|metadata| metadata.len())
    }

    /// Returns true if a terminal can't display the output.
    pub fn is_binary(&self) -> bool {
        match self.kind {
            OutputKind::Text(compression) => compression != Compression::None,
            OutputKind::Rows(format, compression) => format.is_binary() || compression != Compression::None,
            OutputKind::Zip | OutputKind::Folder => true,
        }
    }
}

/// The destination of bytes.
pub enum SinkOutput {
    /// Standard output, or a file that disappears if the run ends early.
    Direct(Output),
    /// A file from which a later run can resume.
    Resumable(ResumableFile),
}

impl SinkOutput {
    /// Opens the destination, or resumes it. `begin` is present if a later run can resume it.
    fn open(path: Option<&Path>, force: bool, begin: Option<(OutputStart, &StagingDir)>) -> Result<SinkOutput> {
        match (path, begin) {
            (Some(path), Some((start, staging))) => {
                ResumableFile::begin(path, force, start, staging).map(SinkOutput::Resumable)
            }
            _ => Output::open(path, force).map(SinkOutput::Direct),
        }
    }

    fn failure(&self) -> String {
        match self {
            SinkOutput::Direct(out) => out.failure(),
            SinkOutput::Resumable(file) => file.failure(),
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            SinkOutput::Direct(out) => out.finish(),
            SinkOutput::Resumable(file) => file.finish(),
        }
    }
}

impl Write for SinkOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            SinkOutput::Direct(out) => out.write(bytes),
            SinkOutput::Resumable(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            SinkOutput::Direct(out) => out.flush(),
            SinkOutput::Resumable(file) => file.flush(),
        }
    }
}

/// An output that is being written.
pub struct Sink {
    games: Games,
    /// The message for a failed write.
    failure: String,
    /// The file whose length grows, if a later run can resume it.
    measured_file: Option<File>,
    /// The staging directory. A folder always has one, other outputs only if a later run can resume
    /// them.
    pub staging: Option<StagingDir>,
}

enum Games {
    Text(Box<CompressedOutput<SinkOutput>>),
    Rows(Box<TableOutput<CompressedOutput<SinkOutput>>>),
    Zip(Box<ZipOutput<SinkOutput>>, UniqueNames),
    Folder(Box<GameFolder>),
}

impl Sink {
    /// Opens an output before the work begins, or resumes it. `begin` is present if a later run can
    /// resume it.
    ///
    /// # Errors
    /// Fails if the path exists and may not be replaced, or if it can't be written.
    pub fn open(target: &Target, force: bool, begin: Option<OutputStart>) -> Result<Sink> {
        // A folder always needs the directory.
        let start = if target.kind == OutputKind::Folder { begin.or(Some(OutputStart::New)) } else { begin };
        let open = |(path, start): (&PathBuf, _)| open_staging(path, target.kind.staging_location(), force, start);
        let staging = target.path.as_ref().zip(start).map(open).transpose()?;
        let path = target.path.as_deref();
        if let (OutputKind::Folder, Some(path), Some(folder)) = (target.kind, path, &staging) {
            let failure = format!("cannot write to {}", path.display());
            let start = begin.unwrap_or(OutputStart::New);
            let folder = GameFolder::begin(path, &target.reserved, force, start, folder)?;
            let measured_file = begin.map(|_| folder.handle()).transpose().with_context(|| failure.clone())?;
            return Ok(Sink { games: Games::Folder(Box::new(folder)), failure, measured_file, staging });
        }
        let out = SinkOutput::open(path, force, begin.zip(staging.as_ref()))?;
        let failure = out.failure();
        let measured_file = match &out {
            SinkOutput::Direct(_) => None,
            SinkOutput::Resumable(file) => file.handle().with_context(|| failure.clone())?,
        };
        let games = match target.kind {
            OutputKind::Text(compression) => Games::Text(Box::new(CompressedOutput::new(compression, out))),
            OutputKind::Rows(format, compression) => {
                let out = CompressedOutput::new(compression, out);
                Games::Rows(Box::new(match begin {
                    Some(OutputStart::Append(_) | OutputStart::Complete) => TableOutput::resumed(out, failure.clone()),
                    _ => TableOutput::new(format, target.table, out, failure.clone())?,
                }))
            }
            OutputKind::Zip | OutputKind::Folder => Games::Zip(Box::new(ZipOutput::new(out)), UniqueNames::default()),
        };
        Ok(Sink { games, failure, measured_file, staging })
    }

    /// Writes the games of a batch.
    ///
    /// # Errors
    /// Fails if they can't be written.
    pub fn write(&mut self, batch: ExtractedGames) -> Result<()> {
        let failure = &self.failure;
        match (&mut self.games, batch) {
            (Games::Text(out), ExtractedGames::Text(text)) => out.write_all(&text).with_context(|| failure.clone()),
            (Games::Rows(out), ExtractedGames::Rows(rows, ..)) => out.write(*rows),
            (Games::Zip(zip, names), ExtractedGames::Files(files, _)) => files
                .iter()
                .try_for_each(|(name, text)| zip.add(&names.make_unique(name), text).with_context(|| failure.clone())),
            (Games::Folder(folder), ExtractedGames::Files(files, _)) => folder.add(&files),
            // The visitor prepares only the form that the output accepts.
            _ => Ok(()),
        }
    }

    /// Returns the number of bytes that a later run will find with this durability.
    ///
    /// # Errors
    /// Fails if the length can't be read.
    pub fn length(&self, durability: Durability) -> Result<u64> {
        let Some(file) = &self.measured_file else { return Ok(0) };
        let synced = if durability == Durability::Synced { file.sync_all() } else { Ok(()) };
        let metadata = synced.and_then(|()| file.metadata());
        metadata.map(|metadata| metadata.len()).with_context(|| self.failure.clone())
    }

    /// Writes the end, and puts a file or folder in its place. Returns the staging directory.
    ///
    /// # Errors
    /// Fails if that is impossible.
    pub fn finish(self) -> Result<Option<StagingDir>> {
        let failure = self.failure;
        match self.games {
            Games::Text(out) => out.finish().context(failure)?.finish(),
            Games::Rows(out) => out.finish()?.finish().context(failure)?.finish(),
            Games::Zip(zip, _) => zip.finish().context(failure)?.finish(),
            Games::Folder(folder) => folder.finish(),
        }?;
        Ok(self.staging)
    }
}

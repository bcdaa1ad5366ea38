//! The destinations of games: a stream, rows, a zip or a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::extract_args::GamesFormatArg;
use super::folder::GameFolder;
use crate::commands::extract::folder::open_in_folder;
use jigo_archive::compressed_output::{CompressedOutput, Compression, ZipOutput};
use jigo_archive::formats::Format;
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::row::{Row as _, Table};
use jigo_archive::source::Source;
use jigo_archive::tables::PartRow;
use jigo_archive::visit::extract::{Destination, ExtractedGames, Pattern, TrainingFiles};
use jigo_run::output::Output;
use jigo_run::output::path_conflicts::{ReservedPaths, is_folder};
use jigo_run::output::staging_dir::StagingDir;
use jigo_run::output::unique_names::UniqueNames;

/// The kind of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Rows, or one text of records.
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
            OutputKind::Rows(format, _) => Destination::Rows(format),
            OutputKind::Zip | OutputKind::Folder => Destination::Files(pattern),
        }
    }

    fn from_format(format: GamesFormatArg, compression: Compression) -> OutputKind {
        let format = match format {
            GamesFormatArg::Sgf => Format::Text { color: false },
            GamesFormatArg::Jsonl => Format::Jsonl,
            #[cfg(feature = "columnar")]
            GamesFormatArg::Arrow => Format::Arrow,
            #[cfg(feature = "columnar")]
            GamesFormatArg::Parquet => Format::Parquet,
        };
        OutputKind::Rows(format, compression)
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
            "sgf" | "sgfs" | "mgt" => OutputKind::Rows(Format::Text { color: false }, compression),
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
        let kind = match (is_folder(path), format) {
            (true, None | Some(GamesFormatArg::Sgf)) => OutputKind::Folder,
            (true, Some(_)) => bail!("{path_text} is a folder, which contains SGF files"),
            (false, None) => {
                OutputKind::from_name(&path.file_name().map_or(path_text.clone(), |name| name.to_string_lossy()))?
            }
            (false, Some(format)) => {
                let named_kind = OutputKind::from_name(&path_text).ok();
                let compression = match named_kind {
                    Some(OutputKind::Rows(_, compression)) => compression,
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

    /// Returns the format and table of rows, or of a text.
    pub fn rows(&self) -> Option<(Format, &'static Table)> {
        match self.kind {
            OutputKind::Rows(format, _) => Some((format, self.table)),
            _ => None,
        }
    }

    /// Returns the reason why a later run can't resume this output, if there is one. Parts contain
    /// no columns.
    pub fn obstacle(&self) -> Option<String> {
        let is_columnar = matches!(self.kind, OutputKind::Rows(format, _) if !format.is_lines());
        match &self.path {
            None => Some("standard output can't be resumed".into()),
            Some(path) if is_columnar => {
                let is_games = self.table.name == PartRow::TABLE.name;
                let alternative = if is_games { ".sgf, .jsonl or a folder" } else { ".csv or .jsonl" };
                Some(format!("{} can't be resumed; use {alternative}", path.display()))
            }
            Some(_) => None,
        }
    }

    /// Returns true if a terminal can't display the output.
    pub fn is_binary(&self) -> bool {
        match self.kind {
            OutputKind::Rows(format, compression) => format.is_binary() || compression != Compression::None,
            OutputKind::Zip | OutputKind::Folder => true,
        }
    }
}

/// An output that is being written.
pub struct Sink {
    games: Games,
    /// The staging directory of a folder that has one of its own.
    staging: Option<StagingDir>,
}

enum Games {
    Rows(Box<TableWriter<CompressedOutput<Output>>>),
    Zip(Box<ZipOutput<Output>>, UniqueNames),
    Folder(Box<GameFolder>, Box<TrainingFiles>),
}

impl Sink {
    /// Opens an output before the work begins. If `may_exist` is true, an earlier run may have put
    /// it in its place. A folder uses the directory `staging`, or makes one.
    ///
    /// # Errors
    /// Fails if the path exists and may not be replaced, or if it can't be written.
    pub fn open(target: &Target, force: bool, may_exist: bool, staging: Option<&mut StagingDir>) -> Result<Sink> {
        let path = target.path.as_deref();
        if let (OutputKind::Folder, Some(path)) = (target.kind, path) {
            let mut own = if staging.is_none() { Some(open_in_folder(path)?) } else { None };
            let staging = staging.or(own.as_mut());
            let staging = staging.with_context(|| format!("cannot write to {}", path.display()))?;
            let folder = GameFolder::begin(path, &target.reserved, force, may_exist, staging)?;
            return Ok(Sink { games: Games::Folder(Box::new(folder), Box::default()), staging: own });
        }
        let out = if may_exist { Output::open_again(path, force)? } else { Output::open(path, force)? };
        let games = match target.kind {
            OutputKind::Rows(format, compression) => {
                let out = CompressedOutput::new(compression, out);
                Games::Rows(Box::new(TableWriter::new(format, target.table, || None, out)?))
            }
            OutputKind::Zip | OutputKind::Folder => Games::Zip(Box::new(ZipOutput::new(out)), UniqueNames::default()),
        };
        Ok(Sink { games, staging: None })
    }

    /// Writes the games of a batch.
    ///
    /// # Errors
    /// Fails if they can't be written.
    pub fn write(&mut self, batch: ExtractedGames) -> Result<()> {
        match (&mut self.games, batch) {
            (Games::Rows(out), ExtractedGames::Rows(rows)) => Ok(out.write(*rows)?),
            (Games::Zip(zip, names), ExtractedGames::Files(files)) => {
                Ok(files.iter().try_for_each(|file| zip.add(&names.make_unique(&file.name), &file.text))?)
            }
            (Games::Folder(folder, _), ExtractedGames::Files(files)) => {
                files.iter().try_for_each(|file| folder.add(&file.name, &file.text))
            }
            (Games::Folder(folder, files), ExtractedGames::Training(games)) => {
                files.add(*games, |file| folder.add(&file.name, &file.text))
            }
            // The visitor prepares only the form that the output accepts.
            _ => Ok(()),
        }
    }

    /// Writes the end, and puts a file or folder in its place.
    ///
    /// # Errors
    /// Fails if that is impossible.
    pub fn finish(mut self) -> Result<()> {
        match self.games {
            Games::Rows(out) => out.finish()?.finish()?.finish(),
            Games::Zip(zip, _) => zip.finish()?.finish(),
            Games::Folder(mut folder, files) => {
                files.finish()?.iter().try_for_each(|file| folder.add(&file.name, &file.text))?;
                folder.finish()
            }
        }?;
        self.staging.iter_mut().for_each(StagingDir::complete);
        Ok(())
    }
}

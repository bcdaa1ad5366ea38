//! Where games go: a stream, rows, a zip or a folder.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::GamesFormatArg;
use super::folder::Folder;
use super::names::Names;
use crate::cli::output::{Output, TableOutput};
use jigo_archive::packed::{Packed, Packing, ZipFiles};
use jigo_archive::tables::formats::Format;
use jigo_archive::tables::{PartRow, Row as _};
use jigo_archive::visit::extract::{Into, Pattern, Taken};

/// What games are put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One text of records.
    Text(Packing),
    /// Rows.
    Rows(Format, Packing),
    /// A zip with a file for each game.
    Zip,
    /// A folder with a file for each game.
    Folder,
}

impl Kind {
    /// What the visitor makes for it.
    pub fn into(self, pattern: Pattern) -> Into {
        match self {
            Kind::Text(_) => Into::Text,
            Kind::Rows(format, _) => Into::Rows(format),
            Kind::Zip | Kind::Folder => Into::Files(pattern),
        }
    }

    fn of_format(format: GamesFormatArg, packing: Packing) -> Kind {
        match format {
            GamesFormatArg::Sgf => Kind::Text(packing),
            GamesFormatArg::Jsonl => Kind::Rows(Format::Jsonl, packing),
            #[cfg(feature = "columnar")]
            GamesFormatArg::Arrow => Kind::Rows(Format::Arrow, packing),
            #[cfg(feature = "columnar")]
            GamesFormatArg::Parquet => Kind::Rows(Format::Parquet, packing),
        }
    }

    /// What a file's name shows.
    fn of_name(name: &str) -> Result<Kind> {
        let lower = name.to_ascii_lowercase();
        let (rest, packing) = match lower.rsplit_once('.') {
            Some((rest, "gz")) => (rest, Packing::Gzip),
            Some((rest, "zst")) => (rest, Packing::Zstd),
            _ => (&*lower, Packing::None),
        };
        let ending = rest.rsplit_once('.').map_or("", |(_, ending)| ending);
        Ok(match ending {
            "sgf" | "sgfs" | "mgt" => Kind::Text(packing),
            "jsonl" | "ndjson" => Kind::Rows(Format::Jsonl, packing),
            #[cfg(feature = "columnar")]
            "parquet" if packing == Packing::None => Kind::Rows(Format::Parquet, packing),
            #[cfg(feature = "columnar")]
            "arrows" | "arrow" if packing == Packing::None => Kind::Rows(Format::Arrow, packing),
            "zip" if packing == Packing::None => Kind::Zip,
            _ => bail!(
                "the ending of '{name}' says nothing of games: .sgf, .jsonl, either also .gz or .zst; .parquet, .arrows, .zip; or a folder, which ends in /"
            ),
        })
    }
}

/// An output with what goes into it.
pub struct Target {
    /// `None` for standard output.
    pub path: Option<PathBuf>,
    /// What is put there.
    pub kind: Kind,
}

impl Target {
    /// What a path stands for.
    ///
    /// # Errors
    /// When its ending says nothing, or something else than the format.
    pub fn of(path: &Path, format: Option<GamesFormatArg>) -> Result<Target> {
        let shown = path.to_string_lossy();
        if shown == "-" {
            let kind = Kind::of_format(format.unwrap_or(GamesFormatArg::Sgf), Packing::None);
            return Ok(Target { path: None, kind });
        }
        let is_folder = shown.ends_with(['/', std::path::MAIN_SEPARATOR]) || path.is_dir();
        let kind = match (is_folder, format) {
            (true, None | Some(GamesFormatArg::Sgf)) => Kind::Folder,
            (true, Some(_)) => bail!("{shown} is a folder, which takes files of SGF"),
            (false, None) => Kind::of_name(&path.file_name().map_or(shown.clone(), |name| name.to_string_lossy()))?,
            (false, Some(format)) => match Kind::of_name(&shown) {
                Ok(Kind::Text(packing) | Kind::Rows(_, packing)) => Kind::of_format(format, packing),
                _ => Kind::of_format(format, Packing::None),
            },
        };
        Ok(Target { path: Some(path.to_owned()), kind })
    }

    /// Whether a terminal can't show it.
    pub fn is_binary(&self) -> bool {
        match self.kind {
            Kind::Text(packing) => packing != Packing::None,
            Kind::Rows(format, packing) => format.is_binary() || packing != Packing::None,
            Kind::Zip | Kind::Folder => true,
        }
    }
}

/// An output that is being written.
pub struct Sink {
    games: Games,
    /// What to say when it can't be written.
    failure: String,
}

enum Games {
    Text(Box<Packed<Output>>),
    Rows(Box<TableOutput<Packed<Output>>>),
    Zip(Box<ZipFiles<Output>>, Names),
    Folder(Box<Folder>),
}

impl Sink {
    /// Opens an output before the work begins.
    ///
    /// # Errors
    /// When something is there that may not be replaced, or nothing can be written there.
    pub fn open(target: &Target, force: bool) -> Result<Sink> {
        if let (Kind::Folder, Some(path)) = (target.kind, &target.path) {
            let failure = format!("cannot write to {}", path.display());
            return Ok(Sink { games: Games::Folder(Box::new(Folder::begin(path, force)?)), failure });
        }
        let out = Output::open(target.path.as_deref(), force)?;
        let failure = out.failure();
        let games = match target.kind {
            Kind::Text(packing) => Games::Text(Box::new(Packed::new(packing, out))),
            Kind::Rows(format, packing) => {
                let out = Packed::new(packing, out);
                Games::Rows(Box::new(TableOutput::new(format, PartRow::TABLE, out, failure.clone())?))
            }
            Kind::Zip | Kind::Folder => Games::Zip(Box::new(ZipFiles::new(out)), Names::default()),
        };
        Ok(Sink { games, failure })
    }

    /// Writes the games of a batch.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn write(&mut self, taken: Taken) -> Result<()> {
        let failure = &self.failure;
        match (&mut self.games, taken) {
            (Games::Text(out), Taken::Text(text)) => out.write_all(&text).with_context(|| failure.clone()),
            (Games::Rows(out), Taken::Rows(rows, ..)) => out.write(*rows),
            (Games::Zip(zip, names), Taken::Files(files, _)) => files
                .iter()
                .try_for_each(|(name, text)| zip.add(&names.give(name), text).with_context(|| failure.clone())),
            (Games::Folder(folder), Taken::Files(files, _)) => {
                files.iter().try_for_each(|(name, text)| folder.add(name, text))
            }
            // The visitor makes what the output takes.
            _ => Ok(()),
        }
    }

    /// Writes the end, and puts what is not standard output in its place.
    ///
    /// # Errors
    /// When that fails.
    pub fn finish(self) -> Result<()> {
        let failure = self.failure;
        match self.games {
            Games::Text(out) => out.finish().context(failure)?.finish(),
            Games::Rows(out) => out.finish()?.finish().context(failure)?.finish(),
            Games::Zip(zip, _) => zip.finish().context(failure)?.finish(),
            Games::Folder(folder) => folder.finish(),
        }
    }
}

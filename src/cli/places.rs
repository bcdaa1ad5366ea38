//! The files that the flags of a run name, held against each other and against what is read, before the work begins.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::args::{InputArgs, OutputArgs};
use jigo_archive::source::{Source, SourceKind};

/// Files with the flags that name them.
#[derive(Default)]
pub struct NamedPlaces<'a>(Vec<Place<'a>>);

struct Place<'a> {
    flag: &'static str,
    path: &'a Path,
    is_written: bool,
}

/// A flag that may write what another one reads: the next baseline takes the place of the one before.
const REWRITES: (&str, &str) = ("--baseline", "--write-baseline");

impl<'a> NamedPlaces<'a> {
    /// What is read beside the games.
    pub fn of(input: &'a InputArgs) -> NamedPlaces<'a> {
        NamedPlaces::default()
            .reads("--files-from", input.files_from.as_deref())
            .reads("--index", input.list_index.as_deref())
    }

    /// Adds a file that a flag reads, if it is given and is not standard input.
    pub fn reads(self, flag: &'static str, path: Option<&'a Path>) -> NamedPlaces<'a> {
        self.with(flag, path.filter(|path| !is_stream(path)), false)
    }

    /// Adds a file or folder that a flag writes, if it is given.
    pub fn writes(self, flag: &'static str, path: Option<&'a Path>) -> NamedPlaces<'a> {
        self.with(flag, path, true)
    }

    /// Adds what a table is written to.
    pub fn table(self, output: &'a OutputArgs) -> NamedPlaces<'a> {
        self.writes("--output", output.output.as_deref()).writes("--summary", output.summary.as_deref())
    }

    fn with(mut self, flag: &'static str, path: Option<&'a Path>, is_written: bool) -> NamedPlaces<'a> {
        self.0.extend(path.map(|path| Place { flag, path, is_written }));
        self
    }

    /// Makes sure that nothing is written to the place of an input, or to that of something else.
    ///
    /// # Errors
    /// A sentence with both flags, or with the input.
    pub fn check(&self, sources: &[Source]) -> Result<()> {
        for (at, place) in self.0.iter().enumerate() {
            for before in &self.0[..at] {
                let rewrites = (before.flag, place.flag) == REWRITES;
                if (place.is_written || before.is_written) && !rewrites {
                    before.is_apart_from(place)?;
                }
            }
        }
        self.0.iter().filter(|place| place.is_written).try_for_each(|place| place.is_no_input(sources))
    }
}

impl Place<'_> {
    fn is_apart_from(&self, other: &Place) -> Result<()> {
        let flags = format!("{} and {}", self.flag, other.flag);
        ensure!(!is_stream(self.path) || !is_stream(other.path), "{flags} are both standard output");
        let is_same = place(self.path).is_some_and(|place_of_self| Some(place_of_self) == place(other.path));
        ensure!(!is_same, "{flags} are the same place: {}", self.path.display());
        Ok(())
    }

    fn is_no_input(&self, sources: &[Source]) -> Result<()> {
        // What is not there yet is no input.
        let Ok(length) = fs::metadata(self.path).map(|found| found.len()) else { return Ok(()) };
        let Some(place_of_self) = place(self.path) else { return Ok(()) };
        for source in sources {
            let Some(path) = path_of(source) else { continue };
            // There may be a million sources, and where a path leads takes the system a while.
            if source.length() == Some(length) && place(path).as_ref() == Some(&place_of_self) {
                bail!("{} is read as an input: {} can't replace it", self.path.display(), self.flag);
            }
        }
        Ok(())
    }
}

/// What the files of a folder of outputs may not replace.
#[derive(Default)]
pub struct TakenPlaces {
    /// What names the folder.
    flag: &'static str,
    inputs: HashSet<PathBuf>,
    /// Files of other flags.
    named: Vec<(&'static str, PathBuf)>,
}

impl TakenPlaces {
    /// The inputs, where something stands in the folder that may be one of them.
    pub fn of(sources: &[Source], flag: &'static str, folder: &Path) -> TakenPlaces {
        let all = if folder.is_dir() { sources } else { &[] };
        let inputs = all.iter().filter_map(|source| place(path_of(source)?)).collect();
        TakenPlaces { flag, inputs, named: Vec::new() }
    }

    /// And a file that another flag writes, if it is given.
    pub fn and(mut self, flag: &'static str, path: Option<&Path>) -> TakenPlaces {
        self.named.extend(path.map(|path| (flag, path.to_owned())));
        self
    }

    /// Makes sure that a file of the folder takes none of them.
    ///
    /// # Errors
    /// A sentence with the file, and `instead`, which says what to do.
    pub fn leave(&self, path: &Path, instead: &str) -> Result<()> {
        let shown = path.display();
        for (other, named) in self.named.iter().filter(|(_, named)| named.file_name() == path.file_name()) {
            ensure!(place(named) != place(path), "{} and {other} are the same place: {shown}", self.flag);
        }
        if self.inputs.is_empty() {
            return Ok(());
        }
        // What is not there yet is no input.
        let is_taken = path.canonicalize().is_ok_and(|place| self.inputs.contains(&place));
        ensure!(!is_taken, "{shown} is read as an input: {} can't replace it; {instead}", self.flag);
        Ok(())
    }
}

/// The file of a source, if it is one.
pub fn path_of(source: &Source) -> Option<&Path> {
    match &source.kind {
        SourceKind::File(path, _) | SourceKind::Archive(path, ..) | SourceKind::Table(path, ..) => Some(path),
        _ => None,
    }
}

/// Where a path leads; `None` for standard output, and where there is no such folder.
pub fn place(path: &Path) -> Option<PathBuf> {
    if is_stream(path) {
        return None;
    }
    if let Ok(place) = path.canonicalize() {
        return Some(place);
    }
    let path = behind_links(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

/// More links in a row no system follows.
const MOST_LINKS: usize = 40;

/// The file that a path stands for, or where it would be: what is written replaces that, and no link that leads there.
pub fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    path
}

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

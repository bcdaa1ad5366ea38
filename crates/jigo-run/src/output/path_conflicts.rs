//! Checks for conflicts between the paths of a run before the work begins: outputs against inputs
//! and other outputs.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use jigo_archive::source::{Source, SourceKind};

/// The files of a run that writes a table.
// The doc comments of the fields are help texts.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args), command(next_help_heading = "Output"))]
pub struct TableFiles {
    /// Write rows to FILE, which appears complete or not at all
    ///
    /// FILE is a folder if it ends with / or exists as one. It gets numbered files of the format,
    /// such as part-00000.parquet.
    #[cfg_attr(feature = "cli", arg(long = "output", id = "output", short = 'o', value_name = "FILE"))]
    pub rows: Option<PathBuf>,
    /// In a folder, begin another file after N rows or some more
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 1_000_000))]
    pub part_rows: u64,
    /// Resume a killed or interrupted run of the same command, which wrote to a folder
    ///
    /// Without such a run, start a new one. Only the tables of jigo check and score allow this.
    #[cfg_attr(feature = "cli", arg(long, requires = "output"))]
    pub resume: bool,
    /// Write the counts of the summary to FILE, as JSON
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub summary: Option<PathBuf>,
    /// Replace an existing FILE
    #[cfg_attr(feature = "cli", arg(long))]
    pub force: bool,
}

impl TableFiles {
    /// Returns the folder of the rows, if they are written to one.
    pub fn folder(&self) -> Option<&Path> {
        self.rows.as_deref().filter(|path| is_folder(path))
    }
}

/// Returns true if an output is a folder, because the path ends like one or exists as one.
pub fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]) || path.is_dir()
}

/// Paths with the flags that name them.
#[derive(Default)]
pub struct FlagPaths<'a>(Vec<FlagPath<'a>>);

struct FlagPath<'a> {
    flag: &'static str,
    path: &'a Path,
    is_written: bool,
}

/// The only pair of flags whose paths may be equal: the new baseline replaces the old one.
const REWRITES: (&str, &str) = ("--baseline", "--write-baseline");

impl<'a> FlagPaths<'a> {
    /// Adds a file that a flag reads, unless it is missing or standard input.
    pub fn reads(mut self, flag: &'static str, path: Option<&'a Path>) -> FlagPaths<'a> {
        let path = path.filter(|path| !is_stream(path));
        self.0.extend(path.map(|path| FlagPath { flag, path, is_written: false }));
        self
    }

    /// Adds a file or folder that a flag writes, if given.
    pub fn writes(mut self, flag: &'static str, path: Option<&'a Path>) -> FlagPaths<'a> {
        self.0.extend(path.map(|path| FlagPath { flag, path, is_written: true }));
        self
    }

    /// Adds the outputs of a table.
    pub fn table(self, files: &'a TableFiles) -> FlagPaths<'a> {
        self.writes("--output", files.rows.as_deref()).writes("--summary", files.summary.as_deref())
    }

    /// Returns true if one of the flags reads or writes this file.
    pub fn contains(&self, path: &Path) -> bool {
        let is_same =
            |flag: &FlagPath| flag.path.file_name() == path.file_name() && resolve(flag.path) == resolve(path);
        self.0.iter().any(is_same)
    }

    /// Checks that no output would replace an input or another output.
    ///
    /// # Errors
    /// Returns a sentence with both flags, or with the input.
    pub fn check(&self, sources: &[Source]) -> Result<()> {
        for (index, flag_path) in self.0.iter().enumerate() {
            for previous in &self.0[..index] {
                let rewrites = (previous.flag, flag_path.flag) == REWRITES;
                if (flag_path.is_written || previous.is_written) && !rewrites {
                    previous.check_distinct(flag_path)?;
                }
            }
        }
        self.0
            .iter()
            .filter(|flag_path| flag_path.is_written)
            .try_for_each(|flag_path| flag_path.check_not_input(sources))
    }
}

impl FlagPath<'_> {
    fn check_distinct(&self, other: &FlagPath) -> Result<()> {
        let flags = format!("{} and {}", self.flag, other.flag);
        ensure!(!is_stream(self.path) || !is_stream(other.path), "{flags} are both standard output");
        let is_same = resolve(self.path).is_some_and(|resolved| Some(resolved) == resolve(other.path));
        ensure!(!is_same, "{flags} are the same place: {}", self.path.display());
        Ok(())
    }

    fn check_not_input(&self, sources: &[Source]) -> Result<()> {
        // A missing file can't be an input.
        let Ok(length) = fs::metadata(self.path).map(|metadata| metadata.len()) else { return Ok(()) };
        let Some(resolved) = resolve(self.path) else { return Ok(()) };
        for source in sources {
            let Some(path) = source_path(source) else { continue };
            // There may be a million sources, and resolving a path is slow, so compare the lengths
            // first.
            if source.length() == Some(length) && resolve(path).as_ref() == Some(&resolved) {
                bail!("{} is read as an input: {} can't replace it", self.path.display(), self.flag);
            }
        }
        Ok(())
    }
}

/// The paths that the files in an output folder must not replace.
#[derive(Default)]
pub struct ReservedPaths {
    /// The flag that names the folder.
    flag: &'static str,
    inputs: HashSet<PathBuf>,
    /// The files of other flags.
    paths: Vec<(&'static str, PathBuf)>,
}

impl ReservedPaths {
    /// Collects the inputs, if the folder exists and may therefore contain some of them.
    pub fn from_sources(sources: &[Source], flag: &'static str, folder: &Path) -> ReservedPaths {
        let all = if folder.is_dir() { sources } else { &[] };
        let inputs = all.iter().filter_map(|source| resolve(source_path(source)?)).collect();
        ReservedPaths { flag, inputs, paths: Vec::new() }
    }

    /// Adds a file that another flag writes, if given.
    pub fn with_file(mut self, flag: &'static str, path: Option<&Path>) -> ReservedPaths {
        self.paths.extend(path.map(|path| (flag, path.to_owned())));
        self
    }

    /// Checks that a file in the folder replaces none of these paths.
    ///
    /// # Errors
    /// Returns a sentence with the file, and with `instead`, which tells the user what to do.
    pub fn check_free(&self, path: &Path, instead: &str) -> Result<()> {
        let name = path.display();
        for (other_flag, reserved) in self.paths.iter().filter(|(_, reserved)| reserved.file_name() == path.file_name())
        {
            ensure!(resolve(reserved) != resolve(path), "{} and {other_flag} are the same place: {name}", self.flag);
        }
        if self.inputs.is_empty() {
            return Ok(());
        }
        // A missing file can't be an input.
        let is_input = path.canonicalize().is_ok_and(|place| self.inputs.contains(&place));
        ensure!(!is_input, "{name} is read as an input: {} can't replace it; {instead}", self.flag);
        Ok(())
    }
}

/// Returns the path of a source if it is a file.
pub fn source_path(source: &Source) -> Option<&Path> {
    match &source.kind {
        SourceKind::File(path, _) | SourceKind::Archive(path, ..) | SourceKind::Table(path, ..) => Some(path),
        _ => None,
    }
}

/// Returns the path to which `path` resolves. Returns `None` for standard output, and if its folder
/// is missing.
pub fn resolve(path: &Path) -> Option<PathBuf> {
    if is_stream(path) {
        return None;
    }
    if let Ok(place) = path.canonicalize() {
        return Some(place);
    }
    let path = resolve_symlinks(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

/// The maximum number of links in a row that any system follows.
const MAX_LINKS: usize = 40;

/// Resolves links at the end of a path, even if the target is missing. A new file then replaces the
/// target and not the link.
pub fn resolve_symlinks(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    path
}

fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

//! Paths, folders, lists and standard input to sources. What can't be opened stays a source, with its failure.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// One input.
#[derive(Debug)]
pub struct Source {
    /// The path as given or found, with forward slashes; `-` for standard input.
    pub name: String,
    /// Where the bytes are.
    pub kind: SourceKind,
    /// Whether the user named it, rather than a folder that holds it.
    pub named: bool,
}

/// Where a source's bytes are.
#[derive(Debug)]
pub enum SourceKind {
    /// A file of so many bytes.
    File(PathBuf, u64),
    /// Standard input.
    Stdin,
    /// A folder without a game file.
    EmptyFolder,
    /// It can't be read; the reason.
    Failed(String),
}

impl Source {
    /// Bytes, as far as they are known before reading.
    pub fn length(&self) -> Option<u64> {
        match self.kind {
            SourceKind::File(_, length) => Some(length),
            SourceKind::Stdin => None,
            SourceKind::EmptyFolder | SourceKind::Failed(_) => Some(0),
        }
    }
}

/// The sources that paths stand for: a file is taken whatever its name, a folder gives its game files in the order of their names,
/// `-` is standard input. Order is that of the arguments, so the same arguments give the same rows.
pub fn discover<P: AsRef<Path>>(paths: &[P]) -> Vec<Source> {
    let mut sources = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        if path == Path::new("-") {
            sources.push(Source { name: "-".into(), kind: SourceKind::Stdin, named: true });
            continue;
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => walk(path, &mut sources),
            Ok(found) => sources.push(Source {
                name: display_name(path),
                kind: SourceKind::File(path.to_owned(), found.len()),
                named: true,
            }),
            Err(error) => sources.push(failed(path, &error, true)),
        }
    }
    sources
}

/// The paths listed in a file, one a line; blank lines are skipped. `-` reads the list from standard input.
///
/// # Errors
/// When the list can't be read.
pub fn paths_from(list: &Path) -> io::Result<Vec<PathBuf>> {
    let text = if list == Path::new("-") { io::read_to_string(io::stdin())? } else { fs::read_to_string(list)? };
    Ok(text.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(PathBuf::from).collect())
}

fn walk(folder: &Path, sources: &mut Vec<Source>) {
    let before = sources.len();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_game_file(entry.path()) => {
                let length = entry.metadata().map_or(0, |found| found.len());
                sources.push(Source {
                    name: display_name(entry.path()),
                    kind: SourceKind::File(entry.into_path(), length),
                    named: false,
                });
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                let error = io::Error::from(error);
                sources.push(failed(&path, &error, path == folder));
            }
        }
    }
    if sources.len() == before {
        sources.push(Source { name: display_name(folder), kind: SourceKind::EmptyFolder, named: true });
    }
}

fn is_game_file(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["sgf", "sgfs", "mgt"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

fn failed(path: &Path, error: &io::Error, named: bool) -> Source {
    Source { name: display_name(path), kind: SourceKind::Failed(error.to_string()), named }
}

fn display_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '\\' { name.replace('\\', "/") } else { name.into_owned() }
}

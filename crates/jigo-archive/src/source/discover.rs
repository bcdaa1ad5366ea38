//! Paths, folders, lists and standard input to sources. What can't be opened stays a source, with its failure.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::pack::{Format, unpacked_name};

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
    /// An archive of so many bytes.
    Archive(PathBuf, u64, Format),
    /// A file in an archive, which comes with its bytes.
    Member,
    /// What can't be read twice, such as a pipe or a device, and is opened once, when its turn comes; standard input without a path.
    Stream(Option<PathBuf>),
    /// A folder without a game file.
    EmptyFolder,
    /// It can't be read; the reason.
    Failed(String),
}

impl Source {
    /// Bytes, as far as they are known before reading.
    pub fn length(&self) -> Option<u64> {
        match self.kind {
            SourceKind::File(_, length) | SourceKind::Archive(_, length, _) => Some(length),
            SourceKind::Stream(_) | SourceKind::Member => None,
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
            sources.push(Source { name: "-".into(), kind: SourceKind::Stream(None), named: true });
            continue;
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => walk(path, &mut sources),
            Ok(found) => {
                let kind = match found.is_file() {
                    true => kind_of(path, found.len()),
                    false => SourceKind::Stream(Some(path.to_owned())),
                };
                sources.push(Source { name: display_name(path), kind, named: true })
            }
            Err(error) => sources.push(failed(path, &error, true)),
        }
    }
    sources
}

/// The paths listed in a file, one a line without blanks at its end, or each with a NUL behind it; empty ones are skipped. A path is bytes,
/// whatever charset they are in. `-` reads the list from standard input.
///
/// # Errors
/// When the list can't be read, or a path can't be one on this system.
pub fn paths_from(list: &Path, has_nul: bool) -> io::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    if list == Path::new("-") {
        io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(list)?;
    }
    let paths = bytes.split(|byte| *byte == if has_nul { 0 } else { b'\n' });
    let paths = paths.map(|path| if has_nul { path } else { path.trim_ascii_end() });
    paths.filter(|path| !path.is_empty()).map(path_of).collect()
}

/// The path that some bytes are.
///
/// # Errors
/// When they can't be one on this system.
#[cfg(unix)]
pub(super) fn path_of(bytes: &[u8]) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
pub(super) fn path_of(bytes: &[u8]) -> io::Result<PathBuf> {
    let text = std::str::from_utf8(bytes);
    let invalid = |_| io::Error::other(format!("{} is no UTF-8", String::from_utf8_lossy(bytes)));
    text.map(PathBuf::from).map_err(invalid)
}

fn walk(folder: &Path, sources: &mut Vec<Source>) {
    let before = sources.len();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_wanted(entry.path()) => {
                let length = entry.metadata().map_or(0, |found| found.len());
                sources.push(Source {
                    name: display_name(entry.path()),
                    kind: match Format::of_name(&entry.path().to_string_lossy()) {
                        Some(format) => SourceKind::Archive(entry.into_path(), length, format),
                        None => SourceKind::File(entry.into_path(), length),
                    },
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

/// A file that the user named: what it is shows in its first bytes where its name is no game file's.
fn kind_of(path: &Path, length: u64) -> SourceKind {
    let name = path.to_string_lossy();
    let mut start = Vec::new();
    if !is_game_name(&name) {
        // What can't be read fails again, and is told, when it is opened for its games.
        let _ = fs::File::open(path).and_then(|file| file.take(512).read_to_end(&mut start));
    }
    match Format::of_start(&start).or_else(|| Format::of_name(&name)) {
        Some(format) => SourceKind::Archive(path.to_owned(), length, format),
        None => SourceKind::File(path.to_owned(), length),
    }
}

/// Whether a file found in a folder is read: games, archives, and packed files of games.
fn is_wanted(path: &Path) -> bool {
    let name = path.to_string_lossy();
    match Format::of_name(&name) {
        Some(format) if format.is_single() => {
            let inner = unpacked_name(&name);
            is_game_name(&inner) || Format::of_name(&inner).is_some()
        }
        Some(_) => true,
        None => is_game_name(&name),
    }
}

/// Whether a file of this name holds games.
pub fn is_game_name(name: &str) -> bool {
    let extension = name.rsplit(['/', '\\']).next().and_then(|last| last.rsplit_once('.')).map_or("", |(_, end)| end);
    ["sgf", "sgfs", "mgt"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

fn failed(path: &Path, error: &io::Error, named: bool) -> Source {
    Source { name: display_name(path), kind: SourceKind::Failed(error.to_string()), named }
}

/// A path as the rows have it.
pub(super) fn display_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '\\' { name.replace('\\', "/") } else { name.into_owned() }
}

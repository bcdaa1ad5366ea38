//! Paths, folders, lists and standard input to sources. What can't be opened stays a source, with its failure.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::given::Given;
use super::name::{display_name, path_named};
use super::opened::open_file;
use super::pack::{PackFormat, unpacked_name};
use super::row::{RECORD_COLUMN, RowColumns};
use super::signs::{START_BYTES, TableFormat};
use jigo_core::sgf::RecordKind;

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
    Archive(PathBuf, u64, PackFormat),
    /// A table of records of so many bytes, a file that was named.
    Table(PathBuf, u64, TableFormat),
    /// A file in an archive, which comes with its bytes.
    Member,
    /// What can't be read twice, such as a pipe or a device, and is opened once, when its turn comes; standard input without a path.
    Stream(Option<PathBuf>),
    /// What the program hands over that the pipeline is part of, read once like a stream.
    Given(Given),
    /// A folder without a game file.
    EmptyFolder,
    /// It can't be read; the reason.
    Failed(String),
}

impl Source {
    /// Whether it is a table, whose rows are records.
    pub fn is_table(&self) -> bool {
        matches!(self.kind, SourceKind::Table(..))
    }

    /// Bytes, as far as they are known before reading.
    pub fn length(&self) -> Option<u64> {
        match self.kind {
            SourceKind::File(_, length) | SourceKind::Archive(_, length, _) | SourceKind::Table(_, length, _) => {
                Some(length)
            }
            SourceKind::Given(ref given) => given.length(),
            SourceKind::Stream(_) | SourceKind::Member => None,
            SourceKind::EmptyFolder | SourceKind::Failed(_) => Some(0),
        }
    }
}

/// The sources that paths stand for: a file is taken whatever its name, a folder gives its game files in the order of their names,
/// `-` is standard input. Order is that of the arguments, so the same arguments give the same rows.
pub fn discover<P: AsRef<Path>>(paths: &[P]) -> Vec<Source> {
    discover_told(paths, RECORD_COLUMN.into(), &mut |_| {})
}

/// The same, where tables have these columns; `passed_over` is told of the files of folders that are not read.
pub fn discover_told<P: AsRef<Path>>(
    paths: &[P],
    columns: RowColumns<'_>,
    passed_over: &mut dyn FnMut(&Path),
) -> Vec<Source> {
    let mut sources = Vec::new();
    for path in paths.iter().map(|path| path_named(path.as_ref())) {
        let path = &*path;
        if path == Path::new("-") {
            sources.push(Source { name: "-".into(), kind: SourceKind::Stream(None), named: true });
            continue;
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => walk(path, &mut sources, passed_over),
            Ok(found) => {
                let kind = match found.is_file() {
                    true => kind_of(path, found.len(), columns),
                    false => SourceKind::Stream(Some(path.to_owned())),
                };
                sources.push(Source { name: display_name(path), kind, named: true })
            }
            Err(error) => sources.push(failed(path, &error, true)),
        }
    }
    sources
}

/// The paths listed in a file, one a line without blanks at its end, or each with a NUL behind it; empty ones are skipped, and so is a mark of UTF-8 before the
/// first. A path is bytes, whatever charset they are in. `-` reads the list from standard input.
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
    let paths =
        bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes).split(|byte| *byte == if has_nul { 0 } else { b'\n' });
    let paths = paths.map(|path| if has_nul { path } else { path.trim_ascii_end() });
    paths.filter(|path| !path.is_empty()).map(path_of).collect()
}

/// The path that some bytes are.
///
/// # Errors
/// When they can't be one on this system.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> io::Result<PathBuf> {
    let text = std::str::from_utf8(bytes);
    let invalid = |_| io::Error::other(format!("{} is no UTF-8", String::from_utf8_lossy(bytes)));
    text.map(PathBuf::from).map_err(invalid)
}

fn walk(folder: &Path, sources: &mut Vec<Source>, passed_over: &mut dyn FnMut(&Path)) {
    let before = sources.len();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() => {
                let length = entry.metadata().map_or(0, |found| found.len());
                match found_kind(entry.path(), length) {
                    Some(kind) => {
                        sources.push(Source { name: display_name(entry.path()), kind, named: false });
                    }
                    None => passed_over(entry.path()),
                }
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

/// The first bytes of a file. What can't be read fails again, and is told, when it is opened for its games.
fn start_of(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    let _ = open_file(path).and_then(|file| file.take(START_BYTES as u64).read_to_end(&mut start));
    start
}

/// A file that the user named: what it is shows in its first bytes where its name is no game file's.
fn kind_of(path: &Path, length: u64, columns: RowColumns<'_>) -> SourceKind {
    let name = path.to_string_lossy();
    let start = if RecordKind::of_name(&name).is_none() { start_of(path) } else { Vec::new() };
    let path = path.to_owned();
    match PackFormat::of_start(&start).or_else(|| PackFormat::of_name(&name)) {
        Some(format) => SourceKind::Archive(path, length, format),
        None => match TableFormat::of_start(&start, columns) {
            Some(format) => SourceKind::Table(path, length, format),
            None => SourceKind::File(path, length),
        },
    }
}

/// A file found in a folder, if it is read: games, archives, and packed files of games. Without a suffix, its first bytes have to show it.
fn found_kind(path: &Path, length: u64) -> Option<SourceKind> {
    let name = path.to_string_lossy();
    let archive = match PackFormat::of_name(&name) {
        Some(format) if format.is_single() => {
            let inner = unpacked_name(&name);
            let is_wanted = RecordKind::of_name(&inner).is_some() || PackFormat::of_name(&inner).is_some();
            return is_wanted.then(|| SourceKind::Archive(path.to_owned(), length, format));
        }
        None if RecordKind::of_name(&name).is_some() => None,
        None if path.extension().is_none() => {
            let start = start_of(path);
            let format = PackFormat::of_start(&start).filter(|format| !format.is_single());
            if format.is_none() {
                RecordKind::of_start(&start)?;
            }
            format
        }
        None => return None,
        format => format,
    };
    Some(match archive {
        Some(format) => SourceKind::Archive(path.to_owned(), length, format),
        None => SourceKind::File(path.to_owned(), length),
    })
}

fn failed(path: &Path, error: &io::Error, named: bool) -> Source {
    Source { name: display_name(path), kind: SourceKind::Failed(error.to_string()), named }
}

//! Discovery: converts paths, folders, lists and standard input to sources. An input that can't be
//! opened becomes a source with its error.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::display_name::{display_name, resolve_path};
use super::in_memory::InMemorySource;
use crate::source::compression::format::{ArchiveFormat, unpacked_name};
use crate::source::rows::row_columns::{RECORD_COLUMN, RowColumns};
use crate::source::signatures::{START_BYTES, TableFormat};
use jigo_record::splitter::RecordKind;

/// One input.
#[derive(Debug)]
pub struct Source {
    /// The path as given or found, with forward slashes; `-` for standard input.
    pub name: String,
    /// The location of the bytes.
    pub kind: SourceKind,
    /// True if the user named the input; false if it was found in a folder.
    pub is_named: bool,
}

/// The location of a source's bytes.
#[derive(Debug)]
pub enum SourceKind {
    /// A file with its size in bytes.
    File(PathBuf, u64),
    /// An archive with its size in bytes and its format.
    Archive(PathBuf, u64, ArchiveFormat),
    /// A table of records that the user named, with its size in bytes and its format.
    Table(PathBuf, u64, TableFormat),
    /// A file in an archive, which arrives with its bytes.
    Member,
    /// An input that can be read only once, such as a pipe or a device. It is opened when its turn
    /// comes. `None` is standard input.
    Stream(Option<PathBuf>),
    /// An input that the calling program hands over. It is read once, like a stream.
    InMemory(InMemorySource),
    /// A folder without a game file.
    EmptyFolder,
    /// An unreadable input, with the reason.
    Failed(String),
}

impl Source {
    /// Returns true for a table, whose rows are records.
    pub fn is_table(&self) -> bool {
        matches!(self.kind, SourceKind::Table(..))
    }

    /// Returns the size in bytes, if it is known before reading.
    pub fn length(&self) -> Option<u64> {
        match self.kind {
            SourceKind::File(_, length) | SourceKind::Archive(_, length, _) | SourceKind::Table(_, length, _) => {
                Some(length)
            }
            SourceKind::InMemory(ref input) => input.length(),
            SourceKind::Stream(_) | SourceKind::Member => None,
            SourceKind::EmptyFolder | SourceKind::Failed(_) => Some(0),
        }
    }
}

/// Returns the sources of some paths, in the order of the arguments.
///
/// A named file is always a source, with any name. A folder contributes its game files in the order
/// of their names. `-` is standard input.
pub fn discover<P: AsRef<Path>>(paths: &[P]) -> Vec<Source> {
    discover_with(paths, RECORD_COLUMN.into(), &mut |_| {})
}

/// Returns the sources of some paths as `discover` does, for tables with these columns. Calls
/// `on_skipped` with each skipped file of a folder.
pub fn discover_with<P: AsRef<Path>>(
    paths: &[P],
    columns: RowColumns<'_>,
    on_skipped: &mut dyn FnMut(&Path),
) -> Vec<Source> {
    let mut sources = Vec::new();
    for path in paths.iter().map(|path| resolve_path(path.as_ref())) {
        let path = &*path;
        if path == Path::new("-") {
            sources.push(Source { name: "-".into(), kind: SourceKind::Stream(None), is_named: true });
            continue;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => discover_folder(path, &mut sources, on_skipped),
            Ok(metadata) => {
                let kind = match metadata.is_file() {
                    true => named_file_kind(path, metadata.len(), columns),
                    false => SourceKind::Stream(Some(path.to_owned())),
                };
                sources.push(Source { name: display_name(path), kind, is_named: true })
            }
            Err(error) => sources.push(failed_source(path, &error, true)),
        }
    }
    sources
}

/// Reads a list of paths from a file; `-` reads it from standard input.
///
/// Each line is a path without trailing white space. With `has_nul`, a NUL byte ends each path
/// instead. Empty paths are skipped, and so is a UTF-8 byte order mark. Paths are bytes in any
/// charset.
///
/// # Errors
/// Fails if the list can't be read, or if a path is invalid on this system.
pub fn read_path_list(list: &Path, has_nul: bool) -> io::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    if list == Path::new("-") {
        io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(list)?;
    }
    let paths =
        bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes).split(|byte| *byte == if has_nul { 0 } else { b'\n' });
    let paths = paths.map(|path| if has_nul { path } else { path.trim_ascii_end() });
    paths.filter(|path| !path.is_empty()).map(path_from_bytes).collect()
}

/// Converts bytes to a path.
///
/// # Errors
/// Fails if the path is invalid on this system.
#[cfg(unix)]
pub(crate) fn path_from_bytes(bytes: &[u8]) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
pub(crate) fn path_from_bytes(bytes: &[u8]) -> io::Result<PathBuf> {
    let text = std::str::from_utf8(bytes);
    let invalid = |_| io::Error::other(format!("{} is no UTF-8", String::from_utf8_lossy(bytes)));
    text.map(PathBuf::from).map_err(invalid)
}

fn discover_folder(folder: &Path, sources: &mut Vec<Source>, on_skipped: &mut dyn FnMut(&Path)) {
    let before = sources.len();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() => {
                let length = entry.metadata().map_or(0, |metadata| metadata.len());
                match folder_file_kind(entry.path(), length) {
                    Some(kind) => {
                        sources.push(Source { name: display_name(entry.path()), kind, is_named: false });
                    }
                    None => on_skipped(entry.path()),
                }
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                let error = io::Error::from(error);
                sources.push(failed_source(&path, &error, path == folder));
            }
        }
    }
    if sources.len() == before {
        sources.push(Source { name: display_name(folder), kind: SourceKind::EmptyFolder, is_named: true });
    }
}

/// Reads the first bytes of a file. An error here occurs again, and is reported, when the file is
/// opened for its games.
fn read_start(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    let _ = open_file(path).and_then(|file| file.take(START_BYTES as u64).read_to_end(&mut start));
    start
}

/// Detects the kind of a file that the user named. Unless its name is that of a game file, its
/// first bytes decide.
fn named_file_kind(path: &Path, length: u64, columns: RowColumns<'_>) -> SourceKind {
    let name = path.to_string_lossy();
    let start = if RecordKind::from_name(&name).is_none() { read_start(path) } else { Vec::new() };
    let path = path.to_owned();
    match ArchiveFormat::from_start(&start).or_else(|| ArchiveFormat::from_name(&name)) {
        Some(format) => SourceKind::Archive(path, length, format),
        None => match TableFormat::detect(&name, &start, columns) {
            Some(format) => SourceKind::Table(path, length, format),
            None => SourceKind::File(path, length),
        },
    }
}

/// Detects the kind of a file found in a folder: a game file, an archive, or a compressed game
/// file. Returns `None` for other files. If the file name has no suffix, the first bytes decide.
fn folder_file_kind(path: &Path, length: u64) -> Option<SourceKind> {
    let name = path.to_string_lossy();
    let archive = match ArchiveFormat::from_name(&name) {
        Some(format) if format.is_single() => {
            let inner = unpacked_name(&name);
            let is_input = RecordKind::from_name(&inner).is_some() || ArchiveFormat::from_name(&inner).is_some();
            return is_input.then(|| SourceKind::Archive(path.to_owned(), length, format));
        }
        None if RecordKind::from_name(&name).is_some() => None,
        None if path.extension().is_none() => {
            let start = read_start(path);
            let format = ArchiveFormat::from_start(&start).filter(|format| !format.is_single());
            if format.is_none() {
                RecordKind::from_start(&start)?;
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

fn failed_source(path: &Path, error: &io::Error, is_named: bool) -> Source {
    Source { name: display_name(path), kind: SourceKind::Failed(error.to_string()), is_named }
}

/// Opens a path that was a regular file during discovery.
///
/// If a pipe has replaced it, the open fails instead of waiting for a writer that may never come.
///
/// # Errors
/// Fails if the path is no longer a regular file, or can't be opened.
pub fn open_file(path: &Path) -> io::Result<File> {
    let file = match non_blocking(File::options().read(true)).open(path) {
        // Another program holds a lease on the file; a blocking open waits for its release.
        Err(error) if error.kind() == ErrorKind::WouldBlock => File::open(path)?,
        result => result?,
    };
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it was a file as the run began and is none any more")),
    }
}

/// Makes the open non-blocking, which has no effect on reads from a regular file.
#[cfg(unix)]
fn non_blocking(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
}

/// On other systems, folders contain no pipes.
#[cfg(not(unix))]
fn non_blocking(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

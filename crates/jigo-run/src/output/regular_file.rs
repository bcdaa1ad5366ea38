//! Access to files in a folder that may come from a stranger. Only regular files with a single name
//! are opened.

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// Returns true if a regular file exists at `path`.
///
/// # Errors
/// Fails if the path is anything else, such as a link that may lead anywhere, or if it can't be
/// examined.
pub fn is_regular_file(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() && has_one_name(&metadata) => Ok(true),
        Ok(_) => Err(io::Error::other(format!("{} is a link or no file; jigo makes none such", path.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Creates a new file. An existing file or link of that name is removed first.
///
/// # Errors
/// Fails if the file can't be created or written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::options().write(true).create_new(true).open(path)?.write_all(bytes)
}

/// Returns true if both files are regular and have the same bytes.
///
/// # Errors
/// Fails if a file can't be read.
pub fn has_same_content(first: &Path, second: &Path) -> io::Result<bool> {
    if [first, second].iter().any(|path| !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())) {
        return Ok(false);
    }
    let (mut first, mut second) = (BufReader::new(File::open(first)?), BufReader::new(File::open(second)?));
    loop {
        let (one, other) = (first.fill_buf()?, second.fill_buf()?);
        let length = one.len().min(other.len());
        if one[..length] != other[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(one.len() == other.len());
        }
        first.consume(length);
        second.consume(length);
    }
}

/// Returns true if both paths, and no third one, refer to the same file.
#[cfg(unix)]
pub fn is_same_file(first: &Path, second: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let metadata_pair = fs::symlink_metadata(first).and_then(|first| Ok((first, fs::symlink_metadata(second)?)));
    metadata_pair.is_ok_and(|(first, second)| {
        first.is_file() && first.nlink() == 2 && (first.dev(), first.ino()) == (second.dev(), second.ino())
    })
}

/// Returns false, because files are moved in one step here.
#[cfg(not(unix))]
pub fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}

/// Returns true if the file has only one name.
#[cfg(unix)]
fn has_one_name(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) == 1
}

#[cfg(not(unix))]
fn has_one_name(_: &Metadata) -> bool {
    true
}

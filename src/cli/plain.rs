//! Files in a folder that may come from a stranger: only what is a file there and nowhere else is opened.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::Path;

/// Whether a file is there. What is something else, such as a link that leads anywhere, is an error.
///
/// # Errors
/// When it is, or nobody may look.
pub fn is_plain(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() && has_one_name(&found) => Ok(true),
        Ok(_) => Err(io::Error::other(format!("{} is a link or no file; jigo makes none such", path.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes a new file; one of that name, or a link, is taken away before.
///
/// # Errors
/// When that fails.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Whether a file stands in both places and in no third.
#[cfg(unix)]
pub fn is_in_both(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let found = fs::symlink_metadata(one).and_then(|one| Ok((one, fs::symlink_metadata(other)?)));
    found.is_ok_and(|(one, other)| {
        one.is_file() && one.nlink() == 2 && (one.dev(), one.ino()) == (other.dev(), other.ino())
    })
}

/// Files are moved there in one step.
#[cfg(not(unix))]
pub fn is_in_both(_: &Path, _: &Path) -> bool {
    false
}

/// Whether no other folder has the same file.
#[cfg(unix)]
fn has_one_name(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) == 1
}

#[cfg(not(unix))]
fn has_one_name(_: &Metadata) -> bool {
    true
}

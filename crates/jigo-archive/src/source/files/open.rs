//! Opening regular files for reading.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

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

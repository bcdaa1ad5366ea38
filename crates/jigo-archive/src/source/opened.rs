//! Files opened for reading, of which it is known that they are files.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens what was a file when it was found. A pipe that stands there by now, for which nobody may ever write, is an error and nothing to wait for.
///
/// # Errors
/// When it is no file any more, or can't be opened.
pub fn open_file(path: &Path) -> io::Result<File> {
    let file = match at_once(File::options().read(true)).open(path) {
        // A file that another program has reserved for itself is waited for.
        Err(error) if error.kind() == ErrorKind::WouldBlock => File::open(path)?,
        opened => opened?,
    };
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it was a file as the run began and is none any more")),
    }
}

/// Opening waits for nobody, which makes no difference to reading a file.
#[cfg(unix)]
fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
}

/// Pipes stand in no folders there.
#[cfg(not(unix))]
fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

//! Temporary copies of streams, which then allow random access.

use std::fs::File;
use std::io::{self, Read, Seek};

use crate::source::watched_reader::WatchedReader;

/// The reason why the copy failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TempCopyError {
    /// The input can't be read.
    #[error(transparent)]
    Input(io::Error),
    /// The temporary file can't be created or written. The input is not at fault.
    #[error("no temporary file can be {0} in {folder}: {1}; {TEMP_FOLDER_VARIABLE} names another folder", folder = std::env::temp_dir().display())]
    Temporary(&'static str, io::Error),
}

/// The environment variable with the folder of temporary files.
const TEMP_FOLDER_VARIABLE: &str = if cfg!(windows) { "TMP" } else { "TMPDIR" };

/// Copies `input` to an unnamed temporary file. Returns the file at its start, and its length.
pub(crate) fn copy_to_temp_file(input: impl Read) -> Result<(File, u64), TempCopyError> {
    let mut file = tempfile::tempfile().map_err(|error| TempCopyError::Temporary("made", error))?;
    let mut has_failed = false;
    let examine = |read: io::Result<usize>, _: &[u8]| {
        has_failed = read.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        read
    };
    let copied =
        io::copy(&mut WatchedReader { input, examine }, &mut file).and_then(|length| file.rewind().map(|()| length));
    match copied {
        Ok(length) => Ok((file, length)),
        Err(error) if has_failed => Err(TempCopyError::Input(error)),
        Err(error) => Err(TempCopyError::Temporary("written", error)),
    }
}

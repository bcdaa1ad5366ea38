//! What can be read only once and only forwards, as a file that can be read in any order.

use std::fs::File;
use std::io::{self, Read, Seek};

/// Why there is no such file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SpoolError {
    /// What was to be read can't be.
    #[error(transparent)]
    Input(io::Error),
    /// The temporary file can't be made, or not be written: nothing is wrong with the input.
    #[error("no temporary file can be {0} in {folder}: {1}; {VARIABLE} names another folder", folder = std::env::temp_dir().display())]
    Temporary(&'static str, io::Error),
}

/// What says where temporary files are.
const VARIABLE: &str = if cfg!(windows) { "TMP" } else { "TMPDIR" };

/// The bytes of `input` in a temporary file without a name, at its beginning, and how many they are.
pub(crate) fn spooled(input: impl Read) -> Result<(File, u64), SpoolError> {
    let mut file = tempfile::tempfile().map_err(|error| SpoolError::Temporary("made", error))?;
    let mut input = SpoolInput { input, has_failed: false };
    let copied = io::copy(&mut input, &mut file).and_then(|length| file.rewind().map(|()| length));
    match copied {
        Ok(length) => Ok((file, length)),
        Err(error) if input.has_failed => Err(SpoolError::Input(error)),
        Err(error) => Err(SpoolError::Temporary("written", error)),
    }
}

/// An input that keeps whether it has failed.
struct SpoolInput<R> {
    input: R,
    has_failed: bool,
}

impl<R: Read> Read for SpoolInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer);
        self.has_failed = read.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        read
    }
}

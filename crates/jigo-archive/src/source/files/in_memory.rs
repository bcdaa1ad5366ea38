//! Inputs without a path, which another program has in memory or produces on demand, and temporary
//! files for those that must be sought in.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::Mutex;

use crate::source::watched_reader::WatchedReader;
#[cfg(feature = "columnar")]
use arrow_array::RecordBatchReader;

/// An input that another program hands over. It can be read once.
pub struct InMemorySource {
    /// The size in bytes, if known.
    length: Option<u64>,
    /// The input; `None` after it has been taken.
    input: Mutex<Option<InMemoryInput>>,
}

/// The form of the input.
pub(crate) enum InMemoryInput {
    /// The bytes of a file of any format.
    Bytes(Box<dyn Read + Send>),
    /// Rows of records.
    #[cfg(feature = "columnar")]
    Rows(Box<dyn RecordBatchReader + Send>),
}

impl InMemorySource {
    /// Creates an input from the bytes of a game file or an archive, and their number if it is
    /// known.
    pub fn from_bytes(input: Box<dyn Read + Send>, length: Option<u64>) -> InMemorySource {
        InMemorySource { length, input: Mutex::new(Some(InMemoryInput::Bytes(input))) }
    }

    /// Creates an input from rows of records, with the columns of
    /// [`InputFormat::Arrow`](crate::source::InputFormat::Arrow). The job's input format must be
    /// `Arrow`.
    #[cfg(feature = "columnar")]
    pub fn from_rows(input: Box<dyn RecordBatchReader + Send>) -> InMemorySource {
        InMemorySource { length: None, input: Mutex::new(Some(InMemoryInput::Rows(input))) }
    }

    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Takes the input.
    ///
    /// # Errors
    /// Fails if the input was taken before.
    pub(crate) fn take(&self) -> io::Result<InMemoryInput> {
        let content = self.input.lock().ok().and_then(|mut input| input.take());
        content.ok_or_else(|| io::Error::other("it was read before, and can be read only once"))
    }
}

impl fmt::Debug for InMemorySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InMemorySource").field("length", &self.length).finish_non_exhaustive()
    }
}

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

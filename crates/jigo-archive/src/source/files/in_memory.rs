//! Inputs without a path, which another program has in memory or produces on demand.

use std::fmt;
use std::io::{self, Read};
use std::sync::Mutex;

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

//! Inputs that are no paths: what another program has in memory, or makes while it is read.

use std::fmt;
use std::io::{self, Read};
use std::sync::Mutex;

#[cfg(feature = "columnar")]
use arrow_array::RecordBatchReader;

/// An input that is handed over, to be read once.
pub struct Given {
    /// Bytes, where they are known.
    length: Option<u64>,
    /// What is left to read: nothing once somebody reads it.
    input: Mutex<Option<Input>>,
}

/// How it is handed over.
pub(crate) enum Input {
    /// Bytes of any kind that a file may have.
    Bytes(Box<dyn Read + Send>),
    /// Rows of records.
    #[cfg(feature = "columnar")]
    Rows(Box<dyn RecordBatchReader + Send>),
}

impl Given {
    /// Bytes as a file would have them: games, or an archive; so many where that is known.
    pub fn bytes(input: Box<dyn Read + Send>, length: Option<u64>) -> Given {
        Given { length, input: Mutex::new(Some(Input::Bytes(input))) }
    }

    /// Rows of records, with the columns of [`InputFormat::Arrow`](super::InputFormat::Arrow), which is what the job has to read.
    #[cfg(feature = "columnar")]
    pub fn rows(input: Box<dyn RecordBatchReader + Send>) -> Given {
        Given { length: None, input: Mutex::new(Some(Input::Rows(input))) }
    }

    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// What there is to read.
    ///
    /// # Errors
    /// When it was read before.
    pub(crate) fn take(&self) -> io::Result<Input> {
        let left = self.input.lock().ok().and_then(|mut input| input.take());
        left.ok_or_else(|| io::Error::other("it was read before, and can be read only once"))
    }
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given").field("length", &self.length).finish_non_exhaustive()
    }
}

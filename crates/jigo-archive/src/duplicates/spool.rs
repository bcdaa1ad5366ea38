//! Bytes that are written first and read later, in a temporary file above a memory limit.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use tempfile::{SpooledTempFile, spooled_tempfile};

/// The size of the write buffer in bytes.
const BUFFER_BYTES: usize = 1 << 16;

/// A buffer with a write phase and a read phase.
pub(super) struct Spool {
    file: BufWriter<SpooledTempFile>,
    length: u64,
    is_read: bool,
}

impl Spool {
    /// Returns an empty spool. Bytes above `memory` go to a temporary file.
    pub(super) fn new(memory: usize) -> Spool {
        let file = BufWriter::with_capacity(BUFFER_BYTES, spooled_tempfile(memory));
        Spool { file, length: 0, is_read: false }
    }

    /// Appends bytes and returns their position.
    ///
    /// # Errors
    /// Fails if the bytes don't fit on the disk, or if the read phase has begun.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        if self.is_read {
            return Err(io::Error::other("games are added too late"));
        }
        self.file.write_all(bytes)?;
        let offset = self.length;
        self.length += bytes.len() as u64;
        Ok(offset)
    }

    /// Fills `bytes` from position `offset`. Starts the read phase, after which nothing can be
    /// appended.
    ///
    /// # Errors
    /// Fails if the bytes can't be read or the spool is shorter.
    pub(super) fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.is_read = true;
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.get_mut().read_exact(bytes)
    }
}

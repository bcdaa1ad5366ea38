//! Bytes that are written first and read later, in a temporary file above a memory limit.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use tempfile::{SpooledTempFile, spooled_tempfile};

/// The size of the write buffer in bytes.
const BUFFER_BYTES: usize = 1 << 16;

/// A buffer with a write phase and a read phase.
pub(super) enum Spool {
    /// The write phase, with the number of bytes so far.
    Writing(BufWriter<SpooledTempFile>, u64),
    Reading(SpooledTempFile),
}

impl Spool {
    /// Returns an empty spool. Bytes above `memory` go to a temporary file.
    pub(super) fn new(memory: usize) -> Spool {
        Spool::Writing(BufWriter::with_capacity(BUFFER_BYTES, spooled_tempfile(memory)), 0)
    }

    /// Appends bytes and returns their position.
    ///
    /// # Errors
    /// Fails if the bytes don't fit on the disk, or if the read phase has begun.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let Spool::Writing(file, end) = self else { return Err(io::Error::other("games are added too late")) };
        file.write_all(bytes)?;
        let offset = *end;
        *end += bytes.len() as u64;
        Ok(offset)
    }

    /// Fills `bytes` from position `offset`. Starts the read phase, after which nothing can be
    /// appended.
    ///
    /// # Errors
    /// Fails if the bytes can't be read or the spool is shorter.
    pub(super) fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let file = self.start_reading()?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }

    fn start_reading(&mut self) -> io::Result<&mut SpooledTempFile> {
        if let Spool::Writing(file, _) = self {
            file.flush()?;
            let file = std::mem::replace(file, BufWriter::new(spooled_tempfile(0)));
            *self = Spool::Reading(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        }
        match self {
            Spool::Reading(file) => Ok(file),
            Spool::Writing(..) => Err(io::Error::other("games are still written")),
        }
    }
}

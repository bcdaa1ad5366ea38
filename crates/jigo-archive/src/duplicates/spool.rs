//! Bytes that are written first and read later, in a file of their own beyond some memory.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use tempfile::{SpooledTempFile, spooled_tempfile};

/// Bytes that are gathered before they are written.
const GATHERED: usize = 1 << 16;

/// What is looked up later.
pub(super) enum Spool {
    /// Up to which byte.
    Written(BufWriter<SpooledTempFile>, u64),
    Read(SpooledTempFile),
}

impl Spool {
    /// Nothing yet. What is more than `memory` bytes goes to a temporary file.
    pub(super) fn new(memory: usize) -> Spool {
        Spool::Written(BufWriter::with_capacity(GATHERED, spooled_tempfile(memory)), 0)
    }

    /// Adds bytes; gives where they begin.
    ///
    /// # Errors
    /// When they don't fit onto the disk, or something was read already.
    pub(super) fn put(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let Spool::Written(file, end) = self else { return Err(io::Error::other("games are added too late")) };
        file.write_all(bytes)?;
        let at = *end;
        *end += bytes.len() as u64;
        Ok(at)
    }

    /// The bytes from one on, as many as there is room for. Nothing can be added after that.
    ///
    /// # Errors
    /// When they can't be read, or there are not as many.
    pub(super) fn get(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let file = self.reading()?;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }

    fn reading(&mut self) -> io::Result<&mut SpooledTempFile> {
        if let Spool::Written(file, _) = self {
            file.flush()?;
            let file = std::mem::replace(file, BufWriter::new(spooled_tempfile(0)));
            *self = Spool::Read(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        }
        match self {
            Spool::Read(file) => Ok(file),
            Spool::Written(..) => Err(io::Error::other("games are still written")),
        }
    }
}

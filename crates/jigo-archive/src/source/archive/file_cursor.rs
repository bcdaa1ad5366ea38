//! A cursor in a file. Cursors in the same file are independent of each other.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A cursor in a file.
#[derive(Clone)]
pub(crate) struct FileCursor {
    file: Arc<File>,
    /// The length of the file in bytes.
    pub(crate) length: u64,
    position: u64,
}

impl FileCursor {
    /// Returns a cursor at the start of a file.
    pub(crate) fn new(file: File) -> io::Result<FileCursor> {
        let length = file.metadata()?.len();
        Ok(FileCursor { file: Arc::new(file), length, position: 0 })
    }

    /// Returns another cursor in the same file, at byte `position`.
    pub(crate) fn at(&self, position: u64) -> FileCursor {
        FileCursor { position, ..self.clone() }
    }
}

impl Read for FileCursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = read_at(&self.file, buffer, self.position)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for FileCursor {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(distance) => self.length.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, position)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, position)
}

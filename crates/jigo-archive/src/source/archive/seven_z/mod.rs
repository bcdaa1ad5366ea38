//! 7z archives: many files, some or all of them compressed together, and a directory (list) at the
//! end, which is itself compressed.
//!
//! jigo parses the list itself and checks it before it allocates anything. sevenz-rust2 has a limit
//! for the bytes of the list, but for each of them the list may state a file, and the crate
//! allocates the entry of a file, about 100 bytes, before it reads a name. With a limit of 32 MiB, an
//! archive of 2.5 KB takes 1.6 GB. A limit that bounds the entries as well would refuse sound
//! archives of twenty thousand files, and the usual dictionaries of lists, which have the same limit.

mod coders;
mod error;
mod directory;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::file_cursor::FileCursor;
use crate::source::budget::memory_budget::{MemoryBudget, Reservation};
use coders::BoxedReader;
use directory::{ArchiveEnd, SIGNATURE_BYTES, SevenZDirectory};
pub(super) use error::SevenZError;

const SIGNATURE: [u8; 6] = [b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C];
/// The maximum number of nested compressed lists.
const MAX_NESTED_DIRECTORIES: u32 = 4;

/// A 7z archive in a file.
pub(super) struct SevenZ {
    cursor: FileCursor,
    directory: SevenZDirectory,
    memory: Arc<MemoryBudget>,
    /// The memory reservation for the list.
    _reservation: Reservation,
}

/// A file of the list.
pub(super) struct ListedFile<'a> {
    pub name: &'a str,
    /// The index of the folder and of the file in it; `None` for a file without content.
    pub content: Option<(usize, usize)>,
}

impl SevenZ {
    /// Reads the list.
    pub(super) fn open(file: File, memory: &Arc<MemoryBudget>) -> Result<SevenZ, SevenZError> {
        let mut cursor = FileCursor::new(file)?;
        let mut start = [0; SIGNATURE_BYTES as usize];
        cursor.read_exact(&mut start)?;
        let number = |offset: usize| {
            start[offset..offset + 8].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
        };
        let checksum = |offset: usize| number(offset - 4) >> 32;
        if !start.starts_with(&SIGNATURE) || u64::from(crc(&start[12..])) != checksum(8) {
            return Err(SevenZError::Damaged("it does not begin as a 7z does"));
        }
        let offset = number(12).checked_add(SIGNATURE_BYTES);
        let end = offset.and_then(|offset| offset.checked_add(number(20))).filter(|end| *end <= cursor.length);
        let (Some(offset), Some(_)) = (offset, end) else {
            return Err(SevenZError::Damaged("it is cut: its list is not there"));
        };
        let mut reservation = memory.reserve(number(20), DIRECTORY_SUBJECT)?;
        let mut bytes = read_bytes(cursor.at(offset), number(20))?;
        if u64::from(crc(&bytes)) != checksum(28) {
            return Err(SevenZError::Damaged("the checksum of its list is wrong"));
        }
        for _ in 0..MAX_NESTED_DIRECTORIES {
            let available = memory.remaining();
            let remaining = Cell::new(available);
            let parsed = match directory::parse(&bytes, offset, &remaining) {
                Err(SevenZError::Memory) => {
                    return Err(memory.deny(format!("{DIRECTORY_SUBJECT} takes more memory than --max memory")).into());
                }
                parsed => parsed?,
            };
            let directory_reservation = memory.reserve(available - remaining.get(), DIRECTORY_SUBJECT)?;
            match parsed {
                ArchiveEnd::Directory(directory) => {
                    return Ok(SevenZ {
                        cursor,
                        directory,
                        memory: Arc::clone(memory),
                        _reservation: directory_reservation,
                    });
                }
                ArchiveEnd::Packed(packed) => {
                    (bytes, reservation) = unpack_directory(&cursor, &packed, memory)?;
                }
            }
        }
        drop(reservation);
        Err(SevenZError::Damaged("its list is packed again and again"))
    }

    /// Returns all files in the order of the list, without the folders.
    pub(super) fn entries(&self) -> impl Iterator<Item = ListedFile<'_>> {
        let folders = self.directory.folders.iter().enumerate();
        let mut contents =
            folders.flat_map(|(folder, content)| (0..content.streams.len()).map(move |stream| (folder, stream)));
        self.directory.files.iter().filter_map(move |file| {
            let content = if file.has_stream { contents.next() } else { None };
            // Missing content is reported when the file is unpacked.
            let content = content.or(file.has_stream.then_some((usize::MAX, 0)));
            (!file.is_folder).then_some(ListedFile { name: &file.name, content })
        })
    }

    /// Opens the files of a folder, to be read one after the other. `wrap` wraps the reader of all
    /// unpacked bytes, used or not.
    pub(super) fn open_folder(
        &self,
        folder: usize,
        wrap: impl FnOnce(BoxedReader) -> BoxedReader,
    ) -> Result<FolderReader<'_>, SevenZError> {
        let folder = self
            .directory
            .folders
            .get(folder)
            .ok_or(SevenZError::Damaged("its list has more files than folders hold"))?;
        let (input, reservation) = coders::unpack(folder, &self.directory.packed, &self.cursor, &self.memory)?;
        let input = wrap(input);
        Ok(FolderReader {
            input,
            streams: folder.streams.iter(),
            next_file: 0,
            is_broken: false,
            _reservation: reservation,
        })
    }
}

/// The subject of the message about a list that is too large.
const DIRECTORY_SUBJECT: &str = "the list of a 7z";

/// Unpacks the list that is the content of the first folder of `packed`.
fn unpack_directory(
    cursor: &FileCursor,
    packed: &SevenZDirectory,
    memory: &Arc<MemoryBudget>,
) -> Result<(Vec<u8>, Reservation), SevenZError> {
    let folder = packed.folders.first().ok_or(SevenZError::Damaged("its list has no folder"))?;
    let length = folder.length();
    let reservation = memory.reserve(length, DIRECTORY_SUBJECT)?;
    let (mut input, _coders) = coders::unpack(folder, &packed.packed, cursor, memory)?;
    let bytes = read_bytes(&mut input, length)?;
    match folder.crc.is_some_and(|expected| expected != crc(&bytes)) {
        true => Err(SevenZError::Damaged("the checksum of its list is wrong")),
        false => Ok((bytes, reservation)),
    }
}

/// Reads `length` bytes. Memory grows with the bytes that arrive.
fn read_bytes(input: impl Read, length: u64) -> Result<Vec<u8>, SevenZError> {
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length { Err(SevenZError::Damaged("its list is cut")) } else { Ok(bytes) }
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The files of a folder. They share one stream, so unread files have to be unpacked and skipped.
pub(super) struct FolderReader<'a> {
    input: BoxedReader,
    streams: std::slice::Iter<'a, directory::FileContent>,
    /// The index of the next file.
    next_file: usize,
    /// True if the stream has failed.
    is_broken: bool,
    _reservation: Reservation,
}

impl FolderReader<'_> {
    /// Returns the content of the file with this index, from 0. Indices must ascend.
    ///
    /// # Errors
    /// Fails if the preceding content can't be read.
    pub(super) fn file(&mut self, number: usize) -> io::Result<FileReader<'_>> {
        for stream in self.streams.by_ref() {
            self.next_file += 1;
            if self.is_broken {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "what is packed before it is damaged"));
            }
            if self.next_file > number {
                let crc = flate2::Crc::new();
                let (remaining, expected) = (stream.length, stream.crc);
                return Ok(FileReader {
                    input: &mut self.input,
                    remaining,
                    crc,
                    expected,
                    is_broken: &mut self.is_broken,
                });
            }
            let skipped = io::copy(&mut self.input.by_ref().take(stream.length), &mut io::sink());
            self.is_broken = !skipped.is_ok_and(|length| length == stream.length);
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "its list has more files than folders hold"))
    }
}

/// The content of a file. Its checksum is checked. Read it to its end before requesting the next
/// file.
pub(super) struct FileReader<'a> {
    input: &'a mut BoxedReader,
    remaining: u64,
    crc: flate2::Crc,
    expected: Option<u32>,
    is_broken: &'a mut bool,
}

impl Read for FileReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.remaining == 0 || buffer.is_empty() {
            return Ok(0);
        }
        let length = buffer.len().min(usize::try_from(self.remaining).unwrap_or(usize::MAX));
        let read = self.input.read(&mut buffer[..length]);
        *self.is_broken |= !matches!(read, Ok(1..));
        let count = read?;
        if count == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "its packed bytes end before its end"));
        }
        self.crc.update(&buffer[..count]);
        self.remaining -= count as u64;
        match self.expected {
            Some(expected) if self.remaining == 0 && self.crc.sum() != expected => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"))
            }
            _ => Ok(count),
        }
    }
}

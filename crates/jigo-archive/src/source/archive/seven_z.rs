//! 7z archives: many files, some or all of them compressed together, and a directory (list) at the
//! end, which is itself compressed.
//!
//! jigo parses the list itself and checks it before it allocates anything. Decoders believe the
//! dictionary sizes in the list, and a list of 32 bytes can state any size.

mod coders;
mod error;
mod directory;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::file_cursor::Place;
use crate::source::budget::memory_budget::{Hold, Memory};
use coders::Stream;
use directory::{ArchiveEnd, List, SIGNATURE_BYTES};
pub(super) use error::Failure;

const SIGNATURE: [u8; 6] = [b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C];
/// The maximum number of nested compressed lists.
const MOST_LISTS: u32 = 4;

/// A 7z archive in a file.
pub(super) struct SevenZ {
    place: Place,
    list: List,
    memory: Arc<Memory>,
    /// The memory reservation for the list.
    _hold: Hold,
}

/// A file of the list.
pub(super) struct ListedFile<'a> {
    pub name: &'a str,
    /// The index of the folder and of the file in it; `None` for a file without content.
    pub content: Option<(usize, usize)>,
}

impl SevenZ {
    /// Reads the list.
    pub(super) fn open(file: File, memory: &Arc<Memory>) -> Result<SevenZ, Failure> {
        let mut place = Place::of(file)?;
        let mut start = [0; SIGNATURE_BYTES as usize];
        place.read_exact(&mut start)?;
        let number = |at: usize| start[at..at + 8].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let checksum = |at: usize| number(at - 4) >> 32;
        if !start.starts_with(&SIGNATURE) || u64::from(crc(&start[12..])) != checksum(8) {
            return Err(Failure::Damaged("it does not begin as a 7z does"));
        }
        let at = number(12).checked_add(SIGNATURE_BYTES);
        let end = at.and_then(|at| at.checked_add(number(20))).filter(|end| *end <= place.length());
        let (Some(at), Some(_)) = (at, end) else { return Err(Failure::Damaged("it is cut: its list is not there")) };
        let mut hold = memory.hold(number(20), LIST)?;
        let mut bytes = read(place.at(at), number(20))?;
        if u64::from(crc(&bytes)) != checksum(28) {
            return Err(Failure::Damaged("the checksum of its list is wrong"));
        }
        for _ in 0..MOST_LISTS {
            let most = memory.left();
            let left = Cell::new(most);
            let end = match directory::read(&bytes, at, &left) {
                Err(Failure::Memory) => {
                    return Err(memory.deny(format!("{LIST} takes more memory than --max memory")).into());
                }
                end => end?,
            };
            let taken = memory.hold(most - left.get(), LIST)?;
            match end {
                ArchiveEnd::List(list) => return Ok(SevenZ { place, list, memory: Arc::clone(memory), _hold: taken }),
                ArchiveEnd::Packed(packed) => {
                    (bytes, hold) = unpacked_list(&place, &packed, memory)?;
                }
            }
        }
        drop(hold);
        Err(Failure::Damaged("its list is packed again and again"))
    }

    /// Returns all files in the order of the list, without the folders.
    pub(super) fn entries(&self) -> impl Iterator<Item = ListedFile<'_>> {
        let folders = self.list.folders.iter().enumerate();
        let mut contents = folders.flat_map(|(folder, one)| (0..one.streams.len()).map(move |stream| (folder, stream)));
        self.list.files.iter().filter_map(move |file| {
            let content = if file.has_stream { contents.next() } else { None };
            // Missing content is reported when the file is unpacked.
            let content = content.or(file.has_stream.then_some((usize::MAX, 0)));
            (!file.is_folder).then_some(ListedFile { name: &file.name, content })
        })
    }

    /// Opens the files of a folder, to be read one after the other. All unpacked bytes, used or
    /// not, pass through `through`.
    pub(super) fn folder(
        &self,
        folder: usize,
        through: impl FnOnce(Stream) -> Stream,
    ) -> Result<Contents<'_>, Failure> {
        let folder =
            self.list.folders.get(folder).ok_or(Failure::Damaged("its list has more files than folders hold"))?;
        let (input, hold) = coders::unpack(folder, &self.list.packed, &self.place, &self.memory)?;
        let input = through(input);
        Ok(Contents { input, streams: folder.streams.iter(), at: 0, is_broken: false, _hold: hold })
    }
}

/// The subject of the message about a list that is too large.
const LIST: &str = "the list of a 7z";

/// Unpacks the list that is the content of the first folder of `packed`.
fn unpacked_list(place: &Place, packed: &List, memory: &Arc<Memory>) -> Result<(Vec<u8>, Hold), Failure> {
    let folder = packed.folders.first().ok_or(Failure::Damaged("its list has no folder"))?;
    let length = folder.length();
    let hold = memory.hold(length, LIST)?;
    let (mut input, _coders) = coders::unpack(folder, &packed.packed, place, memory)?;
    let bytes = read(&mut input, length)?;
    match folder.crc.is_some_and(|expected| expected != crc(&bytes)) {
        true => Err(Failure::Damaged("the checksum of its list is wrong")),
        false => Ok((bytes, hold)),
    }
}

/// Reads `length` bytes. Memory grows with the bytes that arrive.
fn read(input: impl Read, length: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length { Err(Failure::Damaged("its list is cut")) } else { Ok(bytes) }
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The files of a folder. They share one stream, so unread files have to be unpacked and skipped.
pub(super) struct Contents<'a> {
    input: Stream,
    streams: std::slice::Iter<'a, directory::Stream>,
    /// The index of the next file.
    at: usize,
    /// True if the stream has failed.
    is_broken: bool,
    _hold: Hold,
}

impl Contents<'_> {
    /// Returns the content of the file with this index, from 0. Indices must ascend.
    ///
    /// # Errors
    /// Fails if the preceding content can't be read.
    pub(super) fn file(&mut self, number: usize) -> io::Result<Content<'_>> {
        for stream in self.streams.by_ref() {
            self.at += 1;
            if self.is_broken {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "what is packed before it is damaged"));
            }
            if self.at > number {
                let crc = flate2::Crc::new();
                let (left, expected) = (stream.length, stream.crc);
                return Ok(Content { input: &mut self.input, left, crc, expected, is_broken: &mut self.is_broken });
            }
            let passed = io::copy(&mut self.input.by_ref().take(stream.length), &mut io::sink());
            self.is_broken = !passed.is_ok_and(|passed| passed == stream.length);
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "its list has more files than folders hold"))
    }
}

/// The content of a file. Its checksum is checked. Read it to its end before requesting the next
/// file.
pub(super) struct Content<'a> {
    input: &'a mut Stream,
    left: u64,
    crc: flate2::Crc,
    expected: Option<u32>,
    is_broken: &'a mut bool,
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 || buffer.is_empty() {
            return Ok(0);
        }
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.input.read(&mut buffer[..most]);
        *self.is_broken |= !matches!(read, Ok(1..));
        let count = read?;
        if count == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "its packed bytes end before its end"));
        }
        self.crc.update(&buffer[..count]);
        self.left -= count as u64;
        match self.expected {
            Some(expected) if self.left == 0 && self.crc.sum() != expected => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"))
            }
            _ => Ok(count),
        }
    }
}

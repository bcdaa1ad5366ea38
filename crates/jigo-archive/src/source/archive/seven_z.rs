//! 7z archives: many files, some or all of them packed together, with a list at the end that is packed itself.
//!
//! The list is read here, byte by byte, and checked before anything is made of it: decoders take what it states about their dictionaries, and
//! a list of 32 bytes can state anything.

mod coders;
mod list;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::memory::{Hold, Memory};
use super::place::Place;
use list::{ArchiveEnd, List};

/// Bytes before the packed streams: signature, version, and where the list is.
const SIGNATURE_BYTES: u64 = 32;
const SIGNATURE: [u8; 6] = [b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C];
/// Lists packed as lists, at most.
const MOST_LISTS: u32 = 4;

/// Why a 7z, or a folder of it, can't be unpacked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// It can't be read, or its packed bytes are damaged; or a dictionary is beyond the budget, which the budget says, too.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Its structure makes no sense.
    #[error("{0}")]
    Damaged(&'static str),
    /// A method that is not read.
    #[error("its method {0:X} is not read")]
    Method(u64),
    /// It needs a password.
    #[error("it needs a password")]
    Encrypted,
    /// What its list states takes more memory than is left.
    #[error("its list takes more memory than there may be")]
    Memory,
}

/// A 7z in a file.
pub(super) struct SevenZ {
    place: Place,
    list: List,
    memory: Arc<Memory>,
    /// What the list takes.
    _hold: Hold,
}

/// A file of the list.
pub(super) struct ListedFile<'a> {
    pub name: &'a str,
    /// The folder and the file's number in it; `None` for a file without content.
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
            let end = match list::read(&bytes, at, &left) {
                Err(Failure::Memory) => {
                    return Err(memory.deny(format!("{LIST} takes more memory than --max-memory")).into());
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

    /// All files, in the order of the list.
    pub(super) fn entries(&self) -> impl Iterator<Item = ListedFile<'_>> {
        let folders = self.list.folders.iter().enumerate();
        let mut contents = folders.flat_map(|(folder, one)| (0..one.streams.len()).map(move |stream| (folder, stream)));
        self.list.files.iter().filter_map(move |file| {
            let content = if file.has_stream { contents.next() } else { None };
            // A file whose content is missing is told when it is unpacked.
            let content = content.or(file.has_stream.then_some((usize::MAX, 0)));
            (!file.is_folder).then_some(ListedFile { name: &file.name, content })
        })
    }

    /// The files of a folder, to be read one after the other; all that comes out of it, wanted or not, goes through `through`.
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

/// What a list that is too large is called.
const LIST: &str = "the list of a 7z";

/// The list that is the content of the first folder of `packed`.
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

/// So many bytes; memory is taken as they come.
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

/// What comes out of a folder.
pub(super) type Stream = Box<dyn Read + Send>;

/// The files of a folder: they come out of one stream, so what is not read of a file is passed over.
pub(super) struct Contents<'a> {
    input: Stream,
    streams: std::slice::Iter<'a, list::Stream>,
    /// Number of the next file.
    at: usize,
    /// Nothing more comes out of the stream.
    is_broken: bool,
    _hold: Hold,
}

impl Contents<'_> {
    /// The file of this number, from 0: the next one or a later one.
    ///
    /// # Errors
    /// When what stands before it can't be read.
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

/// The bytes of a file; its checksum is compared. It has to be read to its end before the next one is asked for.
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

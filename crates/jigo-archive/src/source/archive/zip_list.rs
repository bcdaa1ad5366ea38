//! A zip by its list: any of its members can be unpacked by itself.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::memory::{Hold, Memory};
use super::meter::Meter;
use super::place::Place;
use super::zip_members::ZipMembers;
use super::{Event, QUEUE, stream, whole};
use jigo_core::sgf::Limits;

/// Bytes of members that are unpacked together, by what the list says, about.
const SLICE_BYTES: u64 = 256 << 10;
/// Members that are unpacked together, at most.
const SLICE_MEMBERS: usize = 256;
/// Bytes that members unpacked together are kept to. One that is larger comes as a stream.
const SLICE_MOST: u64 = 1 << 20;

/// A zip in a file.
pub struct ZipList {
    name: String,
    input: Shared,
    members: ZipMembers,
    /// What its list takes.
    _hold: Hold,
    /// Bytes of the file.
    length: u64,
    limits: Limits,
    /// Counts what all members taken so far unpacked to.
    meter: Arc<Meter>,
    /// The next member.
    next: usize,
}

/// What some members of a zip unpack to, if that is not too much.
pub struct Slice(Option<(Vec<Event>, Arc<Meter>)>);

impl ZipList {
    /// `None` where its list can't be read, or takes more memory than there may be: it has to be looked through as a stream.
    pub fn open(name: String, file: &File, limits: Limits) -> Option<ZipList> {
        let place = Place::of(file.try_clone().ok()?).ok()?;
        let length = place.length();
        let meter = Arc::new(Meter::new(limits, length));
        let hold = hold_list(&mut place.clone(), &meter.memory).ok()?;
        let mut input = Shared(BufReader::new(place));
        let members = ZipMembers::read(&mut input).ok()?;
        Some(ZipList { name, input, members, _hold: hold, length, limits, meter, next: 0 })
    }

    /// The archive's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next members to be unpacked together, by their numbers; `None` behind the last one. Members too large to be unpacked whole are by
    /// themselves.
    pub fn next_members(&mut self) -> Option<Range<usize>> {
        let start = self.next;
        let first = self.size(start)?;
        let mut bytes = 0;
        while let Some(size) = self.size(self.next) {
            let is_full = bytes >= SLICE_BYTES || self.next - start >= SLICE_MEMBERS;
            match first > SLICE_MOST {
                true if size <= SLICE_MOST => break,
                false if is_full || size > SLICE_MOST => break,
                _ => {}
            }
            bytes += size;
            self.next += 1;
        }
        Some(start..self.next)
    }

    /// How many bytes a member unpacks to, by the list.
    fn size(&self, member: usize) -> Option<u64> {
        self.members.get(member).map(|entry| entry.size())
    }

    /// Unpacks members here and now; several threads can do that at once.
    pub fn unpack(&self, members: Range<usize>) -> Slice {
        if self.size(members.start).is_none_or(|size| size > SLICE_MOST) {
            return Slice(None);
        }
        let mut input = self.input.clone();
        Slice(whole(self.limits, SLICE_MOST, self.length, &self.name, |unpacker| {
            unpacker.listed_members(&self.name, &self.members, members, &mut input, 0)
        }))
    }

    /// The events of members. They have to be taken in the order of the list: limits are for all of them. `None` where this slice was too much, or goes
    /// beyond a limit with those before it: then it has to come as a stream.
    pub fn take(&self, slice: Slice) -> Option<Vec<Event>> {
        slice.0.filter(|(_, part)| self.meter.add(part)).map(|(events, _)| events)
    }

    /// Unpacks members on a thread of its own.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn stream(&self, members: Range<usize>) -> io::Result<Receiver<Event>> {
        let (name, mut input, listed) = (self.name.clone(), self.input.clone(), self.members.clone());
        stream(Arc::clone(&self.meter), self.limits, QUEUE, name, move |unpacker, name| {
            unpacker.listed_members(name, &listed, members, &mut input, 0)
        })
    }

    /// Whether a limit is reached that ends all.
    pub fn is_over(&self) -> bool {
        self.meter.is_over()
    }
}

/// Bytes that are made of each byte of a list, at most: an entry of 56 bytes takes 180.
pub(super) const MADE_OF_A_BYTE: u64 = 4;
/// The end of a zip, with the longest comment that it can have, and what stands before it where the zip is larger than 4 GiB.
const END_BYTES: u64 = 22 + 0xFFFF + 20 + 56;

/// Holds the memory that the list at the end of a zip takes, by the size that the end states; no list is larger than the file.
///
/// # Errors
/// When it takes too much, or the file can't be read.
pub(super) fn hold_list(input: &mut (impl Read + Seek), memory: &Arc<Memory>) -> io::Result<Hold> {
    let length = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(length.saturating_sub(END_BYTES)))?;
    let mut end = Vec::new();
    input.take(END_BYTES).read_to_end(&mut end)?;
    let number = |at: usize, bytes: usize| {
        end.get(at..at + bytes).map(|bytes| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    let short = memchr::memmem::rfind(&end, b"PK\x05\x06").and_then(|at| number(at + 12, 4));
    let long = memchr::memmem::rfind(&end, b"PK\x06\x06").and_then(|at| number(at + 40, 8));
    let stated = short.into_iter().chain(long).filter(|bytes| *bytes <= length).max().unwrap_or(0);
    memory.hold(stated.saturating_mul(MADE_OF_A_BYTE), "the list of a zip")
}

/// A file with a place of its own, read as any other file is: others read it at other places meanwhile.
struct Shared(BufReader<Place>);

impl Clone for Shared {
    fn clone(&self) -> Shared {
        Shared(BufReader::new(self.0.get_ref().clone()))
    }
}

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

//! A zip with its central directory, which gives access to any of its members.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::file_cursor::FileCursor;
use super::unpack::{QUEUE_BLOCKS, start_unpacking, unpack_in_memory};
use super::unpacker::Event;
use super::zip_members::ZipMembers;
use crate::source::budget::memory_budget::{MemoryBudget, Reservation};
use crate::source::budget::quota::Quota;
use jigo_record::sgf::Limits;

/// The approximate unpacked size of a slice, according to the directory.
const TARGET_SLICE_BYTES: u64 = 256 << 10;
/// The maximum number of members in a slice.
const MAX_SLICE_MEMBERS: usize = 256;
/// The maximum unpacked size of a slice. A larger member becomes a stream.
const MAX_SLICE_BYTES: u64 = 1 << 20;

/// A zip in a file.
pub struct ZipDirectory {
    name: String,
    input: SharedReader,
    members: ZipMembers,
    /// The memory reservation for the directory.
    _reservation: Reservation,
    /// The length of the file in bytes.
    length: u64,
    limits: Limits,
    /// The counters for all members taken so far.
    quota: Arc<Quota>,
    /// The index of the next member.
    next: usize,
}

/// The events of some consecutive members, unless they exceed a limit.
pub struct ZipSlice(Option<(Vec<Event>, Arc<Quota>)>);

impl ZipDirectory {
    /// Opens a zip. Returns `None` if its directory can't be read or takes too much memory; such a
    /// zip must be unpacked as a stream.
    pub fn open(name: String, file: &File, limits: Limits) -> Option<ZipDirectory> {
        let cursor = FileCursor::new(file.try_clone().ok()?).ok()?;
        let length = cursor.length();
        let quota = Arc::new(Quota::new(limits, length));
        let reservation = reserve_directory(&mut cursor.clone(), &quota.memory).ok()?;
        let mut input = SharedReader(BufReader::new(cursor));
        let members = ZipMembers::read(&mut input).ok()?;
        Some(ZipDirectory { name, input, members, _reservation: reservation, length, limits, quota, next: 0 })
    }

    /// Returns the name of the archive.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the indices of the members in the next slice; `None` after the last member.
    ///
    /// A slice contains either only members that are small enough to be unpacked whole, or only
    /// larger ones.
    pub fn next_members(&mut self) -> Option<Range<usize>> {
        let start = self.next;
        let first = self.size(start)?;
        let mut bytes = 0;
        while let Some(size) = self.size(self.next) {
            let is_full = bytes >= TARGET_SLICE_BYTES || self.next - start >= MAX_SLICE_MEMBERS;
            match first > MAX_SLICE_BYTES {
                true if size <= MAX_SLICE_BYTES => break,
                false if is_full || size > MAX_SLICE_BYTES => break,
                _ => {}
            }
            bytes += size;
            self.next += 1;
        }
        Some(start..self.next)
    }

    /// Returns the unpacked size of a member according to the directory.
    fn size(&self, member: usize) -> Option<u64> {
        self.members.get(member).map(|entry| entry.size())
    }

    /// Unpacks members on this thread. Several threads can do this at once.
    pub fn unpack(&self, members: Range<usize>) -> ZipSlice {
        if self.size(members.start).is_none_or(|size| size > MAX_SLICE_BYTES) {
            return ZipSlice(None);
        }
        let mut input = self.input.clone();
        ZipSlice(unpack_in_memory(self.limits, MAX_SLICE_BYTES, self.length, &self.name, |unpacker| {
            unpacker.unpack_members(&self.name, &self.members, members, &mut input, 0)
        }))
    }

    /// Returns the events of a slice. Take slices in the order of the directory, since limits apply
    /// to all of them.
    ///
    /// Returns `None` if the slice was too large, or exceeds a limit together with the earlier
    /// ones. The caller must then unpack it as a stream.
    pub fn take(&self, slice: ZipSlice) -> Option<Vec<Event>> {
        slice.0.filter(|(_, part)| self.quota.try_add(part)).map(|(events, _)| events)
    }

    /// Unpacks members on a new thread.
    ///
    /// # Errors
    /// Fails if the thread can't be started.
    pub fn stream(&self, members: Range<usize>) -> io::Result<Receiver<Event>> {
        let (name, mut input, listed) = (self.name.clone(), self.input.clone(), self.members.clone());
        start_unpacking(Arc::clone(&self.quota), self.limits, QUEUE_BLOCKS, name, move |unpacker, name| {
            unpacker.unpack_members(name, &listed, members, &mut input, 0)
        })
    }

    /// Returns true if a limit is reached that ends the whole archive.
    pub fn is_exceeded(&self) -> bool {
        self.quota.is_exceeded()
    }
}

/// The maximum memory per byte of a directory: an entry of 56 bytes takes 180.
pub(super) const MEMORY_PER_BYTE: u64 = 4;
/// The maximum length of the end of a zip: the end record with the longest comment, and the records
/// before it in a zip of more than 4 GiB.
const END_BYTES: u64 = 22 + 0xFFFF + 20 + 56;

/// Reserves memory for the central directory of a zip, by the size that the end record states. A
/// size larger than the file is ignored.
///
/// # Errors
/// Fails if the directory takes too much memory or the file can't be read.
pub(super) fn reserve_directory(input: &mut (impl Read + Seek), memory: &Arc<MemoryBudget>) -> io::Result<Reservation> {
    let length = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(length.saturating_sub(END_BYTES)))?;
    let mut end = Vec::new();
    input.take(END_BYTES).read_to_end(&mut end)?;
    let number = |offset: usize, bytes: usize| {
        end.get(offset..offset + bytes)
            .map(|bytes| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    let end_record = memchr::memmem::rfind(&end, b"PK\x05\x06").and_then(|offset| number(offset + 12, 4));
    let zip64_record = memchr::memmem::rfind(&end, b"PK\x06\x06").and_then(|offset| number(offset + 40, 8));
    let declared = end_record.into_iter().chain(zip64_record).filter(|bytes| *bytes <= length).max().unwrap_or(0);
    memory.reserve(declared.saturating_mul(MEMORY_PER_BYTE), "the list of a zip")
}

/// A buffered reader with its own cursor. Other threads read the same file at other positions.
struct SharedReader(BufReader<FileCursor>);

impl Clone for SharedReader {
    fn clone(&self) -> SharedReader {
        SharedReader(BufReader::new(self.0.get_ref().clone()))
    }
}

impl Read for SharedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for SharedReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

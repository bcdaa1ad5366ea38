//! A zip with its central directory, which gives access to any of its members.

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::file_cursor::FileCursor;
use super::unpack::{QUEUE_BLOCKS, start_unpacking, unpack_in_memory};
use super::unpack_nested::unpack_outer_member;
use super::unpacker::Event;
use super::zip_members::{ZipMembers, reserve_directory};
use crate::source::budget::memory_budget::Reservation;
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
    /// The name of the archive.
    pub name: String,
    file: FileCursor,
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
    /// Opens a zip. Returns `None` if its directory can't be read, takes too much memory or has
    /// equal names; such a zip must be unpacked as a stream.
    pub fn open(name: String, file: &File, limits: Limits) -> Option<ZipDirectory> {
        let cursor = FileCursor::new(file.try_clone().ok()?).ok()?;
        let length = cursor.length;
        let quota = Arc::new(Quota::new(limits, length));
        let reservation = reserve_directory(&mut cursor.clone(), &quota.memory).ok()?;
        let members = ZipMembers::read(&mut BufReader::new(cursor.clone())).ok()?;
        if members.has_equal_names {
            return None;
        }
        Some(ZipDirectory { name, file: cursor, members, _reservation: reservation, length, limits, quota, next: 0 })
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

    /// Returns a reader with its own position, since several threads read the file.
    fn reader(&self) -> BufReader<FileCursor> {
        BufReader::new(self.file.clone())
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
        let mut input = self.reader();
        ZipSlice(unpack_in_memory(self.limits, MAX_SLICE_BYTES, self.length, &self.name, |unpacker| {
            unpacker.unpack_members(&self.name, &self.members, members, &mut input, &mut unpack_outer_member)
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
        let (name, mut input, listed) = (self.name.clone(), self.reader(), self.members.clone());
        start_unpacking(Arc::clone(&self.quota), self.limits, QUEUE_BLOCKS, name, move |unpacker, name| {
            unpacker.unpack_members(name, &listed, members, &mut input, &mut unpack_outer_member)
        })
    }

    /// Returns true if a limit is reached that ends the whole archive.
    pub fn is_exceeded(&self) -> bool {
        self.quota.is_exceeded()
    }
}

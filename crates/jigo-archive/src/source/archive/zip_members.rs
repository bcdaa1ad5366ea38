//! The members of a zip, in the order of its central directory.

use std::io::{self, Read, Seek, SeekFrom, Take};
use std::sync::Arc;

use zip::read::{ZipArchiveMetadata, ZipFileEntry};
use zip::result::ZipResult;
use zip::{HasZipMetadata, ZipArchive};

use crate::source::budget::memory_budget::{MemoryBudget, Reservation};

/// The fixed part of a directory entry in bytes. The name and other fields of variable length
/// follow.
pub(super) const ENTRY_BYTES: usize = 46;

/// The members of a zip.
#[derive(Clone)]
pub(super) struct ZipMembers {
    directory: Arc<ZipArchiveMetadata>,
    /// True if some members have the same name. The zip crate keeps only the last of them.
    pub has_equal_names: bool,
}

impl ZipMembers {
    /// Reads the central directory of a zip.
    ///
    /// # Errors
    /// Fails if there is none, or if it contains more members than the end record states.
    pub(super) fn read(input: &mut (impl Read + Seek)) -> io::Result<ZipMembers> {
        let archive = ZipArchive::new(&mut *input)?;
        // For an empty directory the crate does not report a start, only the value in the end
        // record.
        let start = archive.central_directory_start() - archive.offset();
        let members = ZipMembers { directory: archive.metadata(), has_equal_names: archive.has_duplicate_names() };
        drop(archive);
        // With equal names the last member that the crate keeps may not be the last of the directory.
        if !members.has_equal_names && members.has_uncounted_entry(input, start)? {
            let count = members.len();
            return Err(io::Error::other(format!("its list goes on behind the {count} members that its end counts")));
        }
        Ok(members)
    }

    /// Returns the number of members.
    pub(super) fn len(&self) -> usize {
        self.directory.len()
    }

    /// Returns a member by its index in the directory.
    pub(super) fn get(&self, index: usize) -> Option<ZipFileEntry<'_>> {
        self.directory.entry(index).ok()
    }

    /// Returns true if another entry follows the last counted one. The count has two bytes, so it
    /// wraps at 65,536 members. `start` is the position of an empty directory.
    fn has_uncounted_entry(&self, input: &mut (impl Read + Seek), start: u64) -> io::Result<bool> {
        let mut offset = start;
        if let Some(last) = self.len().checked_sub(1).and_then(|last| self.get(last)) {
            let mut entry = [0; ENTRY_BYTES];
            input.seek(SeekFrom::Start(last.central_header_start()))?;
            input.read_exact(&mut entry)?;
            let lengths = [28, 30, 32].map(|offset| u64::from(u16::from_le_bytes([entry[offset], entry[offset + 1]])));
            offset = last.central_header_start() + ENTRY_BYTES as u64 + lengths.iter().sum::<u64>();
        }
        let mut mark = Vec::new();
        input.seek(SeekFrom::Start(offset))?;
        input.take(4).read_to_end(&mut mark)?;
        Ok(mark == b"PK\x01\x02")
    }
}

/// The maximum memory per byte of a directory: an entry of 56 bytes takes 180.
const MEMORY_PER_BYTE: u64 = 4;
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

/// Returns the packed bytes of a member.
pub(super) fn packed_bytes<'a, R: Read + Seek>(
    member: &ZipFileEntry<'_>,
    input: &'a mut R,
) -> ZipResult<Take<&'a mut R>> {
    let start = member.get_metadata().data_start(input)?;
    input.seek(SeekFrom::Start(start))?;
    Ok(input.take(member.compressed_size()))
}

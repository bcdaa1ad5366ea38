//! What the list of a zip names, in the order of the list.
//!
//! The crate keeps members by their names, of two with the same name the last one. Where there are such, the list is gone through again, one
//! entry after the other.

use std::io::{self, Read, Seek, SeekFrom, Take};
use std::sync::Arc;

use zip::read::{Config, OwnedZipFileEntry, ZipArchiveMetadata, ZipFileEntry};
use zip::result::ZipResult;
use zip::unstable::read::ZipIterable;
use zip::{HasZipMetadata, ZipArchive};

/// Bytes of an entry of the list without its name and what else is of no fixed length.
const ENTRY_BYTES: usize = 46;

/// The members of a zip.
#[derive(Clone)]
pub(super) enum ZipMembers {
    /// Each has a name of its own.
    ByName(Arc<ZipArchiveMetadata>),
    /// Some share one.
    All(Arc<Vec<OwnedZipFileEntry>>),
}

impl ZipMembers {
    /// Reads the list at the end of a zip.
    ///
    /// # Errors
    /// When there is none, or it names other members than its end counts.
    pub(super) fn read(input: &mut (impl Read + Seek)) -> io::Result<ZipMembers> {
        let archive = ZipArchive::new(&mut *input)?;
        // Of a list without members the crate has no beginning, only what the end states.
        let (start, metadata) = (archive.central_directory_start() - archive.offset(), archive.metadata());
        drop(archive);
        let members = if metadata.has_duplicate_names() {
            // The first list goes before the second one is made.
            drop(metadata);
            ZipMembers::All(Arc::new(all(input)?))
        } else {
            ZipMembers::ByName(metadata)
        };
        if members.is_cut(input, start)? {
            let count = members.len();
            return Err(io::Error::other(format!("its list goes on behind the {count} members that its end counts")));
        }
        Ok(members)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match self {
            ZipMembers::ByName(members) => members.len(),
            ZipMembers::All(members) => members.len(),
        }
    }

    /// A member by its number in the list, from 0.
    pub(super) fn get(&self, index: usize) -> Option<ZipFileEntry<'_>> {
        match self {
            ZipMembers::ByName(members) => members.entry(index).ok(),
            ZipMembers::All(members) => members.get(index).map(OwnedZipFileEntry::as_ref),
        }
    }

    /// Whether another entry follows the last one that was counted: a number of two bytes holds what 65,536 members
    /// leave over. A list of none is at `start`.
    fn is_cut(&self, input: &mut (impl Read + Seek), start: u64) -> io::Result<bool> {
        let mut at = start;
        if let Some(last) = self.len().checked_sub(1).and_then(|last| self.get(last)) {
            let mut entry = [0; ENTRY_BYTES];
            input.seek(SeekFrom::Start(last.central_header_start()))?;
            input.read_exact(&mut entry)?;
            let lengths = [28, 30, 32].map(|at| u64::from(u16::from_le_bytes([entry[at], entry[at + 1]])));
            at = last.central_header_start() + ENTRY_BYTES as u64 + lengths.iter().sum::<u64>();
        }
        let mut mark = Vec::new();
        input.seek(SeekFrom::Start(at))?;
        input.take(4).read_to_end(&mut mark)?;
        Ok(mark == b"PK\x01\x02")
    }
}

/// Every entry of the list.
fn all(input: &mut (impl Read + Seek)) -> ZipResult<Vec<OwnedZipFileEntry>> {
    let most = usize::try_from(input.seek(SeekFrom::End(0))?).unwrap_or(usize::MAX) / ENTRY_BYTES;
    let mut list = ZipIterable::try_new(input, Config::default())?;
    let mut members = Vec::with_capacity(list.len().min(most));
    for entry in list.files()? {
        members.push(entry?.into());
    }
    Ok(members)
}

/// The bytes of a member as they are packed.
pub(super) fn packed<'a, R: Read + Seek>(member: &ZipFileEntry<'_>, input: &'a mut R) -> ZipResult<Take<&'a mut R>> {
    let start = member.get_metadata().data_start(input)?;
    input.seek(SeekFrom::Start(start))?;
    Ok(input.take(member.compressed_size()))
}

#[cfg(test)]
mod tests {
    use super::super::zip_list::MADE_OF_A_BYTE;
    use super::*;

    /// What is held for a list has room for the larger of its two forms.
    #[test]
    fn an_entry_takes_no_more_than_is_held_for_it() {
        let held = ENTRY_BYTES * MADE_OF_A_BYTE as usize;
        assert!(size_of::<OwnedZipFileEntry>() <= held, "{} bytes", size_of::<OwnedZipFileEntry>());
    }
}

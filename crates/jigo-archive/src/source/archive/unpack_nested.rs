//! Unpacks an archive and the archives in it.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::rc::Rc;
use std::sync::Arc;

use super::unpacker::{ArchiveInput, Member, Unpacker, UnpackingEnded, member_name};
use crate::source::budget::memory_budget::MemoryBudget;
use crate::source::budget::quota::packed_counter;
use crate::source::compression::format::{ArchiveFormat, unpacked_name};
use crate::source::files::in_memory::{TempCopyError, copy_to_temp_file};
use crate::source::signatures::{START_BYTES, replaced_content_message};
use crate::source::watched_reader::{ErrorReader, WatchedReader};
use jigo_record::finding::Code;
use jigo_record::splitter::RecordKind;

impl Unpacker<'_> {
    /// Unpacks the outermost archive, whose size counts as input.
    pub(super) fn unpack_outer(
        &mut self,
        name: &str,
        input: ArchiveInput<'_>,
        format: ArchiveFormat,
    ) -> Result<(), UnpackingEnded> {
        let quota = Arc::clone(&self.quota);
        let start = match &input {
            ArchiveInput::File(file) => first_bytes(file).unwrap_or_default(),
            ArchiveInput::Stream(_) => Vec::new(),
        };
        if let Some(detail) = replaced_content_message(&start) {
            return self.report_fault(name, Code::CorruptMember, detail);
        }
        match input {
            ArchiveInput::File(file) if format == ArchiveFormat::Zip || format == ArchiveFormat::SevenZ => {
                quota.count_packed(file.metadata().map_or(0, |metadata| metadata.len()));
                self.unpack_with_directory(name, file, format, 0)
            }
            ArchiveInput::File(file) => self.unpack_archive(name, Box::new(packed_counter(file, quota)), format, 0, 0),
            ArchiveInput::Stream(input) => {
                self.unpack_archive(name, Box::new(packed_counter(input, quota)), format, 0, 0)
            }
        }
    }

    /// Unpacks an archive. `path_start` is the start of its path in its name.
    fn unpack_archive(
        &mut self,
        name: &str,
        input: Box<dyn Read + '_>,
        format: ArchiveFormat,
        path_start: usize,
        depth: u32,
    ) -> Result<(), UnpackingEnded> {
        match format {
            ArchiveFormat::Zip | ArchiveFormat::SevenZ => match self.copy_to_file(name, input)? {
                Some(file) => self.unpack_with_directory(name, file, format, depth),
                None => Ok(()),
            },
            ArchiveFormat::Tar => {
                let input = self.with_quota(input);
                self.unpack_tar(name, Box::new(input), depth)
            }
            single => match single.unpack(input, &Arc::clone(&self.quota.memory)) {
                Ok(Some(unpacked)) => {
                    let unpacked = self.with_quota(unpacked);
                    self.unpack_single(name, path_start, Box::new(unpacked), depth)
                }
                Ok(None) => Ok(()),
                Err(error) => self.report_failure(name, error),
            },
        }
    }

    /// Unpacks an archive that has its directory at the end.
    fn unpack_with_directory(
        &mut self,
        name: &str,
        file: File,
        format: ArchiveFormat,
        depth: u32,
    ) -> Result<(), UnpackingEnded> {
        let mut unpack_member = |unpacker: &mut Unpacker<'_>, member: &Member, input: &mut dyn Read| {
            unpacker.unpack_member(member, input, depth)
        };
        match format {
            ArchiveFormat::SevenZ => self.unpack_seven_z(name, file, &mut unpack_member),
            _ => self.unpack_zip(name, file, &mut unpack_member),
        }
    }

    /// Unpacks a format for single files. Its content is a tar or one member.
    fn unpack_single(
        &mut self,
        name: &str,
        path_start: usize,
        mut input: Box<dyn Read + '_>,
        depth: u32,
    ) -> Result<(), UnpackingEnded> {
        let mut start = Vec::new();
        // The bytes before a fault are still used; the fault is reported after them.
        let failure = input.by_ref().take(512).read_to_end(&mut start).err();
        if let (Some(error), []) = (&failure, start.as_slice()) {
            return self.report_failure(name, error);
        }
        let is_tar = ArchiveFormat::from_start(&start) == Some(ArchiveFormat::Tar);
        let inner = unpacked_name(&name[path_start..]);
        let mut input = io::Cursor::new(start).chain(ErrorReader(failure)).chain(input);
        if is_tar || inner.to_ascii_lowercase().ends_with(".tar") {
            return self.unpack_tar(name, Box::new(input), depth);
        }
        let inner = Member { name: format!("{name}!{inner}"), path_start: name.len() + 1 };
        match ArchiveFormat::from_name(&inner.name) {
            Some(_) => self.unpack_member(&inner, &mut input, depth),
            None => self.send_game_file(&inner.name, &mut input),
        }
    }

    /// Handles one member: a file of games becomes events, an archive is unpacked, and any other
    /// file is skipped. If the name has no suffix, the first bytes decide, as in folders.
    pub(super) fn unpack_member(
        &mut self,
        member: &Member,
        input: &mut dyn Read,
        depth: u32,
    ) -> Result<(), UnpackingEnded> {
        let name = &member.name;
        if RecordKind::from_name(name).is_some() {
            return self.send_game_file(name, input);
        }
        let mut start = Vec::new();
        let mut format = ArchiveFormat::from_name(name);
        if format.is_none() && !member.has_suffix() {
            if let Err(error) = input.take(START_BYTES as u64).read_to_end(&mut start) {
                return self.report_failure(name, error);
            }
            format = ArchiveFormat::from_start(&start).filter(|format| !format.is_single());
        }
        let mut input = io::Cursor::new(&start).chain(input);
        let Some(format) = format else {
            return if RecordKind::from_start(&start).is_some() {
                self.send_game_file(name, &mut input)
            } else {
                Ok(())
            };
        };
        if depth >= self.limits.nesting {
            let detail = format!("archives are nested deeper than --max nesting={}", self.limits.nesting);
            return self.report_fault(name, Code::ArchiveLimit, detail);
        }
        self.unpack_archive(name, Box::new(input), format, member.path_start, depth + 1)
    }

    fn unpack_tar(&mut self, name: &str, input: Box<dyn Read + '_>, depth: u32) -> Result<(), UnpackingEnded> {
        let headers = HeaderLimit::new(&self.quota.memory);
        let mut archive = tar::Archive::new(headers.wrap(input));
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.report_failure(name, error),
        };
        for entry in entries {
            let mut entry = match entry {
                Ok(entry) => entry,
                // After a damaged header, the position of the next one is unknown.
                Err(error) => return self.report_failure(name, error),
            };
            let kind = entry.header().entry_type();
            let is_sparse = kind.is_gnu_sparse();
            headers.allow(if is_sparse { entry.header().entry_size().unwrap_or(0) } else { entry.size() });
            if !kind.is_file() && !is_sparse {
                continue;
            }
            let inner = member_name(name, &entry.path_bytes());
            if is_sparse {
                // The zeros between the parts of a sparse file are not in the archive, so their
                // number needs a limit.
                let mut entry = self.with_quota(entry);
                self.unpack_member(&inner, &mut entry, depth)?;
            } else {
                self.unpack_member(&inner, &mut entry, depth)?;
            }
        }
        Ok(())
    }

    /// Copies the input to a temporary file, because archives with a directory at the end need
    /// random access.
    ///
    /// For an archive on standard input the limit is the maximum of unpacked bytes. A nested
    /// archive counts as unpacked bytes anyway.
    fn copy_to_file(&mut self, name: &str, input: Box<dyn Read + '_>) -> Result<Option<File>, UnpackingEnded> {
        let limit = self.limits.unpacked;
        match copy_to_temp_file(input.take(limit.saturating_add(1))) {
            Ok((_, length)) if length > limit => {
                self.report_fault(name, Code::ArchiveLimit, format!("larger than --max unpacked={limit}"))?;
                Ok(None)
            }
            Ok((file, _)) => Ok(Some(file)),
            Err(TempCopyError::Input(error)) => self.report_failure(name, error).map(|()| None),
            Err(error) => self.report_fault(name, Code::UnreadableSource, error).map(|()| None),
        }
    }
}

/// Returns the first bytes of a file, and leaves its position at the start.
fn first_bytes(mut file: &File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    if file.metadata()?.is_file() {
        file.take(START_BYTES as u64).read_to_end(&mut start)?;
        file.rewind()?;
    }
    Ok(start)
}

/// Handles a member of the outermost archive.
pub(super) fn unpack_outer_member(
    unpacker: &mut Unpacker<'_>,
    member: &Member,
    input: &mut dyn Read,
) -> Result<(), UnpackingEnded> {
    unpacker.unpack_member(member, input, 0)
}

/// The memory that each byte of headers takes in the budget, since names are copied and decoded.
const MEMORY_PER_BYTE: u64 = 64;

/// A counter for the bytes of headers before a file.
pub(super) struct HeaderLimit {
    memory: Arc<MemoryBudget>,
    /// The number of bytes that may be read before the next file starts.
    remaining: Rc<Cell<u64>>,
}

impl HeaderLimit {
    pub(super) fn new(memory: &Arc<MemoryBudget>) -> HeaderLimit {
        let headers = HeaderLimit { memory: Arc::clone(memory), remaining: Rc::default() };
        headers.allow(0);
        headers
    }

    /// Allows the content of a file, in bytes, before the next headers.
    pub(super) fn allow(&self, file: u64) {
        // The padding of the file's last block belongs to the file.
        self.remaining.set((self.memory.limit() / MEMORY_PER_BYTE).saturating_add(file).saturating_add(512));
    }

    /// Wraps a tar in a reader that fails when the headers exceed the limit.
    pub(super) fn wrap(&self, input: impl Read) -> impl Read {
        let (memory, remaining) = (Arc::clone(&self.memory), Rc::clone(&self.remaining));
        let examine = move |read: io::Result<usize>, _: &[u8]| {
            let count = read?;
            let Some(left) = remaining.get().checked_sub(count as u64) else {
                let max_bytes = memory.limit() / MEMORY_PER_BYTE;
                return Err(memory.deny(format!(
                    "a file of this tar has headers of more than {max_bytes} bytes, a 64th of --max memory"
                )));
            };
            remaining.set(left);
            Ok(count)
        };
        WatchedReader { input, examine }
    }
}

//! The unpacker: the members of an archive as events.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::tar_headers::Headers;
use crate::source::budget::quota::{Counted, Meter, Metered};
use crate::source::compression::format::{PackFormat, unpacked_name};
use crate::source::error_reader::Failing;
use crate::source::files::display_name::shortened;
use crate::source::files::temp_copy::{SpoolError, spooled};
use jigo_record::finding::Code;
use jigo_record::sgf::limits::Limits;
use jigo_record::splitter::RecordKind;

/// The number of bytes per event.
pub const BLOCK: usize = 256 << 10;
/// The largest nesting limit that can be configured.
pub const MAX_NESTING: u32 = 100;

/// An event of an archive that is being unpacked.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// The start of a member. Its name includes that of the archive: `archive.zip!inner/name.sgf`.
    Member(String),
    /// Bytes of the member.
    Bytes(Vec<u8>),
    /// The end of the member.
    MemberEnd,
    /// A fault of the named member or archive. It ends the open member.
    Fault(String, Code, String),
}

/// The bytes of an archive.
pub enum Packed<'a> {
    /// A file, with random access.
    File(File),
    /// A stream.
    Stream(Box<dyn Read + Send + 'a>),
}

/// The end of unpacking: the receiver is gone, or a limit is reached.
pub(super) struct Over;

/// Unpacks an archive and the archives in it, and sends their events.
pub(super) struct Unpacker<'a> {
    send: &'a mut dyn FnMut(Event) -> Result<(), Over>,
    limits: Limits,
    pub(super) meter: Arc<Meter>,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(
        send: &'a mut dyn FnMut(Event) -> Result<(), Over>,
        limits: Limits,
        meter: Arc<Meter>,
    ) -> Unpacker<'a> {
        Unpacker { send, limits: Limits { nesting: limits.nesting.min(MAX_NESTING), ..limits }, meter }
    }

    pub(super) fn fault(&mut self, name: &str, code: Code, detail: impl ToString) -> Result<(), Over> {
        (self.send)(Event::Fault(name.into(), code, detail.to_string()))
    }

    /// Reports the cause that ended reading: a limit, which ends everything; a denied memory
    /// reservation, which ends this member; or damage.
    pub(super) fn failed(&mut self, name: &str, error: impl ToString) -> Result<(), Over> {
        let meter = Arc::clone(&self.meter);
        match (meter.reached(), meter.memory.denied()) {
            (Some(detail), _) => self.fault(name, Code::ArchiveLimit, detail).and(Err(Over)),
            (None, Some(detail)) => self.fault(name, Code::ArchiveLimit, detail),
            (None, None) => self.fault(name, Code::CorruptMember, error),
        }
    }

    pub(super) fn metered<R: Read>(&self, input: R) -> Metered<R> {
        Metered::new(input, Arc::clone(&self.meter))
    }

    /// Unpacks the outermost archive, whose size counts as input.
    pub(super) fn packed(&mut self, name: &str, input: Packed<'_>, format: PackFormat) -> Result<(), Over> {
        let meter = Arc::clone(&self.meter);
        match input {
            Packed::File(file) if format == PackFormat::Zip || format == PackFormat::SevenZ => {
                meter.read(file.metadata().map_or(0, |found| found.len()));
                self.listed(name, file, format, 0)
            }
            Packed::File(file) => self.archive(name, Box::new(Counted { input: file, meter }), format, (0, 0)),
            Packed::Stream(input) => self.archive(name, Box::new(Counted { input, meter }), format, (0, 0)),
        }
    }

    /// Unpacks an archive. `own` is the start of its path in its name.
    fn archive(
        &mut self,
        name: &str,
        input: Box<dyn Read + '_>,
        format: PackFormat,
        (own, depth): (usize, u32),
    ) -> Result<(), Over> {
        match format {
            PackFormat::Zip | PackFormat::SevenZ => match self.spool(name, input)? {
                Some(file) => self.listed(name, file, format, depth),
                None => Ok(()),
            },
            PackFormat::Tar => {
                let input = self.metered(input);
                self.tar(name, Box::new(input), depth)
            }
            single => match single.unpack(input, &Arc::clone(&self.meter.memory)) {
                Ok(Some(unpacked)) => {
                    let unpacked = self.metered(unpacked);
                    self.single(name, own, Box::new(unpacked), depth)
                }
                Ok(None) => Ok(()),
                Err(error) => self.failed(name, error),
            },
        }
    }

    /// Unpacks an archive that has its directory at the end.
    fn listed(&mut self, name: &str, file: File, format: PackFormat, depth: u32) -> Result<(), Over> {
        match format {
            PackFormat::SevenZ => self.seven_z(name, file, depth),
            _ => self.zip(name, file, depth),
        }
    }

    /// Unpacks a format for single files. Its content is a tar or one member.
    fn single(&mut self, name: &str, own: usize, mut input: Box<dyn Read + '_>, depth: u32) -> Result<(), Over> {
        let mut start = Vec::new();
        // The bytes before a fault are still used; the fault is reported after them.
        let failure = input.by_ref().take(512).read_to_end(&mut start).err();
        if let (Some(error), []) = (&failure, start.as_slice()) {
            return self.failed(name, error);
        }
        let is_tar = PackFormat::of_start(&start) == Some(PackFormat::Tar);
        let inner = unpacked_name(&name[own..]);
        let mut input = io::Cursor::new(start).chain(Failing(failure)).chain(input);
        if is_tar || inner.to_ascii_lowercase().ends_with(".tar") {
            return self.tar(name, Box::new(input), depth);
        }
        let inner = Member { name: format!("{name}!{inner}"), own: name.len() + 1 };
        match PackFormat::of_name(&inner.name) {
            Some(_) => self.member(&inner, &mut input, depth),
            None => self.game_file(&inner.name, &mut input),
        }
    }

    /// Handles one member: a file of games becomes events, an archive is unpacked, and any other
    /// file is skipped.
    pub(super) fn member(&mut self, member: &Member, input: &mut dyn Read, depth: u32) -> Result<(), Over> {
        let name = &member.name;
        if RecordKind::of_name(name).is_some() {
            return self.game_file(name, input);
        }
        let Some(format) = PackFormat::of_name(name) else { return Ok(()) };
        if depth >= self.limits.nesting {
            let detail = format!("archives are nested deeper than --max nesting={}", self.limits.nesting);
            return self.fault(name, Code::ArchiveLimit, detail);
        }
        self.archive(name, Box::new(input), format, (member.own, depth + 1))
    }

    fn game_file(&mut self, name: &str, mut input: &mut dyn Read) -> Result<(), Over> {
        if let Err(detail) = self.meter.member() {
            self.fault(name, Code::ArchiveLimit, detail)?;
            return Err(Over);
        }
        (self.send)(Event::Member(name.into()))?;
        loop {
            let mut block = Vec::new();
            let read = Read::by_ref(&mut input).take(BLOCK as u64).read_to_end(&mut block);
            let length = block.len();
            if length > 0 {
                (self.send)(Event::Bytes(block))?;
            }
            match read {
                Ok(_) if length < BLOCK => return (self.send)(Event::MemberEnd),
                Ok(_) => {}
                Err(error) => return self.failed(name, error),
            }
        }
    }

    fn tar(&mut self, name: &str, input: Box<dyn Read + '_>, depth: u32) -> Result<(), Over> {
        let headers = Headers::new(&self.meter.memory);
        let mut archive = tar::Archive::new(headers.limit(input));
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.failed(name, error),
        };
        for entry in entries {
            let mut entry = match entry {
                Ok(entry) => entry,
                // After a damaged header, the position of the next one is unknown.
                Err(error) => return self.failed(name, error),
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
                let mut entry = self.metered(entry);
                self.member(&inner, &mut entry, depth)?;
            } else {
                self.member(&inner, &mut entry, depth)?;
            }
        }
        Ok(())
    }

    /// Copies the input to a temporary file, because archives with a directory at the end need
    /// random access.
    ///
    /// For an archive on standard input the limit is the maximum of unpacked bytes. A nested
    /// archive counts as unpacked bytes anyway.
    fn spool(&mut self, name: &str, input: Box<dyn Read + '_>) -> Result<Option<File>, Over> {
        let limit = self.limits.unpacked;
        match spooled(input.take(limit.saturating_add(1))) {
            Ok((_, length)) if length > limit => {
                self.fault(name, Code::ArchiveLimit, format!("larger than --max unpacked={limit}"))?;
                Ok(None)
            }
            Ok((file, _)) => Ok(Some(file)),
            Err(SpoolError::Input(error)) => self.failed(name, error).map(|()| None),
            Err(error) => self.fault(name, Code::UnreadableSource, error).map(|()| None),
        }
    }
}

pub(super) fn is_wanted(name: &str) -> bool {
    RecordKind::of_name(name).is_some() || PackFormat::of_name(name).is_some()
}

/// The name of a file in an archive.
pub(super) struct Member {
    /// The full name: `archive!path`.
    pub(super) name: String,
    /// The start of the path, which may also contain a `!`.
    own: usize,
}

/// Returns `archive!member` with forward slashes. A name that is not UTF-8 is decoded like a game
/// text.
pub(super) fn member_name(archive: &str, member: &[u8]) -> Member {
    let charset = jigo_record::sgf::charset::decide(member, (0, 0), member, &mut None);
    let decoded = jigo_record::formats::decode::Decoded::new(member, charset);
    let path = String::from_utf8_lossy(&decoded.text).replace('\\', "/");
    let name = shortened(format!("{archive}!{path}"));
    // If the name was shortened, the original position of the separator may be lost.
    let own = name.strip_suffix(&path).map_or_else(|| name.rfind('!').map_or(0, |at| at + 1), str::len);
    Member { name, own }
}

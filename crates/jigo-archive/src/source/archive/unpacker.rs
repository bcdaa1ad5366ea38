//! The unpacker: its receiver, its quota, and the names of members.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::source::budget::quota::{Quota, UnpackedCounter};
use crate::source::compression::format::ArchiveFormat;
use crate::source::files::display_name::shorten;
use jigo_record::finding::Code;
use jigo_record::sgf::limits::Limits;
use jigo_record::splitter::RecordKind;

/// The number of bytes per event.
pub const BLOCK_BYTES: usize = 256 << 10;
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
pub enum ArchiveInput<'a> {
    /// A file, with random access.
    File(File),
    /// A stream.
    Stream(Box<dyn Read + Send + 'a>),
}

/// The end of unpacking: the receiver is gone, or a limit is reached.
pub(super) struct UnpackingEnded;

/// Handles a member: a file of games, or an archive in the archive.
pub(super) type UnpackMember<'m> =
    &'m mut (dyn FnMut(&mut Unpacker<'_>, &Member, &mut dyn Read) -> Result<(), UnpackingEnded> + 'm);

/// Sends the events of an archive that is being unpacked.
pub(super) struct Unpacker<'a> {
    send: &'a mut dyn FnMut(Event) -> Result<(), UnpackingEnded>,
    pub(super) limits: Limits,
    pub(super) quota: Arc<Quota>,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(
        send: &'a mut dyn FnMut(Event) -> Result<(), UnpackingEnded>,
        limits: Limits,
        quota: Arc<Quota>,
    ) -> Unpacker<'a> {
        Unpacker { send, limits: Limits { nesting: limits.nesting.min(MAX_NESTING), ..limits }, quota }
    }

    pub(super) fn report_fault(&mut self, name: &str, code: Code, detail: impl ToString) -> Result<(), UnpackingEnded> {
        (self.send)(Event::Fault(name.into(), code, detail.to_string()))
    }

    /// Reports the cause that ended reading: a limit, which ends everything; a denied memory
    /// reservation, which ends this member; or damage.
    pub(super) fn report_failure(&mut self, name: &str, error: impl ToString) -> Result<(), UnpackingEnded> {
        let quota = Arc::clone(&self.quota);
        match (quota.limit_message(), quota.memory.take_denial()) {
            (Some(detail), _) => self.report_fault(name, Code::ArchiveLimit, detail).and(Err(UnpackingEnded)),
            (None, Some(detail)) => self.report_fault(name, Code::ArchiveLimit, detail),
            (None, None) => self.report_fault(name, Code::CorruptMember, error),
        }
    }

    pub(super) fn with_quota<R: Read>(&self, input: R) -> UnpackedCounter<R> {
        UnpackedCounter::new(input, Arc::clone(&self.quota))
    }

    /// Sends a file of games.
    pub(super) fn send_game_file(&mut self, name: &str, mut input: &mut dyn Read) -> Result<(), UnpackingEnded> {
        if let Err(detail) = self.quota.count_member() {
            self.report_fault(name, Code::ArchiveLimit, detail)?;
            return Err(UnpackingEnded);
        }
        (self.send)(Event::Member(name.into()))?;
        loop {
            let mut block = Vec::new();
            let read = Read::by_ref(&mut input).take(BLOCK_BYTES as u64).read_to_end(&mut block);
            let length = block.len();
            if length > 0 {
                (self.send)(Event::Bytes(block))?;
            }
            match read {
                Ok(_) if length < BLOCK_BYTES => return (self.send)(Event::MemberEnd),
                Ok(_) => {}
                Err(error) => return self.report_failure(name, error),
            }
        }
    }
}

/// Returns true for the name of a game file or an archive, and for a name without a suffix, whose
/// first bytes decide.
pub(super) fn may_contain_games(member: &Member) -> bool {
    RecordKind::from_name(&member.name).is_some()
        || ArchiveFormat::from_name(&member.name).is_some()
        || !member.has_suffix()
}

/// The name of a file in an archive.
pub(super) struct Member {
    /// The full name: `archive!path`.
    pub(super) name: String,
    /// The start of the path, which may also contain a `!`.
    pub(super) path_start: usize,
}

impl Member {
    pub(super) fn has_suffix(&self) -> bool {
        Path::new(&self.name[self.path_start..]).extension().is_some()
    }
}

/// Returns `archive!member` with forward slashes. A name that is not UTF-8 is decoded like a game
/// text.
pub(super) fn member_name(archive: &str, member: &[u8]) -> Member {
    let charset = jigo_record::sgf::charset::decide(member, (0, 0), member, &mut None);
    let decoded = jigo_record::formats::decode::Decoded::new(member, charset);
    let path = String::from_utf8_lossy(&decoded.text).replace('\\', "/");
    let name = shorten(format!("{archive}!{path}"));
    // If the name was shortened, the original position of the separator may be lost.
    let path_start = name.strip_suffix(&path).map_or_else(|| name.rfind('!').map_or(0, |offset| offset + 1), str::len);
    Member { name, path_start }
}

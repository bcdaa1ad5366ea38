//! The members of an archive, built from the events of the unpacker.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use super::chunk::BATCH_BYTES;
use crate::source::archive::Event;
use crate::source::rows::file_part::SourceFault;
use crate::source::{Source, SourceKind};

/// An archive while it is unpacked.
pub(super) struct Members {
    /// The index of the archive among the sources.
    pub source: usize,
    name: String,
    is_named: bool,
    events: Events,
    /// The number of members and faults so far.
    member_count: u64,
}

/// The next part of an archive.
pub(super) enum NextMember {
    /// A whole member.
    Small(MemberBytes),
    /// The first bytes of a member, and a reader for the others.
    Large(MemberBytes, MemberReader),
    /// A fault of a member or of the archive itself.
    Fault(Source, u64, SourceFault),
    /// The end of the archive.
    End {
        /// True if the archive had neither members nor faults.
        is_empty: bool,
    },
}

/// A member of an archive with its bytes.
pub(crate) struct MemberBytes {
    pub source: Source,
    /// The index of the member among the sources, which determines its shard.
    pub index: u64,
    pub bytes: Vec<u8>,
    /// The fault that ended the member early.
    pub fault: Option<SourceFault>,
}

/// A reader for the rest of a large member.
pub(super) struct MemberReader {
    events: Events,
    block: io::Cursor<Vec<u8>>,
    is_ended: bool,
}

/// The events of the unpacker, shared by the archive and the reader of its current member.
type Events = Arc<Mutex<dyn Iterator<Item = Event> + Send>>;

fn receive(events: &Events) -> Option<Event> {
    // Only one thread reads at a time. After a panic in another thread the run ends.
    events.lock().unwrap_or_else(PoisonError::into_inner).next()
}

impl Members {
    pub(super) fn new(
        source: usize,
        archive: &Source,
        events: impl Iterator<Item = Event> + Send + 'static,
    ) -> Members {
        let (name, is_named) = (archive.name.clone(), archive.is_named);
        Members { source, name, is_named, events: Arc::new(Mutex::new(events)), member_count: 0 }
    }

    pub(super) fn next(&mut self) -> NextMember {
        loop {
            match receive(&self.events) {
                None => return NextMember::End { is_empty: self.member_count == 0 },
                Some(Event::Member(name)) => return self.member(name),
                Some(Event::Fault(name, code, detail)) => {
                    let (source, index) = self.next_source(name);
                    return NextMember::Fault(source, index, SourceFault { code, detail });
                }
                // These events belong to a member whose reader was dropped early.
                Some(Event::Bytes(_) | Event::MemberEnd) => {}
            }
        }
    }

    fn next_source(&mut self, name: String) -> (Source, u64) {
        let is_named = self.is_named && name == self.name;
        let index = self.source as u64 + self.member_count;
        self.member_count += 1;
        (Source { name, kind: SourceKind::Member, is_named }, index)
    }

    fn member(&mut self, name: String) -> NextMember {
        let (source, index) = self.next_source(name);
        let mut member = MemberBytes { source, index, bytes: Vec::new(), fault: None };
        loop {
            match receive(&self.events) {
                Some(Event::Bytes(mut block)) => member.bytes.append(&mut block),
                Some(Event::Fault(_, code, detail)) => {
                    member.fault = Some(SourceFault { code, detail });
                    return NextMember::Small(member);
                }
                Some(Event::MemberEnd | Event::Member(_)) | None => return NextMember::Small(member),
            }
            if member.bytes.len() as u64 > BATCH_BYTES {
                let events = Arc::clone(&self.events);
                return NextMember::Large(
                    member,
                    MemberReader { events, block: io::Cursor::default(), is_ended: false },
                );
            }
        }
    }
}

impl Read for MemberReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.block.read(buffer)?;
            if count > 0 || self.is_ended || buffer.is_empty() {
                return Ok(count);
            }
            match receive(&self.events) {
                Some(Event::Bytes(block)) => self.block = io::Cursor::new(block),
                Some(Event::Fault(_, code, detail)) => {
                    self.is_ended = true;
                    return Err(io::Error::other(SourceFault { code, detail }));
                }
                Some(Event::MemberEnd | Event::Member(_)) | None => self.is_ended = true,
            }
        }
    }
}

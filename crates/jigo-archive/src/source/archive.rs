//! Archives as folders: their members one by one, in the order of the archive.
//!
//! The content of an archive arrives from a separate thread through a short queue. Memory is
//! therefore bounded, and unpacking runs in parallel with the analysis.
//!
//! A small archive, or a few consecutive members of a zip, can instead be unpacked whole by the
//! caller's thread. Several threads can do this at once, each with its own quota. If such a unit
//! reaches a limit, the stream unpacks it again and reports the limit, so both ways give the same
//! result.

pub(super) mod lzma;
pub(super) mod memory;
pub(super) mod meter;
mod place;
mod seven_z;
mod tar_headers;
mod unpack_seven_z;
mod unpack_zip;
pub(super) mod xz;
mod zip_list;
mod zip_members;

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use super::failing::Failing;
use super::guarded;
use super::name::shortened;
use super::pack::{PackFormat, unpacked_name};
use super::temporary::{SpoolError, spooled};
use jigo_record::finding::Code;
use jigo_record::sgf::limits::Limits;
use jigo_record::splitter::RecordKind;
pub use memory::Waiting;
use meter::{Counted, Meter, Metered};
use tar_headers::Headers;
pub use zip_list::{Slice, ZipList};

/// The number of bytes per event.
pub const BLOCK: usize = 256 << 10;
/// The maximum number of blocks in the queue of a stream whose receiver reads at once.
const QUEUE: usize = 8;
/// The maximum number of events of an archive that is unpacked whole.
const WHOLE_EVENTS: usize = 8 << 10;
/// The stack size of the unpacking thread. Nested archives are unpacked recursively, up to a depth
/// of [`MAX_NESTING`].
const STACK_BYTES: usize = 16 << 20;
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

/// Unpacks an archive on a new thread. The events end with the archive; dropping the receiver ends
/// the thread.
///
/// # Errors
/// Fails if the thread can't be started.
pub fn unpack(name: String, input: Packed<'static>, format: PackFormat, limits: Limits) -> io::Result<Receiver<Event>> {
    stream(Arc::new(Meter::new(limits, 0)), limits, QUEUE, name, move |unpacker, name| {
        unpacker.packed(name, input, format)
    })
}

/// Unpacks an archive before its turn.
///
/// The receiver's queue has room for `queue` blocks. A large amount of memory is reserved only
/// after the returned [`Waiting`] has been dropped.
///
/// # Errors
/// As [`unpack`].
pub fn unpack_ahead(
    name: String,
    input: Packed<'static>,
    format: PackFormat,
    limits: Limits,
    queue: usize,
) -> io::Result<(Receiver<Event>, Waiting)> {
    let (waiting, turn) = Waiting::new();
    let meter = Arc::new(Meter::ahead(limits, turn));
    let events = stream(meter, limits, queue, name, move |unpacker, name| unpacker.packed(name, input, format))?;
    Ok((events, waiting))
}

/// Unpacks a whole archive on this thread. Returns `None` if it unpacks to more than `most` bytes
/// or exceeds any other limit.
pub fn unpack_whole(name: &str, file: File, format: PackFormat, limits: Limits, most: u64) -> Option<Vec<Event>> {
    let whole = whole(limits, most, 0, name, |unpacker| unpacker.packed(name, Packed::File(file), format));
    whole.map(|(events, _)| events)
}

/// Runs `work` on a new thread and returns its events.
fn stream(
    meter: Arc<Meter>,
    limits: Limits,
    queue: usize,
    name: String,
    work: impl FnOnce(&mut Unpacker<'_>, &str) -> Result<(), Over> + Send + 'static,
) -> io::Result<Receiver<Event>> {
    let (sender, receiver) = sync_channel(queue);
    let started = std::thread::Builder::new().name("unpack".into()).stack_size(STACK_BYTES).spawn(move || {
        let mut send = |event| sender.send(event).map_err(|_| Over);
        // A failure has already become an event. If the receiver is gone, it needs none.
        let _ = guarded(&mut Unpacker::new(&mut send, limits, meter), &name, |unpacker| work(unpacker, &name));
    });
    match started {
        Ok(_) => Ok(receiver),
        Err(error) => {
            Err(io::Error::other(format!("cannot start a thread to unpack it, --jobs N starts fewer: {error}")))
        }
    }
}

/// Returns all events of `work` and its quota, if it unpacks at most `most` bytes within all
/// limits. `packed` is the size of the archive.
fn whole(
    limits: Limits,
    most: u64,
    packed: u64,
    name: &str,
    work: impl FnOnce(&mut Unpacker<'_>) -> Result<(), Over>,
) -> Option<(Vec<Event>, Arc<Meter>)> {
    let limits = Limits { unpacked: limits.unpacked.min(most), memory: limits.memory.min(memory::SHARE), ..limits };
    let meter = Arc::new(Meter::new(limits, packed));
    let mut events = Vec::new();
    let mut keep = |event| match event {
        Event::Fault(_, Code::ArchiveLimit, _) => Err(Over),
        _ if events.len() >= WHOLE_EVENTS => Err(Over),
        event => {
            events.push(event);
            Ok(())
        }
    };
    let done = guarded(&mut Unpacker::new(&mut keep, limits, Arc::clone(&meter)), name, work);
    (done.is_ok() && !meter.is_over()).then_some((events, meter))
}

/// Runs `work`. If a decoder panics, its archive ends with a fault.
fn guarded(
    unpacker: &mut Unpacker<'_>,
    name: &str,
    work: impl FnOnce(&mut Unpacker<'_>) -> Result<(), Over>,
) -> Result<(), Over> {
    // The unwind drops the decoder, so its inconsistent state is not used again.
    guarded::guarded(|| work(unpacker)).unwrap_or_else(|| {
        let detail = "its decoder failed; what follows is not read";
        unpacker.fault(name, Code::CorruptMember, detail).and(Err(Over))
    })
}

/// The end of unpacking: the receiver is gone, or a limit is reached.
struct Over;

struct Unpacker<'a> {
    send: &'a mut dyn FnMut(Event) -> Result<(), Over>,
    limits: Limits,
    meter: Arc<Meter>,
}

impl<'a> Unpacker<'a> {
    fn new(send: &'a mut dyn FnMut(Event) -> Result<(), Over>, limits: Limits, meter: Arc<Meter>) -> Unpacker<'a> {
        Unpacker { send, limits: Limits { nesting: limits.nesting.min(MAX_NESTING), ..limits }, meter }
    }

    fn fault(&mut self, name: &str, code: Code, detail: impl ToString) -> Result<(), Over> {
        (self.send)(Event::Fault(name.into(), code, detail.to_string()))
    }

    /// Reports the cause that ended reading: a limit, which ends everything; a denied memory
    /// reservation, which ends this member; or damage.
    fn failed(&mut self, name: &str, error: impl ToString) -> Result<(), Over> {
        let meter = Arc::clone(&self.meter);
        match (meter.reached(), meter.memory.denied()) {
            (Some(detail), _) => self.fault(name, Code::ArchiveLimit, detail).and(Err(Over)),
            (None, Some(detail)) => self.fault(name, Code::ArchiveLimit, detail),
            (None, None) => self.fault(name, Code::CorruptMember, error),
        }
    }

    fn metered<R: Read>(&self, input: R) -> Metered<R> {
        Metered::new(input, Arc::clone(&self.meter))
    }

    /// Unpacks the outermost archive, whose size counts as input.
    fn packed(&mut self, name: &str, input: Packed<'_>, format: PackFormat) -> Result<(), Over> {
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
    fn member(&mut self, member: &Member, input: &mut dyn Read, depth: u32) -> Result<(), Over> {
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

fn is_wanted(name: &str) -> bool {
    RecordKind::of_name(name).is_some() || PackFormat::of_name(name).is_some()
}

/// The name of a file in an archive.
struct Member {
    /// The full name: `archive!path`.
    name: String,
    /// The start of the path, which may also contain a `!`.
    own: usize,
}

/// Returns `archive!member` with forward slashes. A name that is not UTF-8 is decoded like a game
/// text.
fn member_name(archive: &str, member: &[u8]) -> Member {
    let charset = jigo_record::sgf::charset::decide(member, (0, 0), member, &mut None);
    let decoded = jigo_record::formats::decode::Decoded::new(member, charset);
    let path = String::from_utf8_lossy(&decoded.text).replace('\\', "/");
    let name = shortened(format!("{archive}!{path}"));
    // If the name was shortened, the original position of the separator may be lost.
    let own = name.strip_suffix(&path).map_or_else(|| name.rfind('!').map_or(0, |at| at + 1), str::len);
    Member { name, own }
}

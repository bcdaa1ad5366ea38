//! Runs the unpacker on a thread of its own, or on the thread of the caller.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use super::unpacker::{Event, Over, Packed, Unpacker};
use crate::source::budget::memory_budget::{self, Waiting};
use crate::source::budget::quota::Meter;
use crate::source::catch_panic;
use crate::source::compression::format::PackFormat;
use jigo_record::finding::Code;
use jigo_record::sgf::limits::Limits;

/// The maximum number of blocks in the queue of a stream whose receiver reads at once.
pub(super) const QUEUE: usize = 8;
/// The maximum number of events of an archive that is unpacked whole.
const WHOLE_EVENTS: usize = 8 << 10;
/// The stack size of the unpacking thread. Nested archives are unpacked recursively, up to a depth
/// of [`MAX_NESTING`].
const STACK_BYTES: usize = 16 << 20;

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
pub(super) fn stream(
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
pub(super) fn whole(
    limits: Limits,
    most: u64,
    packed: u64,
    name: &str,
    work: impl FnOnce(&mut Unpacker<'_>) -> Result<(), Over>,
) -> Option<(Vec<Event>, Arc<Meter>)> {
    let limits =
        Limits { unpacked: limits.unpacked.min(most), memory: limits.memory.min(memory_budget::SHARE), ..limits };
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
    catch_panic::guarded(|| work(unpacker)).unwrap_or_else(|| {
        let detail = "its decoder failed; what follows is not read";
        unpacker.fault(name, Code::CorruptMember, detail).and(Err(Over))
    })
}

//! Runs the unpacker on a separate thread or on the thread of the caller.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use super::unpacker::{ArchiveInput, Event, Unpacker, UnpackingEnded};
use crate::source::budget::memory_budget::{self, TurnGuard};
use crate::source::budget::quota::Quota;
use crate::source::catch_panic;
use crate::source::compression::format::ArchiveFormat;
use jigo_record::finding::Code;
use jigo_record::sgf::limits::Limits;

/// The maximum number of blocks in the queue of a stream whose receiver reads at once.
pub(super) const QUEUE_BLOCKS: usize = 8;
/// The maximum number of events of an archive that is unpacked whole.
const MAX_EVENTS: usize = 8 << 10;
/// The stack size of the unpacking thread. Nested archives are unpacked recursively, up to a depth
/// of [`MAX_NESTING`].
const STACK_BYTES: usize = 16 << 20;

/// Unpacks an archive on a new thread. The events end with the archive; dropping the receiver ends
/// the thread.
///
/// # Errors
/// Fails if the thread can't be started.
pub fn unpack(
    name: String,
    input: ArchiveInput<'static>,
    format: ArchiveFormat,
    limits: Limits,
) -> io::Result<Receiver<Event>> {
    start_unpacking(Arc::new(Quota::new(limits, 0)), limits, QUEUE_BLOCKS, name, move |unpacker, name| {
        unpacker.unpack_outer(name, input, format)
    })
}

/// Unpacks an archive before its turn.
///
/// The receiver's queue has room for `queue_blocks` blocks. A large amount of memory is reserved
/// only after the returned [`TurnGuard`] has been dropped.
///
/// # Errors
/// As [`unpack`].
pub fn unpack_ahead(
    name: String,
    input: ArchiveInput<'static>,
    format: ArchiveFormat,
    limits: Limits,
    queue_blocks: usize,
) -> io::Result<(Receiver<Event>, TurnGuard)> {
    let (guard, turn) = TurnGuard::new();
    let quota = Arc::new(Quota::for_prefetch(limits, turn));
    let events = start_unpacking(quota, limits, queue_blocks, name, move |unpacker, name| {
        unpacker.unpack_outer(name, input, format)
    })?;
    Ok((events, guard))
}

/// Unpacks a whole archive on this thread. Returns `None` if it unpacks to more than `max_unpacked`
/// bytes or exceeds any other limit.
pub fn unpack_whole(
    name: &str,
    file: File,
    format: ArchiveFormat,
    limits: Limits,
    max_unpacked: u64,
) -> Option<Vec<Event>> {
    let unpacked = unpack_in_memory(limits, max_unpacked, 0, name, |unpacker| {
        unpacker.unpack_outer(name, ArchiveInput::File(file), format)
    });
    unpacked.map(|(events, _)| events)
}

/// Runs `work` on a new thread and returns its events.
pub(super) fn start_unpacking(
    quota: Arc<Quota>,
    limits: Limits,
    queue_blocks: usize,
    name: String,
    work: impl FnOnce(&mut Unpacker<'_>, &str) -> Result<(), UnpackingEnded> + Send + 'static,
) -> io::Result<Receiver<Event>> {
    let (sender, receiver) = sync_channel(queue_blocks);
    let started = std::thread::Builder::new().name("unpack".into()).stack_size(STACK_BYTES).spawn(move || {
        let mut send = |event| sender.send(event).map_err(|_| UnpackingEnded);
        // A failure has already become an event. If the receiver is gone, it needs none.
        let _ =
            catch_decoder_panic(&mut Unpacker::new(&mut send, limits, quota), &name, |unpacker| work(unpacker, &name));
    });
    match started {
        Ok(_) => Ok(receiver),
        Err(error) => {
            Err(io::Error::other(format!("cannot start a thread to unpack it, --jobs N starts fewer: {error}")))
        }
    }
}

/// Returns all events of `work` and its quota, if it unpacks at most `max_unpacked` bytes within
/// all limits. `packed` is the size of the archive.
pub(super) fn unpack_in_memory(
    limits: Limits,
    max_unpacked: u64,
    packed: u64,
    name: &str,
    work: impl FnOnce(&mut Unpacker<'_>) -> Result<(), UnpackingEnded>,
) -> Option<(Vec<Event>, Arc<Quota>)> {
    let limits = Limits {
        unpacked: limits.unpacked.min(max_unpacked),
        memory: limits.memory.min(memory_budget::PREFETCH_LIMIT),
        ..limits
    };
    let quota = Arc::new(Quota::new(limits, packed));
    let mut events = Vec::new();
    let mut collect = |event| match event {
        Event::Fault(_, Code::ArchiveLimit, _) => Err(UnpackingEnded),
        _ if events.len() >= MAX_EVENTS => Err(UnpackingEnded),
        event => {
            events.push(event);
            Ok(())
        }
    };
    let result = catch_decoder_panic(&mut Unpacker::new(&mut collect, limits, Arc::clone(&quota)), name, work);
    (result.is_ok() && !quota.is_exceeded()).then_some((events, quota))
}

/// Runs `work`. If a decoder panics, its archive ends with a fault.
fn catch_decoder_panic(
    unpacker: &mut Unpacker<'_>,
    name: &str,
    work: impl FnOnce(&mut Unpacker<'_>) -> Result<(), UnpackingEnded>,
) -> Result<(), UnpackingEnded> {
    // The unwind drops the decoder, so its inconsistent state is not used again.
    catch_panic::catch_panic(|| work(unpacker)).unwrap_or_else(|| {
        let detail = "its decoder failed; what follows is not read";
        unpacker.report_fault(name, Code::CorruptMember, detail).and(Err(UnpackingEnded))
    })
}

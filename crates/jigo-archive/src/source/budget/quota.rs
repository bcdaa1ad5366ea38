//! The quota of an archive: counts of packed and unpacked bytes, and their limits.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::memory_budget::{MemoryBudget, TurnFlag};
use crate::source::watched_reader::WatchedReader;
use jigo_record::sgf::Limits;

/// The number of unpacked bytes below which the compression ratio is not checked.
const MIN_RATIO_BYTES: u64 = 64 << 20;

/// Counters for the bytes read from an archive and unpacked from it, with their limits. All
/// unpacked bytes count, at every level of nesting, even if they are not used.
pub(crate) struct Quota {
    limits: Limits,
    /// The number of bytes read from the archive.
    packed: AtomicU64,
    unpacked: AtomicU64,
    members: AtomicU64,
    /// The memory budget of the decoders.
    pub memory: Arc<MemoryBudget>,
    /// The message of the byte limit that was reached.
    reached_limit: OnceLock<String>,
}

impl Quota {
    /// Returns counters for an archive of which `packed` bytes count as read.
    pub(crate) fn new(limits: Limits, packed: u64) -> Quota {
        Quota {
            limits,
            packed: packed.into(),
            unpacked: AtomicU64::default(),
            members: AtomicU64::default(),
            memory: Arc::new(MemoryBudget::new(limits.memory, None)),
            reached_limit: OnceLock::default(),
        }
    }

    /// Returns counters for a prefetched archive.
    pub(crate) fn for_prefetch(limits: Limits, turn: Arc<TurnFlag>) -> Quota {
        Quota { memory: Arc::new(MemoryBudget::new(limits.memory, Some(turn))), ..Quota::new(limits, 0) }
    }

    /// Counts bytes that were read from the archive.
    pub(crate) fn count_packed(&self, length: u64) {
        self.packed.fetch_add(length, Ordering::Relaxed);
    }

    /// Returns the message of the limit that was reached.
    pub(crate) fn limit_message(&self) -> Option<&str> {
        self.reached_limit.get().map(String::as_str)
    }

    /// Counts a member. Returns a message if there are too many.
    pub(crate) fn count_member(&self) -> Result<(), String> {
        let limit = self.limits.members;
        let count = self.members.fetch_add(1, Ordering::Relaxed) + 1;
        if count > limit { Err(format!("more files than --max members={limit}")) } else { Ok(()) }
    }

    /// Returns true if a limit is reached that ends the whole archive.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.limit_message().is_some() || self.members.load(Ordering::Relaxed) > self.limits.members
    }

    /// Adds the counts of a part with separate counters. Returns false, and adds nothing, if a
    /// limit would be reached.
    pub(crate) fn try_add(&self, part: &Quota) -> bool {
        let sum = |counter: fn(&Quota) -> &AtomicU64| {
            counter(self).load(Ordering::Relaxed) + counter(part).load(Ordering::Relaxed)
        };
        let (unpacked, members) = (sum(|quota| &quota.unpacked), sum(|quota| &quota.members));
        let fits = self.excess(unpacked).is_none() && members <= self.limits.members;
        if fits {
            self.unpacked.store(unpacked, Ordering::Relaxed);
            self.members.store(members, Ordering::Relaxed);
        }
        fits
    }

    /// Counts unpacked bytes.
    ///
    /// # Errors
    /// Fails if a limit is reached.
    pub(crate) fn count_unpacked(&self, length: usize) -> io::Result<()> {
        let total = self.unpacked.fetch_add(length as u64, Ordering::Relaxed) + length as u64;
        match self.excess(total) {
            Some(detail) => Err(io::Error::other(self.reached_limit.get_or_init(|| detail).clone())),
            None => Ok(()),
        }
    }

    /// Returns the message of the limit that `total` unpacked bytes exceed.
    fn excess(&self, total: u64) -> Option<String> {
        let Limits { unpacked, ratio, .. } = self.limits;
        let packed = self.packed.load(Ordering::Relaxed).max(1);
        if total > unpacked {
            Some(format!("more bytes unpacked than --max unpacked={unpacked}"))
        } else if total > MIN_RATIO_BYTES && total / packed > ratio {
            Some(format!("each byte of the archive unpacks to more than --max ratio={ratio}"))
        } else {
            None
        }
    }
}

/// Returns a reader of an archive that counts its bytes.
pub(crate) fn packed_counter<R: Read>(input: R, quota: Arc<Quota>) -> impl Read {
    let examine = move |read: io::Result<usize>, _: &[u8]| read.inspect(|count| quota.count_packed(*count as u64));
    WatchedReader { input, examine }
}

/// A reader that counts unpacked bytes and fails at a limit.
///
/// After an error it does not read from the decoder again. The behaviour of a failed decoder is
/// undefined, and some loop forever.
pub(crate) struct UnpackedCounter<R> {
    input: R,
    quota: Arc<Quota>,
    has_failed: bool,
}

impl<R> UnpackedCounter<R> {
    /// Returns a reader for the bytes of `input`.
    pub(crate) fn new(input: R, quota: Arc<Quota>) -> UnpackedCounter<R> {
        UnpackedCounter { input, quota, has_failed: false }
    }
}

impl<R: Read> Read for UnpackedCounter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_failed {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "what is packed before it is damaged"));
        }
        let read = self.input.read(buffer).and_then(|count| self.quota.count_unpacked(count).map(|()| count));
        self.has_failed = read.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decoder that continues after an error as if nothing had happened.
    struct Careless(Vec<io::Result<usize>>);

    impl Read for Careless {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.pop().unwrap_or(Ok(1))
        }
    }

    #[test]
    fn failed_decoder_is_not_read_again() {
        let error = |kind: io::ErrorKind| Err(io::Error::from(kind));
        let results = vec![error(io::ErrorKind::Other), Ok(3), error(io::ErrorKind::Interrupted), Ok(2)];
        let quota = Arc::new(Quota::new(Limits::default(), 1));
        let mut reader = UnpackedCounter::new(Careless(results), quota);
        let mut read = || reader.read(&mut [0; 8]).map_err(|error| error.kind());
        assert_eq!(read(), Ok(2));
        assert_eq!(read(), Err(io::ErrorKind::Interrupted));
        assert_eq!(read(), Ok(3));
        assert_eq!(read(), Err(io::ErrorKind::Other));
        assert_eq!(read(), Err(io::ErrorKind::InvalidData));
        assert_eq!(read(), Err(io::ErrorKind::InvalidData));
    }
}

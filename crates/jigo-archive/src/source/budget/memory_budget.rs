//! The memory budget of an archive: one budget for all its decoders.
//!
//! A header states the size of a dictionary, a window or a directory, and a decoder allocates it
//! before it has seen a byte of the content. The caller of such a decoder therefore reads the
//! header first and reserves the stated size here. If the budget is exceeded, the member is skipped
//! and nothing is allocated.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The maximum reservation of an archive before its turn. An xz dictionary of default size fits.
pub(crate) const PREFETCH_LIMIT: u64 = 32 << 20;

/// The memory budget of one archive.
pub(crate) struct MemoryBudget {
    /// The budget in bytes, from `--max memory`.
    limit: u64,
    used: AtomicU64,
    /// The turn of a prefetched archive, which it waits for before it reserves more than its share.
    turn: Option<Arc<TurnFlag>>,
    /// The message of the last denied reservation, until it is reported.
    denial: Mutex<Option<String>>,
}

impl MemoryBudget {
    pub(crate) fn new(limit: u64, turn: Option<Arc<TurnFlag>>) -> MemoryBudget {
        MemoryBudget { limit, used: AtomicU64::new(0), turn, denial: Mutex::new(None) }
    }

    /// Returns the whole budget in bytes.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the number of bytes left.
    pub(crate) fn remaining(&self) -> u64 {
        self.limit - self.used.load(Ordering::Relaxed).min(self.limit)
    }

    /// Reserves bytes until the returned value is dropped. `subject` is the start of the message
    /// about a denied reservation.
    ///
    /// # Errors
    /// Fails if the budget has fewer bytes left.
    pub(crate) fn reserve(self: &Arc<Self>, bytes: u64, subject: &str) -> io::Result<Reservation> {
        // Only one thread unpacks an archive, so no reservation can happen between load and store.
        let used = self.used.load(Ordering::Relaxed);
        let total = used.saturating_add(bytes);
        if total > self.limit {
            let already_used = if used > 0 { format!(" beside {used} held already") } else { String::new() };
            return Err(
                self.deny(format!("{subject} takes {bytes} bytes of memory{already_used}, more than --max memory"))
            );
        }
        if total > PREFETCH_LIMIT
            && let Some(turn) = &self.turn
        {
            turn.wait();
        }
        self.used.store(total, Ordering::Relaxed);
        Ok(Reservation { memory: Arc::clone(self), bytes })
    }

    /// Returns the error of a denied reservation, whose detail ends with the name of the limit.
    ///
    /// Records the message for [`take_denial`](MemoryBudget::take_denial), since a decoder in
    /// between may replace the error by its own.
    pub(crate) fn deny(&self, mut detail: String) -> io::Error {
        detail += &format!("={}", self.limit);
        *self.denial.lock().unwrap_or_else(PoisonError::into_inner) = Some(detail.clone());
        io::Error::new(io::ErrorKind::OutOfMemory, detail)
    }

    /// Takes the message of a reservation that was denied since the last call.
    pub(crate) fn take_denial(&self) -> Option<String> {
        self.denial.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A memory reservation.
pub(crate) struct Reservation {
    memory: Arc<MemoryBudget>,
    bytes: u64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A decoder with its memory reservation.
pub(crate) struct WithReservation<R> {
    input: R,
    _reservation: Reservation,
}

impl<R> WithReservation<R> {
    pub(crate) fn new(input: R, reservation: Reservation) -> WithReservation<R> {
        WithReservation { input, _reservation: reservation }
    }
}

impl<R: Read> Read for WithReservation<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

/// A flag that is set when the run reaches a prefetched archive.
pub(crate) type TurnFlag = OnceLock<()>;

/// Delays a prefetched archive. When this is dropped, the archive may proceed.
pub struct TurnGuard(Arc<TurnFlag>);

impl TurnGuard {
    pub(crate) fn new() -> (TurnGuard, Arc<TurnFlag>) {
        let turn = Arc::<TurnFlag>::default();
        (TurnGuard(Arc::clone(&turn)), turn)
    }
}

impl Drop for TurnGuard {
    fn drop(&mut self) {
        // Only this guard sets the flag.
        let _ = self.0.set(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denied_reservation_is_reported_once() {
        let memory = Arc::new(MemoryBudget::new(100, None));
        let first = memory.reserve(60, "a dictionary").unwrap();
        assert!(memory.reserve(41, "a window").is_err());
        assert_eq!(
            memory.take_denial().unwrap(),
            "a window takes 41 bytes of memory beside 60 held already, more than --max memory=100"
        );
        assert_eq!(memory.take_denial(), None);
        drop(first);
        assert!(memory.reserve(100, "a window").is_ok());
        assert!(memory.reserve(u64::MAX, "a list").is_err());
    }

    #[test]
    fn large_reservation_waits_for_the_turn() {
        let (waiting, turn) = TurnGuard::new();
        let memory = Arc::new(MemoryBudget::new(1 << 30, Some(turn)));
        let _share = memory.reserve(PREFETCH_LIMIT, "a dictionary").unwrap();
        let late = std::thread::spawn(move || memory.reserve(1, "a window").is_ok());
        drop(waiting);
        assert!(late.join().unwrap());
    }
}

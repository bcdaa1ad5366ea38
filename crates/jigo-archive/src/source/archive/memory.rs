//! The memory that unpacking takes on the word of a header: one budget for all decoders of an archive.
//!
//! A header states how large a dictionary, a window or a list is, and a decoder makes room for it before it has seen a byte of it. Whoever calls such
//! a decoder reads the header first and holds what it states here. Beyond the budget, that member is given up and nothing is allocated.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// What an archive may hold that is unpacked before its turn: a dictionary of xz by its usual settings fits.
pub(super) const SHARE: u64 = 32 << 20;

/// The budget of one archive.
pub(crate) struct Memory {
    /// Bytes, as `--max-memory` has them.
    limit: u64,
    used: AtomicU64,
    /// An archive that is begun before its turn waits for it before it holds more than its share.
    turn: Option<Arc<Turn>>,
    /// What to say of what did not fit, until it is said.
    denied: Mutex<Option<String>>,
}

impl Memory {
    pub(crate) fn new(limit: u64, turn: Option<Arc<Turn>>) -> Memory {
        Memory { limit, used: AtomicU64::new(0), turn, denied: Mutex::new(None) }
    }

    /// Bytes of the whole budget.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes that are left.
    pub(crate) fn left(&self) -> u64 {
        self.limit - self.used.load(Ordering::Relaxed).min(self.limit)
    }

    /// Holds so many bytes until the answer is dropped. `what` begins the sentence that says what did not fit.
    ///
    /// # Errors
    /// When they are more than are left.
    pub(crate) fn hold(self: &Arc<Self>, bytes: u64, what: &str) -> io::Result<Hold> {
        // One thread unpacks an archive, so nothing is held between these two.
        let used = self.used.load(Ordering::Relaxed);
        let total = used.saturating_add(bytes);
        if total > self.limit {
            let beside = if used > 0 { format!(" beside {used} held already") } else { String::new() };
            return Err(self.deny(format!("{what} takes {bytes} bytes of memory{beside}, more than --max-memory")));
        }
        if total > SHARE
            && let Some(turn) = &self.turn
        {
            turn.wait();
        }
        self.used.store(total, Ordering::Relaxed);
        Ok(Hold { memory: Arc::clone(self), bytes })
    }

    /// The error of what does not fit, which [`denied`](Memory::denied) says, too: a decoder between here and there may put it in words of its own.
    pub(crate) fn deny(&self, mut detail: String) -> io::Error {
        detail += &format!(" {}", self.limit);
        *self.denied.lock().unwrap_or_else(PoisonError::into_inner) = Some(detail.clone());
        io::Error::new(io::ErrorKind::OutOfMemory, detail)
    }

    /// What did not fit since this was asked last.
    pub(crate) fn denied(&self) -> Option<String> {
        self.denied.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Bytes that are held.
pub(crate) struct Hold {
    memory: Arc<Memory>,
    bytes: u64,
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Whether it is the turn of an archive that is begun ahead.
#[derive(Default)]
pub(crate) struct Turn {
    has_come: Mutex<bool>,
    comes: Condvar,
}

impl Turn {
    fn wait(&self) {
        let mut has_come = self.has_come.lock().unwrap_or_else(PoisonError::into_inner);
        while !*has_come {
            has_come = self.comes.wait(has_come).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Keeps an archive waiting for its turn; dropped, it is the archive's turn, or nobody wants it any more.
pub struct Waiting(Arc<Turn>);

impl Waiting {
    pub(super) fn new() -> (Waiting, Arc<Turn>) {
        let turn = Arc::<Turn>::default();
        (Waiting(Arc::clone(&turn)), turn)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        *self.0.has_come.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.comes.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_counts_until_it_is_dropped_and_what_does_not_fit_is_said_once() {
        let memory = Arc::new(Memory::new(100, None));
        let first = memory.hold(60, "a dictionary").unwrap();
        assert!(memory.hold(41, "a window").is_err());
        assert_eq!(
            memory.denied().unwrap(),
            "a window takes 41 bytes of memory beside 60 held already, more than --max-memory 100"
        );
        assert_eq!(memory.denied(), None);
        drop(first);
        assert!(memory.hold(100, "a window").is_ok());
        assert!(memory.hold(u64::MAX, "a list").is_err());
    }

    #[test]
    fn before_its_turn_an_archive_waits_with_more_than_its_share() {
        let (waiting, turn) = Waiting::new();
        let memory = Arc::new(Memory::new(1 << 30, Some(turn)));
        let _share = memory.hold(SHARE, "a dictionary").unwrap();
        let late = std::thread::spawn(move || memory.hold(1, "a window").is_ok());
        drop(waiting);
        assert!(late.join().unwrap());
    }
}

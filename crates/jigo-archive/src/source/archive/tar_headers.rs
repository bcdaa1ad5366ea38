//! A limit on the headers of a tar. The tar crate reads all headers of a file into memory, with any
//! declared length.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;
use std::sync::Arc;

use crate::source::budget::memory_budget::MemoryBudget;
use crate::source::watched_reader::WatchedReader;

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

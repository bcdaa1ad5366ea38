//! A tar on its way to its reader, which takes the headers before a file into memory, however long they say they are.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;
use std::sync::Arc;

use super::memory::Memory;

/// Bytes of memory in the budget for each byte of headers: names are copied and decoded.
const MEMORY_FOR_A_BYTE: u64 = 64;

/// Counts the bytes of headers before a file.
pub(super) struct Headers {
    memory: Arc<Memory>,
    /// Bytes that may be read before the next file begins.
    left: Rc<Cell<u64>>,
}

impl Headers {
    pub(super) fn new(memory: &Arc<Memory>) -> Headers {
        let headers = Headers { memory: Arc::clone(memory), left: Rc::default() };
        headers.allow(0);
        headers
    }

    /// A file of so many bytes is read, or passed over, before the next headers.
    pub(super) fn allow(&self, file: u64) {
        // What fills its last block belongs to it.
        self.left.set((self.memory.limit() / MEMORY_FOR_A_BYTE).saturating_add(file).saturating_add(512));
    }

    /// The tar, which ends with an error where there are more.
    pub(super) fn limit<R: Read>(&self, input: R) -> Limited<R> {
        Limited { input, memory: Arc::clone(&self.memory), left: Rc::clone(&self.left) }
    }
}

/// The bytes of a tar.
pub(super) struct Limited<R> {
    input: R,
    memory: Arc<Memory>,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        match self.left.get().checked_sub(count as u64) {
            Some(left) => self.left.set(left),
            None => {
                let most = self.memory.limit() / MEMORY_FOR_A_BYTE;
                return Err(self.memory.deny(format!(
                    "a file of this tar has headers of more than {most} bytes, a 64th of --max-memory"
                )));
            }
        }
        Ok(count)
    }
}

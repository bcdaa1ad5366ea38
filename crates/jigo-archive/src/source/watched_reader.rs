//! A reader that shows each result to a function, for counters, limits and checksums.

use std::io::{self, Read};

/// A reader of `input` that passes each result through `examine`, with the buffer.
pub(crate) struct WatchedReader<R, F> {
    pub(crate) input: R,
    pub(crate) examine: F,
}

impl<R: Read, F: FnMut(io::Result<usize>, &[u8]) -> io::Result<usize>> Read for WatchedReader<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.input.read(buffer);
        (self.examine)(result, buffer)
    }
}

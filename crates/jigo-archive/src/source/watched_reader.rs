//! Readers that show each result to a function, for counters, limits and checksums, or fail.

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

/// Returns its error once, if it has one, and then ends.
pub(crate) struct ErrorReader(pub(crate) Option<io::Error>);

impl Read for ErrorReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

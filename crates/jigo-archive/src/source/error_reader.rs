//! A reader that fails: it takes the place of bytes that could not be read.

use std::io::{self, Read};

/// Returns its error once, if it has one, and then ends.
pub(crate) struct ErrorReader(pub(crate) Option<io::Error>);

impl Read for ErrorReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

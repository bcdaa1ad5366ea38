//! A reader that fails: it takes the place of bytes that could not be read.

use std::io::{self, Read};

/// Returns its error once, if it has one, and then ends.
pub(crate) struct Failing(pub(crate) Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

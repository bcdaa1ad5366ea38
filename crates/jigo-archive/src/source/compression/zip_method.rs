//! The compression methods of a zip that jigo decodes itself.

use std::io::{self, Read};
use std::sync::Arc;

use super::lzma::raw_lzma;
use super::xz::XzFile;
use super::zstd::ZstdFrames;
use crate::source::budget::memory_budget::MemoryBudget;
use crate::source::watched_reader::WatchedReader;

/// The zip compression methods that jigo decodes itself. The zip crate decodes the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ZipMethod {
    /// Method 93.
    Zstd,
    /// Method 95.
    Xz,
    /// Method 14.
    Lzma,
}

impl ZipMethod {
    /// Returns a decoder for a member of this length and CRC. The decoder checks the CRC.
    ///
    /// # Errors
    /// Fails if the first bytes are not of this method, or if there is too little memory.
    pub(crate) fn unpack<'a>(
        self,
        mut input: Box<dyn Read + 'a>,
        length: u64,
        expected: u32,
        memory: &Arc<MemoryBudget>,
    ) -> io::Result<Box<dyn Read + 'a>> {
        let input: Box<dyn Read + 'a> = match self {
            ZipMethod::Zstd => Box::new(ZstdFrames::new(input, memory)?),
            ZipMethod::Xz => Box::new(XzFile::new(input, memory)),
            ZipMethod::Lzma => {
                // Two bytes of version and two of the length of the following fields: properties
                // and the dictionary size.
                let mut header = [0; 9];
                input.read_exact(&mut header)?;
                let dictionary = u32::from_le_bytes([header[5], header[6], header[7], header[8]]);
                Box::new(raw_lzma(input, header[4], dictionary, length, memory)?)
            }
        };
        let mut crc = flate2::Crc::new();
        let examine = move |read: io::Result<usize>, buffer: &[u8]| {
            let count = read?;
            crc.update(&buffer[..count]);
            if count == 0 && !buffer.is_empty() && crc.sum() != expected {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"));
            }
            Ok(count)
        };
        Ok(Box::new(WatchedReader { input, examine }))
    }
}

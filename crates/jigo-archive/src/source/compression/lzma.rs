//! The `.lzma` format that preceded xz: a header of 13 bytes and one stream without a checksum.
//!
//! jigo parses the header itself and reserves the dictionary in the memory budget that all sources
//! share. `LzmaReader::new_mem_limit` of lzma-rust2 knows only a limit for one file, and it counts
//! the declared dictionary even if the file is shorter (version 0.16.5, `src/lzma_reader.rs`, lines
//! 170 and 171).

use std::io::{self, BufReader, ErrorKind, Read};
use std::sync::Arc;

use lzma_rust2::LzmaReader;

use crate::source::budget::memory_budget::{MemoryBudget, Reservation};

const HEADER_BYTES: usize = 13;
/// The memory of an LZMA decoder without its dictionary: literal probabilities of two bytes each, 3
/// << 8 for each of up to 4,096 contexts.
pub(crate) const LZMA_BYTES: u64 = (6 << 20) + (256 << 10);
/// The stated length of a file that ends with an end marker.
const UNKNOWN_LENGTH: u64 = u64::MAX;
/// The smallest length that counts as implausible. The format has no signature, and xz also accepts
/// only smaller lengths.
const IMPLAUSIBLE_LENGTH: u64 = 1 << 38;
/// The default properties of all encoders.
const DEFAULT_PROPERTIES: u8 = 0x5D;
/// The number of bytes to unpack at a time. In a truncated file, the last bytes up to this number
/// are lost.
const STEP_BYTES: usize = 4096;

/// Returns true if the first bytes are those of an LZMA file.
pub(crate) fn is_lzma_start(start: &[u8]) -> bool {
    let Some((header, [0, ..])) = start.split_at_checked(HEADER_BYTES) else { return false };
    let (dictionary, length) = parse_header(header);
    // The usual dictionary sizes are 2^n and 2^n + 2^(n-1).
    let has_standard_dictionary =
        dictionary >= 1 << 12 && [dictionary, dictionary / 3 * 2].iter().any(|size| size.is_power_of_two());
    header[0] == DEFAULT_PROPERTIES
        && has_standard_dictionary
        && (length == UNKNOWN_LENGTH || length < IMPLAUSIBLE_LENGTH)
}

/// Returns the dictionary size and the length in a header.
fn parse_header(header: &[u8]) -> (u32, u64) {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    (number(&header[1..5]) as u32, number(&header[5..HEADER_BYTES]))
}

/// A decoder for such a file.
pub(crate) struct LzmaAloneReader<R> {
    decoder: LzmaReader<ErrorTracker<R>>,
    _reservation: Reservation,
}

impl<R: Read> LzmaAloneReader<R> {
    /// Reads the header, whose dictionary must fit into the memory.
    pub(crate) fn new(input: R, memory: &Arc<MemoryBudget>) -> io::Result<LzmaAloneReader<R>> {
        let mut input = BufReader::new(input);
        let mut header = [0; HEADER_BYTES];
        input.read_exact(&mut header)?;
        let (declared, length) = parse_header(&header);
        if length != UNKNOWN_LENGTH && length >= IMPLAUSIBLE_LENGTH {
            return Err(io::Error::new(ErrorKind::InvalidData, "its header is not that of LZMA"));
        }
        // No match reaches back beyond the start of the file.
        let dictionary = declared.min(u32::try_from(length).unwrap_or(u32::MAX));
        let reservation = memory.reserve(u64::from(dictionary) + LZMA_BYTES, "a dictionary of LZMA")?;
        let input = ErrorTracker { input, fault: None };
        Ok(LzmaAloneReader {
            decoder: LzmaReader::new_with_props(input, length, header[0], dictionary, None)?,
            _reservation: reservation,
        })
    }
}

impl<R: Read> Read for LzmaAloneReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let step = buffer.len().min(STEP_BYTES);
        let count = self.decoder.read(&mut buffer[..step]);
        match self.decoder.inner_mut().fault.take() {
            Some(fault) => Err(fault),
            None => count,
        }
    }
}

/// An input that remembers its error. The decoder continues after the end of its input as if there
/// were more bytes.
struct ErrorTracker<R> {
    input: BufReader<R>,
    fault: Option<io::Error>,
}

impl<R: Read> Read for ErrorTracker<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer);
        match &read {
            Ok(0) if !buffer.is_empty() => self.fault = Some(ErrorKind::UnexpectedEof.into()),
            Err(error) if error.kind() != ErrorKind::Interrupted => {
                self.fault = Some(io::Error::new(error.kind(), error.to_string()));
            }
            _ => {}
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lzma_rust2::{LzmaOptions, LzmaWriter};
    use std::io::Write;

    fn lzma(bytes: &[u8], preset: u32, length: Option<u64>) -> Vec<u8> {
        let options = LzmaOptions::with_preset(preset);
        let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, length).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    fn unpack(packed: &[u8], limit: u64) -> (io::Result<usize>, Vec<u8>, Option<String>) {
        let memory = Arc::new(MemoryBudget::new(limit, None));
        let mut bytes = Vec::new();
        let read = LzmaAloneReader::new(packed, &memory).and_then(|mut file| file.read_to_end(&mut bytes));
        (read, bytes, memory.take_denial())
    }

    fn text(length: usize) -> Vec<u8> {
        let mut state = 1;
        (0..length).map(|_| (jigo_rules::board::hash::split_mix(&mut state) & 15) as u8 + b'a').collect()
    }

    #[test]
    fn lzma_files_unpack_with_and_without_a_length() {
        for (length, preset) in [(0, 6), (1, 0), (200_000, 1), (200_000, 6)] {
            let text = text(length);
            for header_length in [None, Some(length as u64)] {
                let packed = lzma(&text, preset, header_length);
                assert!(is_lzma_start(&packed), "{length} {preset}");
                let (read, bytes, denied) = unpack(&packed, 64 << 20);
                assert!(read.is_ok() && bytes == text && denied.is_none(), "{length} {preset} {read:?}");
            }
        }
    }

    #[test]
    fn truncated_file_fails_after_its_last_bytes() {
        let text = text(200_000);
        for header_length in [None, Some(200_000)] {
            let packed = lzma(&text, 1, header_length);
            for length in [0, 5, 13, 17, packed.len() / 3, packed.len() / 2, packed.len() - 1] {
                let (read, bytes, _) = unpack(&packed[..length], 64 << 20);
                assert!(read.is_err() && text.starts_with(&bytes), "{length}");
                assert!(bytes.len() + 2 * STEP_BYTES > text.len() * length / packed.len(), "{length}: {}", bytes.len());
            }
        }
    }

    #[test]
    fn oversized_dictionary_is_denied() {
        let mut packed = lzma(b"(;B[aa])", 6, None);
        assert!(unpack(&packed, (8 << 20) + LZMA_BYTES).0.is_ok());
        assert!(unpack(&packed, (8 << 20) + LZMA_BYTES - 1).2.is_some());
        packed[1..5].fill(0xFF);
        assert!(unpack(&packed, 256 << 20).2.unwrap().contains("LZMA"));
        // The stated length limits the dictionary.
        packed[5..13].copy_from_slice(&8_u64.to_le_bytes());
        assert!(unpack(&packed, 8 << 20).0.is_ok());
    }

    #[test]
    fn texts_are_not_detected_as_lzma() {
        for text in [&b"](;GM[1]SZ[9];B[aa])"[..], b"]\0\0", b"", &[0x5D; 20], &[0; 20], b"]\0(\0;\0B\0[\0a\0a\0]\0)\0"]
        {
            assert!(!is_lzma_start(text), "{text:?}");
        }
    }
}

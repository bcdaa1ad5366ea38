//! The `.lzma` format that preceded xz: a header of 13 bytes and one stream without a checksum.
//!
//! jigo parses the header itself and reserves the dictionary in the memory budget that all decoders
//! of an archive share. The limit of lzma-rust2 applies to one decoder, and it counts the declared
//! dictionary even if the file is shorter.

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;

use lzma_rust2::LzmaReader;

use crate::source::budget::memory_budget::{MemoryBudget, WithReservation};

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
const READ_BYTES: usize = 4096;

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

/// Returns a decoder for such a file, whose dictionary must fit into the memory.
pub(crate) fn unpack<R: Read>(
    mut input: R,
    memory: &Arc<MemoryBudget>,
) -> io::Result<WithReservation<SmallReads<LzmaReader<R>>>> {
    let mut header = [0; HEADER_BYTES];
    input.read_exact(&mut header)?;
    let (dictionary, length) = parse_header(&header);
    if length != UNKNOWN_LENGTH && length >= IMPLAUSIBLE_LENGTH {
        return Err(io::Error::new(ErrorKind::InvalidData, "its header is not that of LZMA"));
    }
    raw_lzma(input, header[0], dictionary, length, memory)
}

/// Returns a decoder for LZMA without a header.
pub(crate) fn raw_lzma<R: Read>(
    input: R,
    properties: u8,
    dictionary: u32,
    length: u64,
    memory: &Arc<MemoryBudget>,
) -> io::Result<WithReservation<SmallReads<LzmaReader<R>>>> {
    // No match reaches back beyond the start of the file.
    let dictionary = dictionary.min(u32::try_from(length).unwrap_or(u32::MAX));
    let reservation = memory.reserve(u64::from(dictionary) + LZMA_BYTES, "a dictionary of LZMA")?;
    let decoder = LzmaReader::new_with_props(input, length, properties, dictionary, None)?;
    Ok(WithReservation::new(SmallReads(decoder), reservation))
}

/// A reader that is asked for few bytes at a time. The decoder loses the bytes of a read that
/// fails.
pub(crate) struct SmallReads<R>(R);

impl<R: Read> Read for SmallReads<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(READ_BYTES);
        self.0.read(&mut buffer[..length])
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

    fn unpacked(packed: &[u8], limit: u64) -> (io::Result<usize>, Vec<u8>, Option<String>) {
        let memory = Arc::new(MemoryBudget::new(limit, None));
        let mut bytes = Vec::new();
        let read = unpack(packed, &memory).and_then(|mut file| file.read_to_end(&mut bytes));
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
                let (read, bytes, denied) = unpacked(&packed, 64 << 20);
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
                let (read, bytes, _) = unpacked(&packed[..length], 64 << 20);
                assert!(read.is_err() && text.starts_with(&bytes), "{length}");
                assert!(bytes.len() + 2 * READ_BYTES > text.len() * length / packed.len(), "{length}: {}", bytes.len());
            }
        }
    }

    #[test]
    fn oversized_dictionary_is_denied() {
        let mut packed = lzma(b"(;B[aa])", 6, None);
        assert!(unpacked(&packed, (8 << 20) + LZMA_BYTES).0.is_ok());
        assert!(unpacked(&packed, (8 << 20) + LZMA_BYTES - 1).2.is_some());
        packed[1..5].fill(0xFF);
        assert!(unpacked(&packed, 256 << 20).2.unwrap().contains("LZMA"));
        // The stated length limits the dictionary.
        packed[5..13].copy_from_slice(&8_u64.to_le_bytes());
        assert!(unpacked(&packed, 8 << 20).0.is_ok());
    }

    #[test]
    fn texts_are_not_detected_as_lzma() {
        for text in [&b"](;GM[1]SZ[9];B[aa])"[..], b"]\0\0", b"", &[0x5D; 20], &[0; 20], b"]\0(\0;\0B\0[\0a\0a\0]\0)\0"]
        {
            assert!(!is_lzma_start(text), "{text:?}");
        }
    }
}

//! An xz file on its way to its decoder, which makes room for the dictionaries that each block's header states: they are read here
//! first.
//!
//! Only the structure is followed: stream header, block headers, LZMA2 chunks, index, footer, padding. What is not xz ends with an error here, as it
//! would there, so that the two can't see different block headers.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use super::memory::{Hold, Memory};

const MAGIC: [u8; 6] = [0xFD, b'7', b'z', b'X', b'Z', 0];
/// Bytes of the checksum behind each block, by the kind of checksum.
const CHECK_BYTES: [u64; 16] = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];
/// What a decoder of LZMA2 holds beside the dictionary: a chunk and its probabilities.
pub(super) const LZMA2_BYTES: u64 = 256 << 10;
/// Streams in a row that hold nothing. The decoder calls itself for each of them, and two thousand are more than its stack has room for.
const MOST_EMPTY: u32 = 64;

/// Passes the bytes of an xz file on, as long as its dictionaries fit.
pub(crate) struct HeldXz<R> {
    input: BufReader<R>,
    memory: Arc<Memory>,
    /// What the block that is read holds.
    hold: Option<Hold>,
    /// What the next bytes are, how many belong together, and those of them that are there.
    at: At,
    wanted: usize,
    gathered: Vec<u8>,
    /// Bytes to be passed over first.
    passed: u64,
    /// Bytes of a checksum.
    check: u64,
    /// Bytes of the block or the index so far; only their place in a group of four counts.
    length: u64,
    /// Blocks of the stream.
    blocks: u64,
    /// Streams since the last block.
    empty: u32,
    /// Numbers of the index that follow.
    numbers: u64,
}

#[derive(Clone, Copy)]
enum At {
    StreamHeader,
    BlockSize,
    BlockHeader,
    Chunk,
    Stored,
    Packed,
    Records,
    Numbers,
    Footer,
    Padding,
}

impl<R: Read> HeldXz<R> {
    pub(crate) fn new(input: R, memory: &Arc<Memory>) -> HeldXz<R> {
        HeldXz {
            input: BufReader::new(input),
            memory: Arc::clone(memory),
            hold: None,
            at: At::StreamHeader,
            wanted: 12,
            gathered: Vec::new(),
            passed: 0,
            check: 0,
            length: 0,
            blocks: 0,
            empty: 0,
            numbers: 0,
        }
    }

    fn follow(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let passed = self.passed.min(bytes.len() as u64);
            self.passed -= passed;
            bytes = &bytes[passed as usize..];
            let (part, rest) = bytes.split_at(bytes.len().min(self.wanted - self.gathered.len()));
            self.gathered.extend_from_slice(part);
            bytes = rest;
            if self.gathered.len() == self.wanted {
                let part = std::mem::take(&mut self.gathered);
                self.take(&part)?;
            }
        }
        Ok(())
    }

    /// What follows: its kind, its bytes, and the bytes before it that say nothing.
    fn next(&mut self, passed: u64, at: At, wanted: usize) {
        (self.passed, self.at, self.wanted) = (passed, at, wanted);
    }

    /// Takes the bytes that belong together.
    fn take(&mut self, part: &[u8]) -> io::Result<()> {
        let number = |at: usize| u64::from(part[at]) << 8 | u64::from(part[at + 1]);
        match self.at {
            At::StreamHeader if part.starts_with(&MAGIC) => {
                self.check = CHECK_BYTES[usize::from(part[7] & 15)];
                self.blocks = 0;
                self.empty += 1;
                if self.empty > MOST_EMPTY {
                    let reason = format!("more than {MOST_EMPTY} of its streams in a row hold nothing");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
                }
                self.next(0, At::BlockSize, 1);
            }
            At::BlockSize if part[0] == 0 => {
                (self.length, self.numbers) = (1, 0);
                self.next(0, At::Records, 1);
            }
            At::BlockSize => self.next(0, At::BlockHeader, usize::from(part[0]) * 4 + 3),
            At::BlockHeader => {
                self.hold = None;
                let bytes = dictionaries(part).ok_or_else(damaged)?;
                self.hold = Some(self.memory.hold(bytes, "a dictionary of xz")?);
                (self.length, self.blocks, self.empty) = (0, self.blocks + 1, 0);
                self.next(0, At::Chunk, 1);
            }
            At::Chunk => {
                self.length += part.len() as u64;
                match part[0] {
                    0 => self.next(padding(self.length) + self.check, At::BlockSize, 1),
                    1 | 2 => self.next(0, At::Stored, 2),
                    // With new properties, a byte more.
                    control @ 0x80.. => self.next(0, At::Packed, 4 + usize::from(control >= 0xC0)),
                    _ => return Err(damaged()),
                }
            }
            At::Stored => self.chunk(part.len(), number(0) + 1),
            At::Packed => self.chunk(part.len(), number(2) + 1),
            At::Records => {
                // Bytes of the number of records: as many as blocks, with two numbers each.
                let shift = (self.length - 1) * 7;
                if shift > 56 {
                    return Err(damaged());
                }
                self.numbers |= u64::from(part[0] & 0x7F) << shift;
                self.length += 1;
                match part[0] & 0x80 {
                    0 if self.numbers != self.blocks => return Err(damaged()),
                    0 => self.numbers(self.blocks * 2),
                    _ => {}
                }
            }
            At::Numbers => {
                self.length += 1;
                self.numbers(self.numbers - u64::from(part[0] & 0x80 == 0));
            }
            At::Footer => self.next(0, At::Padding, 1),
            At::Padding if part[0] == 0 => {}
            At::Padding => {
                self.next(0, At::StreamHeader, 12);
                self.gathered.push(part[0]);
            }
            At::StreamHeader => return Err(damaged()),
        }
        Ok(())
    }

    fn chunk(&mut self, header: usize, bytes: u64) {
        self.length += header as u64 + bytes;
        self.next(bytes, At::Chunk, 1);
    }

    /// So many numbers of the index follow, and behind the last one its padding, its checksum and the footer.
    fn numbers(&mut self, left: u64) {
        self.numbers = left;
        match left {
            0 => self.next(padding(self.length) + 4, At::Footer, 12),
            _ => self.next(0, At::Numbers, 1),
        }
    }
}

impl<R: Read> Read for HeldXz<R> {
    /// As many bytes as are asked for, unless the file ends: the decoder takes a short answer within padding for damage.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while count < buffer.len() {
            match self.input.read(&mut buffer[count..]) {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.follow(&buffer[..count])?;
        Ok(count)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "its structure is not that of xz")
}

/// Bytes to the next group of four.
fn padding(length: u64) -> u64 {
    length.wrapping_neg() % 4
}

/// What the filters of a block hold, by its header without the byte of its size.
fn dictionaries(header: &[u8]) -> Option<u64> {
    let mut fields = header;
    let flags = *fields.split_off_first()?;
    // The lengths of the block, packed and unpacked.
    for _ in 0..(flags >> 6 & 1) + (flags >> 7) {
        number(&mut fields)?;
    }
    let mut bytes = 0;
    for _ in 0..=flags & 3 {
        let (id, length) = (number(&mut fields)?, number(&mut fields)?);
        let properties = fields.split_off(..usize::try_from(length).ok()?)?;
        bytes += LZMA2_BYTES + if id == 0x21 { lzma2_dictionary(*properties.first()?)? } else { 0 };
    }
    Some(bytes)
}

/// The size of a dictionary of LZMA2 by its byte of properties.
pub(super) fn lzma2_dictionary(property: u8) -> Option<u64> {
    match property {
        0..40 => Some((2 | u64::from(property & 1)) << (property / 2 + 11)),
        40 => Some(u64::from(u32::MAX)),
        _ => None,
    }
}

/// A number of seven bits a byte, lowest first.
fn number(fields: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..63).step_by(7) {
        let byte = *fields.split_off_first()?;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use lzma_rust2::{XzOptions, XzReader, XzWriter};
    use std::io::Write;

    fn xz(bytes: &[u8], preset: u32, block: Option<u64>) -> Vec<u8> {
        let mut options = XzOptions::with_preset(preset);
        options.set_block_size(block.and_then(std::num::NonZeroU64::new));
        let mut writer = XzWriter::new(Vec::new(), options).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    /// Bytes that pack by halves.
    fn text(length: usize) -> Vec<u8> {
        let mut state = 1;
        (0..length).map(|_| (jigo_core::board::hash::split_mix(&mut state) & 15) as u8 + b'a').collect()
    }

    fn unpack(packed: &[u8], limit: u64) -> (io::Result<Vec<u8>>, Option<String>) {
        let memory = Arc::new(Memory::new(limit, None));
        let mut bytes = Vec::new();
        let read = XzReader::new(HeldXz::new(packed, &memory), true).read_to_end(&mut bytes);
        (read.map(|_| bytes), memory.denied())
    }

    #[test]
    fn streams_of_any_number_of_blocks_go_through_and_hold_one_dictionary_at_a_time() {
        let text = text(1_500_000);
        for (packed, length) in [
            (xz(&text, 1, None), 1),
            (xz(&text, 1, Some(100_000)), 1),
            (xz(&text, 0, Some(70_001)).repeat(3), 3),
            ([xz(&text, 1, Some(1 << 19)), vec![0; 8], xz(&text, 0, None)].concat(), 2),
            (xz(b"", 6, None), 0),
        ] {
            let (unpacked, denied) = unpack(&packed, 9 << 20);
            assert!(unpacked.unwrap() == text.repeat(length) && denied.is_none(), "{length}");
        }
    }

    #[test]
    fn streams_that_hold_nothing_end_where_they_are_too_many_in_a_row() {
        let (empty, full) = (xz(b"", 6, None), xz(b"(;B[aa])", 6, None));
        let most = [empty.repeat(MOST_EMPTY as usize), full.clone()].concat();
        assert_eq!(unpack(&most[empty.len()..].repeat(100), 9 << 20).0.unwrap(), b"(;B[aa])".repeat(100));
        let error = unpack(&[full, empty.repeat(10_000)].concat(), 9 << 20).0.unwrap_err();
        assert!(error.to_string().contains("streams in a row hold nothing"), "{error}");
    }

    #[test]
    fn a_dictionary_beyond_the_budget_is_denied_wherever_its_block_is() {
        let mut blocks = xz(&text(1_500_000), 0, Some(1));
        assert!(unpack(&blocks, 512 << 10).0.is_ok());
        assert!(unpack(&blocks, (512 << 10) - 1).1.is_some());
        // The header of the third block, with the checksum that goes with what it states.
        let length = (usize::from(blocks[12]) + 1) * 4;
        let header = blocks[12..12 + length].to_vec();
        let start = memchr::memmem::find_iter(&blocks, &header).nth(2).unwrap();
        let property = memchr::memmem::find(&header, b"\x21\x01").unwrap() + 2;
        blocks[start + property] = 40;
        let mut crc = flate2::Crc::new();
        crc.update(&blocks[start..start + length - 4]);
        blocks[start + length - 4..start + length].copy_from_slice(&crc.sum().to_le_bytes());
        let (unpacked, denied) = unpack(&blocks, 256 << 20);
        assert!(unpacked.is_err() && denied.unwrap().contains("4295229439 bytes"));
    }

    /// Nothing that is not xz gets through to the decoder's index and headers.
    #[test]
    fn whatever_is_changed_the_decoder_holds_no_more_than_the_budget() {
        let sound = [xz(&text(300_000), 0, Some(1)), xz(b"(;B[aa])", 0, None)].concat();
        let mut state = 5;
        for _ in 0..500 {
            let mut bytes = sound.clone();
            for _ in 0..4 {
                let random = jigo_core::board::hash::split_mix(&mut state);
                let within = if random & 1 == 0 { 64 } else { bytes.len() };
                bytes[(random >> 16) as usize % within] = (random >> 8) as u8;
            }
            let memory = Arc::new(Memory::new(600 << 10, None));
            let mut reader = XzReader::new(HeldXz::new(bytes.as_slice(), &memory), true);
            // Its end, an error or a panic: all of them are told.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| io::copy(&mut reader, &mut io::sink())));
        }
    }
}

//! Checks the dictionary sizes of an xz file before the decoder, which allocates any size that the
//! block headers declare.
//!
//! lzma-rust2 has no memory limit for xz. Checked in version 0.16.5: `src/xz/reader.rs` passes the
//! declared size to the LZMA2 decoder (line 85), which allocates it (`src/lz/lz_decoder.rs`, line
//! 51), and calls itself for each empty stream (line 242).
//!
//! The check only follows the structure: stream header, block headers, LZMA2 chunks, index, footer
//! and padding. Bytes that are not xz cause an error here as in the decoder, so both always see the
//! same block headers.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use super::{MAX_EMPTY_STREAMS, too_many_empty_streams};
use crate::source::budget::memory_budget::{MemoryBudget, Reservation};

const MAGIC: [u8; 6] = [0xFD, b'7', b'z', b'X', b'Z', 0];
/// The length of the checksum after each block, by checksum type.
const CHECK_BYTES: [u64; 16] = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];
/// The memory of an LZMA2 decoder without its dictionary: a chunk and its probabilities.
pub(crate) const LZMA2_BYTES: u64 = 256 << 10;

/// Passes on the bytes of an xz file, as long as its dictionaries fit into the memory budget.
pub(crate) struct XzMemoryCheck<R> {
    input: BufReader<R>,
    memory: Arc<MemoryBudget>,
    /// The memory reservation of the current block.
    reservation: Option<Reservation>,
    /// The kind of the next field, its length in bytes, and its bytes so far.
    field: XzField,
    field_length: usize,
    field_bytes: Vec<u8>,
    /// The number of bytes to skip before the next field.
    to_skip: u64,
    /// The length of a checksum in bytes.
    check_length: u64,
    /// The number of bytes in the block or index so far. Only the remainder modulo 4 matters.
    length: u64,
    /// The number of blocks in the stream.
    blocks: u64,
    /// The number of streams since the last block.
    empty_streams: u32,
    /// The number of index values that follow.
    index_values: u64,
}

#[derive(Clone, Copy)]
enum XzField {
    StreamHeader,
    BlockSize,
    BlockHeader,
    Chunk,
    StoredChunk,
    CompressedChunk,
    IndexCount,
    IndexValue,
    Footer,
    Padding,
}

impl<R: Read> XzMemoryCheck<R> {
    pub(crate) fn new(input: R, memory: &Arc<MemoryBudget>) -> XzMemoryCheck<R> {
        XzMemoryCheck {
            input: BufReader::new(input),
            memory: Arc::clone(memory),
            reservation: None,
            field: XzField::StreamHeader,
            field_length: 12,
            field_bytes: Vec::new(),
            to_skip: 0,
            check_length: 0,
            length: 0,
            blocks: 0,
            empty_streams: 0,
            index_values: 0,
        }
    }

    fn follow_structure(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let skipped = self.to_skip.min(bytes.len() as u64);
            self.to_skip -= skipped;
            bytes = &bytes[skipped as usize..];
            let (part, rest) = bytes.split_at(bytes.len().min(self.field_length - self.field_bytes.len()));
            self.field_bytes.extend_from_slice(part);
            bytes = rest;
            if self.field_bytes.len() == self.field_length {
                let part = std::mem::take(&mut self.field_bytes);
                self.handle_field(&part)?;
            }
        }
        Ok(())
    }

    /// Sets the next field: its kind, its length, and the number of bytes to skip before it.
    fn expect_field(&mut self, to_skip: u64, field: XzField, length: usize) {
        (self.to_skip, self.field, self.field_length) = (to_skip, field, length);
    }

    /// Handles a complete field.
    fn handle_field(&mut self, part: &[u8]) -> io::Result<()> {
        let first = part[0];
        let number = |offset: usize| u64::from(part[offset]) << 8 | u64::from(part[offset + 1]);
        match self.field {
            XzField::StreamHeader => return self.begin_stream(part),
            XzField::BlockSize if first == 0 => {
                (self.length, self.index_values) = (1, 0);
                self.expect_field(0, XzField::IndexCount, 1);
            }
            XzField::BlockSize => self.expect_field(0, XzField::BlockHeader, usize::from(first) * 4 + 3),
            XzField::BlockHeader => return self.begin_block(part),
            XzField::Chunk => return self.begin_chunk(first),
            XzField::StoredChunk => self.skip_chunk(part.len(), number(0) + 1),
            XzField::CompressedChunk => self.skip_chunk(part.len(), number(2) + 1),
            XzField::IndexCount => return self.add_to_index_count(first),
            XzField::IndexValue => {
                self.length += 1;
                self.expect_index_values(self.index_values - u64::from(first & 0x80 == 0));
            }
            XzField::Footer => self.expect_field(0, XzField::Padding, 1),
            XzField::Padding if first == 0 => {}
            XzField::Padding => {
                self.expect_field(0, XzField::StreamHeader, 12);
                self.field_bytes.push(first);
            }
        }
        Ok(())
    }

    /// Begins a stream with its header, and limits the number of consecutive empty streams.
    fn begin_stream(&mut self, header: &[u8]) -> io::Result<()> {
        if !header.starts_with(&MAGIC) {
            return Err(damaged());
        }
        self.check_length = CHECK_BYTES[usize::from(header[7] & 15)];
        self.blocks = 0;
        self.empty_streams += 1;
        if self.empty_streams > MAX_EMPTY_STREAMS {
            return Err(too_many_empty_streams());
        }
        self.expect_field(0, XzField::BlockSize, 1);
        Ok(())
    }

    /// Begins a block with its header, and replaces the memory reservation of the previous block.
    fn begin_block(&mut self, header: &[u8]) -> io::Result<()> {
        self.reservation = None;
        let bytes = filter_memory(header).ok_or_else(damaged)?;
        self.reservation = Some(self.memory.reserve(bytes, "a dictionary of xz")?);
        (self.length, self.blocks, self.empty_streams) = (0, self.blocks + 1, 0);
        self.expect_field(0, XzField::Chunk, 1);
        Ok(())
    }

    /// Begins a chunk with its control byte, or ends the block.
    fn begin_chunk(&mut self, control: u8) -> io::Result<()> {
        self.length += 1;
        match control {
            0 => self.expect_field(padding(self.length) + self.check_length, XzField::BlockSize, 1),
            1 | 2 => self.expect_field(0, XzField::StoredChunk, 2),
            // A chunk with new properties has one more byte.
            0x80.. => self.expect_field(0, XzField::CompressedChunk, 4 + usize::from(control >= 0xC0)),
            _ => return Err(damaged()),
        }
        Ok(())
    }

    /// Adds a byte to the number with which the index begins. It has one record per block, with two
    /// values each.
    fn add_to_index_count(&mut self, byte: u8) -> io::Result<()> {
        let shift = (self.length - 1) * 7;
        if shift > 56 {
            return Err(damaged());
        }
        self.index_values |= u64::from(byte & 0x7F) << shift;
        self.length += 1;
        let is_last = byte & 0x80 == 0;
        if is_last && self.index_values != self.blocks {
            return Err(damaged());
        }
        if is_last {
            self.expect_index_values(self.blocks * 2);
        }
        Ok(())
    }

    fn skip_chunk(&mut self, header: usize, bytes: u64) {
        self.length += header as u64 + bytes;
        self.expect_field(bytes, XzField::Chunk, 1);
    }

    /// Expects `count` more values of the index. After the last one come its padding, its checksum
    /// and the footer.
    fn expect_index_values(&mut self, count: u64) {
        self.index_values = count;
        match count {
            0 => self.expect_field(padding(self.length) + 4, XzField::Footer, 12),
            _ => self.expect_field(0, XzField::IndexValue, 1),
        }
    }
}

impl<R: Read> Read for XzMemoryCheck<R> {
    /// Fills the buffer unless the file ends. The decoder takes a short read within padding for
    /// damage.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while count < buffer.len() {
            match self.input.read(&mut buffer[count..]) {
                Ok(0) => break,
                Ok(read_bytes) => count += read_bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.follow_structure(&buffer[..count])?;
        Ok(count)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "its structure is not that of xz")
}

/// Returns the number of bytes to the next multiple of four.
fn padding(length: u64) -> u64 {
    length.wrapping_neg() % 4
}

/// Returns the memory that the filters of a block need, from its header without the size byte.
fn filter_memory(header: &[u8]) -> Option<u64> {
    let mut fields = header;
    let flags = *fields.split_off_first()?;
    // The packed and unpacked lengths of the block.
    for _ in 0..(flags >> 6 & 1) + (flags >> 7) {
        parse_number(&mut fields)?;
    }
    let mut bytes = 0;
    for _ in 0..=flags & 3 {
        let (id, length) = (parse_number(&mut fields)?, parse_number(&mut fields)?);
        let properties = fields.split_off(..usize::try_from(length).ok()?)?;
        bytes += LZMA2_BYTES + if id == 0x21 { lzma2_dictionary(*properties.first()?)? } else { 0 };
    }
    Some(bytes)
}

/// Returns the dictionary size for an LZMA2 property byte.
pub(crate) fn lzma2_dictionary(property: u8) -> Option<u64> {
    match property {
        0..40 => Some((2 | u64::from(property & 1)) << (property / 2 + 11)),
        40 => Some(u64::from(u32::MAX)),
        _ => None,
    }
}

/// Parses a number with seven bits per byte, lowest first.
fn parse_number(fields: &mut &[u8]) -> Option<u64> {
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

    /// Returns bytes that compress to about half.
    fn text(length: usize) -> Vec<u8> {
        let mut state = 1;
        (0..length).map(|_| (jigo_rules::board::hash::split_mix(&mut state) & 15) as u8 + b'a').collect()
    }

    fn unpack(packed: &[u8], limit: u64) -> (io::Result<Vec<u8>>, Option<String>) {
        let memory = Arc::new(MemoryBudget::new(limit, None));
        let mut bytes = Vec::new();
        let read = XzReader::new(XzMemoryCheck::new(packed, &memory), true).read_to_end(&mut bytes);
        (read.map(|_| bytes), memory.take_denial())
    }

    #[test]
    fn only_one_dictionary_is_reserved_at_a_time() {
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
    fn too_many_consecutive_empty_streams_are_rejected() {
        let (empty, nonempty) = (xz(b"", 6, None), xz(b"(;B[aa])", 6, None));
        let allowed = [empty.repeat(MAX_EMPTY_STREAMS as usize), nonempty.clone()].concat();
        assert_eq!(unpack(&allowed[empty.len()..].repeat(100), 9 << 20).0.unwrap(), b"(;B[aa])".repeat(100));
        let error = unpack(&[nonempty, empty.repeat(10_000)].concat(), 9 << 20).0.unwrap_err();
        assert!(error.to_string().contains("streams in a row hold nothing"), "{error}");
    }

    #[test]
    fn oversized_dictionary_of_any_block_is_denied() {
        let mut blocks = xz(&text(1_500_000), 0, Some(1));
        assert!(unpack(&blocks, 512 << 10).0.is_ok());
        assert!(unpack(&blocks, (512 << 10) - 1).1.is_some());
        // Changes the header of the third block, and its checksum accordingly.
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

    /// Bytes that are not xz must not reach the decoder's index and headers.
    #[test]
    fn changed_bytes_never_exceed_the_memory_budget() {
        let valid = [xz(&text(300_000), 0, Some(1)), xz(b"(;B[aa])", 0, None)].concat();
        let mut state = 5;
        for _ in 0..500 {
            let mut bytes = valid.clone();
            for _ in 0..4 {
                let random = jigo_rules::board::hash::split_mix(&mut state);
                let range = if random & 1 == 0 { 64 } else { bytes.len() };
                bytes[(random >> 16) as usize % range] = (random >> 8) as u8;
            }
            let memory = Arc::new(MemoryBudget::new(600 << 10, None));
            let mut reader = XzReader::new(XzMemoryCheck::new(bytes.as_slice(), &memory), true);
            // The decoder may end, fail or panic. Callers handle all three.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| io::copy(&mut reader, &mut io::sink())));
        }
    }
}

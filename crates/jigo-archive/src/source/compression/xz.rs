//! Files of xz, with dictionaries that fit into the memory budget.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;

use lzma_rust2::{Action, Status, XzStream};

use crate::source::budget::memory_budget::{MemoryBudget, Reservation};

/// The streams of an xz file, one after the other.
pub(crate) struct XzFile<R> {
    input: BufReader<R>,
    /// The decoder. It stops at each block that needs more memory than the current one has.
    stream: XzStream,
    memory: Arc<MemoryBudget>,
    /// The memory reservation of the current block.
    reservation: Option<Reservation>,
    /// The error that follows the last returned bytes. The next call returns it.
    error: Option<io::Error>,
}

impl<R: Read> XzFile<R> {
    pub(crate) fn new(input: R, memory: &Arc<MemoryBudget>) -> XzFile<R> {
        XzFile {
            input: BufReader::new(input),
            stream: XzStream::new_mem_limit(true, 0),
            memory: Arc::clone(memory),
            reservation: None,
            error: None,
        }
    }

    /// Returns true if the next block declares more memory than is reserved.
    fn needs_memory(&self) -> bool {
        self.stream.memory_usage().is_some_and(|kilobytes| kilobytes > self.stream.mem_limit())
    }

    /// Reserves the memory that the next block declares.
    fn reserve_block(&mut self) -> io::Result<()> {
        let kilobytes = self.stream.memory_usage().unwrap_or(u32::MAX);
        // The decoder frees the previous block first.
        self.reservation = None;
        self.reservation = Some(self.memory.reserve(u64::from(kilobytes) << 10, "a dictionary of xz")?);
        self.stream.set_mem_limit(kilobytes);
        Ok(())
    }
}

impl<R: Read> Read for XzFile<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        while !buffer.is_empty() {
            let input = self.input.fill_buf()?;
            let action = if input.is_empty() { Action::Finish } else { Action::Run };
            let (total_in, total_out) = (self.stream.total_in(), self.stream.total_out());
            let result = self.stream.process(input, buffer, action);
            // After an error, only the totals count the bytes read and written.
            let consumed = (self.stream.total_in() - total_in) as usize;
            let written = (self.stream.total_out() - total_out) as usize;
            self.input.consume(consumed);
            match result {
                Err(error) if written > 0 => self.error = Some(error),
                Err(error) if error.kind() == ErrorKind::OutOfMemory && self.needs_memory() => self.reserve_block()?,
                Err(error) => return Err(error),
                Ok(result) if result.status == Status::StreamEnd => return Ok(written),
                Ok(_) if written == 0 && consumed == 0 => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
            }
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lzma_rust2::{XzOptions, XzWriter};
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
        let read = XzFile::new(packed, &memory).read_to_end(&mut bytes);
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
    fn empty_streams_are_skipped() {
        let (empty, nonempty) = (xz(b"", 6, None), xz(b"(;B[aa])", 6, None));
        let file = [empty.repeat(10_000), nonempty].concat();
        assert_eq!(unpack(&file.repeat(2), 9 << 20).0.unwrap(), b"(;B[aa])".repeat(2));
    }

    #[test]
    fn bytes_before_damage_are_returned() {
        let text = text(1_500_000);
        let packed = xz(&text, 1, Some(100_000));
        for length in [0, 5, 12, 20, packed.len() / 3, packed.len() - 1] {
            let mut bytes = Vec::new();
            let memory = Arc::new(MemoryBudget::new(9 << 20, None));
            assert!(XzFile::new(&packed[..length], &memory).read_to_end(&mut bytes).is_err(), "{length}");
            assert!(text.starts_with(&bytes) && bytes.len() + 100_000 > text.len() * length / packed.len(), "{length}");
        }
        // A wrong checksum of the first block.
        let mut changed = packed;
        let end = changed.windows(2).position(|pair| pair == b"\x21\x01").unwrap();
        changed[end + 40] ^= 1;
        assert!(unpack(&changed, 9 << 20).0.is_err());
    }

    #[test]
    fn oversized_dictionary_of_any_block_is_denied() {
        let mut blocks = xz(&text(1_500_000), 0, Some(1));
        let needed = (256 + 40) << 10;
        assert!(unpack(&blocks, needed).0.is_ok());
        assert!(unpack(&blocks, needed - 1).1.is_some());
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
        assert!(unpacked.is_err() && denied.unwrap().contains("4295007232 bytes"));
    }

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
            let mut reader = XzFile::new(bytes.as_slice(), &memory);
            // The decoder may end, fail or panic. Callers handle all three.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| io::copy(&mut reader, &mut io::sink())));
        }
    }
}

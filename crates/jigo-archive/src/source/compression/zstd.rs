//! The frames of a Zstandard file, with windows that fit into a memory budget.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use ruzstd::decoding::StreamingDecoder;

use crate::source::budget::memory_budget::{MemoryBudget, Reservation};

/// The frames of a Zstandard file, one after the other. Checksums are checked.
pub(crate) struct ZstdFrames<R: Read> {
    frame: Option<(Frame<R>, Reservation)>,
    memory: Arc<MemoryBudget>,
}

type Frame<R> = StreamingDecoder<PeekReader<BufReader<R>>, ruzstd::decoding::FrameDecoder>;

impl<R: Read> ZstdFrames<R> {
    /// Starts the first frame, whose window must fit into the memory.
    pub(crate) fn new(input: R, memory: &Arc<MemoryBudget>) -> io::Result<ZstdFrames<R>> {
        let mut frames = ZstdFrames { frame: None, memory: Arc::clone(memory) };
        let mut input = PeekReader { head: io::Cursor::default(), rest: BufReader::new(input) };
        // A file without any frame is not Zstandard. A file with only skippable frames is.
        if !skip_frames(&mut input)? || !input.peek()?.is_empty() {
            frames.start_frame(input)?;
        }
        Ok(frames)
    }

    /// Starts the next frame.
    ///
    /// The decoder's window doubles as it fills, up to the next power of two of the stated size.
    /// Half of that is needed in addition during the last copy.
    fn start_frame(&mut self, mut input: PeekReader<BufReader<R>>) -> io::Result<()> {
        let window = window_bytes(input.peek()?).unwrap_or(0);
        let max_window = window.checked_next_power_of_two().unwrap_or(u64::MAX);
        let bytes = (max_window / 2).saturating_mul(3).saturating_add(DECODER_BYTES);
        let reservation = self.memory.reserve(bytes, "a window of Zstandard")?;
        let frame = StreamingDecoder::new_with_max_window_size(input, window).map_err(io::Error::other)?;
        self.frame = Some((frame, reservation));
        Ok(())
    }
}

impl<R: Read> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some((frame, _)) = &mut self.frame else { return Ok(0) };
            let count = frame.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let declared = frame.decoder.get_checksum_from_data();
            if declared.is_some() && declared != frame.decoder.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"));
            }
            let Some((frame, reservation)) = self.frame.take() else { return Ok(0) };
            let mut rest = frame.into_inner();
            drop(reservation);
            skip_frames(&mut rest)?;
            if !rest.peek()?.is_empty() {
                self.start_frame(rest)?;
            }
        }
    }
}

/// Returns true for the start of a skippable frame (RFC 8878, 3.1.2). pzstd writes one before each
/// part.
pub(crate) fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Skips such frames. Returns true if there was at least one.
fn skip_frames<R: Read>(input: &mut PeekReader<R>) -> io::Result<bool> {
    let mut has_skipped = false;
    while let &[_, _, _, _, a, b, c, d, ..] = input.peek()?
        && is_skippable(input.peek()?)
    {
        let length = 8 + u64::from(u32::from_le_bytes([a, b, c, d]));
        let skipped_bytes = io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        if skipped_bytes < length {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is cut off"));
        }
        has_skipped = true;
    }
    Ok(has_skipped)
}

/// The memory of a Zstandard decoder without its window: input and output blocks of 128 KiB, and
/// tables.
const DECODER_BYTES: u64 = 1 << 20;
/// The maximum length of a frame header.
const MAX_HEADER_BYTES: usize = 18;

/// Returns the window size in the header of a frame (RFC 8878, 3.1.1.1).
fn window_bytes(header: &[u8]) -> Option<u64> {
    let (descriptor, fields) = header.get(4..)?.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = fields.first()?;
        let base = 1u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // A single segment: the window is the content, whose size follows the dictionary ID.
    let fields = fields.get([0, 1, 2, 4][usize::from(descriptor & 3)]..)?;
    let size = fields.get(..[1, 2, 4, 8][usize::from(descriptor >> 6)])?;
    let number = size.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    Some(if size.len() == 2 { number + 256 } else { number })
}

/// A stream whose first bytes can be read in advance.
struct PeekReader<R> {
    head: io::Cursor<Vec<u8>>,
    rest: R,
}

impl<R: Read> PeekReader<R> {
    /// Returns the first bytes without consuming them: the length of a header, or fewer at the end.
    fn peek(&mut self) -> io::Result<&[u8]> {
        let position = self.head.position() as usize;
        let mut head = self.head.get_ref()[position..].to_vec();
        let missing = MAX_HEADER_BYTES.saturating_sub(head.len());
        self.rest.by_ref().take(missing as u64).read_to_end(&mut head)?;
        self.head = io::Cursor::new(head);
        Ok(self.head.get_ref())
    }
}

impl<R: Read> Read for PeekReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.head.read(buffer)? {
            0 => self.rest.read(buffer),
            count => Ok(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_window_equals_the_decoders_window() {
        let magic = [0x28, 0xB5, 0x2F, 0xFD];
        for (fields, window) in [
            (&[0x00, 0x58][..], Some(2 << 20)),
            (&[0x00, 0xFF], Some((1 << 41) + 7 * (1 << 38))),
            (&[0x20, 7], Some(7)),
            (&[0x61, 9, 7, 1], Some(256 + 263)),
            (&[0xE0, 1, 0, 0, 0, 1, 0, 0, 0], Some((1 << 32) + 1)),
            (&[0xE0, 1], None),
            (&[], None),
        ] {
            assert_eq!(window_bytes(&[&magic, fields].concat()), window, "{fields:?}");
        }
        let bytes = b"(;B[aa])".repeat(100_000);
        let packed = ruzstd::encoding::compress_to_vec(bytes.as_slice(), ruzstd::encoding::CompressionLevel::Fastest);
        let packed = packed.repeat(3);
        let unpack = |limit| {
            let memory = Arc::new(MemoryBudget::new(limit, None));
            let mut unpacked = Vec::new();
            let frames = ZstdFrames::new(packed.as_slice(), &memory);
            (frames.and_then(|mut frames| frames.read_to_end(&mut unpacked)).map(|_| unpacked), memory.take_denial())
        };
        assert!(unpack(256 << 20).0.unwrap() == bytes.repeat(3));
        assert!(unpack(1 << 20).1.is_some());
    }

    #[test]
    fn skippable_frames_are_skipped_everywhere() {
        let frame = |text: &[u8]| ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
        let skipped = |number: u8, length: usize| {
            let magic = [0x50 + number, 0x2A, 0x4D, 0x18];
            [&magic, (length as u32).to_le_bytes().as_slice(), &vec![7; length]].concat()
        };
        let unpack = |packed: &[u8]| {
            let mut unpacked = Vec::new();
            let frames = ZstdFrames::new(packed, &Arc::new(MemoryBudget::new(256 << 20, None)));
            frames.and_then(|mut frames| frames.read_to_end(&mut unpacked)).map(|_| unpacked)
        };
        let all = [skipped(0, 4), frame(b"one "), skipped(15, 300_000), skipped(3, 0), frame(b"two"), skipped(1, 9)];
        assert_eq!(unpack(&all.concat()).unwrap(), b"one two");
        assert!(is_skippable(&all.concat()));
        assert_eq!(unpack(&skipped(2, 5)).unwrap(), b"");
        assert!(unpack(b"").is_err());
        let truncated = [frame(b"one"), skipped(0, 100)].concat();
        assert_eq!(unpack(&truncated[..truncated.len() - 1]).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert!(unpack(&truncated[..truncated.len() - 104]).is_err());
    }
}

//! UTF-16 sources, which become UTF-8 before they are cut into games.

use std::io::{self, Read};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_16BE, UTF_16LE};

/// The form of UTF-16 that a source begins in: by its mark, or by the zero bytes of the first ASCII characters.
pub fn utf16(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [0xFE, 0xFF, ..] => return Some(UTF_16BE),
        [0xFF, 0xFE, ..] => return Some(UTF_16LE),
        [_, _, _, _, ..] => {}
        _ => return None,
    }
    let start = &start[..start.len().min(256) & !1];
    // Most texts have none, and then there is nothing to count.
    memchr::memchr(0, start)?;
    let zeros = |odd: usize| start.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), start.len() / 2);
    match () {
        () if even * 2 > pairs && odd * 8 < pairs => Some(UTF_16BE),
        () if odd * 2 > pairs && even * 8 < pairs => Some(UTF_16LE),
        () => None,
    }
}

/// Stands in the text for the half of a unit that is left where a byte is missing, or one too many: no text in UTF-8 has it.
pub const REALIGNED: u8 = 0xFF;

/// Bytes that `text`, which was UTF-16, took there.
pub fn utf16_length(text: &[u8]) -> usize {
    let half_units = |byte: &u8| match *byte {
        REALIGNED => 1,
        byte => 2 * (usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)),
    };
    text.iter().map(half_units).sum()
}

/// Reads UTF-16 as UTF-8, the mark included, so that every place of the text leads back to its byte.
///
/// Where a byte is missing, all that follows would be other characters. It is read as it is meant again from the next `(;` on that
/// stands between the units; [`REALIGNED`] stands before it.
pub struct Transcoder<R> {
    input: R,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// Bytes that are read and not yet decoded, the first of them the first of a unit.
    raw: Vec<u8>,
    text: Vec<u8>,
    /// How much of `text` was handed on.
    given: usize,
    ended: bool,
    /// What ended the input before its end, until it is told.
    error: Option<io::Error>,
}

impl<R: Read> Transcoder<R> {
    /// Bytes of the source that are decoded at a time.
    const BLOCK: usize = 32 << 10;
    /// Bytes of `(;`.
    const START: usize = 4;

    /// Reads `input`, which is in `encoding`.
    pub fn new(input: R, encoding: &'static Encoding) -> Transcoder<R> {
        let decoder = encoding.new_decoder_without_bom_handling();
        let (raw, text) = (Vec::new(), Vec::new());
        Transcoder { input, encoding, decoder, raw, text, given: 0, ended: false, error: None }
    }

    /// Decodes the next block. What was read before an error is text, too.
    fn refill(&mut self) {
        self.text.clear();
        self.given = 0;
        let read = self.input.by_ref().take(Self::BLOCK as u64).read_to_end(&mut self.raw);
        self.ended = !matches!(read, Ok(Self::BLOCK));
        self.error = read.err();
        let raw = std::mem::take(&mut self.raw);
        let mut from = 0;
        while let Some(start) = misaligned_start(&raw[from..], self.encoding) {
            self.decode(&raw[from..from + start - 1], true);
            self.text.push(REALIGNED);
            self.decoder = self.encoding.new_decoder_without_bom_handling();
            from += start;
        }
        // A start that goes on behind the block shows with the next one.
        let kept = if self.ended { 0 } else { Self::START.min(raw.len() - from) };
        let end = if self.ended { raw.len() } else { from + (raw.len() - from - kept) / 2 * 2 };
        self.decode(&raw[from..end], self.ended);
        self.raw.extend_from_slice(&raw[end..]);
    }

    /// Decodes whole units to the end of the text.
    fn decode(&mut self, raw: &[u8], is_last: bool) {
        let before = self.text.len();
        let most = self.decoder.max_utf8_buffer_length(raw.len()).unwrap_or(4 * raw.len() + 16);
        self.text.resize(before + most, 0);
        let (result, _, written, _) = self.decoder.decode_to_utf8(raw, &mut self.text[before..], is_last);
        debug_assert_eq!(result, CoderResult::InputEmpty);
        self.text.truncate(before + written);
    }
}

/// Where the first `(;` is that does not begin where a unit does.
fn misaligned_start(raw: &[u8], encoding: &'static Encoding) -> Option<usize> {
    let start: &[u8] = if encoding == UTF_16LE { b"(\0;\0" } else { b"\0(\0;" };
    memchr::memmem::find_iter(raw, start).find(|at| at % 2 == 1)
}

impl<R: Read> Read for Transcoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.ended {
            self.refill();
        }
        if self.given == self.text.len()
            && let Some(error) = self.error.take()
        {
            return Err(error);
        }
        let count = buffer.len().min(self.text.len() - self.given);
        buffer[..count].copy_from_slice(&self.text[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_known_by_its_mark_or_its_zeros_and_every_place_leads_back() {
        let text = "\u{feff}(;PB[黑𠀋];B[dd])";
        for (encoding, bytes) in [
            (UTF_16LE, text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
            (UTF_16BE, text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ] {
            assert_eq!(utf16(&bytes), Some(encoding));
            assert_eq!(utf16(&bytes[2..]), Some(encoding));
            let mut read = String::new();
            Transcoder::new(bytes.as_slice(), encoding).read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
            assert_eq!(utf16_length(read.as_bytes()), bytes.len());
        }
        assert_eq!(utf16(b"(;FF[4]GM[1])"), None);
    }

    #[test]
    fn a_missing_byte_costs_what_follows_up_to_the_next_game() {
        let games: Vec<String> = (0..9000).map(|number| format!("(;GM[1]PB[{number}];B[dd])\n")).collect();
        let text = games.concat();
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (encoding, sound) in [(UTF_16LE, little), (UTF_16BE, big)] {
            for at in [1_usize, 40, 33, 32 << 10, (32 << 10) - 1, (32 << 10) - 3, 100_001] {
                let mut bytes = sound.clone();
                bytes.remove(at);
                let mut read = Vec::new();
                Transcoder::new(bytes.as_slice(), encoding).read_to_end(&mut read).unwrap();
                assert_eq!(utf16_length(&read), bytes.len(), "{} without byte {at}", encoding.name());
                let rest = read.rsplit(|byte| *byte == REALIGNED).next().unwrap();
                assert!(text.as_bytes().ends_with(rest), "{} without byte {at}", encoding.name());
                assert!(rest.len() + at / 2 + 80 > text.len(), "{} without byte {at}", encoding.name());
            }
        }
    }

    /// Gives some bytes, then an error.
    struct Breaking<'a>(&'a [u8]);

    impl Read for Breaking<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(io::Error::other("broken")) } else { self.0.read(buffer) }
        }
    }

    #[test]
    fn what_was_read_before_an_error_is_text() {
        let bytes: Vec<u8> = "(;B[dd])".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut transcoder = Transcoder::new(Breaking(&bytes), UTF_16LE);
        let mut kept = Vec::new();
        assert_eq!(transcoder.read_to_end(&mut kept).unwrap_err().to_string(), "broken");
        assert_eq!(kept, b"(;B[dd])");
    }
}

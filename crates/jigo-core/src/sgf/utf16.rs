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
    let zeros = |odd: usize| start.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), start.len() / 2);
    match () {
        () if even * 2 > pairs && odd * 8 < pairs => Some(UTF_16BE),
        () if odd * 2 > pairs && even * 8 < pairs => Some(UTF_16LE),
        () => None,
    }
}

/// Bytes that `text`, which was UTF-16, took there.
pub fn utf16_length(text: &[u8]) -> usize {
    2 * text.iter().map(|byte| usize::from(*byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0)).sum::<usize>()
}

/// Reads UTF-16 as UTF-8, the mark included, so that every place of the text leads back to its byte.
pub struct Transcoder<R> {
    input: R,
    decoder: Decoder,
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

    /// Reads `input`, which is in `encoding`.
    pub fn new(input: R, encoding: &'static Encoding) -> Transcoder<R> {
        let decoder = encoding.new_decoder_without_bom_handling();
        Transcoder { input, decoder, raw: Vec::new(), text: Vec::new(), given: 0, ended: false, error: None }
    }

    /// Decodes the next block. What was read before an error is text, too.
    fn refill(&mut self) {
        self.raw.clear();
        self.text.clear();
        self.given = 0;
        self.error = self.input.by_ref().take(Self::BLOCK as u64).read_to_end(&mut self.raw).err();
        self.ended = self.error.is_some() || self.raw.len() < Self::BLOCK;
        let most = self.decoder.max_utf8_buffer_length(self.raw.len()).unwrap_or(4 * Self::BLOCK);
        self.text.resize(most, 0);
        let (result, _, written, _) = self.decoder.decode_to_utf8(&self.raw, &mut self.text, self.ended);
        debug_assert_eq!(result, CoderResult::InputEmpty);
        self.text.truncate(written);
    }
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

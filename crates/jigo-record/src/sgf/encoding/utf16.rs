//! Conversion of UTF-16 sources to UTF-8 before they are split into games.

use std::io::{self, Read};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// The number of bytes at the start of a source that show its encoding.
const EXAMINED_BYTES: usize = 256;

/// Returns the form of UTF-16 at the start of a source, by its byte order mark or by the zero bytes
/// of the first ASCII characters.
///
/// A mark that contradicts the text after it is ignored: an editor or a script wrote it before a
/// text in another encoding.
pub fn utf16(start: &[u8]) -> Option<&'static Encoding> {
    let marked = match start {
        [0xFE, 0xFF, ..] => UTF_16BE,
        [0xFF, 0xFE, ..] => UTF_16LE,
        _ => return form_without_mark(start),
    };
    let text = &start[2..];
    match form_without_mark(text) {
        Some(form) if form != marked && is_shifted(text, form) => Some(marked),
        None if !begins_in_single_bytes(text) => Some(marked),
        form => form,
    }
}

/// Returns the form of UTF-16 by the zero bytes of the first ASCII characters.
fn form_without_mark(start: &[u8]) -> Option<&'static Encoding> {
    if start.len() < 4 {
        return None;
    }
    let start = &start[..start.len().min(EXAMINED_BYTES) & !1];
    // Most texts have no zero bytes, so nothing needs counting.
    let nul = memchr::memchr(0, start)?;
    match wide_start(start, nul) {
        Some((0, encoding)) => return Some(encoding),
        Some((game, _)) if is_narrow_lead(&start[..mark_before(start, game)]) => return None,
        _ => {}
    }
    // The first game may be short and in single bytes.
    let start = &start[..encoding_change(start, Some(UTF_16LE)).unwrap_or(start.len())];
    let zeros = |parity: usize| start.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let (even_zeros, odd_zeros, pairs) = (zeros(0), zeros(1), start.len() / 2);
    match () {
        () if even_zeros * 2 > pairs && odd_zeros * 8 < pairs => Some(UTF_16BE),
        () if odd_zeros * 2 > pairs && even_zeros * 8 < pairs => Some(UTF_16LE),
        () => None,
    }
}

/// Returns true if the text after a byte order mark consists of single bytes: it has no zero byte,
/// or it begins with a game. Each ASCII character of UTF-16 has a zero byte.
fn begins_in_single_bytes(text: &[u8]) -> bool {
    let examined = &text[..text.len().min(EXAMINED_BYTES)];
    let game = text.trim_ascii_start();
    !text.is_empty() && memchr::memchr(0, examined).is_none() || game.first() == Some(&b'(') && is_narrow_start(game)
}

/// Returns true if a text in big-endian order by its zero bytes is in little-endian order after a
/// superfluous byte: only then each `[` has its `]`. Otherwise a letter above U+00FF takes one in.
fn is_shifted(text: &[u8], form: &'static Encoding) -> bool {
    let has_all_brackets = |units: &[u8], letter: usize| {
        let units = units.chunks_exact(2).take(NAME_WINDOW).filter(|unit| unit[1 - letter] == 0);
        let mut brackets = units.map(|unit| unit[letter]).filter(|byte| matches!(byte, b'[' | b']'));
        brackets.try_fold(b']', |last, bracket| (last != bracket).then_some(bracket)).is_some()
    };
    form == UTF_16BE && !has_all_brackets(text, 1) && has_all_brackets(&text[1..], 0)
}

/// Returns true if the UTF-16 text before the first game consists of single bytes. It has no NUL,
/// and it has an odd length or contains white space.
fn is_narrow_lead(lead: &[u8]) -> bool {
    lead.len() % 2 == 1 || lead.is_ascii() && lead.iter().any(u8::is_ascii_whitespace)
}

/// A byte that replaces half a unit where a byte is missing or superfluous. It never occurs in
/// UTF-8.
///
/// An unpaired surrogate becomes the three bytes that UTF-8 would use if it allowed them. The text
/// is therefore valid UTF-8 only if nothing was lost.
pub const LOST_HALF_UNIT: u8 = 0xFF;

/// The number of bytes at the start of a game that [`encoding_change`] examines.
const GAME_START_LENGTH: usize = 32;

/// The number of letters from the start of a game in which the first name is searched.
const NAME_WINDOW: usize = 256;

/// Returns the offset at which a text changes between UTF-16 and a single-byte encoding: the start
/// of the first game in the other encoding, or the byte order mark before it. `encoding` is the
/// form of UTF-16 of the text, or `None`.
///
/// In UTF-16 the bytes of `(;GM[` are Chinese and Braille characters in an order that no text has.
/// In other encodings no text has a NUL after each letter.
pub fn encoding_change(bytes: &[u8], encoding: Option<&'static Encoding>) -> Option<usize> {
    match encoding {
        Some(encoding) => {
            let narrow_start = narrow_segment(bytes);
            let other = utf16_form_change(&bytes[..narrow_start.unwrap_or(bytes.len())], encoding);
            other.or(narrow_start)
        }
        None => {
            let mut nuls = memchr::memchr_iter(0, bytes);
            nuls.find_map(|nul| wide_start(bytes, nul)).map(|(start, _)| mark_before(bytes, start))
        }
    }
}

/// Returns the start of the first game in single bytes, or of the blanks before it.
fn narrow_segment(bytes: &[u8]) -> Option<usize> {
    let start = memchr::memchr_iter(b'(', bytes).find(|offset| is_narrow_start(&bytes[*offset..]))?;
    // Blanks before the game are also single bytes, unless one is half a unit.
    let text_end = bytes[..start].trim_ascii_end().len();
    Some(text_end + (text_end % 2).min(start - text_end))
}

/// Returns the start of the first game in the form of UTF-16 other than `encoding`, or of its byte
/// order mark or the single blank before it.
///
/// Without a mark, the same bytes may be a game in `encoding` after a missing byte, or directly
/// after the text. This is excluded if the game's `(` would be half of another letter, or if it
/// would lose the bracket of its first name.
fn utf16_form_change(bytes: &[u8], encoding: &'static Encoding) -> Option<usize> {
    let (sign, letter, other_encoding): (&[u8], usize, _) =
        if encoding == UTF_16LE { (b"\0(\0;\0", 1, UTF_16BE) } else { (b"(\0;\0", 0, UTF_16LE) };
    let has_mark = |offset: usize| {
        let mark = mark_before(bytes, offset);
        mark < offset && utf16(&bytes[mark..]) == Some(other_encoding)
    };
    let follows_blank = |offset: usize| offset % 2 == 1 && bytes[offset - 1].is_ascii_whitespace();
    let is_confirmed = |offset: usize| match letter {
        0 => follows_blank(offset) || offset.is_multiple_of(2) && offset > 0 && bytes[offset - 1] != 0,
        _ => loses_bracket(&bytes[offset..]),
    };
    let mut starts = memchr::memmem::find_iter(bytes, sign);
    let start = starts
        .find(|offset| is_wide_start(&bytes[*offset..], letter) && (has_mark(*offset) || is_confirmed(*offset)))?;
    Some(if follows_blank(start) { start - 1 } else { mark_before(bytes, start) })
}

/// Returns true if a game in big-endian order, read in little-endian order from its second byte on,
/// loses the `[` before its first letter above U+00FF. Both are then halves of other letters.
fn loses_bracket(game: &[u8]) -> bool {
    let (mut is_in_value, mut last) = (false, 0);
    for (index, unit) in game[1..].chunks_exact(2).take(NAME_WINDOW).enumerate() {
        match (unit[0], unit[1]) {
            (b'[', 0) => is_in_value = true,
            (b']', 0) if last != b'\\' => is_in_value = false,
            (_, 0) => {}
            (low, _) => {
                // A missing byte also shifts a value, but then it has no end in this order either.
                let mut rest = game.chunks_exact(2).skip(index + 1).take(NAME_WINDOW);
                return low == b'[' && !is_in_value && rest.any(|unit| unit == b"\0]");
            }
        }
        last = unit[0];
    }
    false
}

/// Returns true if a text begins with `(;`, an identifier and its `[`, one byte each.
fn is_narrow_start(text: &[u8]) -> bool {
    let start = &text[..text.len().min(GAME_START_LENGTH)];
    let after_parenthesis = start[1..].trim_ascii_start();
    let Some(root) = after_parenthesis.strip_prefix(b";").map(<[u8]>::trim_ascii_start) else { return false };
    let letters = root.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    letters > 0 && root[letters..].trim_ascii_start().starts_with(b"[")
}

/// Returns the start of a game in UTF-16 whose first NUL is at `nul`, and the form of UTF-16.
fn wide_start(bytes: &[u8], nul: usize) -> Option<(usize, &'static Encoding)> {
    let little_endian = nul.checked_sub(1).map(|start| (start, 0, UTF_16LE));
    let starts = [little_endian, Some((nul, 1, UTF_16BE))].into_iter().flatten();
    let mut starts = starts.filter(|(start, letter, _)| is_wide_start(&bytes[*start..], *letter));
    starts.next().map(|(start, _, encoding)| (start, encoding))
}

/// Returns true if a text begins with a game in UTF-16. `letter` is the index of the letter's byte
/// in each unit.
fn is_wide_start(text: &[u8], letter: usize) -> bool {
    let units = text[..text.len().min(2 * GAME_START_LENGTH)].chunks_exact(2);
    let letters: Vec<u8> = units.map_while(|unit| (unit[1 - letter] == 0).then_some(unit[letter])).collect();
    letters.starts_with(b"(") && is_narrow_start(&letters)
}

/// Returns the offset of the byte order mark directly before a game, or else the game's start.
fn mark_before(bytes: &[u8], start: usize) -> usize {
    let has_mark = bytes[..start].ends_with(b"\xFF\xFE") || bytes[..start].ends_with(b"\xFE\xFF");
    start - if has_mark { 2 } else { 0 }
}

/// Returns the length in the UTF-16 source of `text`.
pub fn utf16_length(text: &[u8]) -> usize {
    let half_units = |byte: &u8| match *byte {
        LOST_HALF_UNIT => 1,
        byte => 2 * (usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)),
    };
    text.iter().map(half_units).sum()
}

/// Converts UTF-16 to UTF-8 and preserves the byte order mark, so that every offset maps to its
/// source.
///
/// A missing byte would change all later characters. The text is therefore realigned at the next
/// `(;` that begins between two units, and [`LOST_HALF_UNIT`] marks the place. The conversion ends
/// before a game in another encoding; see [`encoding_change`].
pub struct Transcoder<R> {
    input: R,
    encoding: &'static Encoding,
    /// Bytes that are not yet decoded. The first of them begins a unit.
    bytes: Vec<u8>,
    text: Vec<u8>,
    /// The number of bytes of `text` that the reader has received.
    consumed: usize,
    is_at_end: bool,
    /// The bytes in another encoding that follow, as far as read.
    remainder: Option<Vec<u8>>,
    /// An input error that is not yet reported.
    error: Option<io::Error>,
    /// True if no block is decoded yet.
    is_at_start: bool,
}

impl<R: Read> Transcoder<R> {
    /// The number of source bytes in a block.
    const BLOCK: usize = 32 << 10;

    /// Returns a transcoder for `input`, which is in `encoding`.
    pub fn new(input: R, encoding: &'static Encoding) -> Transcoder<R> {
        Transcoder {
            input,
            encoding,
            bytes: Vec::new(),
            text: Vec::new(),
            consumed: 0,
            is_at_end: false,
            remainder: None,
            error: None,
            is_at_start: true,
        }
    }

    /// Returns the bytes in another encoding that follow the text, and the rest of the input.
    /// `None` if the text reaches the end of the input.
    pub fn into_remainder(self) -> Option<(Vec<u8>, R)> {
        self.remainder.map(|other| (other, self.input))
    }

    /// Decodes the next block. Bytes read before an error are also decoded.
    fn refill(&mut self) {
        self.text.clear();
        self.consumed = 0;
        let result = self.input.by_ref().take(Self::BLOCK as u64).read_to_end(&mut self.bytes);
        self.is_at_end = !matches!(result, Ok(Self::BLOCK));
        self.error = result.err();
        let mut bytes = std::mem::take(&mut self.bytes);
        // The text has some bytes in its own encoding. Otherwise its reader would start it forever.
        let min_offset = usize::from(std::mem::take(&mut self.is_at_start));
        if let Some(offset) = encoding_change(&bytes, Some(self.encoding)).filter(|offset| *offset >= min_offset) {
            self.remainder = Some(bytes.split_off(offset));
            self.is_at_end = true;
        }
        let mut position = 0;
        while let Some(start) = misaligned_start(&bytes[position..], self.encoding) {
            self.decode(&bytes[position..position + start - 1]);
            self.text.push(LOST_HALF_UNIT);
            position += start;
        }
        // The next block completes a start of a game, or a pair of surrogates, at the end of this
        // block.
        let held_back = if self.is_at_end { 0 } else { (2 * GAME_START_LENGTH + 2).min(bytes.len() - position) };
        let mut end =
            if self.is_at_end { bytes.len() } else { position + (bytes.len() - position - held_back) / 2 * 2 };
        if !self.is_at_end
            && end >= position + 2
            && matches!(Self::unit(self.encoding, &bytes[end - 2..]), 0xD800..0xDC00)
        {
            end -= 2;
        }
        self.decode(&bytes[position..end]);
        self.bytes.extend_from_slice(&bytes[end..]);
    }

    /// Returns the unit of two bytes.
    fn unit(encoding: &'static Encoding, pair: &[u8]) -> u16 {
        let pair = [pair[0], pair[1]];
        if encoding == UTF_16LE { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    }

    /// Decodes bytes into the text. Half a unit at their end becomes [`LOST_HALF_UNIT`].
    fn decode(&mut self, bytes: &[u8]) {
        let pairs = bytes.chunks_exact(2);
        let is_truncated = !pairs.remainder().is_empty();
        let encoding = self.encoding;
        for unit in char::decode_utf16(pairs.map(|pair| Self::unit(encoding, pair))) {
            match unit {
                Ok(character) => self.text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(unpaired) => {
                    let unpaired = unpaired.unpaired_surrogate();
                    let parts = [unpaired >> 12 & 0xF | 0xE0, unpaired >> 6 & 0x3F | 0x80, unpaired & 0x3F | 0x80];
                    self.text.extend(parts.map(|part| part as u8));
                }
            }
        }
        if is_truncated {
            self.text.push(LOST_HALF_UNIT);
        }
    }
}

/// Returns the first `(;` that does not begin at a unit boundary.
fn misaligned_start(bytes: &[u8], encoding: &'static Encoding) -> Option<usize> {
    let start: &[u8] = if encoding == UTF_16LE { b"(\0;\0" } else { b"\0(\0;" };
    memchr::memmem::find_iter(bytes, start).find(|offset| offset % 2 == 1)
}

impl<R: Read> Read for Transcoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.consumed == self.text.len() && !self.is_at_end {
            self.refill();
        }
        if self.consumed == self.text.len()
            && let Some(error) = self.error.take()
        {
            return Err(error);
        }
        let count = buffer.len().min(self.text.len() - self.consumed);
        buffer[..count].copy_from_slice(&self.text[self.consumed..self.consumed + count]);
        self.consumed += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn utf16_is_detected_and_positions_map_back() {
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
    fn missing_byte_loses_text_up_to_the_next_game() {
        let games: Vec<String> = (0..9000).map(|number| format!("(;GM[1]PB[{number}];B[dd])\n")).collect();
        let text = games.concat();
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (encoding, sound) in [(UTF_16LE, little), (UTF_16BE, big)] {
            for offset in [1_usize, 40, 33, 32 << 10, (32 << 10) - 1, (32 << 10) - 3, 100_001] {
                let mut bytes = sound.clone();
                bytes.remove(offset);
                let mut input = Transcoder::new(Cursor::new(bytes.clone()), encoding);
                let mut read = Vec::new();
                input.read_to_end(&mut read).unwrap();
                let mut length = utf16_length(&read);
                // A text that lacks a byte may continue in the other byte order.
                if let Some((mut other, mut rest)) = input.into_remainder() {
                    rest.read_to_end(&mut other).unwrap();
                    // The last line end has only one of its two bytes.
                    assert_eq!(other.len() % 2, 1);
                    other.pop();
                    read.clear();
                    Transcoder::new(other.as_slice(), utf16(&other).unwrap()).read_to_end(&mut read).unwrap();
                    length += utf16_length(&read) + 1;
                }
                assert_eq!(length, bytes.len(), "{} without byte {offset}", encoding.name());
                let rest = read.rsplit(|byte| *byte == LOST_HALF_UNIT).next().unwrap();
                assert!(
                    text.trim_end().as_bytes().ends_with(rest.trim_ascii_end()),
                    "{} without byte {offset}",
                    encoding.name()
                );
                assert!(rest.len() + offset / 2 + 80 > text.len(), "{} without byte {offset}", encoding.name());
            }
        }
    }

    /// A reader that returns some bytes and then an error.
    struct Breaking<'a>(&'a [u8]);

    impl Read for Breaking<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(io::Error::other("broken")) } else { self.0.read(buffer) }
        }
    }

    #[test]
    fn text_before_a_read_error_is_kept() {
        let bytes: Vec<u8> = "(;B[dd])".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut transcoder = Transcoder::new(Breaking(&bytes), UTF_16LE);
        let mut read = Vec::new();
        assert_eq!(transcoder.read_to_end(&mut read).unwrap_err().to_string(), "broken");
        assert_eq!(read, b"(;B[dd])");
    }
}

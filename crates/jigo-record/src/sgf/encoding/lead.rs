//! Characters of several bytes whose second byte looks like a bracket or a backslash.

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};
use memchr::memchr3;

/// The bytes that begin a character whose second byte may be ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lead {
    /// No byte does.
    #[default]
    None,
    /// 81 to FE: GBK, GB18030, Big5.
    Wide,
    /// 81 to 9F and E0 to FC.
    ShiftJis,
    /// 81 to FE, followed by letters only.
    Korean,
    /// All bytes between escape sequences.
    Iso2022,
}

impl Lead {
    pub(crate) fn for_encoding(encoding: &'static Encoding) -> Lead {
        match encoding {
            _ if encoding == GBK || encoding == GB18030 || encoding == BIG5 => Lead::Wide,
            _ if encoding == SHIFT_JIS => Lead::ShiftJis,
            _ if encoding == EUC_KR => Lead::Korean,
            _ if encoding == ISO_2022_JP => Lead::Iso2022,
            _ => Lead::None,
        }
    }

    /// Returns true if brackets and backslashes can be part of a character.
    pub fn hides_brackets(self) -> bool {
        matches!(self, Lead::Wide | Lead::ShiftJis | Lead::Iso2022)
    }

    /// Returns the length of the character at `offset`, which is not ASCII.
    pub(crate) fn width(self, bytes: &[u8], offset: usize) -> usize {
        let next = bytes.get(offset + 1).copied().unwrap_or(0);
        let pair = match (self, bytes[offset]) {
            (Lead::Wide, 0x81..=0xFE) => next >= 0x40 || next.is_ascii_digit(),
            (Lead::ShiftJis, 0x81..=0x9F | 0xE0..=0xFC) => next >= 0x40,
            (Lead::Korean, 0x81..=0xFE) => next >= 0x80 || next.is_ascii_alphabetic(),
            _ => false,
        };
        1 + usize::from(pair && next != 0x7F)
    }

    /// Returns the next `]`, `[` or backslash from `offset` on that is not part of a character. The
    /// value begins at `start`.
    ///
    /// If the first half of a character comes before a `]`, `ends_value` decides whether the
    /// character was cut.
    pub fn next_special(
        self,
        bytes: &[u8],
        start: usize,
        offset: usize,
        ends_value: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut offset = offset;
        if self == Lead::Iso2022 {
            return next_outside_escapes(bytes, offset, ends_value);
        }
        loop {
            let special = offset + memchr3(b']', b'\\', b'[', bytes.get(offset..)?)?;
            let split = self != Lead::None
                && special > start
                && bytes[special - 1] >= 0x80
                && self.is_trail(bytes, start, special);
            if !split || (bytes[special] == b']' && ends_value(special)) {
                return Some(special);
            }
            offset = special + 1;
        }
    }

    /// Returns true if the byte at `offset` is the second half of a character. A run of bytes
    /// outside ASCII begins with a character.
    pub(crate) fn is_trail(self, bytes: &[u8], start: usize, offset: usize) -> bool {
        let run = bytes[start..offset].iter().rev().take_while(|byte| **byte >= 0x80).count();
        let mut index = offset - run;
        while index < offset {
            index += self.width(bytes, index);
        }
        index > offset
    }
}

/// Handles ISO-2022-JP: `ESC $` begins characters of two bytes, `ESC (` or the end of the line ends
/// them.
fn next_outside_escapes(bytes: &[u8], offset: usize, ends_value: impl Fn(usize) -> bool) -> Option<usize> {
    let mut index = offset;
    while index < bytes.len() {
        if bytes[index..].starts_with(b"\x1B$") {
            index = escaped_end(bytes, index, &ends_value).0;
            continue;
        }
        if matches!(bytes[index], b']' | b'[' | b'\\') {
            return Some(index);
        }
        index += 1;
    }
    None
}

/// Returns the end of the two-byte characters after the `ESC $` at `offset`, and whether the last
/// one was cut.
pub(crate) fn escaped_end(bytes: &[u8], offset: usize, ends_value: &impl Fn(usize) -> bool) -> (usize, bool) {
    // The letter that names the character set may also be missing.
    let names = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'@';
    let mut index = offset + 2 + usize::from(bytes.get(offset + 2).is_some_and(names));
    while index < bytes.len() {
        match bytes[index] {
            b'\x1B' | b'\n' | b'\r' => return (index, false),
            b']' if ends_value(index) => return (index, false),
            _ if matches!(bytes.get(index + 1), Some(b'\x1B' | b'\n' | b'\r')) => return (index + 1, true),
            _ if bytes.get(index + 1) == Some(&b']') && ends_value(index + 1) => return (index + 1, true),
            _ => index += 2,
        }
    }
    (bytes.len(), false)
}

#[cfg(test)]
mod tests {
    use super::escaped_end;

    #[test]
    fn truncated_character_ends_at_a_line_end_or_escape() {
        let end = |text: &[u8]| escaped_end(text, 0, &|index| text[index + 1..].starts_with(b";"));
        assert_eq!(end(b"\x1B$B%3%3\x1B(B];"), (7, false));
        assert_eq!(end(b"\x1B$B%3%\x1B(B];"), (6, true));
        assert_eq!(end(b"\x1B$B%3%\n];"), (6, true));
        assert_eq!(end(b"\x1B$B%3%];"), (6, true));
        assert_eq!(end(b"\x1B$B%3%3];"), (7, false));
        assert_eq!(end(b"\x1B$\n(;B[aa]"), (2, false));
        assert_eq!(end(b"\x1B$];"), (2, false));
    }
}

//! The end of a value.
//!
//! A value ends at the first unescaped `]`. If the text after it does not confirm this,
//! [`recovery`](super::recovery) searches the end.

use memchr::memchr3;

use crate::sgf::encoding::lead::Lead;
use crate::sgf::tokens::lexer::{Lexer, Oddity, ValueEnd, is_text, owner};

impl Lexer<'_> {
    /// Returns the end of the value whose `[` is at `bracket`, directly after its property's
    /// identifier.
    #[inline]
    pub fn first_value_end(&self, bracket: usize) -> ValueEnd {
        match self.short_end(bracket + 1) {
            Some((close, is_followed)) if is_followed || !is_text(owner(self.bytes, bracket)) => {
                ValueEnd::Closed(close, Oddity::None)
            }
            _ => self.recover_value_end(bracket + 1, owner(self.bytes, bracket)),
        }
    }

    /// Returns the end of the value that begins at `start`, after its `[`. `owner` is its
    /// property's identifier.
    pub fn value_end(&self, start: usize, owner: &[u8]) -> ValueEnd {
        match self.short_end(start) {
            Some((close, is_followed)) if is_followed || !is_text(owner) => ValueEnd::Closed(close, Oddity::None),
            _ => self.recover_value_end(start, owner),
        }
    }

    /// Returns the offset after the value whose `[` is at `bracket`; `None` if it does not end.
    pub(crate) fn after_value(&self, bracket: usize) -> Option<usize> {
        match self.first_value_end(bracket) {
            ValueEnd::Closed(close, _) => Some(close + 1),
            ValueEnd::Unclosed(next) => Some(next),
            ValueEnd::Game(_) | ValueEnd::Open => None,
        }
    }

    /// Returns the first `]` from `start` on that has no backslash, as the grammar demands.
    pub(crate) fn plain_value_end(&self, start: usize) -> Option<usize> {
        let Lexer { bytes, lead, .. } = *self;
        let mut offset = start;
        loop {
            let special = lead.next_special(bytes, start, offset, |close| self.follows(close + 1, start))?;
            offset = match bytes[special] {
                b']' => return Some(special),
                b'[' => special + 1,
                // A backslash does not escape an escape sequence.
                _ => special + if bytes.get(special + 1) == Some(&0x1B) { 1 } else { 2 },
            };
        }
    }

    /// Returns the end of the value that begins at `start` if its `]` comes before any other
    /// bracket or backslash, as in almost every value. The flag is true if the letter of a property
    /// or a node with one follows.
    #[inline]
    pub(crate) fn short_end(&self, start: usize) -> Option<(usize, bool)> {
        let close = start + first_sign(&self.bytes[start..])?;
        let is_short = self.bytes[close] == b']' && self.lead == Lead::None;
        is_short.then(|| {
            let next = &self.bytes[close + 1..];
            (close, matches!(next, [b'A'..=b'Z', ..] | [b';', b'A'..=b'Z', b'[', ..]))
        })
    }
}

/// Returns the index of the first bracket or backslash.
#[inline]
fn first_sign(bytes: &[u8]) -> Option<usize> {
    // Nearly all values are shorter than two words, so a call of a search would cost more.
    let mut offset = 0;
    while let Some(word) = bytes[offset..].first_chunk().filter(|_| offset < 16) {
        if let Some(index) = first_sign_in_word(*word) {
            return Some(offset + index);
        }
        offset += 8;
    }
    memchr3(b']', b'\\', b'[', &bytes[offset..]).map(|length| offset + length)
}

/// Returns the index of the first bracket or backslash of eight bytes.
///
/// These signs are the bytes 5B to 5D. Without their highest bits, the additions set the highest
/// bit of exactly the bytes from 5B and from 5E on, and no byte changes its neighbour.
#[inline]
fn first_sign_in_word(word: [u8; 8]) -> Option<usize> {
    const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);
    let word = u64::from_le_bytes(word);
    let low = word & !HIGHEST;
    let from_5b = low + u64::from_le_bytes([0x80 - 0x5B; 8]);
    let from_5e = low + u64::from_le_bytes([0x80 - 0x5E; 8]);
    let signs = from_5b & !from_5e & !word & HIGHEST;
    (signs != 0).then(|| signs.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sign_is_found_at_each_place_and_among_all_bytes() {
        for byte in 0..=u8::MAX {
            let is_sign = matches!(byte, b'[' | b'\\' | b']');
            for length in 0..40 {
                let mut text = vec![0xDC; length];
                text.push(byte);
                assert_eq!(first_sign(&text), is_sign.then_some(length), "{byte:x} after {length} bytes");
                text.extend(*b"..]..............");
                assert_eq!(first_sign(&text), Some(if is_sign { length } else { length + 3 }));
            }
        }
    }
}

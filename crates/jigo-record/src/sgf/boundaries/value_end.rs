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
            Some((close, true)) => ValueEnd::Closed(close, Oddity::None),
            _ => self.value_end(bracket + 1, owner(self.bytes, bracket)),
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

    /// Returns the end of the value that begins at `start` if its `]` comes before any other
    /// bracket or backslash, as in almost every value. The flag is true if a letter of a property
    /// follows.
    #[inline]
    fn short_end(&self, start: usize) -> Option<(usize, bool)> {
        let close = start + memchr3(b']', b'\\', b'[', &self.bytes[start..])?;
        let is_short = self.bytes[close] == b']' && self.lead == Lead::None;
        is_short.then(|| (close, self.bytes.get(close + 1).is_some_and(u8::is_ascii_uppercase)))
    }
}

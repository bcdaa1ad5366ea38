//! The start of a root: its `(`, perhaps strange bytes, and its `;`.

use std::ops::Range;

use memchr::memchr;

use crate::sgf::tokens::lexer::{Lexer, ROOT, is_blank, is_header, short_name, value_end};

/// The number of properties of a node that are examined to recognise a root.
const CHECKED_PROPERTIES: usize = 4;
/// The number of bytes that are examined for the same purpose.
const CHECKED_BYTES: usize = 4 << 10;

/// The maximum length of a strange character in place of another one.
pub(super) const MAX_CHARACTER: usize = 3;
/// The maximum distance between the `(` of a game and its `;` if strange bytes separate them.
/// Leading blanks don't count.
const MAX_STRAY_BYTES: usize = 64;
/// The maximum distance within which the properties of such a root are searched. The search for a
/// game waits for this number of bytes.
pub(super) const WINDOW: usize = 256;

impl Lexer<'_> {
    /// Returns true if one of the first properties of the node whose `;` is at `offset` has one of
    /// these names, or a long form of it.
    pub(crate) fn has_any_name(&self, offset: usize, names: &[&[u8]]) -> bool {
        let window = Lexer { bytes: &self.bytes[..self.bytes.len().min(offset + CHECKED_BYTES)], ..*self };
        let mut next = window.skip_space(offset + 1);
        for _ in 0..CHECKED_PROPERTIES {
            let Some(name) = window.identifier(next) else { return false };
            if short_name(name).is_some_and(|name| names.contains(&&name[..])) {
                return true;
            }
            let Some(end) = window.end_of_values(next + name.len()) else { return false };
            next = end;
        }
        false
    }

    /// Returns the offset of the `;` of the root whose `(` is at `offset`. Strange bytes may
    /// separate them.
    pub(super) fn root_node(&self, offset: usize) -> usize {
        self.skip_space(stray_bytes(self.bytes, offset).map_or(offset + 1, |bytes| bytes.end))
    }

    /// Returns true if the node whose `;` is at `offset` contains the rest of the root's
    /// properties.
    ///
    /// This requires that the root lacks its own semicolon, that no node comes between them, and
    /// that the node repeats none of the root's names.
    pub fn completes_root(&self, offset: usize) -> bool {
        let first = self.skip_space(1);
        if offset > CHECKED_BYTES || self.bytes.first() != Some(&b'(') || self.bytes.get(first) == Some(&b';') {
            return false;
        }
        let Some(new) = self.begins_node(offset).filter(|name| is_header(name)) else { return false };
        let mut next = first;
        while next < offset {
            let Some(name) = self.identifier(next).filter(|name| *name != new) else { return false };
            let Some(end) = self.end_of_values(next + name.len()) else { return false };
            next = end;
        }
        next == offset
    }

    /// Returns the offset after the values of a property if all of them are sound. The first value
    /// is at `offset`, or follows after white space.
    fn end_of_values(&self, offset: usize) -> Option<usize> {
        let mut offset = self.skip_space(offset);
        while self.bytes.get(offset) == Some(&b'[') {
            offset = self.skip_space(value_end(self.bytes, offset)? + 1);
        }
        Some(offset)
    }
}

/// Returns the length of a strange character, at the start or the end of a text, that may replace
/// another one: an ASCII character, or a character outside ASCII in any charset. Brackets are not
/// strange, since they begin or end other elements.
pub(crate) fn stray_character_length<'a>(text: impl Iterator<Item = &'a u8> + Clone) -> usize {
    match text.clone().take(MAX_CHARACTER).take_while(|byte| !byte.is_ascii()).count() {
        0 => text.take(1).filter(|byte| !matches!(byte, b'(' | b')' | b'[' | b']') && !is_blank(**byte)).count(),
        bytes => bytes,
    }
}

/// Returns the bytes between the `(` at `offset` and the next `;`, without blanks around them, if
/// they are not text: control characters, a UTF-8 byte order mark, or characters outside ASCII.
pub(crate) fn stray_bytes(bytes: &[u8], offset: usize) -> Option<Range<usize>> {
    let start = Lexer::utf8(bytes).skip_space(offset + 1);
    let window = bytes.get(start..bytes.len().min(start + MAX_STRAY_BYTES))?;
    let stray_bytes = window[..memchr(b';', window)?].trim_ascii_end();
    let is_stray = |byte: &u8| !byte.is_ascii() || byte.is_ascii_control() || *byte == b' ';
    (!stray_bytes.is_empty() && stray_bytes.iter().all(is_stray)).then(|| start..start + stray_bytes.len())
}

/// Returns the first identifier of the root of the game that begins with the `(` at `offset`.
///
/// The `;` follows, perhaps after strange bytes. Prose has no control characters, so after these
/// any header property suffices. Other strange bytes may have at most the length of one
/// character, and the root after them must have GM or FF.
pub(crate) fn root_name<'a>(lexer: &Lexer<'a>, offset: usize) -> Option<&'a [u8]> {
    lexer.begins_node(offset + 1).or_else(|| {
        let stray_bytes = stray_bytes(lexer.bytes, offset)?;
        let window = lexer.bytes.len().min(stray_bytes.start + WINDOW);
        let window = Lexer { bytes: &lexer.bytes[..window], ..*lexer };
        let text = &lexer.bytes[stray_bytes.clone()];
        let others = match std::str::from_utf8(text) {
            Ok(text) => text.chars().filter(|letter| !letter.is_ascii()).count(),
            Err(_) => text.iter().filter(|byte| !byte.is_ascii()).count(),
        };
        let name = window.begins_node(stray_bytes.end)?;
        let is_root = match others {
            0 => is_header(name),
            others => others <= MAX_CHARACTER && window.has_any_name(window.skip_space(stray_bytes.end), &ROOT[..2]),
        };
        is_root.then_some(name)
    })
}

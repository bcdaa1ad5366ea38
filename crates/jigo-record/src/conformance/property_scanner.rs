//! The properties of a sound node as ranges of bytes.

use std::ops::Range;

use crate::sgf::tokens::lexer::value_end;

/// The properties of a sound node, one after the other.
pub(super) struct PropertyScanner<'a> {
    bytes: &'a [u8],
    end: usize,
    offset: usize,
    /// The bytes between the brackets of the last property's values.
    pub values: Vec<Range<usize>>,
}

impl<'a> PropertyScanner<'a> {
    pub(super) fn new(bytes: &'a [u8], body: Range<usize>, values: Vec<Range<usize>>) -> PropertyScanner<'a> {
        PropertyScanner { bytes, end: body.end, offset: body.start, values }
    }

    /// Returns the name of the next property and stores its values.
    pub(super) fn next_name(&mut self) -> Option<Range<usize>> {
        let bytes = &self.bytes[..self.end];
        self.offset = self.skip_blanks(self.offset);
        // Nearly all names are short, so a loop is faster than a search.
        let bracket = self.offset + bytes[self.offset..].iter().position(|byte| *byte == b'[')?;
        let name = self.offset..self.offset + bytes[self.offset..bracket].trim_ascii_end().len();
        self.values.clear();
        self.offset = bracket;
        while bytes.get(self.offset) == Some(&b'[') {
            let close = short_value_end(bytes, self.offset + 1).or_else(|| value_end(bytes, self.offset + 1))?;
            self.values.push(self.offset + 1..close);
            self.offset = self.skip_blanks(close + 1);
        }
        Some(name)
    }

    #[inline]
    fn skip_blanks(&self, offset: usize) -> usize {
        // Most properties have no blanks around them.
        if self.bytes[..self.end].get(offset).is_some_and(|byte| *byte > b' ') {
            return offset;
        }
        let blanks = self.bytes[offset..self.end].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0);
        offset + blanks.count()
    }
}

/// Returns the end of a value if it is short and without escapes, as most values are.
#[inline]
fn short_value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let window = &bytes[start..bytes.len().min(start + SHORT_VALUE)];
    let length = window.iter().position(|byte| matches!(byte, b']' | b'\\'))?;
    (bytes[start + length] == b']').then_some(start + length)
}

/// The number of bytes that are examined one by one for the end of a value.
const SHORT_VALUE: usize = 16;

//! Splitter for the rows of a table of comma-separated values (RFC 4180). Line ends within quotes
//! don't end a row.
//!
//! As in the csv crate, a quote opens a quoted cell only as its first character. A single quote
//! closes the cell, and a double one is text.

use memchr::{memchr, memchr_iter, memchr2, memchr3};

use crate::sgf::charset::Charset;
use crate::splitter::Close;
use crate::splitter::piece::{MAX_SCANNED, Piece, SCANS_PER_BYTE, SplitState};

/// The state of the splitter.
pub(super) struct CsvRows<'a> {
    /// The separator of cells.
    pub delimiter: u8,
    /// The number of cells in a row.
    pub columns: u16,
    /// The maximum length of a row in bytes.
    pub limit: usize,
    pub split_state: &'a mut SplitState,
    /// The number of bytes scanned without finding the end of a row.
    pub scanned: &'a mut u64,
}

impl CsvRows<'_> {
    /// Passes every row that is not blank to `sink`, like
    /// [`Splitter::split`](super::Splitter::split).
    ///
    /// A quote that is not closed within the limit affects only its row. The rest of an oversized
    /// line is skipped.
    pub(super) fn split(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> usize {
        let mut offset = 0;
        while offset < bytes.len() {
            let window = &bytes[offset..bytes.len().min(offset.saturating_add(self.limit).saturating_add(1))];
            let is_decided = window.len() > self.limit || end;
            let row_end = self.end(window);
            let (length, close) = match row_end {
                RowEnd::Found(length) => (length, Close::Parenthesis),
                RowEnd::Missing | RowEnd::InQuotes(_) if !is_decided && !row_end.is_before(window.len()) => {
                    return offset;
                }
                RowEnd::Missing => (window.len(), Close::Parenthesis),
                RowEnd::InQuotes(seen) => {
                    *self.scanned = self.scanned.saturating_add(seen as u64);
                    (unclosed_row_end(&window[..seen], self.delimiter, usize::from(self.columns)), Close::Missing)
                }
            };
            let close = if length > self.limit { Close::Oversized } else { close };
            let row = &bytes[offset..offset + length];
            if !self.split_state.in_oversized && !row.trim_ascii().is_empty() {
                sink(Piece::Game(offset..offset + length, close, Charset::UTF8));
            }
            *self.scanned = self.scanned.saturating_sub(SCANS_PER_BYTE * length as u64);
            let has_ended = row_end != RowEnd::Missing && length <= self.limit;
            self.split_state.in_oversized = !has_ended && (self.split_state.in_oversized || close == Close::Oversized);
            offset += length;
        }
        offset
    }

    /// Returns the end of the row at the start of `bytes`.
    ///
    /// A table made of quotes would cause repeated scans of each byte. After too many fruitless
    /// scans, rows end with their lines. The same is true for the rest of an oversized row.
    fn end(&self, bytes: &[u8]) -> RowEnd {
        if self.split_state.in_oversized || *self.scanned > MAX_SCANNED {
            return memchr2(b'\n', b'\r', bytes).map_or(RowEnd::Missing, |line| RowEnd::Found(line + 1));
        }
        row_end(bytes, self.delimiter, usize::from(self.columns))
    }
}

/// The end of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowEnd {
    /// The row ends with a line, whose end is before this byte.
    Found(usize),
    /// The row continues after the available bytes, outside quotes.
    Missing,
    /// An open quote. The number is that of the scanned bytes.
    InQuotes(usize),
}

impl RowEnd {
    /// Returns true if fewer than `length` bytes determine this result.
    fn is_before(self, length: usize) -> bool {
        matches!(self, RowEnd::InQuotes(seen) if seen < length)
    }
}

/// Returns the end of the row at the start of `bytes`. A row of several lines with too many cells
/// includes the next row because of an open quote.
fn row_end(bytes: &[u8], delimiter: u8, columns: usize) -> RowEnd {
    let (mut offset, mut cells) = (0, 1);
    loop {
        if bytes.get(offset) == Some(&b'"') {
            match quoted_end(bytes, offset + 1) {
                Some(end) => offset = end,
                None => return RowEnd::InQuotes(bytes.len()),
            }
        }
        match memchr3(delimiter, b'\n', b'\r', &bytes[offset..]) {
            Some(found) if bytes[offset + found] == delimiter => (offset, cells) = (offset + found + 1, cells + 1),
            Some(found) if cells > columns && bytes[..offset + found].contains(&b'\n') => {
                return RowEnd::InQuotes(offset + found + 1);
            }
            Some(found) => return RowEnd::Found(offset + found + 1),
            None => return RowEnd::Missing,
        }
    }
}

/// Returns the offset after the quote that ends a cell. The text of the cell begins at `from`.
fn quoted_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut offset = from;
    loop {
        offset += memchr(b'"', &bytes[offset..])? + 1;
        if bytes.get(offset) != Some(&b'"') {
            return Some(offset);
        }
        offset += 1;
    }
}

/// Returns the end of a row with an open quote.
///
/// It is the end of its first line if the next line has enough cells for a row. Otherwise the row
/// takes all bytes, since a table may be cut off within a cell of several lines.
fn unclosed_row_end(bytes: &[u8], delimiter: u8, columns: usize) -> usize {
    let Some(line) = memchr2(b'\n', b'\r', bytes) else { return bytes.len() };
    let rest = bytes[line + 1..].trim_ascii_start();
    let next = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
    let is_row = memchr_iter(delimiter, next).count() + 1 >= columns;
    if is_row { line + 1 } else { bytes.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_ends_at_the_first_unquoted_line_end() {
        for (text, end) in [
            ("a,b\nc", RowEnd::Found(4)),
            ("a,b\r\nc", RowEnd::Found(4)),
            ("\"a\nb\",c\nd", RowEnd::Found(8)),
            ("\"a\"\"\nb\",c\nd", RowEnd::Found(10)),
            ("a\"b,\"\"\nc", RowEnd::Found(7)),
            ("\"a\"b\"\nc", RowEnd::Found(6)),
            ("a,\"b\nc", RowEnd::InQuotes(6)),
            ("a,\"b\"\"", RowEnd::InQuotes(6)),
            ("\"a\",\"b\n\"c\",\"d\"\ne", RowEnd::InQuotes(15)),
            ("\"a\",b,c\nd", RowEnd::Found(8)),
            ("a,b", RowEnd::Missing),
            ("", RowEnd::Missing),
        ] {
            assert_eq!(row_end(text.as_bytes(), b',', 2), end, "{text:?}");
        }
        assert_eq!(row_end(b"a;\"b\nc\";d\n", b';', 3), RowEnd::Found(10));
    }

    #[test]
    fn unclosed_row_ends_where_another_may_start() {
        for (text, length) in [("1,\"(;\n2,\"(;)\"\n", 6), ("1,\"(;B[aa]\n;W[bb]\n", 18), ("1,\"(;", 5)] {
            assert_eq!(unclosed_row_end(text.as_bytes(), b',', 2), length, "{text:?}");
        }
    }
}

//! Cuts a table of comma separated values into its rows (RFC 4180): the ends of lines in quotes end none.
//!
//! A quote begins a quoted cell where it is the first character of it, and ends it where no second one follows, as the csv crate reads them.

use memchr::{memchr, memchr_iter, memchr2, memchr3};

use crate::sgf::charset::Charset;
use crate::splitter::{Close, Learned, Piece, SCANNED, SCANS};

/// A cut that is under way.
pub(super) struct CsvRows<'a> {
    /// What stands between cells.
    pub delimiter: u8,
    /// How many cells a row has.
    pub columns: u16,
    /// Bytes that a row can have before it is oversized.
    pub limit: usize,
    pub learned: &'a mut Learned,
    /// Bytes scanned in vain.
    pub scanned: &'a mut u64,
}

impl CsvRows<'_> {
    /// Hands every row that is not blank to `sink`, as [`Splitter::split`](crate::sgf::Splitter::split) does. A quote that is not closed within the limit costs its row; of a line that is
    /// longer than it, the rest is passed over.
    pub(super) fn split(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            let window = &bytes[at..bytes.len().min(at.saturating_add(self.limit).saturating_add(1))];
            let is_decided = window.len() > self.limit || end;
            let found = self.end(window);
            let (length, close) = match found {
                RowEnd::At(length) => (length, Close::Parenthesis),
                RowEnd::Beyond | RowEnd::InQuotes(_) if !is_decided && !found.is_before(window.len()) => return at,
                RowEnd::Beyond => (window.len(), Close::Parenthesis),
                RowEnd::InQuotes(seen) => {
                    *self.scanned = self.scanned.saturating_add(seen as u64);
                    (cut(&window[..seen], self.delimiter, usize::from(self.columns)), Close::Missing)
                }
            };
            let close = if length > self.limit { Close::Oversized } else { close };
            let row = &bytes[at..at + length];
            if !self.learned.in_oversized && !row.trim_ascii().is_empty() {
                sink(Piece::Game(at..at + length, close, Charset::UTF8));
            }
            *self.scanned = self.scanned.saturating_sub(SCANS * length as u64);
            let is_ended = found != RowEnd::Beyond && length <= self.limit;
            self.learned.in_oversized = !is_ended && (self.learned.in_oversized || close == Close::Oversized);
            at += length;
        }
        at
    }

    /// Where the row at the start of `bytes` ends. A table made of quotes has each byte scanned for many rows; from some point on rows end with their lines, as the rest of one does
    /// that is too large.
    fn end(&self, bytes: &[u8]) -> RowEnd {
        if self.learned.in_oversized || *self.scanned > SCANNED {
            return memchr2(b'\n', b'\r', bytes).map_or(RowEnd::Beyond, |line| RowEnd::At(line + 1));
        }
        row_end(bytes, self.delimiter, usize::from(self.columns))
    }
}

/// Where a row ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowEnd {
    /// With a line, whose end is before this byte.
    At(usize),
    /// Behind what is there, outside quotes.
    Beyond,
    /// In quotes that are not closed; so many bytes were looked at.
    InQuotes(usize),
}

impl RowEnd {
    /// Whether no more bytes are needed than so many to know it.
    fn is_before(self, length: usize) -> bool {
        matches!(self, RowEnd::InQuotes(seen) if seen < length)
    }
}

/// Where the row at the start of `bytes` ends. One of several lines with more cells than there are columns has taken in the next one, because a quote is not closed.
fn row_end(bytes: &[u8], delimiter: u8, columns: usize) -> RowEnd {
    let (mut at, mut cells) = (0, 1);
    loop {
        if bytes.get(at) == Some(&b'"') {
            match quoted_end(bytes, at + 1) {
                Some(end) => at = end,
                None => return RowEnd::InQuotes(bytes.len()),
            }
        }
        match memchr3(delimiter, b'\n', b'\r', &bytes[at..]) {
            Some(found) if bytes[at + found] == delimiter => (at, cells) = (at + found + 1, cells + 1),
            Some(found) if cells > columns && bytes[..at + found].contains(&b'\n') => {
                return RowEnd::InQuotes(at + found + 1);
            }
            Some(found) => return RowEnd::At(at + found + 1),
            None => return RowEnd::Beyond,
        }
    }
}

/// The byte behind the quote that ends a cell.
fn quoted_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr(b'"', &bytes[at..])? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

/// Where a row with a quote that is not closed is cut: behind its first line where another row follows, which has as many cells; else it has all there is, as a table that was cut
/// off in a cell of several lines has.
fn cut(bytes: &[u8], delimiter: u8, columns: usize) -> usize {
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
    fn a_row_ends_with_the_first_line_that_is_not_in_quotes() {
        for (text, end) in [
            ("a,b\nc", RowEnd::At(4)),
            ("a,b\r\nc", RowEnd::At(4)),
            ("\"a\nb\",c\nd", RowEnd::At(8)),
            ("\"a\"\"\nb\",c\nd", RowEnd::At(10)),
            ("a\"b,\"\"\nc", RowEnd::At(7)),
            ("\"a\"b\"\nc", RowEnd::At(6)),
            ("a,\"b\nc", RowEnd::InQuotes(6)),
            ("a,\"b\"\"", RowEnd::InQuotes(6)),
            ("\"a\",\"b\n\"c\",\"d\"\ne", RowEnd::InQuotes(15)),
            ("\"a\",b,c\nd", RowEnd::At(8)),
            ("a,b", RowEnd::Beyond),
            ("", RowEnd::Beyond),
        ] {
            assert_eq!(row_end(text.as_bytes(), b',', 2), end, "{text:?}");
        }
        assert_eq!(row_end(b"a;\"b\nc\";d\n", b';', 3), RowEnd::At(10));
    }

    #[test]
    fn a_row_that_is_not_closed_is_cut_where_another_one_may_begin() {
        for (text, length) in [("1,\"(;\n2,\"(;)\"\n", 6), ("1,\"(;B[aa]\n;W[bb]\n", 18), ("1,\"(;", 5)] {
            assert_eq!(cut(text.as_bytes(), b',', 2), length, "{text:?}");
        }
    }
}

//! A reader of a fixed text. It reads the text in the same windows as a run that reads it as an
//! input.

use std::ops::Range;

use crate::records::window;
use jigo_record::sgf::{Charset, Limits};
use jigo_record::splitter::{Piece, Split, Splitter, Unit};

/// A reader of a text that arrives in parts. A clone continues at the same place.
#[derive(Clone)]
pub(super) struct FreshReader {
    splitter: Splitter,
    /// The number of bytes after the last piece of the last window. The splitter could not split
    /// them without the bytes that follow.
    lookahead_bytes: usize,
    /// True if the format of the records changes after the last piece.
    has_format_change: bool,
}

impl FreshReader {
    /// Returns a reader at the start of a text.
    pub(super) fn new(unit: Unit, limits: Limits) -> FreshReader {
        FreshReader { splitter: Splitter::new(unit, limits), lookahead_bytes: 0, has_format_change: false }
    }

    /// Returns the length of the next window, which begins after the last piece.
    pub(super) fn window_length(&self) -> usize {
        window(&self.splitter, self.lookahead_bytes, self.has_format_change)
    }

    /// Reads the complete windows of `text` from the byte `offset` on. If `is_end` is true, the
    /// text is the end of the source, and the last window may be shorter.
    ///
    /// Calls `visit` with each game. Returns the byte after the last piece.
    pub(super) fn read(
        &mut self,
        text: &[u8],
        mut offset: usize,
        is_end: bool,
        mut visit: impl FnMut(Range<usize>, Charset),
    ) -> usize {
        let mut is_short = false;
        loop {
            let length = self.window_length();
            // The rest after a change of the format belongs to the same window.
            is_short |= text.len() - offset < length;
            if is_short && !is_end {
                return offset;
            }
            let end = text.len().min(offset + length);
            let Split { consumed, change } = self.splitter.split_until_change(&text[offset..end], is_short, |piece| {
                if let Piece::Game(range, _, charset) = piece {
                    visit(offset + range.start..offset + range.end, charset);
                }
            });
            offset += consumed;
            self.lookahead_bytes = end - offset;
            self.has_format_change = change.is_some();
            if let Some(format) = change {
                self.splitter.change_to(format);
            } else if is_short {
                return offset;
            }
        }
    }
}

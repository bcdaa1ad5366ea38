//! Reads a fixed text as a new input: in the windows, and with the knowledge, of a reader that sees the text for the first time.

use std::ops::Range;

use crate::records::window;
use jigo_core::sgf::{Charset, Limits, Piece, Splitter, Unit};

/// A reader of a text that arrives in parts. A clone reads on from the same place.
#[derive(Clone)]
pub(super) struct FreshReader {
    splitter: Splitter,
    /// Bytes at the end of the last window that need more bytes to be cut.
    left: usize,
}

impl FreshReader {
    /// Returns a reader at the start of a text.
    pub(super) fn new(unit: Unit, limits: Limits) -> FreshReader {
        FreshReader { splitter: Splitter::new(unit, limits), left: 0 }
    }

    /// Returns how many bytes from the last piece on make the next window.
    pub(super) fn wanted(&self) -> usize {
        window(&self.splitter, self.left)
    }

    /// Reads the whole windows of `text` from the byte `at` on, and to its end if that `is_end` of the source. Calls `visit` with each game. Returns the
    /// byte after the last piece that is read.
    pub(super) fn read(
        &mut self,
        text: &[u8],
        mut at: usize,
        is_end: bool,
        mut visit: impl FnMut(Range<usize>, Charset),
    ) -> usize {
        loop {
            let wanted = self.wanted();
            let is_short = text.len() - at < wanted;
            if is_short && !is_end {
                return at;
            }
            let end = text.len().min(at + wanted);
            let consumed = self.splitter.split(&text[at..end], is_short, |piece| {
                if let Piece::Game(range, _, charset) = piece {
                    visit(at + range.start..at + range.end, charset);
                }
            });
            at += consumed;
            self.left = end - at;
            if is_short {
                return at;
            }
        }
    }
}

//! Readers of a fixed text: one that reads it in the same windows as a run that reads it as an input,
//! and one without any recovery.

use std::ops::Range;

use crate::records::window;
use jigo_core::fix::{Edit, lost_value};
use jigo_record::sgf::encoding::lead::Lead;
use jigo_record::sgf::grammar::Elements;
use jigo_record::sgf::tokens::lexer::Lexer;
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

/// A text that consists of parts in several charsets.
pub(super) struct PlainText<'a> {
    pub bytes: &'a [u8],
    /// The part boundaries: the end of each part, and the rule for its characters of several bytes.
    pub parts: Vec<(usize, Lead)>,
}

impl PlainText<'_> {
    /// Returns the game of the part that begins at an offset, from its `(` to its `)`. Returns
    /// `None` if it does not follow the grammar of FF\[4\], or if text follows it in the part.
    fn game_at(&self, open: usize) -> Option<Range<usize>> {
        let (end, lead) = *self.parts.get(self.parts.partition_point(|(end, _)| *end <= open))?;
        let part = &self.bytes[..end];
        let mut elements = Elements::at(Lexer { lead, ..Lexer::utf8(part) }, open);
        let is_game = elements.all(|element| element.is_ok()) && part[elements.position()..].trim_ascii().is_empty();
        is_game.then(|| open..elements.position())
    }

    /// Returns the start of the first game or value that an edited text does not have.
    ///
    /// `starts` are the starts of the expected games. A game that follows the grammar and ends with
    /// a part is the same game in the edited text.
    pub(super) fn lost_part(&self, fixed: &PlainText, edits: &[Edit], starts: &[usize]) -> Option<usize> {
        let hides_brackets = |text: &PlainText| text.parts.iter().any(|(_, lead)| lead.hides_brackets());
        if !hides_brackets(self)
            && let Some(lost) = lost_value(self.bytes, fixed.bytes, edits)
        {
            return Some(lost);
        }
        let (mut index, mut shift) = (0, 0_isize);
        let mut moved_to = |offset: usize, is_end: bool| {
            // Text that is inserted after a game does not belong to it.
            let is_before = |edit: &&Edit| {
                edit.range.end < offset || edit.range.end == offset && !(is_end && edit.range.is_empty())
            };
            while let Some(edit) = edits.get(index).filter(is_before) {
                shift += edit.text.len() as isize - edit.range.len() as isize;
                index += 1;
            }
            offset.wrapping_add_signed(shift)
        };
        starts.iter().filter_map(|start| self.game_at(*start)).find_map(|game| {
            let expected = moved_to(game.start, false)..moved_to(game.end, true);
            (fixed.game_at(expected.start) != Some(expected)).then_some(game.start)
        })
    }
}

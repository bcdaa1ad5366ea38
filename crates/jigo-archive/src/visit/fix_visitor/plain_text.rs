//! Texts as a reader without any recovery reads them.

use std::ops::Range;

use jigo_core::fix::{Edit, lost_value};
use jigo_record::sgf::encoding::lead::Lead;
use jigo_record::sgf::grammar::Elements;
use jigo_record::sgf::tokens::lexer::Lexer;

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

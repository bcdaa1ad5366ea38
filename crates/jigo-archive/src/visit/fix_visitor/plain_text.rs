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
    /// Returns the games that follow the grammar of FF[4], from their `(` to their `)`.
    fn games(&self) -> Vec<Range<usize>> {
        let (mut games, mut offset) = (Vec::new(), 0);
        while let Some(length) = self.bytes.get(offset..).and_then(|rest| memchr::memchr(b'(', rest)) {
            let open = offset + length;
            let part = self.parts.partition_point(|(end, _)| *end <= open);
            let lead = self.parts.get(part).map_or(Lead::None, |(_, lead)| *lead);
            let mut elements = Elements::at(Lexer { lead, ..Lexer::utf8(self.bytes) }, open);
            offset = match elements.find_map(Result::err) {
                Some(violation) => violation.max(open + 1),
                None => {
                    games.push(open..elements.position());
                    elements.position()
                }
            };
        }
        games
    }

    /// Returns true if nothing but white space is between an offset and the end of its part.
    fn ends_part(&self, offset: usize) -> bool {
        let part = self.parts.partition_point(|(end, _)| *end < offset);
        self.parts.get(part).is_some_and(|(end, _)| self.bytes[offset..*end].trim_ascii().is_empty())
    }

    /// Returns the start of the first game or value that an edited text does not have.
    ///
    /// `starts` are the starts of the expected games. A game that begins there and ends with a part
    /// is one in the edited text. Other trees are in damaged games, and may become parts of one.
    pub(super) fn lost_part(&self, fixed: &PlainText, edits: &[Edit], starts: &[usize]) -> Option<usize> {
        let hides_brackets = |text: &PlainText| text.parts.iter().any(|(_, lead)| lead.hides_brackets());
        if !hides_brackets(self)
            && let Some(lost) = lost_value(self.bytes, fixed.bytes, edits)
        {
            return Some(lost);
        }
        let games = fixed.games();
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
        self.games().into_iter().find_map(|game| {
            let expected = moved_to(game.start, false)..moved_to(game.end, true);
            let next = games.partition_point(|other| other.end < expected.end);
            let is_whole = starts.binary_search(&game.start).is_ok() && self.ends_part(game.end);
            let is_kept = games.get(next).is_some_and(|other| match is_whole {
                true => *other == expected,
                false => other.start <= expected.start,
            });
            (!is_kept).then_some(game.start)
        })
    }
}

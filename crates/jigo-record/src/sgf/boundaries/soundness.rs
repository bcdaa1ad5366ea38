//! Soundness: a text that follows the grammar has one reading, so nothing in it is recovered.

use crate::sgf::boundaries::recovery::LOOKAHEAD;
use crate::sgf::boundaries::tree_balance::MAX_GAMES;
use crate::sgf::grammar::{Element, Elements};
use crate::sgf::tokens::lexer::{Lexer, ends_line, is_blank, is_blank_in_line, is_header};

/// The soundness of the game at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Soundness {
    /// The game follows the grammar of FF\[4\].
    Sound,
    /// The game violates the grammar, a value hides another game, or the end is too far away.
    Damaged,
    /// Only more bytes can show whether the game follows the grammar.
    Unknown,
}

impl Lexer<'_> {
    /// Returns the soundness of the text. Lexers of the same text share the answer.
    ///
    /// Only doubtful values, roots and parentheses need it, so most texts are not read for it.
    pub(crate) fn soundness(&self) -> Soundness {
        let Some(scan_budget) = self.scan_budget else { return self.find_soundness(self.bytes.len()).0 };
        *scan_budget.soundness.get_or_init(|| {
            let (soundness, seen) = self.find_soundness(scan_budget.max_game);
            scan_budget.spend(seen);
            soundness
        })
    }

    /// Returns the soundness and the number of bytes that show it.
    fn find_soundness(&self, max_game: usize) -> (Soundness, usize) {
        let mut elements = Elements::at(*self, 0);
        let mut games = 0;
        while let Some(element) = elements.next() {
            let seen = *element.as_ref().err().unwrap_or(&elements.position());
            match element {
                _ if seen > max_game || games > MAX_GAMES => return (Soundness::Damaged, seen),
                Err(_) if seen == self.bytes.len() && !self.end => return (Soundness::Unknown, seen),
                Err(_) => return (Soundness::Damaged, seen),
                Ok(Element::Property { values, .. }) if values.iter().any(|value| self.hides_game(value)) => {
                    return (Soundness::Damaged, seen);
                }
                Ok(Element::Open(offset)) => games += usize::from(offset > 0 && self.begins_like_game(offset)),
                Ok(_) => {}
            }
        }
        (self.soundness_after(elements.position()), elements.position())
    }

    /// Returns true if the `(` at `offset` begins a line, and a complete root or one that begins
    /// like other roots. Many of them are a collection of unclosed games.
    fn begins_like_game(&self, offset: usize) -> bool {
        let is_alike = |name: &[u8]| self.is_first_name_of_roots(name) && is_header(name);
        self.begins_at_line(offset)
            && (self.begins_complete_game(offset) || self.begins_node(offset + 1).is_some_and(is_alike))
    }

    /// Returns the soundness of a game that ends at `offset` by the grammar. The rest of a broken
    /// value may follow, as in `C[a :]) b]`.
    fn soundness_after(&self, offset: usize) -> Soundness {
        let rest = &self.bytes[offset..];
        let first = rest.iter().find(|byte| !is_blank_in_line(**byte));
        let next = rest.iter().find(|byte| !is_blank(**byte));
        match (first, next) {
            (_, None) if self.end || rest.len() > LOOKAHEAD => Soundness::Sound,
            (_, None) => Soundness::Unknown,
            (_, Some(b'(')) => Soundness::Sound,
            (Some(first), Some(next)) if ends_line(*first) && !b";[])".contains(next) => Soundness::Sound,
            _ => Soundness::Damaged,
        }
    }
}

//! The balance of the trees around a doubtful root.
//!
//! Some programs write properties of roots into variations. If all trees around such a variation
//! are closed, it is a variation. Otherwise it is the next game, after an unclosed one.

use crate::sgf::boundaries::recovery::{GAME_HEADER, LOOKAHEAD};
use crate::sgf::boundaries::soundness::Soundness;
use crate::sgf::tokens::lexer::{Lexer, ROOT, ValueEnd, is_root};

/// The maximum distance within which the end of the trees is searched.
const WINDOW: usize = 256 << 10;
/// The maximum number of complete roots in balanced trees. More of them are a collection.
pub(super) const MAX_GAMES: usize = 8;

/// The end of the trees around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Balance {
    /// The whole game follows the grammar.
    Sound,
    /// All trees are closed.
    Closed,
    /// A tree is unclosed, or damage hides its end.
    Unclosed,
    /// Only more bytes can show whether the trees are closed.
    Unknown,
}

impl Balance {
    /// Returns true if no tree is unclosed.
    pub(super) fn is_closed(self) -> bool {
        matches!(self, Balance::Sound | Balance::Closed)
    }
}

impl Lexer<'_> {
    /// Returns the balance of the trees around `start`, where `depth` trees are open.
    ///
    /// The `(` or `;` of a doubtful root is at `start`. A value without its bracket, or a node
    /// after a tree, shows damage.
    pub(super) fn balance(&self, start: usize, depth: usize) -> Balance {
        match self.soundness() {
            Soundness::Sound => return Balance::Sound,
            Soundness::Unknown => return Balance::Unknown,
            Soundness::Damaged if depth <= 1 && self.bytes[start] == b';' => return Balance::Unclosed,
            Soundness::Damaged => {}
        }
        if self.scan_budget.is_some_and(|scan_budget| scan_budget.remaining() == 0) {
            return Balance::Unclosed;
        }
        let length = self.bytes.len().min(start.saturating_add(WINDOW));
        let is_whole = self.end && length == self.bytes.len();
        let window = Lexer { bytes: &self.bytes[..length], end: is_whole, ..*self };
        let (balance, offset) = window.find_balance(start, depth);
        self.scan_budget.inspect(|scan_budget| scan_budget.spend(offset.saturating_sub(start)));
        let may_change = !self.end && offset + LOOKAHEAD > self.bytes.len();
        if may_change { Balance::Unknown } else { balance }
    }

    /// Returns the balance of the trees in the text, and the offset that shows it.
    fn find_balance(&self, start: usize, mut depth: usize) -> (Balance, usize) {
        let mut offset = start;
        let (mut is_after_tree, mut games) = (false, 0);
        while let Some(&byte) = self.bytes.get(offset) {
            match byte {
                b'[' => match self.first_value_end(offset) {
                    ValueEnd::Closed(close, _) => offset = close,
                    ValueEnd::Unclosed(_) | ValueEnd::Game(_) => return (Balance::Unclosed, offset),
                    ValueEnd::Open => return (Balance::Unclosed, self.bytes.len()),
                },
                b'(' if self.opens_tree(offset) => {
                    games += usize::from(self.begins_complete_game(offset));
                    if games > MAX_GAMES {
                        return (Balance::Unclosed, offset);
                    }
                    depth += 1;
                    is_after_tree = false;
                }
                b')' if self.closes_tree(offset, depth) => {
                    depth = depth.saturating_sub(1);
                    is_after_tree = true;
                    if depth == 0 {
                        return (Balance::Closed, offset + 1);
                    }
                }
                // A node after a tree may be a root without its parenthesis.
                b';' if is_after_tree => return (Balance::Unclosed, offset),
                b';' if depth <= 1 && self.begins_node(offset).is_some_and(is_root) => {
                    return (Balance::Unclosed, offset);
                }
                _ => {}
            }
            offset += 1;
        }
        (Balance::Unclosed, self.bytes.len())
    }

    /// Returns true if the `(` at `offset` begins a line, and a root with GM and another property
    /// of roots or a player.
    pub(super) fn begins_complete_game(&self, offset: usize) -> bool {
        self.begins_at_line(offset) && self.has_usual_root(self.root_node(offset))
    }

    /// Returns true if the node whose `;` is at `offset` begins with GM and another property of
    /// roots or a player.
    pub(super) fn has_usual_root(&self, offset: usize) -> bool {
        self.has_any_name(offset, &[b"GM"]) && self.has_any_name(offset, &[b"FF", b"SZ", b"PB", b"PW"])
    }

    /// Returns true if the `(` or `;` at `offset`, in unbalanced trees, begins a root that is
    /// hardly a node of a variation.
    ///
    /// No safe fix changes the answer, so that a second run makes no other fixes.
    pub(super) fn is_certain_root(&self, offset: usize) -> bool {
        if self.bytes[offset] == b';' || !self.opens_tree(offset) {
            return true;
        }
        let node = self.root_node(offset);
        // A variation of a program may have a property of roots next to its turn.
        let is_usual = |name: &[u8]| !ROOT.contains(&name) || self.is_first_name_of_roots(name) && !self.has_turn(node);
        self.begins_complete_game(offset)
            || self.begins_node(node).is_some_and(is_usual)
            || self.has_any_name(node, &GAME_HEADER)
    }

    /// Returns true if one of the first properties of the node whose `;` is at `offset` is a turn.
    pub fn has_turn(&self, offset: usize) -> bool {
        self.has_any_name(offset, &[b"B\0", b"W\0"])
    }
}

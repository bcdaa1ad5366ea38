//! The tape: the trees and nodes of a game's text, in the order of the text.
//!
//! Every pass over a game reads the tape: the main line, variations, conformance, misplaced nodes,
//! and the normal form. The rules of recovery decide where trees and nodes begin and end.

use std::ops::Range;

use super::missing_signs::{begins_diagram, begins_property, bytes_before_root, missing_semicolon, skipped_tree};
use crate::sgf::tokens::lexer::{Lexer, Oddity, ValueEnd, value_end};
use crate::sgf::tokens::turns::{RUN, RUN_BYTES, Runs, TURN};
use jigo_rules::board::Color;

/// An event of the tape. All numbers are offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The `(` of a tree.
    Open(usize),
    /// The `)` of a tree.
    Close(usize),
    /// The `(` of a tree without nodes, which is skipped.
    EmptyTree(usize),
    /// The `(` of a diagram, which repeats turns of the game and is skipped.
    Diagram(usize),
    /// A node. Without its `;`, it begins one byte before its first property.
    Node(Node),
    /// A byte that belongs to no node and to no tree.
    Stray(usize),
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A node that has only one turn, perhaps with clock and comment.
    Turn {
        /// The offset of its `;`.
        offset: usize,
        /// The colour of the turn.
        color: Color,
        /// The bytes of the value between its brackets.
        value: Range<usize>,
        /// The bytes after its `;` if a clock is not a plain number.
        odd_clock: Option<Range<usize>>,
    },
    /// Any other node.
    Other {
        /// The offset of its `;`.
        offset: usize,
        /// The bytes between its `;` and the next one or the parenthesis.
        body: Range<usize>,
        /// The soundness of its values.
        state: NodeState,
    },
}

impl Node {
    /// Returns the offset of the node's `;`.
    pub fn offset(&self) -> usize {
        let (Node::Turn { offset, .. } | Node::Other { offset, .. }) = self;
        *offset
    }

    /// Returns the offset of the node's properties.
    pub(crate) fn start(&self) -> usize {
        match self {
            Node::Turn { offset, .. } => offset + 1,
            Node::Other { body, .. } => body.start,
        }
    }
}

/// The soundness of a node's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// Every value has exactly its own brackets.
    Sound,
    /// Brackets are missing, unescaped, or escaped although they close a value. The properties must
    /// be parsed one by one.
    Odd,
    /// The last value has no closing bracket, and its end is unknown.
    Open,
}

/// The events of a text from an offset on.
pub(crate) struct Tape<'a> {
    lexer: Lexer<'a>,
    offset: usize,
    /// The number of open trees.
    depth: usize,
    /// The offsets of the sound values that contain a property or a node.
    pub(crate) doubtful_values: Vec<usize>,
}

impl<'a> Tape<'a> {
    /// Returns the events of a whole game.
    pub(crate) fn new(lexer: Lexer<'a>) -> Tape<'a> {
        Tape::from(lexer, 0, 0)
    }

    /// Returns the events from an offset between nodes on, where `depth` trees are open.
    pub(crate) fn from(lexer: Lexer<'a>, offset: usize, depth: usize) -> Tape<'a> {
        Tape { lexer, offset, depth, doubtful_values: Vec::new() }
    }

    /// Returns the lexer of the text.
    pub(crate) fn lexer(&self) -> &Lexer<'a> {
        &self.lexer
    }

    /// Returns the offset after the last event.
    pub(crate) fn position(&self) -> usize {
        self.offset
    }

    /// Continues at another offset between nodes.
    pub(crate) fn seek(&mut self, offset: usize) {
        self.offset = offset;
    }

    /// Skips the value whose `[` is at `offset`, outside nodes. Returns false if it does not end.
    pub(crate) fn skip_value(&mut self, offset: usize) -> bool {
        self.lexer.after_value(offset).inspect(|next| self.offset = *next).is_some()
    }

    /// Consumes the next run of bare turns. Returns its offset and its points, as column and row
    /// from 0.
    #[inline]
    pub(crate) fn run_of_turns(&mut self, runs: &Runs) -> Option<(usize, [[u8; 2]; RUN])> {
        let offset = self.offset;
        let rest = self.lexer.bytes.get(offset..)?;
        let points = runs.first(rest)?;
        // Further values or properties of the last turn make it another kind of node.
        matches!(rest.get(RUN_BYTES), Some(b';' | b')')).then(|| {
            self.offset += RUN_BYTES;
            (offset, points)
        })
    }

    /// Returns the next node if it is a bare turn `;B[dd]` before another node or a parenthesis:
    /// its offset, its colour and its two letters, which may be any bytes.
    #[inline]
    pub(crate) fn bare_turn(&self) -> Option<(usize, Color, [u8; 2])> {
        let &[b';', letter, b'[', column, row, b']', next] = self.lexer.bytes.get(self.offset..)?.first_chunk()? else {
            return None;
        };
        let is_last = matches!(next, b';' | b')');
        if is_last { Some((self.offset, color(letter)?, [column, row])) } else { None }
    }

    /// Skips the bare turn at the current position.
    #[inline]
    pub(crate) fn pass_bare_turn(&mut self) {
        self.offset += TURN;
    }

    /// Skips white space. Returns true if the next sign closes a tree.
    #[inline]
    pub(super) fn is_at_close(&mut self) -> bool {
        self.skip_blanks();
        self.lexer.bytes.get(self.offset) == Some(&b')') && self.lexer.closes_tree(self.offset, self.depth)
    }

    /// Opens a tree at a `(` that the rules of recovery take for text.
    pub(super) fn enter_tree(&mut self) {
        self.depth += 1;
    }

    /// Skips white space. Most files have one node on a line.
    #[inline]
    fn skip_blanks(&mut self) {
        while self.lexer.bytes.get(self.offset).is_some_and(u8::is_ascii_whitespace) {
            self.offset += 1;
        }
    }

    /// Reads the node at `offset` whose properties begin at `start`.
    #[inline]
    fn node(&mut self, offset: usize, start: usize) -> Event {
        if let Some((offset, color, _)) = self.bare_turn() {
            self.pass_bare_turn();
            return Event::Node(Node::Turn { offset, color, value: offset + 3..offset + 5, odd_clock: None });
        }
        let (end, state) = end_of_node(&self.lexer, start, &mut self.doubtful_values);
        self.offset = end;
        let body = start..end;
        let turn = simple_turn(self.lexer.bytes, offset, body.clone()).filter(|_| state == NodeState::Sound);
        Event::Node(turn.unwrap_or(Node::Other { offset, body, state }))
    }

    /// Opens the tree at a `(`, or skips one that is not a variation.
    fn opening(&mut self, offset: usize) -> Event {
        self.offset = offset + 1;
        if let Some(end) = skipped_tree(&self.lexer, offset) {
            self.offset = end;
            let is_diagram = begins_diagram(&self.lexer, offset);
            return if is_diagram { Event::Diagram(offset) } else { Event::EmptyTree(offset) };
        }
        if !self.lexer.opens_tree(offset) {
            return Event::Stray(offset);
        }
        self.depth += 1;
        if offset == 0 {
            // The reader reports strange bytes before the root.
            self.offset = bytes_before_root(self.lexer.bytes).map_or(1, |strays| strays.end);
        }
        Event::Open(offset)
    }
}

impl Iterator for Tape<'_> {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        self.skip_blanks();
        let (bytes, offset) = (self.lexer.bytes, self.offset);
        if offset == 1
            && let Some(strays) = missing_semicolon(bytes)
        {
            return Some(self.node(0, strays.end));
        }
        Some(match bytes.get(offset)? {
            b';' => self.node(offset, offset + 1),
            b'(' => self.opening(offset),
            b')' if self.lexer.closes_tree(offset, self.depth) => {
                self.depth = self.depth.saturating_sub(1);
                self.offset += 1;
                Event::Close(offset)
            }
            _ if begins_property(&self.lexer, offset) => self.node(offset - 1, offset),
            _ => {
                self.offset += 1;
                Event::Stray(offset)
            }
        })
    }
}

/// Returns the end of the node that begins at `offset`, and the soundness of its values. Adds its
/// doubtful values.
fn end_of_node(lexer: &Lexer, mut offset: usize, doubtful_values: &mut Vec<usize>) -> (usize, NodeState) {
    let bytes = lexer.bytes;
    let mut state = NodeState::Sound;
    while let Some(&byte) = bytes.get(offset) {
        match byte {
            b'[' => match lexer.first_value_end(offset) {
                ValueEnd::Closed(close, oddity) => {
                    match oddity {
                        Oddity::None => {}
                        Oddity::HiddenProperty => doubtful_values.push(offset),
                        Oddity::UnescapedBracket | Oddity::Backslash => state = NodeState::Odd,
                    }
                    offset = close;
                }
                ValueEnd::Unclosed(next) => {
                    offset = next;
                    state = NodeState::Odd;
                    continue;
                }
                ValueEnd::Game(_) | ValueEnd::Open => return (bytes.len(), NodeState::Open),
            },
            b';' => return (offset, state),
            b'(' if lexer.opens_tree(offset) => return (offset, state),
            b')' if !lexer.is_in_text(offset) => return (offset, state),
            b'(' | b')' => state = NodeState::Odd,
            _ => {}
        }
        offset += 1;
    }
    (offset, state)
}

/// Returns the turn of a node that has one turn with one value, and otherwise only clock and
/// comment, each once.
fn simple_turn(bytes: &[u8], node: usize, body: Range<usize>) -> Option<Node> {
    let mut turn: Option<(Color, Range<usize>)> = None;
    let mut has_odd_clock = false;
    let mut seen = 0_u8;
    let mut offset = body.start;
    loop {
        offset += bytes[offset..body.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if offset == body.end {
            let odd_clock = has_odd_clock.then_some(body);
            return turn.map(|(color, value)| Node::Turn { offset: node, color, value, odd_clock });
        }
        // The names here have one or two letters, so no search is needed.
        let bracket = (offset + 1..=offset + 2).find(|bracket| bytes.get(*bracket) == Some(&b'['))?;
        let end = value_end(&bytes[..body.end], bracket + 1)?;
        let bit = match &bytes[offset..bracket] {
            [letter @ (b'B' | b'W')] if turn.is_none() => {
                turn = Some((color(*letter)?, bracket + 1..end));
                0
            }
            b"C" => 1,
            b"BL" => 2,
            b"WL" => 4,
            b"OB" => 8,
            b"OW" => 16,
            _ => return None,
        };
        if seen & bit != 0 {
            return None;
        }
        seen |= bit;
        has_odd_clock |= bit > 1 && !is_plain_clock(&bytes[bracket + 1..end], bit < 8);
        offset = end + 1;
    }
}

/// Returns true if the value of a clock consists of digits, with one point between digits if it is
/// a time.
#[inline]
fn is_plain_clock(value: &[u8], is_time: bool) -> bool {
    // Clocks are in nearly every turn of a server's game, so each byte is compared only once.
    let others = value.iter().filter(|byte| !byte.is_ascii_digit()).count();
    match (others, value) {
        (0, value) => !value.is_empty(),
        (1, [first, .., last]) => {
            is_time && first.is_ascii_digit() && last.is_ascii_digit() && memchr::memchr(b'.', value).is_some()
        }
        _ => false,
    }
}

fn color(letter: u8) -> Option<Color> {
    match letter {
        b'B' => Some(Color::Black),
        b'W' => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_numbers_are_plain_clocks() {
        for (value, is_time, is_moves) in [
            ("12", true, true),
            ("0", true, true),
            ("12.5", true, false),
            ("", false, false),
            ("12.", false, false),
            (".5", false, false),
            ("1.2.3", false, false),
            ("1:30", false, false),
            ("-5", false, false),
        ] {
            assert_eq!(is_plain_clock(value.as_bytes(), true), is_time, "{value}");
            assert_eq!(is_plain_clock(value.as_bytes(), false), is_moves, "{value}");
        }
    }
}

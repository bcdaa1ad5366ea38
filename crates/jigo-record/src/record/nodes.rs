//! The nodes of a game's main line as byte ranges.

mod missing_signs;
mod misplaced_nodes;
mod properties;

use std::ops::Range;

use crate::sgf::tokens::lexer::{Lexer, Oddity, ValueEnd, value_end};
use crate::sgf::tokens::scan_budget::ScanBudget;
use crate::sgf::tokens::turns::{RUN, RUN_BYTES, Runs, TURN};
use jigo_rules::board::Color;
pub(crate) use misplaced_nodes::{Misplacement, misplaced_nodes};
pub(crate) use missing_signs::{begins_diagram, begins_property, skipped_tree, stray_text_end};
pub use missing_signs::{bytes_before_root, missing_semicolon};
pub use properties::{Damage, RawProperty, is_long_name, properties, rebuild_property};
pub(crate) use properties::{find_name, has_usual_names, is_plain_name, repeated_names};

/// The next node of the main line.
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

/// An iterator over the main line: the nodes before the first closing parenthesis, since the first
/// variation comes first.
pub struct MainLine<'a> {
    bytes: &'a [u8],
    /// The scan budget, shared by all readers of the text.
    scan_budget: Option<&'a ScanBudget>,
    /// The offset after the last returned node.
    offset: usize,
    /// The number of open trees.
    depth: usize,
    /// The first variation without any node. The main line continues in the next one.
    pub empty_variation: Option<usize>,
    /// The number of diagrams between nodes, and the offset of the first.
    pub(crate) diagrams: (usize, usize),
    /// The first `)` that closes nothing, since the main line continues after it.
    pub extra_parenthesis: Option<usize>,
    /// The offsets of the parentheses that open a variation.
    pub(crate) branches: Vec<usize>,
    /// The offsets of stray texts between nodes.
    pub stray_texts: Vec<usize>,
}

impl<'a> MainLine<'a> {
    /// Returns an iterator over the main line of a game's text.
    pub fn new(bytes: &'a [u8]) -> MainLine<'a> {
        MainLine::from(Lexer::utf8(bytes), 0)
    }

    /// Returns an iterator over the main line from an offset on.
    pub fn from(lexer: Lexer<'a>, offset: usize) -> MainLine<'a> {
        MainLine {
            bytes: lexer.bytes,
            scan_budget: lexer.scan_budget,
            offset,
            depth: 0,
            empty_variation: None,
            diagrams: (0, 0),
            extra_parenthesis: None,
            branches: Vec::new(),
            stray_texts: Vec::new(),
        }
    }

    /// Returns an iterator over the rest of the main line, from a node directly in the outermost
    /// tree on.
    pub fn in_tree(lexer: Lexer<'a>, offset: usize) -> MainLine<'a> {
        MainLine { depth: 1, ..MainLine::from(lexer, offset) }
    }

    fn lexer(&self) -> Lexer<'a> {
        Lexer { scan_budget: self.scan_budget, ..Lexer::utf8(self.bytes) }
    }

    /// Returns the number of open trees.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the offset after the last returned node.
    pub fn position(&self) -> usize {
        self.offset
    }

    /// Consumes the next run of bare turns. Returns its offset and its points, as column and row
    /// from 0.
    #[inline]
    pub fn run_of_turns(&mut self, runs: &Runs) -> Option<(usize, [[u8; 2]; RUN])> {
        let offset = self.offset;
        let rest = self.bytes.get(offset..)?;
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
    pub fn bare_turn(&self) -> Option<(usize, Color, [u8; 2])> {
        let &[b';', letter, b'[', column, row, b']', next] = self.bytes.get(self.offset..)?.first_chunk()? else {
            return None;
        };
        let is_last = matches!(next, b';' | b')');
        if is_last { Some((self.offset, color(letter)?, [column, row])) } else { None }
    }

    /// Skips the bare turn at the current position.
    #[inline]
    pub fn pass_bare_turn(&mut self) {
        self.offset += TURN;
    }

    /// Moves to the `;` of the next node. Returns the offset after it, where the properties begin.
    #[inline]
    fn next_start(&mut self) -> Option<usize> {
        loop {
            match self.bytes.get(self.offset)? {
                b';' => return Some(self.offset + 1),
                b')' if self.lexer().closes_tree(self.offset, self.depth) => return None,
                b')' => {
                    self.extra_parenthesis.get_or_insert(self.offset);
                    self.offset += 1;
                }
                b'(' => {
                    if let Some(start) = self.enter_tree() {
                        return Some(start);
                    }
                }
                // Most files have one node on a line.
                byte if byte.is_ascii_whitespace() => self.offset += 1,
                _ if begins_property(&self.lexer(), self.offset) => {
                    // Its node begins one byte before it, as if the semicolon were there.
                    self.offset -= 1;
                    return Some(self.offset + 1);
                }
                _ => {
                    let end = stray_text_end(&self.lexer(), self.offset);
                    if end > self.offset {
                        self.stray_texts.push(self.offset);
                    }
                    self.offset = end.max(self.offset + 1);
                }
            }
        }
    }

    /// Enters the tree at the current `(`, or skips one without nodes. Returns the start of the
    /// properties of a root that lacks its `;`.
    fn enter_tree(&mut self) -> Option<usize> {
        if let Some(end) = skipped_tree(&self.lexer(), self.offset) {
            if begins_diagram(&self.lexer(), self.offset) {
                let (count, first) = self.diagrams;
                self.diagrams = (count + 1, if count == 0 { self.offset } else { first });
            } else {
                self.empty_variation.get_or_insert(self.offset);
            }
            self.offset = end;
            return None;
        }
        self.depth += 1;
        if self.offset > 0 {
            self.branches.push(self.offset);
            self.offset += 1;
            return None;
        }
        if let Some(strays) = missing_semicolon(self.bytes) {
            return Some(strays.end);
        }
        // The reader reports strange bytes before the root.
        self.offset = bytes_before_root(self.bytes).map_or(1, |bytes| bytes.end);
        None
    }
}

impl Iterator for MainLine<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        let start = self.next_start()?;
        if let Some((offset, color, _)) = self.bare_turn() {
            self.pass_bare_turn();
            return Some(Node::Turn { offset, color, value: offset + 3..offset + 5, odd_clock: None });
        }
        let offset = self.offset;
        let (end, state) = end_of_node(&self.lexer(), start);
        self.offset = end;
        let body = start..end;
        Some(match simple_turn(self.bytes, body.clone()) {
            Some(PlainTurn { color, value, has_odd_clock }) if state == NodeState::Sound => {
                Node::Turn { offset, color, value, odd_clock: has_odd_clock.then_some(body) }
            }
            _ => Node::Other { offset, body, state },
        })
    }
}

/// Returns the end of the node that begins at `offset`, and the soundness of its values.
fn end_of_node(lexer: &Lexer, mut offset: usize) -> (usize, NodeState) {
    let bytes = lexer.bytes;
    let mut state = NodeState::Sound;
    while let Some(&byte) = bytes.get(offset) {
        match byte {
            b'[' => match lexer.first_value_end(offset) {
                ValueEnd::Closed(close, oddity) => {
                    offset = close;
                    if oddity != Oddity::None {
                        state = NodeState::Odd;
                    }
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

/// The turn of a node that has only a turn, clock and comment.
struct PlainTurn {
    color: Color,
    value: Range<usize>,
    /// True if a clock is not a plain number.
    has_odd_clock: bool,
}

/// Returns the turn of a node that has one turn with one value, and otherwise only clock and
/// comment, each once.
fn simple_turn(bytes: &[u8], body: Range<usize>) -> Option<PlainTurn> {
    let mut turn: Option<(Color, Range<usize>)> = None;
    let mut has_odd_clock = false;
    let mut seen = 0_u8;
    let mut offset = body.start;
    loop {
        offset += bytes[offset..body.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if offset == body.end {
            return turn.map(|(color, value)| PlainTurn { color, value, has_odd_clock });
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

    fn nodes(text: &str) -> Vec<(&str, bool)> {
        MainLine::new(text.as_bytes())
            .map(|node| match node {
                Node::Turn { value, .. } => (&text[value], true),
                Node::Other { body, .. } => (&text[body], false),
            })
            .collect()
    }

    #[test]
    fn main_line_is_the_first_variation_of_every_branch() {
        let text = "(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))";
        assert_eq!(nodes(text), [("SZ[9]", false), ("aa", true), ("bb", true), ("cc", true)]);
    }

    #[test]
    fn only_clock_and_comment_leave_a_turn_plain() {
        let text = "(;B[aa]BL[9.5]OB[3]C[a \\] ;W\\\\] ;W [];B[bb]MN[3];B[cc][dd];W[ee]B[ff];B[]\n)";
        assert_eq!(
            nodes(text),
            [
                ("aa", true),
                ("W []", false),
                ("B[bb]MN[3]", false),
                ("B[cc][dd]", false),
                ("W[ee]B[ff]", false),
                ("", true)
            ]
        );
    }

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

    #[test]
    fn unclosed_value_extends_to_the_end_of_its_node() {
        let node = MainLine::new(b"(;B[aa];W[bb;B[cc)").nth(1);
        assert_eq!(node, Some(Node::Other { offset: 7, body: 8..18, state: NodeState::Open }));
    }
}

//! The nodes of a game's main line, as bytes.

mod misplaced;
mod properties;

use std::ops::Range;

use crate::board::Color;
use crate::sgf::extent::{stranger, stray_bytes};
use crate::sgf::lexis::{Lexis, Oddity, ValueEnd, is_header};
use crate::sgf::resync::Patience;
use crate::sgf::turns::{RUN, RUN_BYTES, Runs, TURN};
pub(super) use misplaced::{Misplaced, misplaced};
pub use properties::{Damage, RawProperty, is_long_name, properties, rebuilt};
pub(super) use properties::{name_where, repeated_names, sound_end};

/// Longest variation without nodes, with its blanks, that is looked for.
const EMPTY_TREE: usize = 64;

/// What comes next on the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A node that is nothing but one turn, perhaps with clock and comment: its colour and the value's bytes.
    Turn {
        /// Byte of its `;`.
        at: usize,
        /// Whose turn.
        color: Color,
        /// The value between its brackets.
        value: Range<usize>,
    },
    /// Any other node: the bytes between its `;` and the next one or the parenthesis.
    Other {
        /// Byte of its `;`.
        at: usize,
        /// Its properties.
        body: Range<usize>,
        /// How sound it is.
        state: NodeState,
    },
}

impl Node {
    /// Byte of its `;`.
    pub fn at(&self) -> usize {
        let (Node::Turn { at, .. } | Node::Other { at, .. }) = self;
        *at
    }
}

/// How sound the values of a node are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// Every value has its brackets and no others.
    Sound,
    /// The properties have to be taken one by one: brackets are missing, not escaped, or escaped where they close.
    Odd,
    /// The last value has no closing bracket, and nothing shows where it ends.
    Open,
}

/// Walks the main line: the nodes before the first closing parenthesis, since the first variation comes first.
pub struct MainLine<'a> {
    bytes: &'a [u8],
    /// Shared by all who go through the text.
    patience: Option<&'a Patience>,
    at: usize,
    /// Trees that are open.
    depth: usize,
    /// The first variation without any node: the main line goes on in the next one.
    pub empty_variation: Option<usize>,
    /// The first `)` that closes nothing, since the main line goes on behind it.
    pub extra_parenthesis: Option<usize>,
}

impl<'a> MainLine<'a> {
    /// The main line of a game's text.
    pub fn new(bytes: &'a [u8]) -> MainLine<'a> {
        MainLine::from(Lexis::utf8(bytes), 0)
    }

    /// The main line from a byte on.
    pub fn from(lexis: Lexis<'a>, at: usize) -> MainLine<'a> {
        MainLine {
            bytes: lexis.bytes,
            patience: lexis.patience,
            at,
            depth: 0,
            empty_variation: None,
            extra_parenthesis: None,
        }
    }

    /// The rest of the main line from a node on that is directly in the outermost tree.
    pub fn in_tree(lexis: Lexis<'a>, at: usize) -> MainLine<'a> {
        MainLine { depth: 1, ..MainLine::from(lexis, at) }
    }

    fn lexis(&self) -> Lexis<'a> {
        Lexis { patience: self.patience, ..Lexis::utf8(self.bytes) }
    }

    /// Returns how many trees are open.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The byte after the last node given.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The points, column and row from 0, of the run of usual nodes that comes next, and the byte where it begins; goes on behind it.
    #[inline]
    pub fn run_of_turns(&mut self, runs: &Runs) -> Option<(usize, [[u8; 2]; RUN])> {
        let at = self.at;
        let rest = self.bytes.get(at..)?;
        let points = runs.first(rest)?;
        // More values or properties of the last turn make it another node.
        matches!(rest.get(RUN_BYTES), Some(b';' | b')')).then(|| {
            self.at += RUN_BYTES;
            (at, points)
        })
    }

    /// The usual node, `;B[dd]` and the next one behind it, if it comes next: its byte, its colour and its two letters, which may
    /// be any bytes.
    #[inline]
    pub fn bare_turn(&self) -> Option<(usize, Color, [u8; 2])> {
        let &[b';', letter, b'[', column, row, b']', next] = self.bytes.get(self.at..)?.first_chunk()? else {
            return None;
        };
        let is_last = matches!(next, b';' | b')');
        if is_last { Some((self.at, color(letter)?, [column, row])) } else { None }
    }

    /// Goes on behind the bare turn that comes next.
    #[inline]
    pub fn pass_bare_turn(&mut self) {
        self.at += TURN;
    }
}

impl Iterator for MainLine<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        let begin = loop {
            match self.bytes.get(self.at)? {
                b';' => break self.at + 1,
                b')' if self.lexis().closes_tree(self.at, self.depth) => return None,
                b')' => {
                    self.extra_parenthesis.get_or_insert(self.at);
                    self.at += 1;
                }
                b'(' => {
                    if let Some(end) = empty_tree(&self.lexis(), self.at) {
                        self.empty_variation.get_or_insert(self.at);
                        self.at = end;
                        continue;
                    }
                    self.depth += 1;
                    let instead = if self.at == 0 { lost_semicolon(self.bytes) } else { None };
                    if let Some(instead) = instead {
                        break instead.end;
                    }
                    self.at += 1;
                }
                _ if begins_property(&self.lexis(), self.at) => {
                    // Its node begins one byte before it, as if the semicolon were there.
                    self.at -= 1;
                    break self.at + 1;
                }
                _ => self.at += 1,
            }
        };
        if let Some((at, color, _)) = self.bare_turn() {
            self.pass_bare_turn();
            return Some(Node::Turn { at, color, value: at + 3..at + 5 });
        }
        let at = self.at;
        let (end, state) = end_of_node(&self.lexis(), begin);
        self.at = end;
        let body = begin..end;
        Some(match plain_turn(self.bytes, body.clone()) {
            Some((color, value)) if state == NodeState::Sound => Node::Turn { at, color, value },
            _ => Node::Other { at, body, state },
        })
    }
}

/// What stands in place of the root's `;`, before its first property: nothing, or a strange character.
pub fn lost_semicolon(bytes: &[u8]) -> Option<Range<usize>> {
    if bytes.first() != Some(&b'(') || bytes.get(1) == Some(&b';') {
        return None;
    }
    let lexis = Lexis::utf8(bytes);
    let (first, behind) = (lexis.skip_space(1), 1 + stranger(bytes[1..].iter()));
    let (name, other) = (lexis.identifier(first), lexis.identifier(behind));
    match (name, other) {
        (Some(name), Some(other)) if name.len() > 2 && is_header(other) && !is_header(name) => Some(1..behind),
        (Some(_), _) => Some(first..first),
        _ if bytes[first..].first() == Some(&b';') => None,
        (None, other) => other.map(|_| 1..behind),
    }
}

/// Strange bytes between the `(` of a game and the `;` of its root, which is there.
pub fn bytes_before_root(bytes: &[u8]) -> Option<Range<usize>> {
    if bytes.first() != Some(&b'(') || bytes.get(1) == Some(&b';') || lost_semicolon(bytes).is_some() {
        return None;
    }
    stray_bytes(bytes, 0)
}

/// Returns true if a property begins at `at`, between nodes, as in a variation that has lost its semicolon.
pub(crate) fn begins_property(lexis: &Lexis, at: usize) -> bool {
    let is_in_word = || lexis.bytes[at - 1].is_ascii_alphanumeric();
    lexis.bytes[at].is_ascii_alphabetic() && at > 0 && !is_in_word() && lexis.identifier(at).is_some()
}

/// Returns the byte after the variation that begins at `at` if it has no node, as in `()`.
pub(crate) fn empty_tree(lexis: &Lexis, at: usize) -> Option<usize> {
    if at == 0 || lexis.bytes.get(at) != Some(&b'(') {
        return None;
    }
    let tree = &lexis.bytes[at..lexis.bytes.len().min(at + EMPTY_TREE)];
    // The first byte opens a tree, and the last closing parenthesis returns, so the depth is never 0 here.
    let mut depth = 0_usize;
    for (length, byte) in tree.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + length + 1),
            b')' => depth -= 1,
            b'\0' => {}
            byte if byte.is_ascii_whitespace() => {}
            _ => return None,
        }
    }
    None
}

/// Where the node that begins at `at` ends, and how sound it is.
fn end_of_node(lexis: &Lexis, mut at: usize) -> (usize, NodeState) {
    let bytes = lexis.bytes;
    let mut state = NodeState::Sound;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'[' => match lexis.first_value_end(at) {
                ValueEnd::Closed(close, oddity) => {
                    at = close;
                    if oddity != Oddity::None {
                        state = NodeState::Odd;
                    }
                }
                ValueEnd::Unclosed(next) => {
                    at = next;
                    state = NodeState::Odd;
                    continue;
                }
                ValueEnd::Game(_) | ValueEnd::Open => return (bytes.len(), NodeState::Open),
            },
            b';' => return (at, state),
            b'(' if lexis.opens_tree(at) => return (at, state),
            b')' if !lexis.is_in_text(at) => return (at, state),
            b'(' | b')' => state = NodeState::Odd,
            _ => {}
        }
        at += 1;
    }
    (at, state)
}

/// The turn of a node that has one, a single value, and nothing beside it but clock and comment, each once.
fn plain_turn(bytes: &[u8], body: Range<usize>) -> Option<(Color, Range<usize>)> {
    let mut turn = None;
    let mut seen = 0_u8;
    let mut at = body.start;
    loop {
        at += bytes[at..body.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if at == body.end {
            return turn;
        }
        let open = at + memchr::memchr(b'[', &bytes[at..body.end])?;
        let end = sound_end(&bytes[..body.end], open + 1)?;
        let bit = match &bytes[at..open] {
            [letter @ (b'B' | b'W')] if turn.is_none() => {
                turn = Some((color(*letter)?, open + 1..end));
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
        at = end + 1;
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
    fn the_main_line_is_the_first_variation_of_every_branch() {
        let text = "(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))";
        assert_eq!(nodes(text), [("SZ[9]", false), ("aa", true), ("bb", true), ("cc", true)]);
    }

    #[test]
    fn clock_and_comment_leave_a_turn_plain_and_anything_else_does_not() {
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
    fn a_value_without_end_leaves_the_rest_to_its_node() {
        let node = MainLine::new(b"(;B[aa];W[bb;B[cc)").nth(1);
        assert_eq!(node, Some(Node::Other { at: 7, body: 8..18, state: NodeState::Open }));
    }
}

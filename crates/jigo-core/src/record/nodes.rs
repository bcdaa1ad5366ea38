//! The nodes of a game's main line and their properties, as bytes.

use std::borrow::Cow;
use std::ops::Range;

use crate::board::Color;
use crate::sgf::extent::stranger;
use crate::sgf::lexis::{Lexis, Oddity, ValueEnd, capitals, is_header, is_small, owner};
use crate::sgf::resync::Patience;
use crate::sgf::turns::{RUN, RUN_BYTES, Runs, TURN};

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
        MainLine { bytes: lexis.bytes, patience: lexis.patience, at, depth: 0, extra_parenthesis: None }
    }

    /// The rest of the main line from a node on that is directly in the outermost tree.
    pub fn in_tree(lexis: Lexis<'a>, at: usize) -> MainLine<'a> {
        MainLine { depth: 1, ..MainLine::from(lexis, at) }
    }

    fn lexis(&self) -> Lexis<'a> {
        Lexis { patience: self.patience, ..Lexis::utf8(self.bytes) }
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
                    self.depth += 1;
                    let instead = if self.at == 0 { lost_semicolon(self.bytes) } else { None };
                    if let Some(instead) = instead {
                        break instead.end;
                    }
                    self.at += 1;
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
    if bytes.first() != Some(&b'(') {
        return None;
    }
    let lexis = Lexis::utf8(bytes);
    let (first, behind) = (lexis.skip_space(1), 1 + stranger(bytes[1..].iter()));
    let (name, other) = (lexis.identifier(first), lexis.identifier(behind));
    match (name, other) {
        (Some(name), Some(other)) if is_header(other) && !is_header(name) => Some(1..behind),
        (Some(_), _) => Some(first..first),
        _ if bytes[first..].first() == Some(&b';') => None,
        (None, other) => other.map(|_| 1..behind),
    }
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

/// A property of a node: identifier and values as bytes of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawProperty {
    /// Letters before the first `[`, white space cut off.
    pub identifier: Range<usize>,
    /// From the identifier to the last `]`, or to where the last value ends without one.
    pub whole: Range<usize>,
    /// What is between the brackets of each value, escapes and all.
    pub values: Vec<Range<usize>>,
}

/// The properties of a node, and what is odd about their values with its byte. Text behind the last value is given as a property
/// without values, unless it is blank.
pub fn properties(lexis: &Lexis, body: Range<usize>) -> (Vec<RawProperty>, Vec<(usize, Damage)>) {
    let bytes = lexis.bytes;
    let (mut found, mut damage) = (Vec::new(), Vec::new());
    let mut at = body.start;
    while at < body.end {
        let open = memchr::memchr(b'[', &bytes[at..body.end]).map_or(body.end, |length| at + length);
        let identifier = trim(bytes, at..open);
        let mut values: Vec<Range<usize>> = Vec::new();
        let mut is_closed = true;
        at = open;
        while at < body.end && bytes[at] == b'[' {
            let (end, next) = match lexis.value_end(at + 1, owner(bytes, open)) {
                ValueEnd::Closed(close, oddity) => {
                    match oddity {
                        Oddity::None => {}
                        Oddity::UnescapedBracket => damage.push((at, Damage::UnescapedBracket)),
                        Oddity::Backslash => damage.push((close, Damage::Backslash)),
                    }
                    (close, close + 1)
                }
                ValueEnd::Unclosed(next) => {
                    damage.push((at, Damage::MissingBracket));
                    (next, next)
                }
                ValueEnd::Game(_) | ValueEnd::Open => (body.end, body.end),
            };
            values.push(at + 1..end.min(body.end));
            at = next.min(body.end);
            is_closed = end < next && end < body.end;
            if !is_closed {
                break;
            }
            at = lexis.skip_space(at).min(body.end);
        }
        if !values.is_empty() || !identifier.is_empty() {
            let end = values.last().map_or(identifier.end, |value| value.end + usize::from(is_closed));
            found.push(RawProperty { whole: identifier.start..end, identifier, values });
        }
    }
    (found, damage)
}

/// The first identifier of a node that is in a sound part of it and such as is asked for.
pub(super) fn name_where(bytes: &[u8], body: Range<usize>, is_wanted: fn(&[u8]) -> bool) -> Option<Range<usize>> {
    let mut at = body.start;
    loop {
        let open = at + memchr::memchr(b'[', &bytes[at..body.end])?;
        let name = trim(bytes, at..open);
        if is_wanted(&bytes[name.clone()]) {
            return Some(name);
        }
        at = sound_end(&bytes[..body.end], open + 1)? + 1;
    }
}

/// The identifiers of a sound node that stand there before, each but once, in capitals and with their places.
pub(super) fn repeated_names(bytes: &[u8], body: Range<usize>) -> Vec<(Cow<'_, [u8]>, usize)> {
    let mut names = Vec::new();
    let mut at = body.start;
    while let Some(open) = memchr::memchr(b'[', &bytes[at..body.end]).map(|length| at + length) {
        let name = trim(bytes, at..open);
        if !name.is_empty() {
            names.push((capitals(&bytes[name.clone()]), name.start));
        }
        let Some(end) = sound_end(&bytes[..body.end], open + 1) else { break };
        at = end + 1;
    }
    names.sort();
    let mut repeated: Vec<_> =
        names.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].clone()).collect();
    repeated.dedup_by(|next, kept| next.0 == kept.0);
    repeated
}

/// Whether an identifier has small letters: beside capitals, where they stand for nothing, or alone, where they stand for capitals.
pub fn is_long_name(name: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| name.iter().any(is);
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    (is_mixed && name.iter().all(u8::is_ascii_alphabetic)) || is_small(name)
}

/// What is odd about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// A `]` in its text is not escaped.
    UnescapedBracket,
    /// Its `]` is missing.
    MissingBracket,
    /// A backslash before its `]` was meant as text.
    Backslash,
}

/// The property as sound text: brackets in its values escaped, blanks in its identifier left out, a name in small letters in capitals.
pub fn rebuilt(bytes: &[u8], property: &RawProperty) -> Vec<u8> {
    let mut text: Vec<u8> = Vec::with_capacity(property.whole.len() + 2);
    text.extend(bytes[property.identifier.clone()].iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != 0));
    if is_small(&text) {
        text.make_ascii_uppercase();
    }
    for value in &property.values {
        text.push(b'[');
        let mut escaped = false;
        for &byte in &bytes[value.clone()] {
            if byte == b']' && !escaped {
                text.push(b'\\');
            }
            escaped = byte == b'\\' && !escaped;
            text.push(byte);
        }
        // A backslash at the end would escape the bracket that closes the value.
        text.extend_from_slice(if escaped { b"\\]" } else { b"]" });
    }
    text
}

fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &bytes[range.clone()];
    let start = range.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
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

/// The first `]` that no backslash escapes, from `at` on.
pub(super) fn sound_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b']', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b']' {
            return Some(at);
        }
        at += 2;
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

    #[test]
    fn properties_have_identifiers_values_and_leftovers() {
        let text = b" AB[aa] [b\\]b]\nC[x]y";
        let (found, _) = properties(&Lexis::utf8(text), 0..text.len());
        let named: Vec<_> = found.iter().map(|p| (&text[p.identifier.clone()], p.values.len())).collect();
        assert_eq!(named, [(&b"AB"[..], 2), (b"C", 1), (b"y", 0)]);
        assert_eq!(&text[found[0].whole.clone()], b"AB[aa] [b\\]b]");
    }
}

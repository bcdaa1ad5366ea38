//! The nodes of a game's main line and their properties, as bytes.

use std::ops::Range;

use memchr::memchr2;

use crate::board::Color;

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
        /// The last value has no closing bracket.
        open: bool,
    },
}

/// Walks the main line: the nodes before the first closing parenthesis, since the first variation comes first.
pub struct MainLine<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> MainLine<'a> {
    /// The main line of a game's text.
    pub fn new(bytes: &'a [u8]) -> MainLine<'a> {
        MainLine { bytes, at: 0 }
    }

    /// The main line from a byte on.
    pub fn from(bytes: &'a [u8], at: usize) -> MainLine<'a> {
        MainLine { bytes, at }
    }

    /// The byte after the last node given.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The usual node, `;B[dd]` and the next one behind it, without looking further.
    #[inline]
    fn bare_turn(&mut self) -> Option<Node> {
        let at = self.at;
        let &[_, letter, b'[', _, _, b']', next] = self.bytes.get(at..at + 7)? else { return None };
        let color = color(letter)?;
        if next != b';' && next != b')' {
            return None;
        }
        self.at = at + 6;
        Some(Node::Turn { at, color, value: at + 3..at + 5 })
    }
}

impl Iterator for MainLine<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        loop {
            match self.bytes.get(self.at)? {
                b';' => break,
                b')' => return None,
                _ => self.at += 1,
            }
        }
        if let Some(turn) = self.bare_turn() {
            return Some(turn);
        }
        let at = self.at;
        let (end, open) = end_of_node(self.bytes, at + 1);
        self.at = end;
        let body = at + 1..end;
        Some(match plain_turn(self.bytes, body.clone()) {
            Some((color, value)) if !open => Node::Turn { at, color, value },
            _ => Node::Other { at, body, open },
        })
    }
}

/// Where the node that begins at `at` ends, and whether it does so inside a value.
fn end_of_node(bytes: &[u8], mut at: usize) -> (usize, bool) {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'[' => match end_of_value(bytes, at + 1) {
                Some(end) => at = end,
                None => return (bytes.len(), true),
            },
            b';' | b'(' | b')' => return (at, false),
            _ => {}
        }
        at += 1;
    }
    (at, false)
}

/// The `]` that ends the value beginning at `at`.
fn end_of_value(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b']', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b']' {
            return Some(at);
        }
        at += 2;
    }
}

/// A property of a node: identifier and values as bytes of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Letters before the first `[`, white space cut off.
    pub identifier: Range<usize>,
    /// From the identifier to the last `]`.
    pub whole: Range<usize>,
    /// What is between the brackets of each value, escapes and all.
    pub values: Vec<Range<usize>>,
}

/// The properties of a node. Text behind the last value is given as a property without values, unless it is blank.
pub fn properties(bytes: &[u8], body: Range<usize>) -> Vec<Property> {
    let mut found = Vec::new();
    let mut at = body.start;
    while at < body.end {
        let open = memchr::memchr(b'[', &bytes[at..body.end]).map_or(body.end, |length| at + length);
        let identifier = trim(bytes, at..open);
        let mut values = Vec::new();
        at = open;
        while at < body.end && bytes[at] == b'[' {
            let end = end_of_value(&bytes[..body.end], at + 1).unwrap_or(body.end);
            values.push(at + 1..end);
            at = (end + 1).min(body.end);
            at += bytes[at..body.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
        if !values.is_empty() || !identifier.is_empty() {
            let end = values.last().map_or(identifier.end, |value| (value.end + 1).min(body.end));
            found.push(Property { whole: identifier.start..end, identifier, values });
        }
    }
    found
}

fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &bytes[range.clone()];
    let start = range.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
}

/// The turn of a node that has one, a single value, and nothing beside it but clock and comment.
fn plain_turn(bytes: &[u8], body: Range<usize>) -> Option<(Color, Range<usize>)> {
    let mut turn = None;
    let mut at = body.start;
    loop {
        at += bytes[at..body.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if at == body.end {
            return turn;
        }
        let open = at + memchr::memchr(b'[', &bytes[at..body.end])?;
        let end = end_of_value(&bytes[..body.end], open + 1)?;
        match &bytes[at..open] {
            [letter @ (b'B' | b'W')] if turn.is_none() => turn = Some((color(*letter)?, open + 1..end)),
            b"BL" | b"WL" | b"OB" | b"OW" | b"C" => {}
            _ => return None,
        }
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
        assert_eq!(node, Some(Node::Other { at: 7, body: 8..18, open: true }));
    }

    #[test]
    fn properties_have_identifiers_values_and_leftovers() {
        let text = b" AB[aa] [b\\]b]\nC[x]y";
        let found = properties(text, 0..text.len());
        let named: Vec<_> = found.iter().map(|p| (&text[p.identifier.clone()], p.values.len())).collect();
        assert_eq!(named, [(&b"AB"[..], 2), (b"C", 1), (b"y", 0)]);
        assert_eq!(&text[found[0].whole.clone()], b"AB[aa] [b\\]b]");
    }
}

//! Properties off the main line in places that SGF forbids, and headers there.

use super::{begins_diagram, begins_property, skipped_tree, stray_text_end};
use crate::sgf::tokens::lexer::{Lexer, ValueEnd};

/// A property in a place that SGF forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misplacement {
    /// The first property of a variation, which has no semicolon before it.
    WithoutSemicolon,
    /// A node or property after a variation.
    AfterVariation,
    /// A value without a property, between variations.
    Value,
    /// Text that is not a property, between variations.
    StrayText,
    /// A property of a header, in the node at this place.
    Header,
}

/// Returns the misplaced properties from `offset` on. There the main line ends with `depth` open
/// trees.
///
/// The main line is read node by node anyway, so this takes time only for games with variations.
pub(crate) fn misplaced_nodes(lexer: &Lexer, offset: usize, depth: usize) -> Vec<(usize, Misplacement)> {
    let mut search = MisplacementSearch { lexer, depth, last_sign: b')', node: offset, found: Vec::new() };
    let mut next = Some(offset);
    while let Some(offset) = next
        && let Some(&byte) = lexer.bytes.get(offset)
    {
        next = search.examine(offset, byte);
    }
    search.found
}

/// A search for misplaced properties.
struct MisplacementSearch<'l, 'a> {
    lexer: &'l Lexer<'a>,
    /// The number of open trees.
    depth: usize,
    /// The last sign of the tree: a parenthesis, or the semicolon of the open node.
    last_sign: u8,
    /// The start of the open node.
    node: usize,
    found: Vec<(usize, Misplacement)>,
}

impl MisplacementSearch<'_, '_> {
    /// Examines the byte at `offset`. Returns the offset of the next byte to examine, or `None`
    /// after a value that does not end.
    fn examine(&mut self, offset: usize, byte: u8) -> Option<usize> {
        match byte {
            b'(' => return Some(self.enter_tree(offset)),
            b')' if self.lexer.closes_tree(offset, self.depth) => {
                self.depth = self.depth.saturating_sub(1);
                self.last_sign = byte;
            }
            b'[' => return self.examine_value(offset),
            b';' => {
                if self.last_sign == b')' {
                    self.found.push((offset, Misplacement::AfterVariation));
                }
                (self.last_sign, self.node) = (byte, offset);
            }
            _ if self.last_sign != b';' && begins_property(self.lexer, offset) => {
                let is_first = self.last_sign == b'(';
                self.add_node(
                    offset,
                    if is_first { Misplacement::WithoutSemicolon } else { Misplacement::AfterVariation },
                );
            }
            _ if self.last_sign != b';' => {
                let end = stray_text_end(self.lexer, offset);
                if end > offset {
                    self.found.push((offset, Misplacement::StrayText));
                    return Some(end);
                }
            }
            _ => {}
        }
        Some(offset + 1)
    }

    /// Enters the tree at a `(`, or skips one without nodes. Returns the next offset.
    fn enter_tree(&mut self, offset: usize) -> usize {
        if let Some(end) = skipped_tree(self.lexer, offset) {
            if !begins_diagram(self.lexer, offset) {
                self.last_sign = b')';
            }
            return end;
        }
        if self.lexer.opens_tree(offset) {
            self.depth += 1;
            self.last_sign = b'(';
        }
        offset + 1
    }

    /// Skips the value whose `[` is at `offset`.
    fn examine_value(&mut self, offset: usize) -> Option<usize> {
        if self.last_sign != b';' {
            self.add_node(offset, Misplacement::Value);
        } else if ends_with_header(&self.lexer.bytes[..offset]) {
            let header = (self.node, Misplacement::Header);
            if self.found.last() != Some(&header) {
                self.found.push(header);
            }
        }
        match self.lexer.first_value_end(offset) {
            ValueEnd::Closed(close, _) => Some(close + 1),
            ValueEnd::Unclosed(next) => Some(next),
            ValueEnd::Game(_) | ValueEnd::Open => None,
        }
    }

    /// Adds a property that begins a node without a semicolon.
    fn add_node(&mut self, offset: usize, kind: Misplacement) {
        self.found.push((offset, kind));
        (self.last_sign, self.node) = (b';', offset);
    }
}

/// Returns true if a text ends with the name of a property that identifies a game or its board.
fn ends_with_header(text: &[u8]) -> bool {
    const NAMES: [&[u8; 2]; 8] = [b"PB", b"PW", b"RE", b"EV", b"DT", b"GM", b"SZ", b"FF"];
    text.last_chunk().is_some_and(|name| NAMES.contains(&name))
}

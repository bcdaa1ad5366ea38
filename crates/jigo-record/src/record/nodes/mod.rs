//! The nodes of a game's main line as byte ranges.

mod missing_signs;
mod properties;
mod tape;

use crate::sgf::tokens::lexer::Lexer;
pub use missing_signs::{bytes_before_root, missing_semicolon};
pub(crate) use missing_signs::{skipped_tree, stray_text_end};
pub use properties::{Damage, RawProperty, is_long_name, properties, rebuild_property};
pub(crate) use properties::{
    find_name, first_value, has_stray_text, has_usual_names, is_plain_name, repeated_names, sound_properties,
};
pub(crate) use tape::{Event, Tape};
pub use tape::{Node, NodeState};

/// An iterator over the main line: the nodes before the first closing parenthesis, since the first
/// variation comes first.
pub struct MainLine<'a> {
    tape: Tape<'a>,
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
        MainLine::of(Tape::from(lexer, offset, 0))
    }

    /// Returns an iterator over the rest of the main line, from a node directly in the outermost
    /// tree on.
    pub fn in_tree(lexer: Lexer<'a>, offset: usize) -> MainLine<'a> {
        MainLine::of(Tape::from(lexer, offset, 1))
    }

    fn of(tape: Tape<'a>) -> MainLine<'a> {
        let (branches, stray_texts) = (Vec::new(), Vec::new());
        MainLine { tape, empty_variation: None, diagrams: (0, 0), extra_parenthesis: None, branches, stray_texts }
    }

    /// Returns the tape. After the last node of the main line, it contains the other variations.
    pub(crate) fn tape(&mut self) -> &mut Tape<'a> {
        &mut self.tape
    }

    /// Returns the offset after the last returned node.
    pub fn position(&self) -> usize {
        self.tape.position()
    }

    /// Handles a byte outside nodes.
    fn stray(&mut self, offset: usize) {
        match self.tape.lexer().bytes[offset] {
            b')' => {
                self.extra_parenthesis.get_or_insert(offset);
            }
            // The main line continues in it, as in any tree.
            b'(' => {
                self.branches.push(offset);
                self.tape.enter_tree();
            }
            _ => {
                let end = stray_text_end(self.tape.lexer(), offset);
                if end > offset {
                    self.stray_texts.push(offset);
                    self.tape.seek(end);
                }
            }
        }
    }
}

impl Iterator for MainLine<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        while !self.tape.is_at_close() {
            match self.tape.next()? {
                Event::Node(node) => return Some(node),
                Event::Open(0) | Event::Close(_) => {}
                Event::Open(offset) => self.branches.push(offset),
                Event::EmptyTree(offset) => {
                    self.empty_variation.get_or_insert(offset);
                }
                Event::Diagram(offset) => {
                    let (count, first) = self.diagrams;
                    self.diagrams = (count + 1, if count == 0 { offset } else { first });
                }
                Event::Stray(offset) => self.stray(offset),
            }
        }
        None
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
    fn unclosed_value_extends_to_the_end_of_its_node() {
        let node = MainLine::new(b"(;B[aa];W[bb;B[cc)").nth(1);
        assert_eq!(node, Some(Node::Other { offset: 7, body: 8..18, state: NodeState::Open }));
    }
}

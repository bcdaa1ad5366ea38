//! Nodes that have one reading only.

use std::ops::Range;

use super::hidden_game::contains_root;
use jigo_record::sgf::grammar::{Element, Elements};

/// Returns true if the body of a node follows the grammar of FF\[4\], and no value contains the root
/// of another game, so that its properties have one reading. The body begins after the `;`.
pub(super) fn is_plain_node(bytes: &[u8], body: Range<usize>) -> bool {
    let text = [b"(;", &bytes[body], b")"].concat();
    let mut elements = Elements::new(&text);
    let is_part = |element: &Result<Element, usize>| match element {
        Ok(Element::Open(0) | Element::Node(1)) => true,
        Ok(Element::Property { values, .. }) => !values.iter().any(|value| contains_root(&text[value.clone()], 0)),
        element => *element == Ok(Element::Close(text.len() - 1)),
    };
    elements.all(|element| is_part(&element))
}

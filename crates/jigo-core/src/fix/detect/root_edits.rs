//! Roots: edits of their properties, second games that a damaged end of the first one hides, and
//! nodes that hide none.

use crate::fix::Edit;
use jigo_record::record::nodes::{MainLine, Node, RawProperty, properties};
use jigo_record::sgf::grammar::{Element, Elements};
use jigo_record::sgf::tokens::ff4::{PropertyRole, is_setup, role};
use jigo_record::sgf::tokens::lexer::{Lexer, ScanBudget, capitals, is_header, owner};
use std::ops::Range;

/// A node of the main line.
pub(in crate::fix) struct LineNode {
    /// The offset of its `;`.
    offset: usize,
    pub(in crate::fix) properties: Vec<RawProperty>,
    /// The offset after the last property.
    pub(in crate::fix) end: usize,
}

impl LineNode {
    /// Returns the first node.
    pub(in crate::fix) fn root(bytes: &[u8]) -> Option<LineNode> {
        LineNode::first_nodes(bytes, 1).pop()
    }

    /// Returns the first `count` nodes.
    pub(in crate::fix) fn first_nodes(bytes: &[u8], count: usize) -> Vec<LineNode> {
        let scan_budget = ScanBudget::for_text(bytes.len());
        let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
        let (mut line, mut nodes) = (MainLine::from(lexer, 0), Vec::new());
        while let Some(node) = if nodes.len() < count { line.next() } else { None } {
            let offset = node.offset();
            let body = match node {
                Node::Turn { offset, .. } => offset + 1..line.position(),
                Node::Other { body, .. } => body,
            };
            let (properties, _) = properties(&lexer, body.clone());
            let end = properties.last().map_or(body.start, |last| last.range.end);
            nodes.push(LineNode { offset, properties, end });
        }
        nodes
    }
}

/// Sets a root property or inserts it. Returns `None` if it is repeated or has several values,
/// because the effective value is then unknown.
pub(in crate::fix) fn with_root_value(bytes: &[u8], identifier: &str, new: &str) -> Option<Edit> {
    let root = LineNode::root(bytes)?;
    let mut matching = root.properties.iter().filter(|property| name(bytes, property) == identifier.as_bytes());
    match (matching.next().map(|property| property.values.as_slice()), matching.next()) {
        (None, _) => Some(Edit::insert(place_in_root(bytes, root.offset)?, format!("{identifier}[{new}]"))),
        (Some([value]), None) => Some(Edit::replace(value.clone(), new)),
        _ => None,
    }
}

/// The usual beginning of a root.
const GAME: &[u8] = b"GM[1]";

/// Returns the offset for a new property in a root whose `;` is at `offset`.
///
/// It is after a leading GM, which identifies the start of a game in damaged text. Returns `None`
/// before a value without a name, which would become a value of the new property.
pub(in crate::fix) fn place_in_root(bytes: &[u8], offset: usize) -> Option<usize> {
    let rest = bytes.get(offset..)?.strip_prefix(b";")?;
    let place = offset + 1 + if rest.starts_with(GAME) { GAME.len() } else { 0 };
    (bytes.get(Lexer::utf8(bytes).skip_space(place)) != Some(&b'[')).then_some(place)
}

/// Returns the significant letters of an identifier in capitals.
pub(in crate::fix) fn name(bytes: &[u8], property: &RawProperty) -> Vec<u8> {
    capitals(&bytes[property.identifier.clone()]).into_owned()
}

/// Returns true if an identifier contains the word "size".
pub(super) fn has_size(identifier: &[u8]) -> bool {
    identifier.to_ascii_lowercase().windows(4).any(|word| word == b"size")
}

/// Returns true if a node after the root may be the root of another game: it has properties of a
/// root, or it begins a tree with a setup or a property of the header. It may lack its `;`.
///
/// Values are not skipped, because a value without its bracket may also hide a game.
pub(super) fn may_hide_game(bytes: &[u8]) -> bool {
    own_root(bytes).is_some_and(|root| contains_root(bytes, root + 1))
}

/// Returns true if a text contains the root of a game at or after `start`.
fn contains_root(bytes: &[u8], start: usize) -> bool {
    memchr::memchr2_iter(b';', b'(', bytes).skip_while(|offset| *offset < start).any(|offset| {
        let end = memchr::memchr2(b';', b'(', &bytes[offset + 1..]).map_or(bytes.len(), |length| offset + 1 + length);
        let is_tree = bytes[offset] == b'(' || bytes[..offset].trim_ascii_end().ends_with(b"(");
        memchr::memchr_iter(b'[', &bytes[offset..end]).any(|open| {
            let name = &*capitals(owner(bytes, offset + open));
            matches!(name, b"PB" | b"PW")
                || role(name) == Some(PropertyRole::Root)
                || is_tree && (is_header(name) || is_setup(name))
        })
    })
}

/// Returns the offset of the `;` of a game's root, or 0 if the root lacks it.
pub(super) fn own_root(bytes: &[u8]) -> Option<usize> {
    let semicolon = memchr::memchr(b';', bytes)?;
    Some(if bytes[..semicolon].contains(&b'[') { 0 } else { semicolon })
}

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

//! Second games that a damaged end of the first one hides, and nodes that hide none.

use std::ops::Range;

use jigo_record::sgf::grammar::{Element, Elements};
use jigo_record::sgf::tokens::ff4::{PropertyRole, is_setup, role};
use jigo_record::sgf::tokens::lexer::{capitals, is_header, owner};

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

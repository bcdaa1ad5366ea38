//! Places that lack an SGF sign: roots and variations without a semicolon. Trees that are no
//! variations: those without a node, and diagrams.

use std::ops::Range;

use crate::sgf::boundaries::root_start::{stray_bytes, stray_character_length};
use crate::sgf::tokens::lexer::{Lexer, is_header, skip_space_back};

/// The maximum length in bytes of a variation without nodes, including its white space.
const EMPTY_TREE: usize = 64;

/// Returns the range between the `(` of a game and its root's first property if the `;` is missing.
/// The range is empty, or contains strange characters.
pub fn missing_semicolon(bytes: &[u8]) -> Option<Range<usize>> {
    if bytes.first() != Some(&b'(') || bytes.get(1) == Some(&b';') {
        return None;
    }
    let lexer = Lexer::utf8(bytes);
    let (first, after_stray_character) = (lexer.skip_space(1), 1 + stray_character_length(bytes[1..].iter()));
    let (name, other) = (lexer.identifier(first), lexer.identifier(after_stray_character));
    match (name, other) {
        (Some(name), Some(other)) if name.len() > 2 && is_header(other) && !is_header(name) => {
            Some(1..after_stray_character)
        }
        (Some(_), _) => Some(first..first),
        _ if bytes[first..].first() == Some(&b';') => None,
        (None, other) => other.map(|_| 1..after_stray_character),
    }
}

/// Returns the strange bytes between the `(` of a game and the `;` of its root. `None` if there are
/// no such bytes, or if the `;` is missing.
pub fn bytes_before_root(bytes: &[u8]) -> Option<Range<usize>> {
    if bytes.first() != Some(&b'(') || bytes.get(1) == Some(&b';') || missing_semicolon(bytes).is_some() {
        return None;
    }
    stray_bytes(bytes, 0)
}

/// Returns true if a property begins at `offset`, between nodes, as in a variation that lacks its
/// semicolon.
pub(crate) fn begins_property(lexer: &Lexer, offset: usize) -> bool {
    let is_in_word = || lexer.bytes[offset - 1].is_ascii_alphanumeric();
    lexer.bytes[offset].is_ascii_alphabetic() && offset > 0 && !is_in_word() && lexer.has_name(offset)
}

/// Returns the end of the stray text that begins at `offset`, between nodes: the next sign or
/// property. Returns `offset` if the byte there is blank.
pub(crate) fn stray_text_end(lexer: &Lexer, offset: usize) -> usize {
    let is_sign = |byte: u8| matches!(byte, b'(' | b')' | b';' | b'[');
    let is_blank = |byte: u8| byte.is_ascii_whitespace() || byte == 0;
    if is_blank(lexer.bytes[offset]) {
        return offset;
    }
    let ends = |offset: &usize| is_sign(lexer.bytes[*offset]) || begins_property(lexer, *offset);
    let end = (offset + 1..lexer.bytes.len()).find(ends).unwrap_or(lexer.bytes.len());
    skip_space_back(lexer.bytes, offset, end)
}

/// Returns true if a diagram begins at the `(` at `offset`, as in `(RN[…]PT[4];B[pd]…)`. Its turns
/// repeat those of the game from the first one on, so it is not a variation.
pub(crate) fn begins_diagram(lexer: &Lexer, offset: usize) -> bool {
    let next = lexer.skip_space(offset + 1);
    match lexer.bytes.get(next) {
        _ if offset == 0 || lexer.bytes.get(offset) != Some(&b'(') => false,
        Some(b'R' | b'P') => matches!(lexer.identifier(next), Some(b"RN" | b"PT")),
        Some(b';') => lexer.has_any_name(next, &[b"RN"]) && lexer.has_any_name(next, &[b"PT"]),
        _ => false,
    }
}

/// Returns the offset after the tree at `offset` if it is not a variation: it has no node, as in
/// `()`, or is a diagram. A diagram without its `)` extends to the end of the text.
pub(crate) fn skipped_tree(lexer: &Lexer, offset: usize) -> Option<usize> {
    if begins_diagram(lexer, offset) { Some(diagram_end(lexer, offset)) } else { empty_tree(lexer, offset) }
}

fn diagram_end(lexer: &Lexer, mut offset: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(&byte) = lexer.bytes.get(offset) {
        match byte {
            b'(' if lexer.opens_tree(offset) => depth += 1,
            b')' if lexer.closes_tree(offset, depth + 1) => depth = depth.saturating_sub(1),
            b'[' => {
                let Some(next) = lexer.after_value(offset) else { return lexer.bytes.len() };
                offset = next;
                continue;
            }
            _ => {}
        }
        offset += 1;
        if depth == 0 {
            return offset;
        }
    }
    offset
}

/// Returns the offset after the variation that begins at `offset` if it has no node, as in `()`.
fn empty_tree(lexer: &Lexer, offset: usize) -> Option<usize> {
    if offset == 0 || lexer.bytes.get(offset) != Some(&b'(') {
        return None;
    }
    let tree = &lexer.bytes[offset..lexer.bytes.len().min(offset + EMPTY_TREE)];
    // The first byte opens a tree, and the last closing parenthesis returns. So the depth is never
    // 0 here.
    let mut depth = 0_usize;
    for (length, byte) in tree.iter().enumerate() {
        match byte {
            // Nothing closes the trees, as in a long run of opening parentheses.
            b'(' if depth == 1 && memchr::memchr(b')', &tree[length..]).is_none() => return None,
            b'(' if depth + 1 >= tree.len() - length => return None,
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(offset + length + 1),
            b')' => depth -= 1,
            b'\0' => {}
            byte if byte.is_ascii_whitespace() => {}
            _ => return None,
        }
    }
    None
}

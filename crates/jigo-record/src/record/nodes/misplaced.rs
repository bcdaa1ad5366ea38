//! Properties off the main line in places that SGF forbids, and headers there.

use super::{begins_property, empty_tree};
use crate::sgf::lexer::{Lexer, ValueEnd};

/// A property in a place that SGF forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misplaced {
    /// The first property of a variation, which has no semicolon before it.
    WithoutSemicolon,
    /// A node or property after a variation.
    AfterVariation,
    /// A value without a property, between variations.
    Value,
    /// A property of a header, in the node at this place.
    Header,
}

/// Returns the misplaced properties from `offset` on. There the main line ends with `depth` open
/// trees.
///
/// The main line is read node by node anyway, so this takes time only for games with variations.
pub(crate) fn misplaced(lexer: &Lexer, mut offset: usize, mut depth: usize) -> Vec<(usize, Misplaced)> {
    let bytes = lexer.bytes;
    let mut misplaced = Vec::new();
    // The last sign of the tree: a parenthesis, or the semicolon of the open node.
    let mut last = b')';
    // The start of the open node.
    let mut node = offset;
    while let Some(&byte) = bytes.get(offset) {
        match byte {
            b'(' if empty_tree(lexer, offset).is_some() => {
                offset = empty_tree(lexer, offset).unwrap_or(offset + 1);
                last = b')';
                continue;
            }
            b'(' if lexer.opens_tree(offset) => {
                depth += 1;
                last = byte;
            }
            b')' if lexer.closes_tree(offset, depth) => {
                depth = depth.saturating_sub(1);
                last = byte;
            }
            b'[' => {
                if last != b';' {
                    misplaced.push((offset, Misplaced::Value));
                    last = b';';
                } else if ends_with_header(&bytes[..offset]) && misplaced.last() != Some(&(node, Misplaced::Header)) {
                    misplaced.push((node, Misplaced::Header));
                }
                match lexer.first_value_end(offset) {
                    ValueEnd::Closed(close, _) => offset = close,
                    ValueEnd::Unclosed(next) => {
                        offset = next;
                        continue;
                    }
                    ValueEnd::Game(_) | ValueEnd::Open => return misplaced,
                }
            }
            b';' => {
                if last == b')' {
                    misplaced.push((offset, Misplaced::AfterVariation));
                }
                (last, node) = (byte, offset);
            }
            _ if last != b';' && begins_property(lexer, offset) => {
                let kind = if last == b'(' { Misplaced::WithoutSemicolon } else { Misplaced::AfterVariation };
                misplaced.push((offset, kind));
                (last, node) = (b';', offset);
            }
            _ => {}
        }
        offset += 1;
    }
    misplaced
}

/// Returns true if a text ends with the name of a property that identifies a game.
fn ends_with_header(text: &[u8]) -> bool {
    matches!(
        text,
        [.., b'P', b'B' | b'W']
            | [.., b'R', b'E']
            | [.., b'E', b'V']
            | [.., b'D', b'T']
            | [.., b'G', b'M']
            | [.., b'S', b'Z']
            | [.., b'F', b'F']
    )
}

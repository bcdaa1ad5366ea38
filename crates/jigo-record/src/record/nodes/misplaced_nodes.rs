//! Properties off the main line in places that SGF forbids.

use super::{begins_property, empty_tree};
use crate::sgf::lexer::{Lexer, ValueEnd};

/// A property in a place that SGF forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misplacement {
    /// The first property of a variation, which has no semicolon before it.
    WithoutSemicolon,
    /// A node or property after a variation.
    AfterVariation,
    /// A value without a property, between variations.
    Value,
}

/// Returns the misplaced properties from `offset` on. There the main line ends with `depth` open
/// trees.
///
/// The main line is read node by node anyway, so this takes time only for games with variations.
pub(crate) fn misplaced_nodes(lexer: &Lexer, mut offset: usize, mut depth: usize) -> Vec<(usize, Misplacement)> {
    let bytes = lexer.bytes;
    let mut misplaced = Vec::new();
    // The last sign of the tree: a parenthesis, or the semicolon of the open node.
    let mut last = b')';
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
                    misplaced.push((offset, Misplacement::Value));
                    last = b';';
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
                    misplaced.push((offset, Misplacement::AfterVariation));
                }
                last = byte;
            }
            _ if last != b';' && begins_property(lexer, offset) => {
                let kind = if last == b'(' { Misplacement::WithoutSemicolon } else { Misplacement::AfterVariation };
                misplaced.push((offset, kind));
                last = b';';
            }
            _ => {}
        }
        offset += 1;
    }
    misplaced
}

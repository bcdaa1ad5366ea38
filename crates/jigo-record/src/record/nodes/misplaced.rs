//! Properties off the main line in places that SGF forbids.

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
}

/// Returns the misplaced properties from `at` on. There the main line ends with `depth` open trees.
///
/// The main line is read node by node anyway, so this takes time only for games with variations.
pub(crate) fn misplaced(lexer: &Lexer, mut at: usize, mut depth: usize) -> Vec<(usize, Misplaced)> {
    let bytes = lexer.bytes;
    let mut found = Vec::new();
    // The last sign of the tree: a parenthesis, or the semicolon of the open node.
    let mut last = b')';
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' if empty_tree(lexer, at).is_some() => {
                at = empty_tree(lexer, at).unwrap_or(at + 1);
                last = b')';
                continue;
            }
            b'(' if lexer.opens_tree(at) => {
                depth += 1;
                last = byte;
            }
            b')' if lexer.closes_tree(at, depth) => {
                depth = depth.saturating_sub(1);
                last = byte;
            }
            b'[' => {
                if last != b';' {
                    found.push((at, Misplaced::Value));
                    last = b';';
                }
                match lexer.first_value_end(at) {
                    ValueEnd::Closed(close, _) => at = close,
                    ValueEnd::Unclosed(next) => {
                        at = next;
                        continue;
                    }
                    ValueEnd::Game(_) | ValueEnd::Open => return found,
                }
            }
            b';' => {
                if last == b')' {
                    found.push((at, Misplaced::AfterVariation));
                }
                last = byte;
            }
            _ if last != b';' && begins_property(lexer, at) => {
                let what = if last == b'(' { Misplaced::WithoutSemicolon } else { Misplaced::AfterVariation };
                found.push((at, what));
                last = b';';
            }
            _ => {}
        }
        at += 1;
    }
    found
}

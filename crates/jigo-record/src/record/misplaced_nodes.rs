//! The text after the main line: properties in places that SGF forbids, headers, and damage.

use std::ops::Range;

use super::nodes::{Event, Node, NodeState, Tape, find_name, has_stray_text, properties, stray_text_end};
use crate::sgf::tokens::lexer::Lexer;

/// A fault after the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misplacement {
    /// The first property of a variation, which has no semicolon before it.
    WithoutSemicolon,
    /// A node or property after a variation.
    AfterVariation,
    /// A value without a property, between variations.
    Value,
    /// Text that is not a property, between variations.
    StrayText,
    /// A property of a header, in a node with this body.
    Header(Range<usize>),
    /// Damaged values, or text that is not a property, in a node with this body.
    Damage(Range<usize>, NodeState),
}

/// Returns the faults on the tape after the main line, with their offsets.
///
/// The main line is read node by node anyway, so this takes time only for games with variations.
pub(crate) fn misplaced_nodes(tape: &mut Tape) -> Vec<(usize, Misplacement)> {
    let lexer = *tape.lexer();
    let mut found = Vec::new();
    // The last sign of the tree: a parenthesis, or the semicolon of the open node.
    let mut last_sign = b')';
    while let Some(event) = tape.next() {
        last_sign = match event {
            Event::Open(_) => b'(',
            Event::Close(_) | Event::EmptyTree(_) => b')',
            Event::Diagram(_) => last_sign,
            Event::Node(node) => {
                add_node(&lexer, &node, last_sign, &mut found);
                b';'
            }
            Event::Stray(offset) if lexer.bytes[offset] == b'[' => {
                found.extend((last_sign != b';').then_some((offset, Misplacement::Value)));
                if !tape.skip_value(offset) {
                    break;
                }
                b';'
            }
            Event::Stray(offset) if last_sign == b';' || lexer.bytes[offset] == b'(' => last_sign,
            Event::Stray(offset) => {
                let end = stray_text_end(&lexer, offset);
                if end > offset {
                    found.push((offset, Misplacement::StrayText));
                    tape.seek(end);
                }
                last_sign
            }
        };
    }
    found
}

/// Adds the faults of a node after this sign.
fn add_node(lexer: &Lexer, node: &Node, last_sign: u8, found: &mut Vec<(usize, Misplacement)>) {
    let offset = node.offset();
    let has_semicolon = lexer.bytes[offset] == b';';
    let start = offset + usize::from(!has_semicolon);
    match last_sign {
        b')' => found.push((start, Misplacement::AfterVariation)),
        b'(' if !has_semicolon => found.push((start, Misplacement::WithoutSemicolon)),
        _ => {}
    }
    let Node::Other { body, state, .. } = node else { return };
    if has_header(lexer, body.clone(), *state) {
        found.push((offset, Misplacement::Header(body.clone())));
    }
    if *state != NodeState::Sound || has_stray_text(lexer.bytes, body.clone()) {
        found.push((offset, Misplacement::Damage(body.clone(), *state)));
    }
}

/// Returns true if a node has a property that identifies a game or its board.
fn has_header(lexer: &Lexer, body: Range<usize>, state: NodeState) -> bool {
    const NAMES: [&[u8; 2]; 8] = [b"PB", b"PW", b"RE", b"EV", b"DT", b"GM", b"SZ", b"FF"];
    let ends_with_name = |name: &[u8]| name.last_chunk().is_some_and(|name| NAMES.contains(&name));
    match state {
        NodeState::Sound => find_name(lexer.bytes, body, ends_with_name).is_some(),
        NodeState::Odd | NodeState::Open => {
            let (properties, _) = properties(lexer, body);
            properties.iter().any(|property| {
                !property.values.is_empty() && ends_with_name(&lexer.bytes[property.identifier.clone()])
            })
        }
    }
}

//! The split of a node that has both setup and properties of a move.

use super::node_text::NodeText;
use crate::fix::{Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::sgf::tokens::ff4::{PropertyRole, role};

/// Moves the properties of the move into a node of their own after the setup.
///
/// Texts and marks stay with the setup: which of the two they describe is unknown. P008 is about a
/// node with several turns, and its fix is another one.
pub(super) fn fix(bytes: &[u8], node: &NodeText) -> Option<Fix> {
    let is_of_move = |index: &usize| {
        let role = role(&node.names[*index]);
        matches!(role, Some(PropertyRole::Turn(_) | PropertyRole::TurnAnnotation | PropertyRole::Clock))
    };
    let moved: Vec<usize> = (0..node.properties.len()).filter(is_of_move).collect();
    let turns = moved.iter().filter(|index| matches!(node.names[**index].as_slice(), b"B" | b"W")).count();
    let mut names: Vec<&[u8]> = moved.iter().map(|index| node.names[*index].as_slice()).collect();
    names.sort_unstable();
    let is_repeated = names.windows(2).any(|pair| pair[0] == pair[1]);
    let is_stray = node.properties.iter().any(|property| property.values.is_empty());
    if moved.is_empty() || turns > 1 || is_repeated || is_stray {
        return None;
    }
    let mut edits: Vec<Edit> = Vec::new();
    let mut text = b";".to_vec();
    for index in moved {
        let range = node.properties[index].range.clone();
        text.extend_from_slice(&bytes[range.clone()]);
        edits.push(Edit::delete(range));
    }
    edits.push(Edit::insert(node.properties.last()?.range.end, text));
    Some(Fix::safe(Code::SetupWithMove, edits))
}

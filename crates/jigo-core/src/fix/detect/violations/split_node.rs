//! The split of a node that has both setup and properties of a move.

use super::node_text::NodeText;
use crate::fix::detect::turn_properties::leaves_notes;
use crate::fix::{Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::sgf::tokens::ff4::{PropertyRole, role};

/// Moves the properties of the move into a new node after the setup. If PL names the player after
/// the move, moves PL into a new node after the move instead.
///
/// Texts and marks stay with the setup. After a turn they may describe it instead. P008 is about a
/// node with several turns, and its fix is another one.
pub(super) fn fix(bytes: &[u8], node: &NodeText) -> Option<Fix> {
    let is_of_move = |index: &usize| {
        let role = role(&node.names[*index]);
        matches!(role, Some(PropertyRole::Turn(_) | PropertyRole::TurnAnnotation | PropertyRole::Clock))
    };
    let of_move: Vec<usize> = (0..node.properties.len()).filter(is_of_move).collect();
    let next_player = next_player(bytes, node);
    let moved = next_player.map_or(of_move, |index| vec![index]);
    let turns = node.names.iter().filter(|name| matches!(name.as_slice(), b"B" | b"W")).count();
    let mut names: Vec<&[u8]> = moved.iter().map(|index| node.names[*index].as_slice()).collect();
    names.sort_unstable();
    let is_repeated = names.windows(2).any(|pair| pair[0] == pair[1]);
    if moved.is_empty() || turns > 1 || is_repeated {
        return None;
    }
    let turn = moved.iter().find(|index| matches!(role(&node.names[**index]), Some(PropertyRole::Turn(_))));
    // Other programs set up the player before the turn.
    let is_in_doubt = next_player.is_some() || turn.is_some_and(|turn| leaves_notes(&node.names[*turn..], false));
    let mut edits: Vec<Edit> = Vec::new();
    let mut text = b";".to_vec();
    for index in moved {
        let range = node.properties[index].range.clone();
        text.extend_from_slice(&bytes[range.clone()]);
        edits.push(Edit::delete(range));
    }
    edits.push(Edit::insert(node.properties.last()?.range.end, text));
    Some(Fix::safe(Code::SetupWithMove, edits).unsafe_if(is_in_doubt))
}

/// Returns the index of PL if it names another player than the turn of the node.
fn next_player(bytes: &[u8], node: &NodeText) -> Option<usize> {
    let index_of = |wanted: &[&[u8]]| node.names.iter().position(|name| wanted.contains(&name.as_slice()));
    let (turn, player) = (index_of(&[b"B", b"W"])?, index_of(&[b"PL"])?);
    let value = bytes[node.properties[player].values.first()?.clone()].trim_ascii();
    let names_black = matches!(value.first()?, b'B' | b'b' | b'1');
    (names_black != (node.names[turn] == b"B")).then_some(player)
}

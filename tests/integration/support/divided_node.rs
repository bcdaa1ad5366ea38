//! Nodes that contain several turns, or a setup and a turn, divided into nodes that FF\[4\] allows.

use std::collections::BTreeMap;

use super::plain_property::Property;

/// A node, divided into a root or a setup, and one node for each turn.
pub struct DividedNode {
    /// The properties of each node.
    ///
    /// Texts and marks are in the first. Annotations belong to the turn before them in the record,
    /// and those before the first turn to that turn.
    pub parts: Vec<Vec<Property>>,
    /// Clocks of players who have no turn for them, by name, with the number of that player's turns
    /// in the node before them.
    pub clocks: Vec<(usize, Vec<Property>)>,
    pub turn_count: usize,
}

impl DividedNode {
    pub fn new(node: Vec<Property>, is_root: bool) -> DividedNode {
        let turns: Vec<usize> = (0..node.len()).filter(|index| node[*index].is_turn()).collect();
        let first = usize::from(is_root || node.iter().any(Property::is_setup));
        let turns_before = |index: usize| turns.iter().filter(|turn| **turn <= index).count();
        let mut parts = vec![Vec::new(); first + turns.len().max(1)];
        let mut clocks: BTreeMap<(&str, usize), Vec<Property>> = BTreeMap::new();
        for (index, property) in node.iter().enumerate() {
            let part = match property.color() {
                _ if property.is_turn() => first + turns_before(index) - 1,
                Some(_) => match turn_of_clock(&node, &turns, index) {
                    Some(turn) => first + turns_before(turn) - 1,
                    None => {
                        let is_of_color = |turn: &&usize| **turn < index && node[**turn].color() == property.color();
                        let turns = turns.iter().filter(is_of_color).count();
                        clocks.entry((&property.name, turns)).or_default().push(property.clone());
                        continue;
                    }
                },
                None if property.is_annotation() => first + turns_before(index).saturating_sub(1),
                None => 0,
            };
            parts[part].push(property.clone());
        }
        let clocks = clocks.into_iter().map(|((_, turns), clocks)| (turns, clocks)).collect();
        DividedNode { parts, clocks, turn_count: turns.len() }
    }
}

/// Returns the index of the turn to which the clock at `index` belongs.
///
/// If a player has as many clocks as turns, each turn has one. A single turn has all. Otherwise
/// clocks come after their turns, or before them if the first clock comes before the first turn.
fn turn_of_clock(node: &[Property], turns: &[usize], index: usize) -> Option<usize> {
    let clock = &node[index];
    let of_player: Vec<usize> = turns.iter().copied().filter(|turn| node[*turn].color() == clock.color()).collect();
    let clocks: Vec<usize> = (0..node.len()).filter(|other| node[*other].name == clock.name).collect();
    match of_player.as_slice() {
        [] => None,
        all if all.len() == clocks.len() => clocks.iter().position(|other| *other == index).map(|number| all[number]),
        [turn] => Some(*turn),
        all if clocks[0] < all[0] => all.iter().copied().find(|turn| *turn > index),
        all => all.iter().copied().rfind(|turn| *turn < index),
    }
}

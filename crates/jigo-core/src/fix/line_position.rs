//! The positions of a main line, by which two records of a game exchange comments and territory.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::detect::root_edits::{LineNode, name};

/// A node of a main line with its position.
pub(super) struct LinePosition {
    pub(super) node: LineNode,
    /// The number of turns up to the node.
    pub(super) turn: u32,
    /// A hash of the stones that were placed up to the node, in any order, and of the last turn, which
    /// does not depend on the form of a handicap. Then the number of nodes since the last stone, such
    /// as passes.
    pub(super) position: (u64, u32),
}

impl LinePosition {
    /// Returns the first `count` nodes of a main line.
    pub(super) fn of_line(bytes: &[u8], count: usize) -> Vec<LinePosition> {
        let (mut turn, mut placed, mut last, mut nodes) = (0, 0_u64, 0_u64, 0);
        let with_position = |node: LineNode| {
            nodes += 1;
            for property in &node.properties {
                let identifier = name(bytes, property);
                let (color, is_turn) = match &*identifier {
                    b"B" | b"W" => (&*identifier, true),
                    b"AB" | b"AW" | b"AE" => (&identifier[1..], false),
                    _ => continue,
                };
                turn += u32::from(is_turn);
                for value in &property.values {
                    let value = bytes[value.clone()].trim_ascii();
                    if is_turn && matches!(value, b"" | b"tt") {
                        continue;
                    }
                    let mut hasher = DefaultHasher::new();
                    (color, value).hash(&mut hasher);
                    placed = placed.wrapping_add(hasher.finish());
                    nodes = 0;
                    last = if is_turn { hasher.finish() } else { last };
                }
            }
            LinePosition { node, turn, position: (placed ^ last.rotate_left(1), nodes) }
        };
        LineNode::first_nodes(bytes, count).into_iter().map(with_position).collect()
    }

    /// Returns true if the node marks territory.
    pub(super) fn has_territory(&self, bytes: &[u8]) -> bool {
        let is_point = |value: &std::ops::Range<usize>| !bytes[value.clone()].trim_ascii().is_empty();
        self.node
            .properties
            .iter()
            .any(|property| matches!(&*name(bytes, property), b"TB" | b"TW") && property.values.iter().any(is_point))
    }
}

/// Returns the node at a position or, if there are fewer nodes after the same last stone, the last of
/// them. Returns the root for `None`.
pub(super) fn node_at(line: &[LinePosition], position: Option<(u64, u32)>) -> Option<&LineNode> {
    let Some((stones, nodes)) = position else { return line.first().map(|root| &root.node) };
    let is_there = |at: &&LinePosition| at.position.0 == stones && at.position.1 <= nodes;
    line.iter().rfind(is_there).map(|at| &at.node)
}

//! Clocks and annotations of the turns of a node.

use std::ops::Range;

use jigo_record::sgf::tokens::ff4::{PropertyRole, role};

/// The turns of a node, and the properties that may belong to them. All numbers are indexes among
/// the node's properties, in ascending order.
pub(super) struct TurnProperties {
    turns: Vec<usize>,
    /// The turns of Black and of White.
    turns_by_color: [Vec<usize>; 2],
    /// For each name of a clock, its occurrences. The names of each colour are together.
    clocks: [Vec<usize>; 4],
    annotations: Vec<usize>,
}

/// The clocks of Black and of White.
const CLOCKS: [&[u8]; 4] = [b"BL", b"OB", b"WL", b"OW"];

impl TurnProperties {
    /// Returns the turns of a node whose properties have these names.
    pub(super) fn new(names: &[Vec<u8>]) -> TurnProperties {
        let indexes_of = |is_wanted: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
            (0..names.len()).filter(|index| is_wanted(&names[*index])).collect()
        };
        TurnProperties {
            turns: indexes_of(&|name| matches!(name, b"B" | b"W")),
            turns_by_color: [b"B", b"W"].map(|turn| indexes_of(&|name| name == turn)),
            clocks: CLOCKS.map(|clock| indexes_of(&|name| name == clock)),
            annotations: indexes_of(&|name| role(name) == Some(PropertyRole::TurnAnnotation)),
        }
    }

    /// Returns the indexes of a turn, its clocks and its annotations.
    ///
    /// Annotations belong to the turn before them; those before the first turn belong to it.
    pub(super) fn of_turn(&self, turn: usize) -> Vec<usize> {
        let start = if self.turns.first() == Some(&turn) { 0 } else { turn };
        let mut found = vec![turn];
        self.add_clocks(turn, &mut found);
        found.extend_from_slice(within(&self.annotations, start..self.next_turn(turn)));
        found.sort_unstable();
        found
    }

    /// Adds the clocks of a turn.
    ///
    /// All clocks of a colour belong to its only turn. Several turns of a colour have one clock
    /// each if there are as many clocks. Otherwise clocks come after the turns of their colour, or
    /// before them if the first clock comes before the first turn.
    fn add_clocks(&self, turn: usize, found: &mut Vec<usize>) {
        let color = usize::from(self.turns_by_color[0].binary_search(&turn).is_err());
        let turns = &self.turns_by_color[color];
        let number = turns.partition_point(|index| *index < turn);
        for clocks in &self.clocks[color * 2..color * 2 + 2] {
            if clocks.len() == turns.len() {
                found.push(clocks[number]);
                continue;
            }
            let own_clocks = if turns.len() == 1 {
                0..usize::MAX
            } else if clocks.first() < turns.first() {
                number.checked_sub(1).map_or(0, |before| turns[before])..turn
            } else {
                turn..turns.get(number + 1).copied().unwrap_or(usize::MAX)
            };
            found.extend_from_slice(within(clocks, own_clocks));
        }
    }

    /// Returns the index of the turn after this one.
    fn next_turn(&self, turn: usize) -> usize {
        self.turns.get(self.turns.partition_point(|index| *index <= turn)).copied().unwrap_or(usize::MAX)
    }
}

/// Returns the indexes within a range.
fn within(indexes: &[usize], range: Range<usize>) -> &[usize] {
    let start = indexes.partition_point(|index| *index < range.start);
    &indexes[start..start.max(indexes.partition_point(|index| *index < range.end))]
}

/// Returns true if texts or marks come after a turn of a node that moves. They may describe it.
/// Properties of the game without the turn before them may look like the root of another game.
///
/// A text in the root is about the game.
pub(super) fn leaves_notes(names: &[Vec<u8>], in_root: bool) -> bool {
    names.iter().any(|name| match role(name) {
        Some(PropertyRole::Note | PropertyRole::Root | PropertyRole::GameInfo) => !in_root,
        Some(PropertyRole::Mark | PropertyRole::Markup) => true,
        _ => false,
    })
}

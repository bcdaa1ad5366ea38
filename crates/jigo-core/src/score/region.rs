//! What of the board a colour has to itself: its regions, and the groups and eyes in them.

use super::gap::gaps;
use super::territory::Flooded;
use crate::board::{Color, Point, PointSet};

/// One colour's part of a finished position.
pub(super) struct Side {
    /// Points that only this colour reaches, its living stones among them, in parts between which the colour can walk
    /// without passing living stones or gaps of the opponent.
    pub(super) regions: Vec<PointSet>,
    /// All living stones.
    pub(super) stones: PointSet,
    /// Living stones that hang together by themselves or through points that both colours reach.
    pub(super) groups: Vec<PointSet>,
    /// The connected points of the regions that are not under living stones.
    pub(super) eyes: Vec<PointSet>,
}

impl Side {
    /// The group that a living stone of this colour belongs to.
    pub(super) fn group_of(&self, stone: Point) -> Option<usize> {
        self.groups.iter().position(|group| group.contains(stone))
    }
}

/// Black's side and White's.
///
/// Regions, groups and eyes are those of lightvector/goscorer, where groups are named macrochains.
pub(super) fn sides(flooded: &Flooded, board: &PointSet) -> [Side; 2] {
    let shut = Color::BOTH.map(|owner| gaps(flooded, owner, board));
    let walks = Color::BOTH.map(|color| {
        let opponent = color.opponent().index();
        let way = board.without(&flooded.stones[opponent]).without(&shut[opponent]);
        way.parts().filter(|walk| walk.meets(&flooded.stones[color.index()])).collect::<Vec<_>>()
    });
    let reached = Color::BOTH.map(|color| {
        let walked = walks[color.index()].iter().fold(PointSet::EMPTY, |all, walk| all.union(walk));
        walked.union(&walked.grown().intersection(&shut[color.opponent().index()]))
    });
    let held = [reached[0].without(&reached[1]), reached[1].without(&reached[0])];
    let shared = board.without(&held[0]).without(&held[1]);
    Color::BOTH.map(|color| {
        let (own, opponent) = (color.index(), color.opponent().index());
        let stones = flooded.stones[own];
        let linked = stones.union(&shared.without(&shut[opponent])).parts().map(|part| part.intersection(&stones));
        Side {
            stones,
            regions: walks[own].iter().map(|walk| walk.intersection(&held[own])).collect(),
            groups: linked.filter(|group| !group.is_empty()).collect(),
            eyes: held[own].without(&stones).parts().collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::territory::flooded;
    use super::*;
    use crate::board::diagram::read;

    fn count(diagram: &str) -> [[usize; 3]; 2] {
        let position = read(diagram).unwrap();
        let sides = sides(&flooded(&position, &[]), &PointSet::board(position.size()));
        sides.map(|side| [side.regions.len(), side.groups.len(), side.eyes.len()])
    }

    #[test]
    fn a_dame_links_chains_to_one_group() {
        assert_eq!(count("X . O"), [[1, 1, 0], [1, 1, 0]]);
        assert_eq!(count("X . X\nO . O"), [[1, 1, 0], [1, 1, 0]]);
    }

    #[test]
    fn an_eye_links_groups_to_one_region() {
        assert_eq!(count(". X O\nX O O\nO O O"), [[1, 2, 1], [1, 1, 0]]);
    }

    #[test]
    fn a_gap_ends_a_region() {
        // White may play at the top between the stones, and gets no farther.
        assert_eq!(count("O . . . X\nO X X . X\nO X X X X"), [[1, 1, 1], [1, 1, 0]]);
    }
}

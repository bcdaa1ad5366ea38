//! Whose the points of a finished position are, by flooding: what area scoring, and territory scoring that counts eyes
//! in seki, need.

use crate::board::{Color, Point, PointSet, Position};

/// Area and territory of both colours after the dead stones are off the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flooded {
    /// Living stones, Black's first.
    pub stones: [PointSet; 2],
    /// The points without living stones in regions that touch one colour only, Black's first.
    pub territory: [PointSet; 2],
    /// The points in regions that touch both colours.
    pub dame: PointSet,
    /// The points in regions that touch neither colour: the board without living stones.
    pub nobodys: PointSet,
    /// The dead stones, Black's first.
    pub dead: [PointSet; 2],
}

impl Flooded {
    /// Stones and territory of a colour: its area, in points.
    pub fn area(&self, color: Color) -> usize {
        self.stones[color.index()].len() + self.territory[color.index()].len()
    }

    /// Points without any stone.
    pub fn empty(&self) -> PointSet {
        self.free().without(&self.dead[0]).without(&self.dead[1])
    }

    /// Points without living stones.
    pub fn free(&self) -> PointSet {
        self.territory[0].union(&self.territory[1]).union(&self.dame).union(&self.nobodys)
    }
}

/// Takes the dead stones off and gives every region to the only colour it touches; a region that touches both is dame,
/// and one that touches none is nobody's.
pub fn flooded(position: &Position, dead: &[Point]) -> Flooded {
    const EMPTY: PointSet = PointSet::EMPTY;
    let board = PointSet::board(position.size());
    let dead: PointSet = dead.iter().copied().collect();
    let all = Color::BOTH.map(|color| position.points_with(Some(color)));
    let stones = all.map(|stones| stones.without(&dead));
    let dead = all.map(|stones| stones.intersection(&dead));
    let mut flooded = Flooded { stones, territory: [EMPTY; 2], dame: EMPTY, nobodys: EMPTY, dead };
    for region in board.without(&stones[0]).without(&stones[1]).parts() {
        let edge = region.grown();
        let owner = match stones.map(|stones| stones.meets(&edge)) {
            [true, true] => &mut flooded.dame,
            [true, false] => &mut flooded.territory[0],
            [false, true] => &mut flooded.territory[1],
            [false, false] => &mut flooded.nobodys,
        };
        *owner = owner.union(&region);
    }
    flooded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;

    #[test]
    fn a_region_belongs_to_the_only_colour_it_touches() {
        let position = read(". X . O .\n. X . O X").unwrap();
        let flooded = flooded(&position, &[Point::new(4, 1)]);
        assert_eq!(Color::BOTH.map(|color| flooded.area(color)), [4, 4]);
        assert_eq!((flooded.dame.len(), flooded.dead[0].len()), (2, 1));
    }

    #[test]
    fn an_empty_board_is_nobodys() {
        let flooded = flooded(&read(". .\n. .").unwrap(), &[]);
        assert_eq!(Color::BOTH.map(|color| flooded.area(color)), [0, 0]);
        assert!(flooded.dame.is_empty());
    }
}

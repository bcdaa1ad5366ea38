//! Owners of the points of a finished position by flood fill, for area scoring and for territory
//! scoring that counts eyes in seki.

use crate::shape::cell_set::CellSet;
use crate::shape::grid::{Grid, with_words};
use jigo_rules::board::{Color, Point, PointSet, Position};

/// Area and territory of both colours after the removal of dead stones, as sets of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloodedTerritory<S = PointSet> {
    /// Living stones, Black first.
    pub stones: [S; 2],
    /// Points without living stones in regions that touch one colour only, Black first.
    pub territory: [S; 2],
    /// Points in regions that touch both colours.
    pub dame: S,
    /// Points in regions that touch neither colour, which exist only on a board without living
    /// stones.
    pub unowned: S,
    /// Dead stones, Black first.
    pub dead: [S; 2],
}

impl FloodedTerritory {
    /// Returns the area of a colour in points: stones and territory.
    pub fn area(&self, color: Color) -> usize {
        self.stones[color.index()].len() + self.territory[color.index()].len()
    }
}

/// Removes the dead stones and gives every region to the only colour it touches.
///
/// A region that touches both colours is dame. A region that touches none has no owner.
pub fn flood_territory(position: &Position, dead: &[Point]) -> FloodedTerritory {
    with_words!(position.size(), flood_points, position, dead)
}

fn flood_points<const W: usize>(position: &Position, dead: &[Point]) -> FloodedTerritory {
    let grid = Grid::<W>::new(position.size());
    FloodedTerritory::on(&grid, position, dead).points(&grid)
}

impl<const W: usize> FloodedTerritory<CellSet<W>> {
    /// Returns Black's area minus White's inside a zone, in points.
    pub(crate) fn lead_inside(&self, zone: &CellSet<W>) -> i32 {
        let [black, white] = [0, 1].map(|side| self.stones[side].union(&self.territory[side]).intersection(zone).len());
        black as i32 - white as i32
    }

    /// Computes the result as sets of cells.
    pub(crate) fn on(grid: &Grid<W>, position: &Position, dead: &[Point]) -> FloodedTerritory<CellSet<W>> {
        let dead = grid.cells(dead);
        let all = grid.stones(position);
        let stones = all.map(|stones| stones.without(&dead));
        let dead = all.map(|stones| stones.intersection(&dead));
        let empty_cells = grid.board.without(&stones[0]).without(&stones[1]);
        // The regions that touch each colour.
        let [black, white] = stones.map(|stones| grid.flood(&grid.adjacent(&stones, 1), &empty_cells));
        FloodedTerritory {
            stones,
            territory: [black.without(&white), white.without(&black)],
            dame: black.intersection(&white),
            unowned: empty_cells.without(&black).without(&white),
            dead,
        }
    }

    /// Returns the points without any stone.
    pub(crate) fn empty(&self) -> CellSet<W> {
        let empty_cells = self.territory[0].union(&self.territory[1]).union(&self.dame).union(&self.unowned);
        empty_cells.without(&self.dead[0]).without(&self.dead[1])
    }

    pub(crate) fn points(&self, grid: &Grid<W>) -> FloodedTerritory {
        let points_of_both = |sets: &[CellSet<W>; 2]| sets.each_ref().map(|set| grid.points(set));
        FloodedTerritory {
            stones: points_of_both(&self.stones),
            territory: points_of_both(&self.territory),
            dame: grid.points(&self.dame),
            unowned: grid.points(&self.unowned),
            dead: points_of_both(&self.dead),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

    #[test]
    fn region_belongs_to_the_only_color_it_touches() {
        let position = read(". X . O .\n. X . O X").unwrap();
        let flooded = flood_territory(&position, &[Point::new(4, 1)]);
        assert_eq!(Color::BOTH.map(|color| flooded.area(color)), [4, 4]);
        assert_eq!((flooded.dame.len(), flooded.dead[0].len()), (2, 1));
    }

    #[test]
    fn empty_board_belongs_to_no_one() {
        let flooded = flood_territory(&read(". .\n. .").unwrap(), &[]);
        assert_eq!(Color::BOTH.map(|color| flooded.area(color)), [0, 0]);
        assert!(flooded.dame.is_empty());
    }
}

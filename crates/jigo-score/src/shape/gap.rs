//! Gaps in a wall that the owner can close: the opponent may play in a gap but gets no farther.

use super::cell_set::CellSet;
use super::grid::Grid;
use crate::shape::territory::FloodedTerritory;
use jigo_rules::board::Color;

// Directions in the order of `Grid::around`.
const EAST: u8 = 1;
const NORTH_EAST: u8 = 1 << 1;
const NORTH: u8 = 1 << 2;
const NORTH_WEST: u8 = 1 << 3;
const WEST: u8 = 1 << 4;
const SOUTH_WEST: u8 = 1 << 5;
const SOUTH: u8 = 1 << 6;
const SOUTH_EAST: u8 = 1 << 7;

/// The surroundings of a safe gap, in one of eight orientations.
///
/// The shapes are those of lightvector/goscorer (`mark_connection_blocks`). The test considers one
/// point around the gap only, so it ignores a shortage of liberties farther away.
#[derive(Clone, Copy)]
struct GapShape {
    /// Directions with living stones of the owner.
    walls: u8,
    /// Directions without living stones of the opponent. Own stones and dead opposing stones are
    /// allowed.
    open: u8,
    /// Directions that are off the board.
    edge: u8,
}

const SHAPES: [GapShape; 6] = [
    // Between one stone and two. Beyond the gap the owner can play next to the second of the two.
    GapShape { walls: SOUTH | NORTH | NORTH_EAST, open: EAST | SOUTH_EAST, edge: 0 },
    // Between two stones, without opposing stones along one side.
    GapShape { walls: NORTH | SOUTH, open: EAST | WEST | NORTH_WEST | SOUTH_WEST, edge: 0 },
    // Between two stones one step back, in front of a third.
    GapShape { walls: EAST | NORTH_WEST | SOUTH_WEST, open: WEST | NORTH | SOUTH | NORTH_EAST | SOUTH_EAST, edge: 0 },
    // On the edge between two stones.
    GapShape { walls: WEST | EAST, open: NORTH, edge: SOUTH },
    // On the edge below the end of a wall parallel to it.
    GapShape { walls: NORTH | NORTH_EAST, open: EAST, edge: SOUTH },
    // On the edge below a stone, without opposing stones on one side.
    GapShape { walls: NORTH, open: EAST | WEST | NORTH_WEST, edge: SOUTH },
];

impl GapShape {
    /// Returns the shape after a number of quarter turns, and from orientation 4 on its mirror
    /// image.
    ///
    /// The bits form a circle, so a quarter turn rotates them by two.
    const fn turned(self, orientation: usize) -> GapShape {
        GapShape {
            walls: turned(self.walls, orientation),
            open: turned(self.open, orientation),
            edge: turned(self.edge, orientation),
        }
    }
}

/// Rotates or mirrors eight directions.
const fn turned(bits: u8, orientation: usize) -> u8 {
    // East stays bit 0, and the others are reversed.
    let bits = if orientation < 4 { bits } else { bits.reverse_bits().rotate_left(1) };
    bits.rotate_left(2 * (orientation as u32 % 4))
}

/// All shapes in all orientations.
const ORIENTED_SHAPES: [GapShape; 8 * SHAPES.len()] = {
    let mut oriented = [SHAPES[0]; 8 * SHAPES.len()];
    let mut index = 0;
    while index < oriented.len() {
        oriented[index] = SHAPES[index / 8].turned(index % 8);
        index += 1;
    }
    oriented
};

/// Returns the empty points that the opponent of `owner` cannot pass.
pub(crate) fn gaps<const W: usize>(grid: &Grid<W>, flooded: &FloodedTerritory<CellSet<W>>, owner: Color) -> CellSet<W> {
    let stones = flooded.stones[owner.index()];
    let empty = flooded.empty();
    let open_cells = empty.union(&stones).union(&flooded.dead[owner.opponent().index()]);
    let [stones_around, open_around, board_around] = [stones, open_cells, grid.board].map(|set| grid.around(&set));
    let border_around = board_around.map(|on_board| grid.board.without(&on_board));
    // Every shape has a stone next to the gap.
    let candidates = empty.intersection(&grid.adjacent(&stones, 1));
    let mut gaps = CellSet::EMPTY;
    for shape in &ORIENTED_SHAPES {
        let walled = with_neighbours_in(candidates, shape.walls, &stones_around);
        // Few points have the walls of a shape, so the other tests are rare.
        if !walled.is_empty() {
            gaps.add(&with_neighbours_in(
                with_neighbours_in(walled, shape.open, &open_around),
                shape.edge,
                &border_around,
            ));
        }
    }
    gaps
}

/// Returns the cells with a member of the set in all `directions`.
///
/// `neighbours` contains the cells with a member in each direction.
fn with_neighbours_in<const W: usize>(
    cells: CellSet<W>,
    mut directions: u8,
    neighbours: &[CellSet<W>; 8],
) -> CellSet<W> {
    let mut matching = cells;
    while directions != 0 {
        matching = matching.intersection(&neighbours[directions.trailing_zeros() as usize]);
        directions &= directions - 1;
    }
    matching
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

    /// Returns the columns and rows of Black's gaps.
    fn gaps_in(diagram: &str) -> Vec<(u8, u8)> {
        let position = read(diagram).unwrap();
        let grid = Grid::<2>::new(position.size());
        let cells = gaps(&grid, &FloodedTerritory::on(&grid, &position, &[]), Color::Black);
        grid.points(&cells).iter().map(|point| (point.x(), point.y())).collect()
    }

    #[test]
    fn shape_away_from_the_edge_needs_all_of_its_walls() {
        assert_eq!(gaps_in("O X X O\nO . . O\nO X . O\nO O O O"), [(1, 1)]);
        assert_eq!(gaps_in("O X O O\nO . . O\nO X . O\nO O O O"), []);
        assert_eq!(gaps_in(". X O\n. . .\n. X O"), [(1, 1)]);
        assert_eq!(gaps_in("O X O\n. . .\n. X O"), []);
        assert_eq!(gaps_in("O X . . O\nO . . X O\nO X . . O\nO O O O O"), [(2, 1)]);
        assert_eq!(gaps_in("O X . O O\nO . . X O\nO X . . O\nO O O O O"), []);
    }

    #[test]
    fn edge_is_a_wall() {
        assert_eq!(gaps_in("O . . O\nX . X O"), [(1, 1)]);
        assert_eq!(gaps_in("O O . O\nX . X O"), []);
        assert_eq!(gaps_in("O X X O\nO . . O"), [(1, 1), (2, 1)]);
        assert_eq!(gaps_in("O X O O\nO . . O"), []);
        assert_eq!(gaps_in(". X O\n. . ."), [(1, 1)]);
        assert_eq!(gaps_in("O X O\n. . ."), []);
    }

    #[test]
    fn bamboo_joint_connects_at_both_points() {
        assert_eq!(gaps_in("O O O O\nO X X O\n. . . .\nO X X O\nO O O O"), [(1, 2), (2, 2)]);
    }

    #[test]
    fn shape_has_eight_orientations_that_agree_on_the_edge() {
        let edges: Vec<u8> = (0..8).map(|orientation| SHAPES[5].turned(orientation).edge).collect();
        assert_eq!(edges, [SOUTH, EAST, NORTH, WEST, NORTH, WEST, SOUTH, EAST]);
        assert!(ORIENTED_SHAPES[40..].iter().all(|shape| shape.walls == shape.edge.rotate_left(4)));
    }
}

//! The part of the board that belongs to one colour: its regions, with their groups and eyes.

use super::cell_set::CellSet;
use super::grid::Grid;
use crate::shape::territory::FloodedTerritory;
use jigo_rules::board::Color;

/// One colour's part of a finished position.
pub(crate) struct ColorRegions<const W: usize> {
    /// Points that only this colour reaches, including its living stones.
    ///
    /// A region contains the points between which the colour can walk without passing living stones
    /// or gaps of the opponent.
    pub(crate) regions: Vec<CellSet<W>>,
    /// Living stones connected directly or through points that both colours reach.
    pub(crate) groups: Vec<CellSet<W>>,
    /// Connected points of the regions without living stones.
    pub(crate) eyes: Vec<CellSet<W>>,
}

/// Returns both colours' parts, Black first. `gaps_of` are the gaps that each colour closes.
///
/// Regions, groups and eyes are those of lightvector/goscorer, which calls groups macrochains.
pub(crate) fn color_regions<const W: usize>(
    grid: &Grid<W>,
    flooded: &FloodedTerritory<CellSet<W>>,
    gaps_of: &[CellSet<W>; 2],
) -> [ColorRegions<W>; 2] {
    let walked = Color::BOTH.map(|color| {
        let opponent = color.opponent().index();
        let passable = grid.board.without(&flooded.stones[opponent]).without(&gaps_of[opponent]);
        grid.flood(&flooded.stones[color.index()], &passable)
    });
    let reachable = Color::BOTH.map(|color| {
        let walked = walked[color.index()];
        walked.union(&grid.dilate(&walked).intersection(&gaps_of[color.opponent().index()]))
    });
    let exclusive = [reachable[0].without(&reachable[1]), reachable[1].without(&reachable[0])];
    let shared = grid.board.without(&exclusive[0]).without(&exclusive[1]);
    Color::BOTH.map(|color| {
        let (color_index, opponent) = (color.index(), color.opponent().index());
        let stones = flooded.stones[color_index];
        let linked_stones =
            grid.parts(stones.union(&shared.without(&gaps_of[opponent]))).map(|part| part.intersection(&stones));
        ColorRegions {
            regions: grid.parts(walked[color_index]).map(|walk| walk.intersection(&exclusive[color_index])).collect(),
            groups: linked_stones.filter(|group| !group.is_empty()).collect(),
            eyes: grid.parts(exclusive[color_index].without(&stones)).collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::gap::gaps;
    use jigo_rules::board::diagram::read;

    fn count(diagram: &str) -> [[usize; 3]; 2] {
        let position = read(diagram).unwrap();
        let grid = Grid::<2>::new(position.size());
        let flooded = FloodedTerritory::on(&grid, &position, &[]);
        let sides = color_regions(&grid, &flooded, &Color::BOTH.map(|owner| gaps(&grid, &flooded, owner)));
        sides.map(|side| [side.regions.len(), side.groups.len(), side.eyes.len()])
    }

    #[test]
    fn dame_links_chains_to_one_group() {
        assert_eq!(count("X . O"), [[1, 1, 0], [1, 1, 0]]);
        assert_eq!(count("X . X\nO . O"), [[1, 1, 0], [1, 1, 0]]);
    }

    #[test]
    fn eye_links_groups_to_one_region() {
        assert_eq!(count(". X O\nX O O\nO O O"), [[1, 2, 1], [1, 1, 0]]);
    }

    #[test]
    fn gap_ends_a_region() {
        // White can play at the top between the stones, but gets no farther.
        assert_eq!(count("O . . . X\nO X X . X\nO X X X X"), [[1, 1, 1], [1, 1, 0]]);
    }
}

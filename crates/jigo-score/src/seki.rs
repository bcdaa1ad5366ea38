//! Seki and false eyes: the points that count as territory if eyes in seki do not.
//!
//! Under Japanese rules living stones with dame are seki stones, and only other stones have
//! territory. By the letter, all dame would have to be filled first. Records stop earlier, so this
//! module decides by shape. The algorithm is that of lightvector/goscorer (MIT, commit 0ac5f59,
//! `python/goscorer.py`), which OGS also uses. Its stages and criteria are described in the modules
//! named here:
//!
//! 1. Gaps in a wall that the owner can close stop the opponent (`gap`).
//! 2. Points that only one colour reaches belong to that colour: regions with their groups and eyes
//!    (`region`).
//! 3. Points of eyes that alone connect the stones around them are false (`false_eye`).
//! 4. The other points of an eye are worth 0, 1 or 2 eyes by their shape (`eye`).
//! 5. A region with fewer than two eyes lives in seki. In other regions a false point is territory
//!    only if no player can be forced to fill it.
//!
//! There is one difference: for some gap shapes at the left and right edge, goscorer compares other
//! columns, so its result can change when the board is rotated. Here all four edges are treated
//! equally.
//!
//! KGS leaves out only the points that these rules leave out with the first stage and without it.
//! Without it, stones on both sides of a gap are connected. KGS publishes no rule; this one follows
//! from recorded margins (docs/rulesets.md).

use crate::shape::cell_set::CellSet;
use crate::shape::eye::{Eye, EyeContext};
use crate::shape::false_eye::{Links, points_of};
use crate::shape::gap::gaps;
use crate::shape::grid::{Grid, with_words};
use crate::shape::region::{ColorRegions, color_regions};
use crate::shape::territory::FloodedTerritory;
use jigo_rules::board::{Color, Point, PointSet, Position};
use std::cell::OnceCell;
use std::cmp::Reverse;

/// The owners of all points if eyes in seki and false eyes do not count, as sets of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Territory<S = PointSet> {
    /// The count without regard to seki: area, and territory with eyes in seki.
    pub flooded: FloodedTerritory<S>,
    /// Territory outside seki without points still to fill, including dead stones. Black first.
    pub territory: [S; 2],
    /// Stones of groups in seki and their enclosed points, Black first.
    pub seki: [S; 2],
    /// Points of eyes that do not help to live, because they alone connect the stones around them.
    pub false_eye: S,
}

/// Judges a finished position. `dead` must contain all dead stones.
pub fn territory(position: &Position, dead: &[Point]) -> Territory {
    territory_with_seki(position, dead, &[])
}

/// Judges a finished position in which the groups of the stones in `seki` live in seki.
pub(crate) fn territory_with_seki(position: &Position, dead: &[Point], seki: &[Point]) -> Territory {
    with_words!(position.size(), territory_points, position, dead, seki)
}

fn territory_points<const W: usize>(position: &Position, dead: &[Point], seki: &[Point]) -> Territory {
    let grid = Grid::<W>::new(position.size());
    let decided_territory = Territory::on(&grid, position, dead, seki);
    let points_of_both = |sets: &[CellSet<W>; 2]| sets.each_ref().map(|set| grid.points(set));
    Territory {
        flooded: decided_territory.flooded.points(&grid),
        territory: points_of_both(&decided_territory.territory),
        seki: points_of_both(&decided_territory.seki),
        false_eye: grid.points(&decided_territory.false_eye),
    }
}

impl<const W: usize> Territory<CellSet<W>> {
    /// Judges a finished position in which the groups of the stones in `seki` live in seki.
    pub(super) fn on(grid: &Grid<W>, position: &Position, dead: &[Point], seki: &[Point]) -> Territory<CellSet<W>> {
        let named_seki = grid.cells(seki);
        let flooded = FloodedTerritory::on(grid, position, dead);
        let gaps_of = Color::BOTH.map(|owner| gaps(grid, &flooded, owner));
        let [black, white] = judge_both(grid, &flooded, &gaps_of, &named_seki);
        Territory {
            flooded,
            territory: [black.territory, white.territory],
            seki: [black.seki, white.seki],
            false_eye: black.false_eye.union(&white.false_eye),
        }
    }

    /// Returns `territory` with the points that also count if no gap stops the opponent.
    pub(super) fn with_open_gaps(&self, grid: &Grid<W>, seki: &[Point]) -> [CellSet<W>; 2] {
        if self.territory == self.flooded.territory {
            return self.territory;
        }
        let open = judge_both(grid, &self.flooded, &[CellSet::EMPTY; 2], &grid.cells(seki));
        [0, 1].map(|side| self.territory[side].union(&open[side].territory))
    }
}

/// The result for one colour.
struct Share<const W: usize> {
    territory: CellSet<W>,
    seki: CellSet<W>,
    false_eye: CellSet<W>,
}

fn judge_both<const W: usize>(
    grid: &Grid<W>,
    flooded: &FloodedTerritory<CellSet<W>>,
    gaps_of: &[CellSet<W>; 2],
    named_seki: &CellSet<W>,
) -> [Share<W>; 2] {
    let sides = color_regions(grid, flooded, gaps_of);
    Color::BOTH.map(|color| judge(grid, flooded, color, &sides[color.index()], named_seki))
}

fn judge<const W: usize>(
    grid: &Grid<W>,
    flooded: &FloodedTerritory<CellSet<W>>,
    color: Color,
    side: &ColorRegions<W>,
    named_seki: &CellSet<W>,
) -> Share<W> {
    let links = Links::new(grid, side);
    let false_points = links.false_points();
    let false_eye = points_of(&false_points);
    let context = EyeContext::new(grid, flooded, color, false_eye);
    // Eye values are computed on demand, because usually one large eye proves that a region lives.
    let cached_values: Vec<OnceCell<u32>> = vec![OnceCell::new(); side.eyes.len()];
    let value = |eye: usize| *cached_values[eye].get_or_init(|| Eye::new(&context, &side.eyes[eye]).value());
    let to_fill = links.to_fill(&false_points, &|eye| value(eye) > 0);
    // A stone thrown in must be captured as well, and the capturing play costs a second point.
    let throw_ins = to_fill.intersection(&flooded.dead[color.opponent().index()]);
    let unusable = to_fill.union(&grid.adjacent(&throw_ins, 1));
    let points = flooded.territory[color.index()].without(&unusable);
    let (mut territory, mut seki) = (CellSet::EMPTY, CellSet::EMPTY);
    let mut by_size: Vec<usize> = (0..side.eyes.len()).collect();
    by_size.sort_by_cached_key(|&eye| Reverse(side.eyes[eye].len()));
    for region in &side.regions {
        let eyes_inside = by_size.iter().filter(|&&eye| side.eyes[eye].intersects(region));
        let mut partial_values = eyes_inside.scan(0, |sum, &eye| {
            *sum += value(eye);
            Some(*sum)
        });
        if named_seki.intersects(region) || !partial_values.any(|value| value >= 2) {
            seki = seki.union(region);
        } else {
            territory = territory.union(&points.intersection(region));
        }
    }
    Share { territory, seki, false_eye }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Counts;
    use jigo_rules::board::BoardSize;
    use jigo_rules::board::diagram::read;

    fn judge(diagram: &str, dead: &[(u8, u8)]) -> Territory {
        let dead: Vec<Point> = dead.iter().map(|&(x, y)| Point::new(x, y)).collect();
        territory(&read(diagram).unwrap(), &dead)
    }

    fn sizes(sets: [PointSet; 2]) -> [usize; 2] {
        sets.map(|set| set.len())
    }

    #[test]
    fn one_eye_each_and_a_dame_between_is_seki() {
        let territory = judge(". X . O .\nX X . O O", &[]);
        assert_eq!(sizes(territory.territory), [0, 0]);
        assert_eq!(sizes(territory.seki), [4, 4]);
        assert_eq!(sizes(territory.flooded.territory), [1, 1]);
    }

    #[test]
    fn two_eyes_next_to_a_dame_are_territory() {
        let territory = judge(". X . O . O .\nX X . O O O O\n. X . O O O O", &[]);
        assert_eq!(sizes(territory.territory), [2, 2]);
        assert_eq!(sizes(territory.seki), [0, 0]);
    }

    #[test]
    fn eye_that_must_be_filled_is_not_a_point() {
        let territory = judge(". X . X . X\n X X X O X .\n O O O . O O", &[]);
        assert!(territory.false_eye.contains(Point::new(4, 0)));
        assert!(!territory.territory[0].contains(Point::new(4, 0)));
    }

    /// E3 is connected with the white group at the right unless Black closes the gap at F3.
    #[test]
    fn open_gap_saves_the_point_that_connects() {
        let diagram =
            ". O . O X . . X O .\nO O O O X X X X O O\nO O O . O . . O O .\nO O O O X X X X O O\n. O . O X . . X O .";
        let white = |diagram: &str| {
            let counts = Counts::from_position(&read(diagram).unwrap(), &[]);
            [counts.territory_outside_seki[1], counts.territory_with_open_gaps[1]]
        };
        assert_eq!(white(diagram), [7, 8]);
        assert_eq!(white(&diagram.replace("O . . O O .", "O . X O O .")), [7, 7]);
    }

    #[test]
    fn ring_of_chains_makes_its_eyes_real() {
        let territory = judge(". X X .\nX O O X\nX O O X\n. X X .", &[]);
        assert!(territory.false_eye.is_empty());
        let broken_ring = judge(". X X .\nX O O X\nX O O X\n. X X O", &[]);
        assert_eq!(broken_ring.false_eye.len(), 3);
    }

    #[test]
    fn dead_stones_lie_on_the_captors_points() {
        let territory = judge(". . . X .\n. O . X X\n. . . X X", &[(1, 1)]);
        assert_eq!(sizes(territory.territory), [10, 0]);
        assert_eq!(territory.flooded.area(Color::White), 0);
    }

    #[test]
    fn no_stones_make_no_territory_on_any_board() {
        for (width, height) in [(1, 1), (1, 52), (52, 52)] {
            let empty = Position::new(BoardSize::new(width, height).unwrap());
            assert_eq!(sizes(territory(&empty, &[]).territory), [0, 0]);
        }
    }
}

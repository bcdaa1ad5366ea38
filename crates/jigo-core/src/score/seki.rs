//! Seki and false eyes: which points count as territory where eyes in seki do not.
//!
//! Japanese rules call living stones that have dame seki stones, and give points only to the others. By the letter, every
//! dame would have to be filled first. Records stop earlier, so this decides on shape, by the algorithm of
//! lightvector/goscorer (MIT, commit 0ac5f59, `python/goscorer.py`), which OGS uses too. Taken from there are its stages
//! and criteria, which the modules beside this one describe:
//!
//! 1. Gaps in a wall that its owner can close stop the opponent (`gap`).
//! 2. What only one colour reaches is that colour's: regions, the groups and the eyes in them (`region`).
//! 3. Points of eyes without which stones fall apart are false (`false_eye`).
//! 4. The other points of an eye are worth 0, 1 or 2 eyes by their shape (`eye`).
//! 5. A region with fewer than two eyes lives in seki, and in the others a false point is territory only if nobody can
//!    be made to fill it.
//!
//! It differs in one respect: goscorer compares some gap shapes of the left and right edge with other columns, so that
//! its answer can change when the board is turned. Here all four edges are alike.

use super::cell_set::CellSet;
use super::eye::{Eye, Ground};
use super::false_eye::{Links, all};
use super::grid::{Grid, with_words};
use super::region::{Side, sides};
use super::territory::Flooded;
use crate::board::{Color, Point, PointSet, Position};
use std::cell::OnceCell;
use std::cmp::Reverse;

/// Whose every point is when eyes in seki and false eyes do not count, in sets of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Territory<S = PointSet> {
    /// The count without regard to seki: area, and territory where eyes in seki count.
    pub flooded: Flooded<S>,
    /// Territory, empty or below dead stones, outside seki and without points that have to be filled; Black's first.
    pub territory: [S; 2],
    /// The stones of groups in seki and the points they enclose; Black's first.
    pub seki: [S; 2],
    /// Points of eyes that do not help to live, as stones hang together through them only.
    pub false_eye: S,
}

/// Judges a finished position of which `dead` are all the dead stones.
pub fn territory(position: &Position, dead: &[Point]) -> Territory {
    with_words!(position.size(), territory_points, position, dead)
}

fn territory_points<const W: usize>(position: &Position, dead: &[Point]) -> Territory {
    let grid = Grid::<W>::new(position.size());
    let judged = Territory::on(&grid, position, dead);
    let both = |sets: &[CellSet<W>; 2]| sets.each_ref().map(|set| grid.points(set));
    Territory {
        flooded: judged.flooded.points(&grid),
        territory: both(&judged.territory),
        seki: both(&judged.seki),
        false_eye: grid.points(&judged.false_eye),
    }
}

impl<const W: usize> Territory<CellSet<W>> {
    /// The same in sets of cells.
    pub(super) fn on(grid: &Grid<W>, position: &Position, dead: &[Point]) -> Territory<CellSet<W>> {
        let flooded = Flooded::on(grid, position, dead);
        let sides = sides(grid, &flooded);
        let judged = Color::BOTH.map(|color| judge(grid, &flooded, color, &sides[color.index()]));
        Territory {
            flooded,
            territory: [judged[0].territory, judged[1].territory],
            seki: [judged[0].seki, judged[1].seki],
            false_eye: judged[0].false_eye.union(&judged[1].false_eye),
        }
    }
}

/// What one colour gets.
struct Share<const W: usize> {
    territory: CellSet<W>,
    seki: CellSet<W>,
    false_eye: CellSet<W>,
}

fn judge<const W: usize>(grid: &Grid<W>, flooded: &Flooded<CellSet<W>>, color: Color, side: &Side<W>) -> Share<W> {
    let links = Links::new(grid, side);
    let false_points = links.false_points();
    let false_eye = all(&false_points);
    let ground = Ground::new(grid, flooded, color, false_eye);
    // What an eye is worth is asked of few: mostly a large one shows that a region lives.
    let known: Vec<OnceCell<u32>> = vec![OnceCell::new(); side.eyes.len()];
    let value = |eye: usize| *known[eye].get_or_init(|| Eye::new(&ground, &side.eyes[eye]).value());
    let to_fill = links.to_fill(&false_points, &|eye| value(eye) > 0);
    // A stone thrown in has to be captured too, and the play that does so costs a second point.
    let throw_ins = to_fill.intersection(&flooded.dead[color.opponent().index()]);
    let lost = to_fill.union(&grid.beside(&throw_ins, 1));
    let points = flooded.territory[color.index()].without(&lost);
    let (mut territory, mut seki) = (CellSet::EMPTY, CellSet::EMPTY);
    let mut by_size: Vec<usize> = (0..side.eyes.len()).collect();
    by_size.sort_by_cached_key(|&eye| Reverse(side.eyes[eye].len()));
    for region in &side.regions {
        let inside = by_size.iter().filter(|&&eye| side.eyes[eye].meets(region));
        let mut worth = inside.scan(0, |sum, &eye| {
            *sum += value(eye);
            Some(*sum)
        });
        if !worth.any(|worth| worth >= 2) {
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
    use crate::board::BoardSize;
    use crate::board::diagram::read;

    fn judge(diagram: &str, dead: &[(u8, u8)]) -> Territory {
        let dead: Vec<Point> = dead.iter().map(|&(x, y)| Point::new(x, y)).collect();
        territory(&read(diagram).unwrap(), &dead)
    }

    fn sizes(sets: [PointSet; 2]) -> [usize; 2] {
        sets.map(|set| set.len())
    }

    #[test]
    fn one_eye_each_and_a_dame_between_is_seki() {
        let judged = judge(". X . O .\nX X . O O", &[]);
        assert_eq!(sizes(judged.territory), [0, 0]);
        assert_eq!(sizes(judged.seki), [4, 4]);
        assert_eq!(sizes(judged.flooded.territory), [1, 1]);
    }

    #[test]
    fn two_eyes_beside_a_dame_are_territory() {
        let judged = judge(". X . O . O .\nX X . O O O O\n. X . O O O O", &[]);
        assert_eq!(sizes(judged.territory), [2, 2]);
        assert_eq!(sizes(judged.seki), [0, 0]);
    }

    #[test]
    fn an_eye_that_must_be_filled_to_connect_is_no_point() {
        let judged = judge(". X . X . X\n X X X O X .\n O O O . O O", &[]);
        assert!(judged.false_eye.contains(Point::new(4, 0)));
        assert!(!judged.territory[0].contains(Point::new(4, 0)));
    }

    #[test]
    fn a_ring_of_chains_makes_its_eyes_real() {
        let judged = judge(". X X .\nX O O X\nX O O X\n. X X .", &[]);
        assert!(judged.false_eye.is_empty());
        let cut = judge(". X X .\nX O O X\nX O O X\n. X X O", &[]);
        assert_eq!(cut.false_eye.len(), 3);
    }

    #[test]
    fn dead_stones_lie_on_the_captors_points() {
        let judged = judge(". . . X .\n. O . X X\n. . . X X", &[(1, 1)]);
        assert_eq!(sizes(judged.territory), [10, 0]);
        assert_eq!(judged.flooded.area(Color::White), 0);
    }

    #[test]
    fn no_stones_make_no_territory_on_any_board() {
        for (width, height) in [(1, 1), (1, 52), (52, 52)] {
            let empty = Position::new(BoardSize::new(width, height).unwrap());
            assert_eq!(sizes(territory(&empty, &[]).territory), [0, 0]);
        }
    }
}

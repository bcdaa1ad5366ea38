//! False eyes: points that must be filled in the end, because nothing else connects the stones
//! around them.

use super::cell_set::CellSet;
use super::grid::Grid;
use super::region::ColorRegions;

/// The groups of a colour and their shared eyes, as a graph.
///
/// The rule is that of lightvector/goscorer (`mark_false_eye_points`). A point at the rim of an eye
/// is false if its neighbouring stones and points are not all connected through other groups and
/// eyes. Chains in a ring have no such point, so the eyes along a ring are real.
///
/// Sets of groups and eyes contain their numbers. There are fewer of them than cells.
pub(crate) struct Links<'a, const W: usize> {
    grid: &'a Grid<W>,
    side: &'a ColorRegions<W>,
    /// For each group, its stones and all points next to them.
    dilated: Vec<CellSet<W>>,
    /// For each eye, the groups around it.
    groups_at: Vec<CellSet<W>>,
    /// For each group, its eyes.
    eyes_at: Vec<CellSet<W>>,
}

/// A false point with its eye and groups.
pub(crate) struct FalsePoint<const W: usize> {
    point: usize,
    eye: usize,
    /// Groups next to the point.
    groups: CellSet<W>,
}

/// The graph without one point. The eye's number denotes the rest of the eye.
struct RemovedPoint<const W: usize> {
    eye: usize,
    rest: CellSet<W>,
    groups_at_rest: CellSet<W>,
}

struct Connections<const W: usize> {
    groups: CellSet<W>,
    eyes: CellSet<W>,
}

impl<'a, const W: usize> Links<'a, W> {
    pub(crate) fn new(grid: &'a Grid<W>, side: &'a ColorRegions<W>) -> Links<'a, W> {
        let dilated: Vec<CellSet<W>> = side.groups.iter().map(|group| grid.dilate(group)).collect();
        let groups_at: Vec<CellSet<W>> = side.eyes.iter().map(|eye| neighbouring_groups(eye, &dilated)).collect();
        let mut eyes_at = vec![CellSet::EMPTY; side.groups.len()];
        for (eye, groups) in groups_at.iter().enumerate() {
            for group in groups.iter() {
                eyes_at[group].insert(eye);
            }
        }
        Links { grid, side, dilated, groups_at, eyes_at }
    }

    /// Returns all false points.
    pub(crate) fn false_points(&self) -> Vec<FalsePoint<W>> {
        let mut result = Vec::new();
        for (eye, points) in self.side.eyes.iter().enumerate() {
            let only_links = self.only_links(eye);
            if only_links.is_empty() {
                continue;
            }
            // A point with two neighbours in its eye is never false, because the eye continues
            // beyond it.
            let rim = only_links.without(&self.grid.adjacent(points, 2));
            result.extend(rim.iter().filter_map(|point| self.false_point(eye, point)));
        }
        result
    }

    /// Returns the points of an eye that are its only contact with some group.
    ///
    /// No other point is false, because the rest of the eye connects the groups next to it.
    fn only_links(&self, eye: usize) -> CellSet<W> {
        let points = &self.side.eyes[eye];
        let contacts = self.groups_at[eye].iter().map(|group| self.dilated[group].intersection(points));
        contacts.filter(CellSet::is_single).fold(CellSet::EMPTY, |all, single| all.union(&single))
    }

    fn false_point(&self, eye: usize, point: usize) -> Option<FalsePoint<W>> {
        let groups = neighbouring_groups(&CellSet::from_iter([point]), &self.dilated);
        let touches_rest = self.touches_rest(eye, point);
        let first = groups.first()?;
        if groups.is_single() && !touches_rest {
            return None;
        }
        let connections = self.reach(first, &self.without_point(eye, point));
        let is_linked =
            groups.without(&connections.groups).is_empty() && (!touches_rest || connections.eyes.contains(eye));
        (!is_linked).then_some(FalsePoint { point, eye, groups })
    }

    /// Returns the false points that are not territory.
    ///
    /// A false point still counts if every group next to it has another eye on its own side,
    /// because no player can be forced to fill it. `is_eye` returns true if the space of this
    /// number gives an eye.
    pub(crate) fn to_fill(&self, points: &[FalsePoint<W>], is_eye: &dyn Fn(usize) -> bool) -> CellSet<W> {
        let false_points = points_of(points);
        let must_fill = |false_point: &&FalsePoint<W>| {
            let removal = self.without_point(false_point.eye, false_point.point);
            let rest_counts = !removal.rest.without(&false_points).is_empty();
            let is_alone = |group: usize| {
                let counts = |eye: usize| (eye != false_point.eye || rest_counts) && is_eye(eye);
                !self.reach(group, &removal).eyes.iter().any(counts)
            };
            false_point.groups.iter().any(is_alone)
        };
        points.iter().filter(must_fill).map(|false_point| false_point.point).collect()
    }

    fn touches_rest(&self, eye: usize, point: usize) -> bool {
        self.grid.adjacent(&CellSet::from_iter([point]), 1).intersects(&self.side.eyes[eye])
    }

    fn without_point(&self, eye: usize, point: usize) -> RemovedPoint<W> {
        // A rim point is at the end of its eye, so the rest is connected.
        let remaining = self.side.eyes[eye].without(&CellSet::from_iter([point]));
        RemovedPoint { eye, groups_at_rest: neighbouring_groups(&remaining, &self.dilated), rest: remaining }
    }

    /// Returns the groups and eyes connected with a group.
    fn reach(&self, start: usize, removal: &RemovedPoint<W>) -> Connections<W> {
        let mut connections = Connections { groups: CellSet::EMPTY, eyes: CellSet::EMPTY };
        let mut pending = CellSet::from_iter([start]);
        while let Some(group) = pending.first() {
            connections.groups.insert(group);
            for eye in self.eyes_at[group].without(&connections.eyes).iter() {
                let adjacent_groups = if eye == removal.eye { &removal.groups_at_rest } else { &self.groups_at[eye] };
                if adjacent_groups.contains(group) {
                    connections.eyes.insert(eye);
                    pending.add(adjacent_groups);
                }
            }
            pending = pending.without(&connections.groups);
        }
        connections
    }
}

/// Returns the points as a set.
pub(crate) fn points_of<const W: usize>(points: &[FalsePoint<W>]) -> CellSet<W> {
    points.iter().map(|false_point| false_point.point).collect()
}

/// Returns the groups with a stone next to one of the points.
fn neighbouring_groups<const W: usize>(points: &CellSet<W>, dilated: &[CellSet<W>]) -> CellSet<W> {
    (0..dilated.len()).filter(|&group| dilated[group].intersects(points)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::region::color_regions;
    use super::*;
    use crate::shape::territory::FloodedTerritory;
    use jigo_rules::board::diagram::read;
    use jigo_rules::board::hash::split_mix;
    use jigo_rules::board::{BoardSize, Color, Point, PointSet, Position};

    /// Returns Black's false points, and those that must be filled if every eye counts.
    fn false_points(diagram: &str) -> (PointSet, PointSet) {
        let position = read(diagram).unwrap();
        let grid = Grid::<2>::new(position.size());
        let [black, _] = color_regions(&grid, &FloodedTerritory::on(&grid, &position, &[]), &[CellSet::EMPTY; 2]);
        let links = Links::new(&grid, &black);
        let result = links.false_points();
        let real = |eye: usize| !black.eyes[eye].without(&points_of(&result)).is_empty();
        (grid.points(&points_of(&result)), grid.points(&links.to_fill(&result, &real)))
    }

    fn points<const N: usize>(points: [(u8, u8); N]) -> PointSet {
        points.into_iter().map(|(x, y)| Point::new(x, y)).collect()
    }

    #[test]
    fn false_point_counts_if_both_groups_have_an_eye() {
        let two_groups_with_eyes = ". X X . X .\nX X O X X X\nO O O O O O";
        assert_eq!(false_points(two_groups_with_eyes), (points([(3, 0)]), PointSet::EMPTY));
        let one_group_with_eyes = "X X X . X .\nX X O X X X\nO O O O O O";
        assert_eq!(false_points(one_group_with_eyes), (points([(3, 0)]), points([(3, 0)])));
    }

    /// Uses positions after random turns, with one dead chain in every second game.
    #[test]
    fn false_points_agree_with_testing_every_rim_point() {
        let mut random = 5;
        let mut count = 0;
        for game in 0..400_usize {
            let mut position = Position::new(BoardSize::new(7, 6).unwrap());
            for turn in 0..30 + game % 40 {
                let number = split_mix(&mut random);
                let point = Point::new((number >> 8) as u8 % 7, (number >> 16) as u8 % 6);
                if position.stone(point).is_none() {
                    position.play(Color::BOTH[turn % 2], point, &mut Vec::new());
                }
            }
            let stone = position.size().iter().filter(|_| game % 2 == 0).find(|point| position.stone(*point).is_some());
            let dead: Vec<Point> = stone.into_iter().flat_map(|stone| position.chain(stone)).collect();
            let grid = Grid::<2>::new(position.size());
            let flooded = FloodedTerritory::on(&grid, &position, &dead);
            for side in color_regions(&grid, &flooded, &[CellSet::EMPTY; 2]) {
                let links = Links::new(&grid, &side);
                let of = |eye: usize| side.eyes[eye].iter().map(move |point| (eye, point));
                let all_points = (0..side.eyes.len()).flat_map(of);
                let rim = |&(eye, point): &(usize, usize)| !grid.adjacent(&side.eyes[eye], 2).contains(point);
                let expected = all_points.filter(rim).filter_map(|(eye, point)| links.false_point(eye, point));
                let expected = points_of(&expected.collect::<Vec<_>>());
                assert_eq!(points_of(&links.false_points()), expected, "{game}");
                count += expected.len() as usize;
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn no_point_along_a_ring_is_false() {
        let ring = ". X X .\nX O O X\nX O O X\n. X X .";
        assert_eq!(false_points(ring).0, PointSet::EMPTY);
        let broken_ring = ". X X .\nX O O X\nX O O X\n. X X O";
        assert_eq!(false_points(broken_ring).0, points([(0, 0), (3, 0), (0, 3)]));
    }

    #[test]
    fn only_the_rim_of_a_long_eye_can_be_false() {
        let diagram = "X X X . . . X\nX X O X X X X\nO O O O O O O";
        assert_eq!(false_points(diagram).0, points([(3, 0)]));
    }
}

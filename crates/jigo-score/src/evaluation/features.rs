//! The features of each group in the first pass, which do not depend on any status.

use super::scan::{Cells, EMPTY, Part, Scan, color_sign, opponent};
use super::sums::Sums;
use super::trees::{ROW, Row};
use crate::shape::cell_set::CellSet;

/// Number of features of a group in the first pass.
pub const FIRST_FEATURES: usize = 32;

/// Upper limit of feature values. Larger values make no difference.
const MAX_VALUE: f32 = 60.0;

/// Facts about all groups of a scan, collected once before the features are computed.
pub(super) struct GroupFeatures {
    /// The colours next to each part: 1, 2, or 3 for both.
    touches: Vec<u8>,
    /// The empty cells next to each colour, Black first.
    adjacent_empty: [Cells; 2],
    /// Empty cells without empty neighbours.
    isolated: Cells,
    /// Cells in which a one-point eye would be false, Black first.
    is_false: [Cells; 2],
    /// The cells farther from the edge than 0, 1 and so on.
    inner_areas: Vec<Cells>,
    /// For each group, the number of points in neighbouring regions that touch only its colour.
    eye_points: Vec<u16>,
    /// The reach of each group.
    reach: Vec<Reach>,
    /// Black stones minus White stones.
    sums: Sums,
}

/// The area in which a colour can walk without crossing enemy stones or points that these close
/// off.
#[derive(Clone, Copy, Default)]
struct Reach {
    /// All points of the area, its empty points and its stones.
    points: u16,
    empty: u16,
    stones: u16,
    /// Groups of the colour in the area.
    groups: u16,
    /// Enemy groups next to the area.
    walls: u16,
}

impl GroupFeatures {
    pub(super) fn new(scan: &Scan) -> GroupFeatures {
        let mut touches = vec![0; scan.parts.len()];
        for (part, part_touches) in touches.iter_mut().enumerate() {
            *part_touches = scan
                .neighbours(part)
                .iter()
                .fold(0, |all, &(neighbour, _)| all | scan.parts[usize::from(neighbour)].color);
        }
        let (grid, empty) = (&scan.grid, scan.empty());
        let adjacent_empty = [1, 2].map(|color| grid.adjacent(scan.stones(color), 1).intersection(empty));
        let mut inner_areas = vec![grid.adjacent(&grid.board, 4)];
        while let Some(last) = inner_areas.last().filter(|last| !last.is_empty()) {
            inner_areas.push(grid.adjacent(last, 4));
        }
        let mut eye_points = vec![0; scan.parts.len()];
        for (region, _) in touches.iter().enumerate().filter(|(_, part_touches)| **part_touches != 3) {
            if scan.parts[region].color == EMPTY {
                scan.neighbours(region)
                    .iter()
                    .for_each(|&(group, _)| eye_points[usize::from(group)] += scan.parts[region].size);
            }
        }
        GroupFeatures {
            touches,
            eye_points,
            isolated: scan.isolated_empty_cells(),
            is_false: [1, 2].map(|eye_color| false_eye_cells(scan, eye_color, &inner_areas[0])),
            adjacent_empty,
            inner_areas,
            reach: measure_reach(scan, &adjacent_empty),
            sums: Sums::new(scan, |cell| color_sign(scan.color(cell))),
        }
    }

    /// Returns the features of a group.
    pub(super) fn row(&self, scan: &Scan, group: usize) -> Row {
        let part = &scan.parts[group];
        let (color, liberties) = (part.color, f32::from(part.liberty_count));
        let Surroundings { eyes, open_contacts, enemies } = self.surroundings(scan, group);
        let [private, second, edge, false_eyes, real_eyes] = self.liberties(scan, group);
        let reach = self.reach[group];
        let [narrow_sum, wide_sum] = self.sums.around(scan, group);
        let sign = color_sign(color) as f32;
        let cap = |value: f32| value.min(MAX_VALUE);
        let features: [f32; FIRST_FEATURES] = [
            cap(f32::from(part.size)),
            cap(liberties),
            eyes[0],
            cap(eyes[1]),
            cap(eyes[2]),
            cap(open_contacts[0]),
            cap(open_contacts[1]),
            private,
            cap(second),
            edge,
            false_eyes,
            real_eyes,
            enemies.groups,
            enemies.least,
            enemies.most,
            cap(enemies.largest),
            enemies.in_atari,
            enemies.weak,
            cap(enemies.contacts),
            f32::from(part.chains),
            cap(f32::from(part.fewest)),
            cap(f32::from(part.largest)),
            cap(f32::from(reach.points)),
            cap(f32::from(reach.empty)),
            cap(f32::from(reach.stones)),
            f32::from(reach.groups),
            f32::from(reach.walls),
            narrow_sum * sign,
            wide_sum * sign,
            cap(enemies.strongest),
            f32::from(part.size) / f32::from(reach.points.max(1)),
            enemies.least - liberties,
        ];
        let mut row = [0.0; ROW];
        row[..FIRST_FEATURES].copy_from_slice(&features);
        row
    }

    /// Returns the regions and groups that touch a group.
    fn surroundings(&self, scan: &Scan, group: usize) -> Surroundings {
        let mut surroundings = Surroundings::default();
        let Surroundings { eyes, open_contacts, enemies } = &mut surroundings;
        for &(neighbour, contacts) in scan.neighbours(group) {
            let (neighbour, neighbour_part) = (usize::from(neighbour), &scan.parts[usize::from(neighbour)]);
            match neighbour_part.color {
                EMPTY if self.touches[neighbour] == scan.parts[group].color => {
                    eyes[0] += 1.0;
                    eyes[1] += f32::from(neighbour_part.size);
                    eyes[2] = eyes[2].max(f32::from(neighbour_part.size));
                }
                EMPTY => {
                    open_contacts[0] += f32::from(neighbour_part.size);
                    open_contacts[1] = open_contacts[1].max(f32::from(neighbour_part.size));
                }
                _ => enemies.add(neighbour_part, contacts, self.eye_points[neighbour]),
            }
        }
        surroundings
    }

    /// Returns five features of the group's liberties.
    ///
    /// They are the number of liberties without enemy neighbours, the number of points one step
    /// beyond the liberties, the distance to the edge, and the numbers of one-point eyes that are
    /// false and of those that are not.
    fn liberties(&self, scan: &Scan, group: usize) -> [f32; 5] {
        let part = &scan.parts[group];
        let (own_index, enemy_index) = (usize::from(part.color) - 1, usize::from(opponent(part.color)) - 1);
        let private = part.liberties.without(&self.adjacent_empty[enemy_index]);
        let second = scan.grid.adjacent(&part.liberties, 1).intersection(scan.empty()).without(&part.liberties);
        let edge = self.inner_areas.iter().take_while(|area| part.cells.without(area).is_empty()).count();
        let eyes = private.intersection(&self.isolated);
        let (mut false_eyes, mut real_eyes) = (0, 0);
        // Most groups have no such eyes, and the test is faster than counting.
        if !eyes.is_empty() {
            false_eyes = eyes.intersection(&self.is_false[own_index]).len();
            real_eyes = eyes.len() - false_eyes;
        }
        [private.len() as f32, second.len() as f32, edge as f32, false_eyes as f32, real_eyes as f32]
    }
}

/// The regions and groups that touch a group.
#[derive(Default)]
struct Surroundings {
    /// The eyes: their number, the number of their points, and the points of the largest.
    eyes: [f32; 3],
    /// The regions that also touch the enemy: their points, and the points of the largest.
    open_contacts: [f32; 2],
    enemies: Enemies,
}

/// Facts about the enemies next to a group.
#[derive(Default)]
struct Enemies {
    groups: f32,
    /// Smallest and largest number of liberties of a group, at most 20.
    least: f32,
    most: f32,
    /// Stones of the largest group.
    largest: f32,
    /// Groups with a chain in atari.
    in_atari: f32,
    /// Groups with at most three liberties.
    weak: f32,
    /// Touching pairs of points.
    contacts: f32,
    /// Largest number of points in regions that touch only the enemy's colour, next to one group.
    strongest: f32,
}

impl Enemies {
    fn add(&mut self, group: &Part, contacts: u16, eye_points: u16) {
        let liberties = f32::from(group.liberty_count).min(20.0);
        self.least = if self.groups == 0.0 { liberties } else { self.least.min(liberties) };
        self.most = self.most.max(liberties);
        self.groups += 1.0;
        self.largest = self.largest.max(f32::from(group.size));
        self.in_atari += f32::from(u8::from(group.fewest == 1));
        self.weak += f32::from(u8::from(liberties <= 3.0));
        self.contacts += f32::from(contacts);
        self.strongest = self.strongest.max(f32::from(eye_points));
    }
}

/// Returns the cells in which a one-point eye would be false.
///
/// An eye is false if the enemy has two of its diagonals, or one at the edge, because the other
/// diagonals are missing there.
fn false_eye_cells(scan: &Scan, color: u8, inner_area: &Cells) -> Cells {
    let [_, first, _, second, _, third, _, fourth] = scan.grid.around(scan.stones(opponent(color)));
    let any_diagonal = first.union(&second).union(&third).union(&fourth);
    let pairs = first.intersection(&second).union(&third.intersection(&fourth));
    let more = pairs.union(&first.union(&second).intersection(&third.union(&fourth)));
    more.union(&any_diagonal.without(inner_area))
}

/// Computes the area that each group can reach without crossing enemy stones and points that these
/// close off.
fn measure_reach(scan: &Scan, adjacent_empty: &[Cells; 2]) -> Vec<Reach> {
    let mut reach_of = vec![Reach::default(); scan.parts.len()];
    // For each part, the number of the latest walk that it is a wall of.
    let mut walk_of_wall = vec![usize::MAX; scan.parts.len()];
    for color in [1, 2] {
        let enemies = scan.stones(opponent(color));
        let passable = scan.grid.board.without(enemies).without(&enclosed_cells(scan, adjacent_empty, color));
        let groups: Vec<usize> = scan.groups().filter(|&group| scan.parts[group].color == color).collect();
        let walked = scan.grid.flood(scan.stones(color), &passable);
        for (number, walk) in scan.grid.parts(walked).enumerate() {
            let within = |group: &&usize| walk.contains(usize::from(scan.parts[**group].first));
            let walls = scan.grid.adjacent(&walk, 1).intersection(enemies);
            // Different walks of one colour may share a wall, so each walk has its own number.
            let is_new =
                |wall: usize| std::mem::replace(&mut walk_of_wall[usize::from(scan.part_of[wall])], number) != number;
            let (points, empty) = (walk.len() as u16, walk.intersection(scan.empty()).len() as u16);
            let reach = Reach {
                points,
                empty,
                stones: points - empty,
                groups: groups.iter().filter(within).count() as u16,
                walls: walls.iter().map(is_new).filter(|is_new| *is_new).count() as u16,
            };
            groups.iter().filter(within).for_each(|&group| reach_of[group] = reach);
        }
    }
    reach_of
}

/// Returns points on which `color` could play but which lead nowhere, because the enemy has stones
/// on both sides.
fn enclosed_cells(scan: &Scan, adjacent_empty: &[Cells; 2], color: u8) -> Cells {
    let enemy = opponent(color);
    let walls = scan.stones(enemy).union(&scan.grid.border());
    let [west, east, north, south] = scan.grid.sides(&walls);
    let adjacent = scan.grid.around(scan.stones(color));
    let three_sides = |directions: [usize; 3]| {
        directions.into_iter().fold(CellSet::EMPTY, |all: Cells, direction| all.union(&adjacent[direction]))
    };
    let [north_own, west_own, south_own, east_own] = [[1, 2, 3], [3, 4, 5], [5, 6, 7], [7, 0, 1]].map(three_sides);
    let horizontal = west.intersection(&east).without(&north_own.intersection(&south_own));
    let vertical = north.intersection(&south).without(&west_own.intersection(&east_own));
    adjacent_empty[usize::from(enemy) - 1].intersection(&horizontal.union(&vertical))
}

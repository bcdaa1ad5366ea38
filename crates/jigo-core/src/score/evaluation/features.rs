//! What a scan gives of each chain before anybody's status is known.

use super::links::ChainLinks;
use super::scan::{Cells, EMPTY, Part, Scan, Sums, other, sign};
use super::trees::{ROW, Row};
use crate::score::cell_set::CellSet;

/// Features of a chain in the first pass.
pub const FIRST: usize = 34;

/// Largest values of features that count: what is beyond makes no difference.
const MANY: f32 = 60.0;

/// What is known of all chains of a scan before any status is.
pub(super) struct Surroundings {
    /// For each part, the colours next to it: 1, 2, or 3 for both.
    pub(super) touches: Vec<u8>,
    /// The empty cells next to each colour, Black's first.
    near: [Cells; 2],
    /// Empty cells with none beside them.
    single: Cells,
    /// Cells where an eye of one point would be false, Black's first.
    is_false: [Cells; 2],
    /// The cells that are farther from the edge than 0, 1 and so on.
    inner: Vec<Cells>,
    pub(super) links: ChainLinks,
    /// For each part that is a chain, what it can reach.
    reach: Vec<Reach>,
    /// Stones of Black less those of White.
    sums: Sums,
}

/// Where a colour can walk without meeting the other one's stones, or points that those shut.
#[derive(Clone, Copy, Default)]
struct Reach {
    points: u16,
    empty: u16,
    stones: u16,
    chains: u16,
    walls: u16,
}

impl Surroundings {
    pub(super) fn new(scan: &Scan) -> Surroundings {
        let mut touches = vec![0; scan.parts.len()];
        for (part, touched) in touches.iter_mut().enumerate() {
            *touched = scan.beside(part).iter().fold(0, |all, &(near, _)| all | scan.parts[usize::from(near)].color);
        }
        let (grid, empty) = (&scan.grid, scan.empty());
        let near = [1, 2].map(|color| grid.beside(scan.stones(color), 1).intersection(empty));
        let mut inner = vec![grid.beside(&grid.board, 4)];
        while let Some(last) = inner.last().filter(|last| !last.is_empty()) {
            inner.push(grid.beside(last, 4));
        }
        Surroundings {
            links: ChainLinks::new(scan, &touches),
            touches,
            single: empty.without(&grid.beside(empty, 1)),
            is_false: [1, 2].map(|own| where_false(scan, own, &inner[0])),
            near,
            inner,
            reach: reaches(scan, &near),
            sums: Sums::new(scan, |cell| sign(scan.color(cell))),
        }
    }

    /// The features of a chain.
    pub(super) fn row(&self, scan: &Scan, chain: usize) -> Row {
        let part = &scan.parts[chain];
        let (own, liberties) = (part.color, f32::from(part.liberty_count));
        let mut eyes = [0.0_f32; 3];
        let mut open = [0.0_f32; 2];
        let mut enemies = Enemies::default();
        for &(beside, contacts) in scan.beside(chain) {
            let (beside, near) = (usize::from(beside), &scan.parts[usize::from(beside)]);
            match near.color {
                EMPTY if self.touches[beside] == own => {
                    eyes[0] += 1.0;
                    eyes[1] += f32::from(near.size);
                    eyes[2] = eyes[2].max(f32::from(near.size));
                }
                EMPTY => {
                    open[0] += f32::from(near.size);
                    open[1] = open[1].max(f32::from(near.size));
                }
                _ => enemies.see(near, contacts),
            }
        }
        let [private, second, edge, bad_eyes, sure_eyes] = self.liberties(scan, chain);
        let group = self.links.group(chain);
        let reach = self.reach[chain];
        let [narrow, wide] = self.sums.around(scan, chain);
        let sign = sign(own) as f32;
        let cap = |value: f32| value.min(MANY);
        let features: [f32; FIRST] = [
            cap(f32::from(part.size)),
            cap(liberties),
            eyes[0],
            cap(eyes[1]),
            cap(eyes[2]),
            cap(open[0]),
            cap(open[1]),
            private,
            cap(second),
            edge,
            bad_eyes,
            sure_eyes,
            enemies.chains,
            enemies.least,
            enemies.most,
            cap(enemies.largest),
            enemies.in_atari,
            enemies.weak,
            cap(enemies.contacts),
            cap(group.stones),
            cap(group.liberties),
            group.eyes,
            cap(group.eye_points),
            group.chains,
            cap(f32::from(reach.points)),
            cap(f32::from(reach.empty)),
            cap(f32::from(reach.stones)),
            f32::from(reach.chains),
            f32::from(reach.walls),
            narrow * sign,
            wide * sign,
            cap(self.links.strongest_enemy(scan, chain)),
            f32::from(part.size) / f32::from(reach.points.max(1)),
            enemies.least - liberties,
        ];
        let mut row = [0.0; ROW];
        row[..FIRST].copy_from_slice(&features);
        row
    }

    /// Liberties that the other colour does not touch, points one step behind the liberties, the distance to the edge, and eyes of one point:
    /// those with as many diagonals lost as make them false, and the others.
    fn liberties(&self, scan: &Scan, chain: usize) -> [f32; 5] {
        let part = &scan.parts[chain];
        let (own, enemy) = (usize::from(part.color) - 1, usize::from(other(part.color)) - 1);
        let private = part.liberties.without(&self.near[enemy]);
        let behind = scan.grid.beside(&part.liberties, 1).intersection(scan.empty()).without(&part.liberties);
        let edge = self.inner.iter().take_while(|inner| part.cells.without(inner).is_empty()).count();
        let eyes = private.intersection(&self.single);
        let (mut bad, mut sure) = (0, 0);
        // Most chains have none, which is sooner seen than counted.
        if !eyes.is_empty() {
            bad = eyes.intersection(&self.is_false[own]).len();
            sure = eyes.len() - bad;
        }
        [private.len() as f32, behind.len() as f32, edge as f32, bad as f32, sure as f32]
    }
}

/// What is known of the enemies next to a chain.
#[derive(Default)]
struct Enemies {
    chains: f32,
    least: f32,
    most: f32,
    largest: f32,
    in_atari: f32,
    weak: f32,
    contacts: f32,
}

impl Enemies {
    fn see(&mut self, chain: &Part, contacts: u16) {
        let liberties = f32::from(chain.liberty_count).min(20.0);
        self.least = if self.chains == 0.0 { liberties } else { self.least.min(liberties) };
        self.most = self.most.max(liberties);
        self.chains += 1.0;
        self.largest = self.largest.max(f32::from(chain.size));
        self.in_atari += f32::from(u8::from(liberties == 1.0));
        self.weak += f32::from(u8::from(liberties <= 3.0));
        self.contacts += f32::from(contacts);
    }
}

/// The cells where an eye of one point would have more diagonals lost than an eye can bear: two, or one at the edge, where others are missing.
fn where_false(scan: &Scan, own: u8, inner: &Cells) -> Cells {
    let [_, one, _, two, _, three, _, four] = scan.grid.around(scan.stones(other(own)));
    let some = one.union(&two).union(&three).union(&four);
    let pairs = one.intersection(&two).union(&three.intersection(&four));
    let more = pairs.union(&one.union(&two).intersection(&three.union(&four)));
    more.union(&some.without(inner))
}

/// What each chain can reach without crossing the enemy's stones and the points that those shut.
fn reaches(scan: &Scan, near: &[Cells; 2]) -> Vec<Reach> {
    let mut reaches = vec![Reach::default(); scan.parts.len()];
    let mut seen = vec![usize::MAX; scan.parts.len()];
    for own in [1, 2] {
        let enemies = scan.stones(other(own));
        let way = scan.grid.board.without(enemies).without(&shut(scan, near, own));
        let chains: Vec<usize> = scan.chains().filter(|&chain| scan.parts[chain].color == own).collect();
        let walked = scan.grid.flood(scan.stones(own), &way);
        for (number, walk) in scan.grid.parts(walked).enumerate() {
            let within = |chain: &&usize| walk.contains(usize::from(scan.parts[**chain].first));
            let walls = scan.grid.beside(&walk, 1).intersection(enemies);
            // Walks of the other colour have other walls.
            let is_new = |wall: usize| std::mem::replace(&mut seen[usize::from(scan.of[wall])], number) != number;
            let (points, empty) = (walk.len() as u16, walk.intersection(scan.empty()).len() as u16);
            let reach = Reach {
                points,
                empty,
                stones: points - empty,
                chains: chains.iter().filter(within).count() as u16,
                walls: walls.iter().map(is_new).filter(|is_new| *is_new).count() as u16,
            };
            chains.iter().filter(within).for_each(|&chain| reaches[chain] = reach);
        }
    }
    reaches
}

/// The points that `own` could play on and that lead nowhere, as the enemy stands on both sides of them.
fn shut(scan: &Scan, near: &[Cells; 2], own: u8) -> Cells {
    let enemy = other(own);
    let walls = scan.stones(enemy).union(&scan.grid.outside());
    let [west, east, north, south] = scan.grid.sides(&walls);
    let around = scan.grid.around(scan.stones(own));
    let beyond = |directions: [usize; 3]| {
        directions.into_iter().fold(CellSet::EMPTY, |all: Cells, direction| all.union(&around[direction]))
    };
    let [north_own, west_own, south_own, east_own] = [[1, 2, 3], [3, 4, 5], [5, 6, 7], [7, 0, 1]].map(beyond);
    let across = west.intersection(&east).without(&north_own.intersection(&south_own));
    let along = north.intersection(&south).without(&west_own.intersection(&east_own));
    near[usize::from(enemy) - 1].intersection(&across.union(&along))
}

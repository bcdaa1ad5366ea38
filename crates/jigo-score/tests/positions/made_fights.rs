//! Made fights in a corner, between groups without two eyes, against an exhaustive search.
//!
//! Random stones fill a corner of four by three points. The walls around it live: White's alone, or
//! White's at the side and Black's below. The exhaustive search lists all positions of the corner
//! and the lines between them. It has no limits and knows no shapes.

#![allow(clippy::unwrap_used)]

use jigo_rules::board::hash::split_mix;
use jigo_rules::board::{Position, diagram};
use jigo_score::{Counts, DeadSource, Ending};
use std::collections::{BTreeMap, BTreeSet};

const WIDTH: usize = 4;
const CELLS: usize = 12;
/// The largest number of positions that the exhaustive search lists.
const MAX_POSITIONS: usize = 12_000;

/// The stones of the corner as `.`, `X` and `O`, with the player to move.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Corner {
    cells: [u8; CELLS],
    /// The point on which a play would retake a ko.
    ko: Option<usize>,
    color: u8,
    passes: u8,
}

/// The wall next to a cell: below the corner, and to the right of it.
struct Walls {
    below: u8,
    right: u8,
}

impl Walls {
    /// Returns the symbols around a cell.
    fn around(&self, cells: &[u8; CELLS], cell: usize) -> Vec<(Option<usize>, u8)> {
        let (x, y) = (cell % WIDTH, cell / WIDTH);
        let inside = |cell: usize| (Some(cell), cells[cell]);
        let mut around = vec![if x + 1 < WIDTH { inside(cell + 1) } else { (None, self.right) }];
        around.push(if cell + WIDTH < CELLS { inside(cell + WIDTH) } else { (None, self.below) });
        around.extend((x > 0).then(|| inside(cell - 1)));
        around.extend((y > 0).then(|| inside(cell - WIDTH)));
        around
    }

    /// Returns the cells connected to a cell by equal symbols, and the other symbols around them.
    /// A wall of the same colour counts as a liberty.
    fn chain(&self, cells: &[u8; CELLS], cell: usize) -> (BTreeSet<usize>, BTreeSet<u8>) {
        let (mut chain, mut others, mut queue) = (BTreeSet::from([cell]), BTreeSet::new(), vec![cell]);
        while let Some(next) = queue.pop() {
            for (neighbour, symbol) in self.around(cells, next) {
                match neighbour {
                    Some(neighbour) if symbol == cells[cell] => {
                        if chain.insert(neighbour) {
                            queue.push(neighbour);
                        }
                    }
                    _ => {
                        others.insert(if symbol == cells[cell] { b'.' } else { symbol });
                    }
                }
            }
        }
        (chain, others)
    }

    fn is_captured(&self, cells: &[u8; CELLS], cell: usize) -> bool {
        !self.chain(cells, cell).1.contains(&b'.')
    }

    fn play(&self, corner: &Corner, cell: usize) -> Option<Corner> {
        if corner.cells[cell] != b'.' || corner.ko == Some(cell) {
            return None;
        }
        let opponent = if corner.color == b'X' { b'O' } else { b'X' };
        let mut next = Corner { color: opponent, ko: None, passes: 0, ..corner.clone() };
        next.cells[cell] = corner.color;
        let mut captured = BTreeSet::new();
        for (neighbour, symbol) in self.around(&next.cells, cell) {
            if let Some(neighbour) = neighbour.filter(|&n| symbol == opponent && self.is_captured(&next.cells, n)) {
                captured.extend(self.chain(&next.cells, neighbour).0);
            }
        }
        captured.iter().for_each(|&cell| next.cells[cell] = b'.');
        let liberties = self.around(&next.cells, cell);
        let is_alone = liberties.iter().all(|(_, symbol)| *symbol != corner.color);
        if is_alone && captured.len() == 1 && liberties.iter().filter(|(_, symbol)| *symbol == b'.').count() == 1 {
            next.ko = captured.first().copied();
        }
        (!self.is_captured(&next.cells, cell)).then_some(next)
    }

    /// Returns Black's area minus White's.
    fn lead(&self, cells: &[u8; CELLS]) -> i32 {
        let owner = |cell: usize| match cells[cell] {
            b'.' => {
                let mut around = self.chain(cells, cell).1;
                around.remove(&b'.');
                if around.len() == 1 { around.pop_first().unwrap() } else { b'.' }
            }
            stone => stone,
        };
        (0..CELLS).map(|cell| i32::from(owner(cell) == b'X') - i32::from(owner(cell) == b'O')).sum()
    }

    /// Returns true if the player of `start` reaches this lead, for Black, or one that is less, for
    /// White. Returns `None` if there are too many positions.
    fn reaches(&self, start: &Corner, goal: i32) -> Option<bool> {
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let (mut corners, mut next) = (vec![start.clone()], Vec::<Vec<usize>>::new());
        while next.len() < corners.len() {
            let corner = corners[next.len()].clone();
            let color = if corner.color == b'X' { b'O' } else { b'X' };
            let pass = Corner { color, ko: None, passes: corner.passes + 1, ..corner.clone() };
            let plays = (0..CELLS).filter_map(|cell| self.play(&corner, cell));
            let moves: Vec<Corner> = if corner.passes == 2 { Vec::new() } else { plays.chain([pass]).collect() };
            next.push(
                moves
                    .into_iter()
                    .map(|corner| {
                        *numbers.entry(corner.clone()).or_insert_with(|| {
                            corners.push(corner);
                            corners.len() - 1
                        })
                    })
                    .collect(),
            );
            if corners.len() > MAX_POSITIONS {
                return None;
            }
        }
        let is_black = start.color == b'X';
        let is_reached = |corner: &Corner| {
            let lead = self.lead(&corner.cells);
            corner.passes == 2 && if is_black { lead >= goal } else { lead <= goal }
        };
        let mut reached: Vec<bool> = corners.iter().map(is_reached).collect();
        loop {
            let mut has_changed = false;
            for number in (0..corners.len()).rev().filter(|&number| corners[number].passes < 2) {
                let mut answers = next[number].iter().map(|&next| reached[next]);
                let is_own = corners[number].color == start.color;
                let answer = if is_own { answers.any(|answer| answer) } else { answers.all(|answer| answer) };
                has_changed |= answer != reached[number];
                reached[number] |= answer;
            }
            if !has_changed {
                return Some(reached[0]);
            }
        }
    }
}

/// Returns a board of this width with a corner and walls that live.
fn board(size: usize, cells: &[u8; CELLS], walls: &Walls) -> Position {
    let rows = CELLS / WIDTH;
    let symbol = |x: usize, y: usize| match (x, y) {
        _ if x < WIDTH && y < rows => cells[y * WIDTH + x],
        _ if [(size - 1, 0), (size - 1, 2), (0, size - 1), (2, size - 1)].contains(&(x, y)) => b'.',
        _ if x < WIDTH => walls.below,
        _ => walls.right,
    };
    let row = |y: usize| (0..size).map(|x| char::from(symbol(x, y))).collect::<String>();
    diagram::read(&(0..size).map(row).collect::<Vec<_>>().join("\n")).unwrap()
}

/// Returns a random corner without captured chains and with groups of both colours.
fn random_corner(random: &mut u64, walls: &Walls) -> Option<[u8; CELLS]> {
    let cells: [u8; CELLS] = std::array::from_fn(|_| b"XXXXOOOO.."[(split_mix(random) % 10) as usize]);
    let empty = cells.iter().filter(|&&cell| cell == b'.').count();
    let is_at_stake = |color: u8| {
        (0..CELLS).any(|cell| {
            cells[cell] == color && {
                let (chain, _) = walls.chain(&cells, cell);
                chain.len() >= 2 && chain.iter().all(|&cell| !walls.around(&cells, cell).contains(&(None, color)))
            }
        })
    };
    let is_legal = (0..CELLS).all(|cell| cells[cell] == b'.' || !walls.is_captured(&cells, cell));
    (is_legal && (2..=5).contains(&empty) && is_at_stake(b'X') && (walls.below == b'X' || is_at_stake(b'O')))
        .then_some(cells)
}

/// Returns the number of stones that no wall of their colour protects.
fn at_stake(cells: &[u8; CELLS], walls: &Walls) -> u32 {
    let touches_own_wall = |cell: usize| {
        let (chain, _) = walls.chain(cells, cell);
        chain.iter().any(|&stone| walls.around(cells, stone).contains(&(None, cells[cell])))
    };
    (0..CELLS).filter(|&cell| cells[cell] != b'.' && !touches_own_wall(cell)).count() as u32
}

/// Returns Black's area outside the corner minus White's.
fn lead_of_walls(size: usize, walls: &Walls) -> i32 {
    let below = (WIDTH * (size - CELLS / WIDTH)) as i32;
    let right = ((size - WIDTH) * size) as i32;
    if walls.below == b'X' { below - right } else { -below - right }
}

/// An estimate calls every group alive, and the shapes show that those at stake have no two eyes.
#[test]
fn proven_counts_of_made_fights_leave_no_gain_to_either_player() {
    let (mut random, mut fights, mut proven, mut dying) = (56, 0, 0, [0; 2]);
    while fights < 300 {
        let walls = Walls { below: if split_mix(&mut random).is_multiple_of(2) { b'X' } else { b'O' }, right: b'O' };
        let Some(cells) = random_corner(&mut random, &walls) else { continue };
        let size = if fights % 4 == 3 { 19 } else { 9 };
        let position = board(size, &cells, &walls);
        let mut counts = Counts::from_position(&position, &[]);
        if counts.seki_stones.iter().sum::<u32>() != at_stake(&cells, &walls) {
            continue;
        }
        fights += 1;
        let estimate = Ending { confidence: Some(0.95), ..Ending::without_estimate(Vec::new(), DeadSource::Playouts) };
        let checked = estimate.checked_for_fights(&position, &mut counts);
        if checked.dead.is_empty() && !checked.is_confident(0.9) {
            continue;
        }
        let lead = counts.area_margin() - lead_of_walls(size, &walls);
        let gains = |color: u8, goal: i32| walls.reaches(&Corner { cells, ko: None, color, passes: 0 }, goal);
        // The player who moves first may also take a dame next to the fight.
        let gain = 2 + counts.dame as i32;
        let (black, white) = (gains(b'X', lead + gain), gains(b'O', lead - gain));
        assert!(black != Some(true) && white != Some(true), "{counts:?} {:?}", position.stones_by_color());
        proven += usize::from(black.is_some() && white.is_some());
        [0, 1].into_iter().filter(|&side| counts.dead[side] > 0).for_each(|side| dying[side] += 1);
    }
    assert!(proven >= 100 && dying[0] >= 100 && dying[1] >= 5, "{proven} {dying:?}");
}

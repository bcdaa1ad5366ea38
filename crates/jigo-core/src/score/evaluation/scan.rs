//! One scan of a board: its groups and empty regions, and what is next to what.

use super::links::linked;
use crate::board::{Color, Point, Position};
use crate::score::cell_set::CellSet;
use crate::score::grid::{Grid, cell_of};
use std::ops::Range;

pub(super) const EMPTY: u8 = 0;

/// Words that the cells of the largest board take that is evaluated.
const WORDS: usize = 7;
pub(super) type Cells = CellSet<WORDS>;

/// Chains that can't be kept apart, or an empty region.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// `EMPTY`, or a colour as [`Color`] numbers it.
    pub(super) color: u8,
    pub(super) cells: Cells,
    /// How many they are.
    pub(super) size: u16,
    /// The first of them.
    pub(super) first: u16,
    /// Where its neighbours stand in [`Scan::beside`].
    beside: Range<u32>,
    /// Of a group: the empty cells next to it.
    pub(super) liberties: Cells,
    /// How many they are.
    pub(super) liberty_count: u16,
    /// Of a group: how many chains it has, the stones of the largest, and the liberties of the one that has the fewest.
    pub(super) chains: u16,
    pub(super) largest: u16,
    pub(super) fewest: u16,
}

/// Two parts next to each other, with the number of pairs of points that touch.
type Contact = (u16, u16, u16);

/// A board by its parts.
pub(super) struct Scan {
    pub(super) grid: Grid<WORDS>,
    /// The empty cells, and the stones by colour as [`Color`] numbers it.
    pub(super) on: [Cells; 3],
    /// The number of each cell's part.
    pub(super) of: [u16; 64 * WORDS],
    /// In the order of their first cells.
    pub(super) parts: Vec<Part>,
    /// The first cell of each chain, with the part that it belongs to.
    chains: Vec<(u16, u16)>,
    /// For each part the parts next to it, with the number of pairs of points that touch.
    beside: Vec<(u16, u16)>,
}

impl Scan {
    /// Scans a board of 19x19 at most.
    pub(super) fn new(position: &Position) -> Scan {
        let grid = Grid::new(position.size());
        let [black, white] = grid.stones(position);
        let on = [grid.board.without(&black).without(&white), black, white];
        let (parts, chains, beside) = (Vec::with_capacity(160), Vec::with_capacity(80), Vec::new());
        let mut scan = Scan { grid, on, of: [NONE; 64 * WORDS], parts, chains, beside };
        scan.part();
        scan.merge(&linked(&scan));
        scan.meet(&scan.contacts());
        scan
    }

    /// Finds chains and empty regions.
    fn part(&mut self) {
        // Most regions are, at the end of a game, and need no flood.
        let single = self.single();
        for first in self.grid.board.iter() {
            if self.of[first] != NONE {
                continue;
            }
            let color = (1..3).find(|&color| self.stones(color).contains(first)).unwrap_or(EMPTY);
            let on = &self.on[usize::from(color)];
            let cell = CellSet::from_iter([first]);
            let cells = if single.contains(first) { cell } else { self.grid.flood(&cell, on) };
            let around = if color == EMPTY { CellSet::EMPTY } else { self.grid.beside(&cells, 1) };
            let liberties = around.intersection(self.empty());
            let number = self.parts.len() as u16;
            cells.for_each(|cell| self.of[cell] = number);
            let (size, liberty_count) = (cells.len() as u16, liberties.len() as u16);
            let (first, beside) = (first as u16, 0..0);
            let (chains, largest, fewest) = (u16::from(color != EMPTY), size, liberty_count);
            self.parts.push(Part {
                color,
                cells,
                size,
                first,
                beside,
                liberties,
                liberty_count,
                chains,
                largest,
                fewest,
            });
        }
    }

    /// The pairs of parts next to each other.
    fn contacts(&self) -> Vec<Contact> {
        let mut contacts = Contacts::new(self.parts.len());
        for (step, next) in self.grid.pairs() {
            let same = self.on.iter().fold(CellSet::EMPTY, |all, on| all.union(&on.intersection(&on.down(step))));
            next.without(&same).for_each(|cell| contacts.add(self.of[cell], self.of[cell + step]));
        }
        contacts.found
    }

    /// Makes one part of all chains with the same parent.
    fn merge(&mut self, parents: &[u16]) {
        let mut numbers = vec![0; parents.len()];
        let mut count = 0;
        for (part, &parent) in parents.iter().enumerate() {
            let chain = &self.parts[part];
            let (color, first) = (chain.color, chain.first);
            if usize::from(parent) == part {
                numbers[part] = count as u16;
                // What stands there was taken in, or moved further up.
                if count < part {
                    self.parts.swap(count, part);
                }
                count += 1;
            } else {
                numbers[part] = numbers[usize::from(parent)];
                let (groups, chains) = self.parts.split_at_mut(part);
                groups[usize::from(numbers[part])].take_in(&chains[0]);
            }
            if color != EMPTY {
                self.chains.push((first, numbers[part]));
            }
        }
        self.parts.truncate(count);
        self.grid.board.for_each(|cell| self.of[cell] = numbers[usize::from(self.of[cell])]);
    }

    /// Enters for all parts what is next to them.
    fn meet(&mut self, contacts: &[Contact]) {
        let mut degrees = vec![0_u32; self.parts.len()];
        for &(one, other, _) in contacts {
            degrees[usize::from(one)] += 1;
            degrees[usize::from(other)] += 1;
        }
        let mut end = 0;
        for (part, degree) in self.parts.iter_mut().zip(degrees) {
            part.beside = end..end;
            end += degree;
            part.liberty_count = part.liberties.len() as u16;
        }
        self.beside = vec![(0, 0); end as usize];
        for &(one, other, touching) in contacts {
            for (part, near) in [(one, other), (other, one)] {
                let beside = &mut self.parts[usize::from(part)].beside;
                self.beside[beside.end as usize] = (near, touching);
                beside.end += 1;
            }
        }
    }

    /// The parts next to a part, with the number of pairs of points that touch.
    pub(super) fn beside(&self, part: usize) -> &[(u16, u16)] {
        let range = &self.parts[part].beside;
        &self.beside[range.start as usize..range.end as usize]
    }

    /// The numbers of the groups.
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.parts.len()).filter(|&part| self.parts[part].color != EMPTY)
    }

    /// The first points of all chains, each with its group.
    pub(super) fn chains(&self) -> impl Iterator<Item = (Point, usize)> + '_ {
        self.chains.iter().map(|&(first, group)| (self.grid.point(usize::from(first)), usize::from(group)))
    }

    /// What is on a cell of the board: `EMPTY` or a colour.
    pub(super) fn color(&self, cell: usize) -> u8 {
        self.parts[usize::from(self.of[cell])].color
    }

    /// The stones of a colour.
    pub(super) fn stones(&self, color: u8) -> &Cells {
        &self.on[usize::from(color)]
    }

    /// Empty cells with none beside them.
    pub(super) fn single(&self) -> Cells {
        self.empty().without(&self.grid.beside(self.empty(), 1))
    }

    /// The empty cells.
    pub(super) fn empty(&self) -> &Cells {
        &self.on[usize::from(EMPTY)]
    }

    /// The first point of a part.
    pub(super) fn head(&self, part: usize) -> Point {
        self.grid.point(usize::from(self.parts[part].first))
    }

    /// The board's width and height.
    pub(super) fn sides(&self) -> (usize, usize) {
        (usize::from(self.grid.size.width()), usize::from(self.grid.size.height()))
    }

    /// The part that a point belongs to.
    pub(super) fn part_at(&self, point: Point) -> usize {
        usize::from(self.of[cell_of(self.grid.size, point)])
    }
}

impl Part {
    /// Makes another chain part of the group.
    fn take_in(&mut self, chain: &Part) {
        self.cells.add(&chain.cells);
        self.liberties.add(&chain.liberties);
        self.size += chain.size;
        self.chains += chain.chains;
        self.largest = self.largest.max(chain.largest);
        self.fewest = self.fewest.min(chain.fewest);
    }
}

/// Pairs of parts, each once.
struct Contacts {
    parts: usize,
    /// Where a pair stands among those found, and one more.
    places: Vec<u16>,
    found: Vec<Contact>,
}

impl Contacts {
    fn new(parts: usize) -> Contacts {
        Contacts { parts, places: vec![0; parts * parts], found: Vec::with_capacity(4 * parts) }
    }

    #[inline]
    fn add(&mut self, one: u16, other: u16) {
        let (one, other) = (one.min(other), one.max(other));
        let place = &mut self.places[usize::from(one) * self.parts + usize::from(other)];
        if *place == 0 {
            self.found.push((one, other, 0));
            *place = self.found.len() as u16;
        }
        self.found[usize::from(*place) - 1].2 += 1;
    }
}

/// No part's number.
const NONE: u16 = u16::MAX;

/// The other colour's number.
pub(super) fn other(color: u8) -> u8 {
    Color::Black as u8 + Color::White as u8 - color
}

/// What a point with that on it, or next to those alone, counts for Black.
#[inline]
pub(super) fn sign(color: u8) -> i32 {
    match color {
        1 => 1,
        2 => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::evaluation::tests::random_position;
    use std::collections::BTreeMap;

    #[test]
    fn groups_are_whole_chains_and_touch_what_these_touch() {
        let mut of_several = 0;
        for seed in 0..40 {
            let position = random_position(seed, 60 + 8 * seed as usize);
            let scan = Scan::new(&position);
            let mut chains = vec![0; scan.parts.len()];
            for (head, group) in scan.chains() {
                let chain: Vec<Point> = position.chain(head).collect();
                assert!(chain.iter().all(|&stone| scan.part_at(stone) == group && head <= stone));
                chains[group] += 1;
            }
            for group in scan.groups() {
                let part = &scan.parts[group];
                assert_eq!(part.chains, chains[group]);
                assert_eq!(part.liberties, scan.grid.beside(&part.cells, 1).intersection(scan.empty()));
                of_several += usize::from(part.chains > 1);
            }
            let mut touching: BTreeMap<(usize, usize), u16> = BTreeMap::new();
            for point in position.size().iter() {
                for near in position.neighbours(point) {
                    let pair = (scan.part_at(point), scan.part_at(near));
                    if pair.0 != pair.1 {
                        *touching.entry(pair).or_default() += 1;
                    }
                }
            }
            let of = |part: usize| scan.beside(part).iter().map(move |&(near, n)| ((part, usize::from(near)), n));
            assert_eq!((0..scan.parts.len()).flat_map(of).collect::<BTreeMap<_, _>>(), touching);
        }
        assert!(of_several > 100, "{of_several}");
    }
}

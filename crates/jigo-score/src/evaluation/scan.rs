//! The scan of a board: its groups and empty regions, and the contacts between them.

use crate::shape::cell_set::CellSet;
use crate::shape::grid::{Grid, cell_of};
use jigo_rules::board::{Color, Point, Position};
use std::ops::Range;

pub(super) const EMPTY: u8 = 0;

/// Words that contain the cells of the largest evaluated board.
const WORDS: usize = 7;
pub(super) type Cells = CellSet<WORDS>;

/// A group of chains that the opponent cannot separate, or an empty region.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// `EMPTY`, or a colour as [`Color`] numbers it.
    pub(super) color: u8,
    pub(super) cells: Cells,
    /// Number of cells.
    pub(super) size: u16,
    /// The first cell.
    pub(super) first: u16,
    /// The range of its neighbours in [`Scan::neighbours`].
    neighbour_range: Range<u32>,
    /// For a group, the empty cells next to it.
    pub(super) liberties: Cells,
    /// Number of liberties.
    pub(super) liberty_count: u16,
    /// For a group: number of chains, stones of the largest chain, and liberties of the chain with
    /// the fewest.
    pub(super) chains: u16,
    pub(super) largest: u16,
    pub(super) fewest: u16,
}

/// Two neighbouring parts and their number of touching pairs of points.
type Contact = (u16, u16, u16);

/// A board divided into parts.
pub(super) struct Scan {
    pub(super) grid: Grid<WORDS>,
    /// The empty cells, then the stones by colour as [`Color`] numbers it.
    pub(super) cells_by_color: [Cells; 3],
    /// Index of each cell's part.
    pub(super) part_of: [u16; 64 * WORDS],
    /// The parts in the order of their first cells.
    pub(super) parts: Vec<Part>,
    /// The first cell of each chain and the index of its group.
    chains: Vec<(u16, u16)>,
    /// The neighbours of all parts, each with the number of touching pairs of points.
    neighbours: Vec<(u16, u16)>,
}

impl Scan {
    /// Finds the chains and regions of a board of at most 19x19.
    pub(super) fn find_chains(position: &Position) -> Scan {
        let grid = Grid::new(position.size());
        let [black, white] = grid.stones(position);
        let cells_by_color = [grid.board.without(&black).without(&white), black, white];
        let (parts, chains, neighbours) = (Vec::with_capacity(160), Vec::with_capacity(80), Vec::new());
        let mut scan = Scan { grid, cells_by_color, part_of: [NONE; 64 * WORDS], parts, chains, neighbours };
        scan.find_parts();
        scan
    }

    /// Finds chains and empty regions.
    fn find_parts(&mut self) {
        // Most regions have one point at the end of a game and need no flood fill.
        let isolated = self.isolated_empty_cells();
        for first in self.grid.board.iter() {
            if self.part_of[first] != NONE {
                continue;
            }
            let color = (1..3).find(|&color| self.stones(color).contains(first)).unwrap_or(EMPTY);
            let same_color = &self.cells_by_color[usize::from(color)];
            let cell = CellSet::from_iter([first]);
            let cells = if isolated.contains(first) { cell } else { self.grid.flood(&cell, same_color) };
            let liberty_cells = if color == EMPTY { CellSet::EMPTY } else { self.grid.adjacent(&cells, 1) };
            let liberties = liberty_cells.intersection(self.empty());
            let number = self.parts.len() as u16;
            cells.for_each(|cell| self.part_of[cell] = number);
            let (size, liberty_count) = (cells.len() as u16, liberties.len() as u16);
            let (first, neighbour_range) = (first as u16, 0..0);
            let (chains, largest, fewest) = (u16::from(color != EMPTY), size, liberty_count);
            self.parts.push(Part {
                color,
                cells,
                size,
                first,
                neighbour_range,
                liberties,
                liberty_count,
                chains,
                largest,
                fewest,
            });
        }
    }

    /// Finds the pairs of neighbouring parts.
    fn contacts(&self) -> Vec<Contact> {
        let mut contacts = Contacts::new(self.parts.len());
        for (step, next) in self.grid.pairs() {
            let same_part = self
                .cells_by_color
                .iter()
                .fold(CellSet::EMPTY, |all, color_cells| all.union(&color_cells.intersection(&color_cells.down(step))));
            next.without(&same_part).for_each(|cell| contacts.add(self.part_of[cell], self.part_of[cell + step]));
        }
        contacts.pairs
    }

    /// Merges all chains with the same parent into one group and finds the neighbours of each part.
    pub(super) fn merge(&mut self, parents: &[u16]) {
        self.merge_chains(parents);
        self.store_contacts(&self.contacts());
    }

    /// Merges all chains with the same parent into one part.
    fn merge_chains(&mut self, parents: &[u16]) {
        let mut numbers = vec![0; parents.len()];
        let mut count = 0;
        for (part, &parent) in parents.iter().enumerate() {
            let chain = &self.parts[part];
            let (color, first) = (chain.color, chain.first);
            if usize::from(parent) == part {
                numbers[part] = count as u16;
                // The part at `count` was merged before or moved further up.
                if count < part {
                    self.parts.swap(count, part);
                }
                count += 1;
            } else {
                numbers[part] = numbers[usize::from(parent)];
                let (groups, chains) = self.parts.split_at_mut(part);
                groups[usize::from(numbers[part])].absorb(&chains[0]);
            }
            if color != EMPTY {
                self.chains.push((first, numbers[part]));
            }
        }
        self.parts.truncate(count);
        self.grid.board.for_each(|cell| self.part_of[cell] = numbers[usize::from(self.part_of[cell])]);
    }

    /// Stores the neighbours of all parts.
    fn store_contacts(&mut self, contacts: &[Contact]) {
        let mut degrees = vec![0_u32; self.parts.len()];
        for &(first, second, _) in contacts {
            degrees[usize::from(first)] += 1;
            degrees[usize::from(second)] += 1;
        }
        let mut end = 0;
        for (part, degree) in self.parts.iter_mut().zip(degrees) {
            part.neighbour_range = end..end;
            end += degree;
            part.liberty_count = part.liberties.len() as u16;
        }
        self.neighbours = vec![(0, 0); end as usize];
        for &(first, second, contact_count) in contacts {
            for (part, neighbour) in [(first, second), (second, first)] {
                let range = &mut self.parts[usize::from(part)].neighbour_range;
                self.neighbours[range.end as usize] = (neighbour, contact_count);
                range.end += 1;
            }
        }
    }

    /// Returns the neighbours of a part with their number of touching pairs of points.
    pub(super) fn neighbours(&self, part: usize) -> &[(u16, u16)] {
        let range = &self.parts[part].neighbour_range;
        &self.neighbours[range.start as usize..range.end as usize]
    }

    /// Returns the indices of the groups.
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.parts.len()).filter(|&part| self.parts[part].color != EMPTY)
    }

    /// Returns the first point of each chain and the index of its group.
    pub(super) fn chains(&self) -> impl Iterator<Item = (Point, usize)> + '_ {
        self.chains.iter().map(|&(first, group)| (self.grid.point(usize::from(first)), usize::from(group)))
    }

    /// Returns the content of a cell: `EMPTY` or a colour.
    pub(super) fn color(&self, cell: usize) -> u8 {
        self.parts[usize::from(self.part_of[cell])].color
    }

    /// Returns the stones of a colour.
    pub(super) fn stones(&self, color: u8) -> &Cells {
        &self.cells_by_color[usize::from(color)]
    }

    /// Returns the empty cells without empty neighbours.
    pub(super) fn isolated_empty_cells(&self) -> Cells {
        self.empty().without(&self.grid.adjacent(self.empty(), 1))
    }

    /// Returns the empty cells.
    pub(super) fn empty(&self) -> &Cells {
        &self.cells_by_color[usize::from(EMPTY)]
    }

    /// Returns the first point of a part.
    pub(super) fn head(&self, part: usize) -> Point {
        self.grid.point(usize::from(self.parts[part].first))
    }

    /// Returns the board's width and height.
    pub(super) fn board_size(&self) -> (usize, usize) {
        (usize::from(self.grid.size.width()), usize::from(self.grid.size.height()))
    }

    /// Returns the part of a point.
    pub(super) fn part_at(&self, point: Point) -> usize {
        usize::from(self.part_of[cell_of(self.grid.size, point)])
    }
}

impl Part {
    /// Adds a chain to the group.
    fn absorb(&mut self, chain: &Part) {
        self.cells.add(&chain.cells);
        self.liberties.add(&chain.liberties);
        self.size += chain.size;
        self.chains += chain.chains;
        self.largest = self.largest.max(chain.largest);
        self.fewest = self.fewest.min(chain.fewest);
    }
}

/// A set of pairs of parts.
struct Contacts {
    parts: usize,
    /// For each pair, its index in `pairs` plus one, or 0.
    indices: Vec<u16>,
    pairs: Vec<Contact>,
}

impl Contacts {
    fn new(parts: usize) -> Contacts {
        Contacts { parts, indices: vec![0; parts * parts], pairs: Vec::with_capacity(4 * parts) }
    }

    #[inline]
    fn add(&mut self, first: u16, second: u16) {
        let (first, second) = (first.min(second), first.max(second));
        let index = &mut self.indices[usize::from(first) * self.parts + usize::from(second)];
        if *index == 0 {
            self.pairs.push((first, second, 0));
            *index = self.pairs.len() as u16;
        }
        self.pairs[usize::from(*index) - 1].2 += 1;
    }
}

/// Placeholder for the part of a cell before the search.
const NONE: u16 = u16::MAX;

/// Returns the other colour's number.
pub(super) fn opponent(color: u8) -> u8 {
    Color::Black as u8 + Color::White as u8 - color
}

/// Returns 1 for Black, -1 for White and 0 for empty or both.
#[inline]
pub(super) fn color_sign(color: u8) -> i32 {
    match color {
        1 => 1,
        2 => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::links::scan_groups;
    use crate::evaluation::tests::random_position;
    use std::collections::BTreeMap;

    #[test]
    fn groups_consist_of_chains_and_inherit_their_contacts() {
        let mut of_several = 0;
        for seed in 0..40 {
            let position = random_position(seed, 60 + 8 * seed as usize);
            let scan = scan_groups(&position);
            let mut chains = vec![0; scan.parts.len()];
            for (head, group) in scan.chains() {
                let chain: Vec<Point> = position.chain(head).collect();
                assert!(chain.iter().all(|&stone| scan.part_at(stone) == group && head <= stone));
                chains[group] += 1;
            }
            for group in scan.groups() {
                let part = &scan.parts[group];
                assert_eq!(part.chains, chains[group]);
                assert_eq!(part.liberties, scan.grid.adjacent(&part.cells, 1).intersection(scan.empty()));
                of_several += usize::from(part.chains > 1);
            }
            let mut contacts: BTreeMap<(usize, usize), u16> = BTreeMap::new();
            for point in position.size().iter() {
                for neighbour in position.neighbours(point) {
                    let pair = (scan.part_at(point), scan.part_at(neighbour));
                    if pair.0 != pair.1 {
                        *contacts.entry(pair).or_default() += 1;
                    }
                }
            }
            let of = |part: usize| {
                scan.neighbours(part).iter().map(move |&(neighbour, n)| ((part, usize::from(neighbour)), n))
            };
            assert_eq!((0..scan.parts.len()).flat_map(of).collect::<BTreeMap<_, _>>(), contacts);
        }
        assert!(of_several > 100, "{of_several}");
    }
}

//! One scan of a board: its chains and empty regions, and what is next to what.

use crate::board::{Color, Point, Position};
use crate::score::cell_set::CellSet;
use crate::score::grid::{Grid, cell_of};
use std::ops::Range;

pub(super) const EMPTY: u8 = 0;

/// Words that the cells of the largest board take that is evaluated.
const WORDS: usize = 7;
pub(super) type Cells = CellSet<WORDS>;

/// A maximal connected set of points with the same on them.
#[derive(Clone, Debug)]
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
    /// Of a chain: the empty cells next to it.
    pub(super) liberties: Cells,
    /// How many they are.
    pub(super) liberty_count: u16,
}

/// A board by its parts.
pub(super) struct Scan {
    pub(super) grid: Grid<WORDS>,
    /// The empty cells, and the stones by colour as [`Color`] numbers it.
    pub(super) on: [Cells; 3],
    /// The number of each cell's part.
    pub(super) of: [u16; 64 * WORDS],
    pub(super) parts: Vec<Part>,
    /// For each part the parts next to it, with the number of pairs of points that touch.
    beside: Vec<(u16, u16)>,
}

impl Scan {
    /// Scans a board of 19x19 at most.
    pub(super) fn new(position: &Position) -> Scan {
        let grid = Grid::new(position.size());
        let [black, white] = grid.stones(position);
        let on = [grid.board.without(&black).without(&white), black, white];
        let mut scan = Scan { grid, on, of: [NONE; 64 * WORDS], parts: Vec::with_capacity(160), beside: Vec::new() };
        scan.part(position);
        scan.meet();
        scan
    }

    /// Finds the parts, in the order of their first cells.
    fn part(&mut self, position: &Position) {
        for first in self.grid.board.iter() {
            if self.of[first] != NONE {
                continue;
            }
            let mut cells = self.grid.chain(position, first);
            if cells.is_empty() {
                cells = self.grid.flood(&CellSet::from_iter([first]), self.empty());
            }
            let color = (1..3).find(|&color| self.stones(color).contains(first)).unwrap_or(EMPTY);
            cells.iter().for_each(|cell| self.of[cell] = self.parts.len() as u16);
            let (size, first, liberties) = (cells.len() as u16, first as u16, CellSet::EMPTY);
            self.parts.push(Part { color, cells, size, first, beside: 0..0, liberties, liberty_count: 0 });
        }
    }

    /// Finds the neighbours and liberties of all parts.
    fn meet(&mut self) {
        let parts = self.parts.len();
        let pairs = self.pairs();
        let mut degrees = vec![0_u32; parts];
        for &(one, other, _) in &pairs {
            degrees[usize::from(one)] += 1;
            degrees[usize::from(other)] += 1;
        }
        let mut end = 0;
        for (part, degree) in self.parts.iter_mut().zip(degrees) {
            part.beside = end..end;
            end += degree;
            if part.color != EMPTY {
                part.liberties = self.grid.beside(&part.cells, 1).intersection(&self.on[usize::from(EMPTY)]);
                part.liberty_count = part.liberties.len() as u16;
            }
        }
        self.beside = vec![(0, 0); end as usize];
        for &(one, other, contacts) in &pairs {
            for (part, near) in [(one, other), (other, one)] {
                let beside = &mut self.parts[usize::from(part)].beside;
                self.beside[beside.end as usize] = (near, contacts);
                beside.end += 1;
            }
        }
    }

    /// The pairs of parts next to each other, with the number of pairs of points that touch.
    fn pairs(&self) -> Vec<(u16, u16, u16)> {
        let parts = self.parts.len();
        let mut pairs = Vec::with_capacity(4 * parts);
        // Where a pair stands among them, and one more.
        let mut places = vec![0_u16; parts * parts];
        for (step, next) in self.grid.pairs() {
            let same = self.on.iter().fold(CellSet::EMPTY, |all, on| all.union(&on.intersection(&on.down(step))));
            for cell in next.without(&same).iter() {
                let (one, other) = (self.of[cell], self.of[cell + step]);
                let (one, other) = (one.min(other), one.max(other));
                let place = &mut places[usize::from(one) * parts + usize::from(other)];
                if *place == 0 {
                    pairs.push((one, other, 0));
                    *place = pairs.len() as u16;
                }
                pairs[usize::from(*place) - 1].2 += 1;
            }
        }
        pairs
    }

    /// The parts next to a part, with the number of pairs of points that touch.
    pub(super) fn beside(&self, part: usize) -> &[(u16, u16)] {
        let range = &self.parts[part].beside;
        &self.beside[range.start as usize..range.end as usize]
    }

    /// The numbers of the chains.
    pub(super) fn chains(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.parts.len()).filter(|&part| self.parts[part].color != EMPTY)
    }

    /// What is on a cell of the board: `EMPTY` or a colour.
    pub(super) fn color(&self, cell: usize) -> u8 {
        self.parts[usize::from(self.of[cell])].color
    }

    /// The stones of a colour.
    pub(super) fn stones(&self, color: u8) -> &Cells {
        &self.on[usize::from(color)]
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
    fn sides(&self) -> (usize, usize) {
        (usize::from(self.grid.size.width()), usize::from(self.grid.size.height()))
    }

    /// The part that a point belongs to.
    pub(super) fn part_at(&self, point: Point) -> usize {
        usize::from(self.of[cell_of(self.grid.size, point)])
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

/// What the points of a board count for Black, summed over all above and to the left of each corner of a point: a summed-area table, from
/// which any rectangle is had by its four corners.
pub(super) struct Sums(Vec<i32>);

impl Sums {
    /// Adds up what the points count, by their cells.
    pub(super) fn new(scan: &Scan, value: impl Fn(usize) -> i32) -> Sums {
        let (width, height) = scan.sides();
        let mut sums = vec![0; (width + 1) * (height + 1)];
        for y in 0..height {
            let mut row = 0;
            for x in 0..width {
                row += value((y + 1) * (width + 1) + x + 1);
                sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
            }
        }
        Sums(sums)
    }

    /// What the squares of 5 and 9 points around the stones of a chain count, on the average.
    pub(super) fn around(&self, scan: &Scan, chain: usize) -> [f32; 2] {
        let (width, height) = scan.sides();
        let mut sum = [0, 0];
        for cell in scan.parts[chain].cells.iter() {
            let (x, y) = (cell % (width + 1) - 1, cell / (width + 1) - 1);
            for (sum, radius) in sum.iter_mut().zip([2, 4]) {
                let (left, top) = (x.saturating_sub(radius), y.saturating_sub(radius));
                let (right, bottom) = ((x + radius + 1).min(width), (y + radius + 1).min(height));
                let at = |x: usize, y: usize| self.0[y * (width + 1) + x];
                *sum += at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
            }
        }
        sum.map(|sum| sum as f32 / f32::from(scan.parts[chain].size))
    }
}

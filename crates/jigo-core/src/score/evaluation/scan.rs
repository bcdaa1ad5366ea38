//! One scan of a board: its chains and empty regions, and what is next to what.

use crate::board::{BoardSize, Color, Point, Position};
use std::ops::Range;

pub(super) const EMPTY: u8 = 0;
pub(super) const BORDER: u8 = 3;

/// A maximal connected set of points with the same on them.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// `EMPTY`, or a colour as [`Color`] numbers it.
    pub(super) color: u8,
    /// Where its cells stand in [`Scan::cells`].
    cells: Range<u32>,
    /// Where its neighbours stand in [`Scan::beside`].
    beside: Range<u32>,
    /// Of a chain: its liberties.
    pub(super) liberties: u16,
}

impl Part {
    /// How many points it has.
    pub(super) fn size(&self) -> usize {
        self.cells.len()
    }
}

/// A board by its parts: rows of cells with a border cell before each, and border rows above and below.
pub(super) struct Scan {
    pub(super) size: BoardSize,
    pub(super) stride: usize,
    /// What is on each cell: `EMPTY`, a colour or `BORDER`.
    pub(super) stone: Vec<u8>,
    /// The number of each cell's part.
    pub(super) of: Vec<u16>,
    pub(super) parts: Vec<Part>,
    /// The cells, part by part.
    cells: Vec<u16>,
    /// For each part the parts next to it, with the number of pairs of points that touch.
    beside: Vec<(u16, u16)>,
}

impl Scan {
    pub(super) fn new(position: &Position) -> Scan {
        let size = position.size();
        let stride = usize::from(size.width()) + 1;
        let all = stride * (usize::from(size.height()) + 2) + 1;
        let mut stone = vec![BORDER; all];
        for point in size.iter() {
            stone[cell_of(stride, point)] = position.stone(point).map_or(EMPTY, |color| color as u8);
        }
        let (of, parts, cells) = parts(&stone, stride);
        let mut scan = Scan { size, stride, stone, of, parts, cells, beside: Vec::with_capacity(4 * all) };
        scan.meet();
        scan
    }

    /// Finds the neighbours and liberties of all parts.
    fn meet(&mut self) {
        let mut seen = vec![u16::MAX; self.parts.len().max(self.of.len())];
        let mut taken = vec![u16::MAX; self.of.len()];
        let mut contacts = vec![0_u16; self.parts.len()];
        for number in 0..self.parts.len() {
            let first = self.beside.len();
            let mut liberties = 0;
            for &cell in &self.cells[range(&self.parts[number].cells)] {
                for near in neighbours(self.stride, usize::from(cell)) {
                    let other = self.of[near];
                    if self.stone[near] == BORDER || usize::from(other) == number {
                        continue;
                    }
                    if seen[usize::from(other)] != number as u16 {
                        seen[usize::from(other)] = number as u16;
                        contacts[usize::from(other)] = 0;
                        self.beside.push((other, 0));
                    }
                    contacts[usize::from(other)] += 1;
                    if self.stone[near] == EMPTY && taken[near] != number as u16 {
                        taken[near] = number as u16;
                        liberties += 1;
                    }
                }
            }
            self.beside[first..].iter_mut().for_each(|(other, count)| *count = contacts[usize::from(*other)]);
            self.parts[number].beside = first as u32..self.beside.len() as u32;
            self.parts[number].liberties = liberties;
        }
    }

    /// The cells of a part.
    pub(super) fn cells(&self, part: usize) -> &[u16] {
        &self.cells[range(&self.parts[part].cells)]
    }

    /// The parts next to a part, with the number of pairs of points that touch.
    pub(super) fn beside(&self, part: usize) -> &[(u16, u16)] {
        &self.beside[range(&self.parts[part].beside)]
    }

    #[inline]
    pub(super) fn around(&self, cell: usize) -> [usize; 4] {
        neighbours(self.stride, cell)
    }

    /// The numbers of the chains.
    pub(super) fn chains(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.parts.len()).filter(|&part| self.parts[part].color != EMPTY)
    }

    /// The point of a cell.
    pub(super) fn point(&self, cell: u16) -> Point {
        let cell = usize::from(cell);
        Point::new((cell % self.stride - 1) as u8, (cell / self.stride - 1) as u8)
    }

    /// The part that a point belongs to.
    pub(super) fn part_at(&self, point: Point) -> usize {
        usize::from(self.of[cell_of(self.stride, point)])
    }
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

fn cell_of(stride: usize, point: Point) -> usize {
    (usize::from(point.y()) + 1) * stride + usize::from(point.x()) + 1
}

#[inline]
fn neighbours(stride: usize, cell: usize) -> [usize; 4] {
    [cell - stride, cell - 1, cell + 1, cell + stride]
}

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
#[derive(Default)]
pub(super) struct Sums(Vec<i32>);

impl Sums {
    /// Adds up what the points count, by their cells.
    pub(super) fn new(scan: &Scan, value: impl Fn(usize) -> i32) -> Sums {
        let (width, height) = (usize::from(scan.size.width()), usize::from(scan.size.height()));
        let mut sums = vec![0; (width + 1) * (height + 1)];
        for y in 0..height {
            let mut row = 0;
            for x in 0..width {
                row += value((y + 1) * scan.stride + x + 1);
                sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
            }
        }
        Sums(sums)
    }

    /// What the squares of 5 and 9 points around the stones of a chain count, on the average.
    pub(super) fn around(&self, scan: &Scan, chain: usize) -> [f32; 2] {
        let (width, height) = (usize::from(scan.size.width()), usize::from(scan.size.height()));
        let mut sum = [0, 0];
        for &cell in scan.cells(chain) {
            let (x, y) = (usize::from(cell) % scan.stride - 1, usize::from(cell) / scan.stride - 1);
            for (sum, radius) in sum.iter_mut().zip([2, 4]) {
                let (left, top) = (x.saturating_sub(radius), y.saturating_sub(radius));
                let (right, bottom) = ((x + radius + 1).min(width), (y + radius + 1).min(height));
                let at = |x: usize, y: usize| self.0[y * (width + 1) + x];
                *sum += at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
            }
        }
        sum.map(|sum| sum as f32 / scan.cells(chain).len() as f32)
    }
}

/// The parts of a board, in the order of their first cells.
fn parts(stone: &[u8], stride: usize) -> (Vec<u16>, Vec<Part>, Vec<u16>) {
    let mut of = vec![u16::MAX; stone.len()];
    let mut parts = Vec::with_capacity(160);
    let mut cells: Vec<u16> = Vec::with_capacity(stone.len());
    for start in 0..stone.len() {
        if stone[start] == BORDER || of[start] != u16::MAX {
            continue;
        }
        let (number, first) = (parts.len() as u16, cells.len());
        of[start] = number;
        cells.push(start as u16);
        let mut at = first;
        while at < cells.len() {
            for near in neighbours(stride, usize::from(cells[at])) {
                if stone[near] == stone[start] && of[near] == u16::MAX {
                    of[near] = number;
                    cells.push(near as u16);
                }
            }
            at += 1;
        }
        let (cells, beside) = (first as u32..cells.len() as u32, 0..0);
        parts.push(Part { color: stone[start], cells, beside, liberties: 0 });
    }
    (of, parts, cells)
}

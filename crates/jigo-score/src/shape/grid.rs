//! The board as a sequence of cells, with neighbour operations on sets of cells.

use super::cell_set::CellSet;
use jigo_rules::board::{BoardSize, Point, PointSet, Position};

/// Returns the cell of a point on a board of this size.
///
/// The points are stored row by row, with one border cell before each row and a border row above
/// and below.
pub(crate) fn cell_of(size: BoardSize, point: Point) -> usize {
    (usize::from(point.y()) + 1) * (usize::from(size.width()) + 1) + usize::from(point.x()) + 1
}

/// Returns the number of cells of a board of this size.
pub(crate) fn cells_of(size: BoardSize) -> usize {
    (usize::from(size.width()) + 1) * (usize::from(size.height()) + 2) + 1
}

/// Calls a function with the smallest sets that can store a board of this size.
///
/// 19x19 has 421 cells and 52x52 has 2,863. Smaller sets are faster.
macro_rules! with_words {
    ($size:expr, $function:ident, $($argument:expr),*) => {
        match crate::shape::grid::cells_of($size).div_ceil(64) {
            0..=2 => $function::<2>($($argument),*),
            3..=7 => $function::<7>($($argument),*),
            _ => $function::<45>($($argument),*),
        }
    };
}
pub(crate) use with_words;

/// The cells of a board of at most `64 * W` cells.
pub(crate) struct Grid<const W: usize> {
    pub(crate) size: BoardSize,
    /// Distance from a cell to the one below it.
    stride: usize,
    /// The points of the board.
    pub(crate) board: CellSet<W>,
}

impl<const W: usize> Grid<W> {
    pub(crate) fn new(size: BoardSize) -> Grid<W> {
        let mut grid = Grid { size, stride: usize::from(size.width()) + 1, board: CellSet::EMPTY };
        grid.board = grid.cell_set(&PointSet::full_board(size));
        grid
    }

    /// Returns the cells of a set of points.
    pub(crate) fn cell_set(&self, points: &PointSet) -> CellSet<W> {
        let mut set = CellSet::EMPTY;
        for row in 1..=usize::from(self.size.height()) {
            let (word, bit) = (row * self.stride / 64, row * self.stride % 64);
            let bits = points.row(row);
            set.0[word] |= bits << bit;
            // If no bits are left for the next word, that word may not exist.
            if bit + self.stride > 64 {
                set.0[word + 1] |= bits >> (64 - bit);
            }
        }
        set
    }

    /// Returns the stones of each colour, Black first.
    pub(crate) fn stones(&self, position: &Position) -> [CellSet<W>; 2] {
        position.stones_by_color().map(|stones| self.cell_set(&stones))
    }

    /// Returns all cells off the board.
    pub(crate) fn border(&self) -> CellSet<W> {
        CellSet(self.board.0.map(|word| !word))
    }

    /// Returns the cells of some points.
    pub(crate) fn cells(&self, points: &[Point]) -> CellSet<W> {
        points.iter().map(|&point| cell_of(self.size, point)).collect()
    }

    /// Returns the point of a cell.
    pub(crate) fn point(&self, cell: usize) -> Point {
        Point::new((cell % self.stride - 1) as u8, (cell / self.stride - 1) as u8)
    }

    /// Returns the points of a set of cells.
    pub(crate) fn points(&self, cells: &CellSet<W>) -> PointSet {
        let columns = (1 << self.stride) - 1;
        PointSet::from_rows(self.size.height(), |row| {
            let (word, bit) = (row * self.stride / 64, row * self.stride % 64);
            let carry = if bit + self.stride > 64 { cells.0[word + 1] << (64 - bit) } else { 0 };
            (cells.0[word] >> bit | carry) & columns
        })
    }

    /// Returns the four neighbours of a cell, including those off the board.
    #[inline]
    pub(crate) fn neighbours(&self, cell: usize) -> [usize; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }

    /// Returns the cells with a neighbour to the east, and those with one to the south, each with
    /// the distance to the neighbour.
    pub(crate) fn pairs(&self) -> [(usize, CellSet<W>); 2] {
        [1, self.stride].map(|step| (step, self.board.intersection(&self.board.down(step))))
    }

    /// Returns the cells east, west, south and north of a set, including those off the board.
    #[inline]
    pub(crate) fn sides(&self, set: &CellSet<W>) -> [CellSet<W>; 4] {
        [set.up(1), set.down(1), set.up(self.stride), set.down(self.stride)]
    }

    /// Returns the set together with all neighbouring points on the board.
    #[inline]
    pub(crate) fn dilate(&self, set: &CellSet<W>) -> CellSet<W> {
        let [east, west, south, north] = self.sides(set);
        CellSet(std::array::from_fn(|word| {
            set.0[word] | (east.0[word] | west.0[word] | south.0[word] | north.0[word]) & self.board.0[word]
        }))
    }

    /// Returns the points of the board with at least `count` neighbours in the set (1 to 4).
    #[inline]
    pub(crate) fn adjacent(&self, set: &CellSet<W>, count: usize) -> CellSet<W> {
        debug_assert!((1..=4).contains(&count));
        let sides = self.sides(set);
        CellSet(std::array::from_fn(|word| {
            let [east, west, south, north] = sides.each_ref().map(|side| side.0[word]);
            let (horizontal, vertical) = (east | west, south | north);
            let (horizontal_pair, vertical_pair) = (east & west, south & north);
            self.board.0[word]
                & match count {
                    1 => horizontal | vertical,
                    2 => horizontal_pair | vertical_pair | horizontal & vertical,
                    3 => horizontal_pair & vertical | vertical_pair & horizontal,
                    _ => horizontal_pair & vertical_pair,
                }
        }))
    }

    /// Returns, for each of the eight directions, the cells with a member of the set there. East is
    /// first, then north, west and south.
    pub(crate) fn around(&self, set: &CellSet<W>) -> [CellSet<W>; 8] {
        let (north, south) = (set.up(self.stride), set.down(self.stride));
        [
            set.down(1),
            set.up(self.stride - 1),
            north,
            set.up(self.stride + 1),
            set.up(1),
            set.down(self.stride - 1),
            south,
            set.down(self.stride + 1),
        ]
    }

    /// Returns the cells of `within` connected to those of `start` inside `within`.
    pub(crate) fn flood(&self, start: &CellSet<W>, within: &CellSet<W>) -> CellSet<W> {
        let mut filled = start.intersection(within);
        // Sweeps over the words forwards and backwards. Each word is filled from the present state
        // of its neighbours. Few boards are so winding that they need more than two sweeps. Growing
        // the whole set step by step takes as many steps as the longest path has points.
        while (0..W).fold(false, |has_grown, word| self.fill(&mut filled, within, word) | has_grown) {
            if !(0..W).rev().fold(false, |has_grown, word| self.fill(&mut filled, within, word) | has_grown) {
                break;
            }
        }
        filled
    }

    /// Fills a word from its own cells and the neighbouring words. Returns true if it gained cells.
    #[inline(always)]
    fn fill(&self, flooded: &mut CellSet<W>, within: &CellSet<W>, word: usize) -> bool {
        let (allowed, stride) = (within.0[word], self.stride);
        let previous_word = if word == 0 { 0 } else { flooded.0[word - 1] };
        let next_word = if word + 1 == W { 0 } else { flooded.0[word + 1] };
        let adjacent =
            previous_word >> 63 | previous_word >> (64 - stride) | next_word << 63 | next_word << (64 - stride);
        let previous = flooded.0[word];
        let mut grown = previous | adjacent & allowed;
        if grown == 0 {
            return false;
        }
        loop {
            let next = grown | (grown << 1 | grown >> 1 | grown << stride | grown >> stride) & allowed;
            if next == grown {
                break;
            }
            grown = next;
        }
        flooded.0[word] = grown;
        grown != previous
    }

    /// Returns the connected parts of a set, ordered by their first cells.
    pub(crate) fn parts(&self, set: CellSet<W>) -> impl Iterator<Item = CellSet<W>> + use<'_, W> {
        let mut remaining = set;
        std::iter::from_fn(move || {
            let part = self.flood(&CellSet::from_iter([remaining.first()?]), &remaining);
            remaining = remaining.without(&part);
            Some(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::hash::split_mix;
    use std::collections::BTreeSet;

    /// Returns random points of a board.
    fn random_points(size: BoardSize, random: &mut u64) -> BTreeSet<Point> {
        let share = 1 + split_mix(random) % 5;
        size.iter().filter(|_| split_mix(random).is_multiple_of(share)).collect()
    }

    /// Returns the connected points, found one by one.
    fn linked(start: impl Iterator<Item = Point>, within: &BTreeSet<Point>, board: &Position) -> BTreeSet<Point> {
        let mut pending: Vec<Point> = start.filter(|point| within.contains(point)).collect();
        let mut reached = BTreeSet::new();
        while let Some(point) = pending.pop() {
            if reached.insert(point) {
                pending.extend(board.neighbours(point).filter(|neighbour| within.contains(neighbour)));
            }
        }
        reached
    }

    /// Compares operations on sets of cells with the same operations on sets of points.
    fn agree<const W: usize>(size: BoardSize, random: &mut u64) {
        let (grid, board) = (Grid::<W>::new(size), Position::new(size));
        let (points, others) = (random_points(size, random), random_points(size, random));
        let is_same = |cells: &CellSet<W>, points: BTreeSet<Point>| {
            assert!(cells.iter().map(|cell| grid.point(cell)).eq(points), "{size:?} {cells:?}");
        };
        let set = |points: &BTreeSet<Point>| points.iter().copied().collect::<PointSet>();
        let [cells, other] = [&points, &others].map(|points| grid.cell_set(&set(points)));
        assert_eq!(cells, grid.cells(&points.iter().copied().collect::<Vec<_>>()));
        assert_eq!((grid.points(&cells), cells.len() as usize), (set(&points), points.len()));
        assert_eq!((cells.is_empty(), cells.intersects(&other)), (points.is_empty(), !points.is_disjoint(&others)));
        assert_eq!((cells.is_single(), cells.first().is_some()), (points.len() == 1, !points.is_empty()));
        is_same(&cells.union(&other), &points | &others);
        is_same(&cells.intersection(&other), &points & &others);
        is_same(&cells.without(&other), &points - &others);
        is_same(
            &grid.dilate(&cells),
            points.iter().flat_map(|&point| board.neighbours(point).chain([point])).collect(),
        );
        for count in 1..=4 {
            let has_neighbours = |point: &Point| {
                board.neighbours(*point).filter(|neighbour| points.contains(neighbour)).count() >= count
            };
            is_same(&grid.adjacent(&cells, count), size.iter().filter(has_neighbours).collect());
        }
        const DIRECTIONS: [(i16, i16); 8] = [(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)];
        let coordinates = |point: &Point| (i16::from(point.x()), i16::from(point.y()));
        let all_coordinates: BTreeSet<(i16, i16)> = points.iter().map(coordinates).collect();
        for (neighbour_set, (east, south)) in grid.around(&cells).into_iter().zip(DIRECTIONS) {
            let has_neighbours =
                |point: &Point| all_coordinates.contains(&(coordinates(point).0 + east, coordinates(point).1 + south));
            is_same(&neighbour_set.intersection(&grid.board), size.iter().filter(has_neighbours).collect());
        }
        is_same(&grid.flood(&other, &cells), linked(others.into_iter(), &points, &board));
        let mut remaining = points.clone();
        for part in grid.parts(cells) {
            let first = remaining.first().copied();
            is_same(&part, linked(first.into_iter(), &remaining, &board));
            remaining.retain(|point| !part.contains(cell_of(size, *point)));
        }
        assert!(remaining.is_empty());
    }

    #[test]
    fn cell_sets_agree_with_point_sets() {
        let mut random = 7;
        for _ in 0..1_000 {
            let mut side = || 1 + (split_mix(&mut random) % 52) as u8;
            let size = BoardSize::new(side(), side()).unwrap();
            with_words!(size, agree, size, &mut random);
        }
        agree::<7>(BoardSize::standard(), &mut random);
        agree::<45>(BoardSize::square(52).unwrap(), &mut random);
    }

    #[test]
    fn flood_follows_every_bend() {
        let size = BoardSize::square(52).unwrap();
        let is_open =
            |point: &Point| point.y().is_multiple_of(2) || point.x() == if point.y() % 4 == 1 { 51 } else { 0 };
        let grid = Grid::<45>::new(size);
        let snake = grid.cells(&size.iter().filter(is_open).collect::<Vec<_>>());
        for end in [Point::new(0, 0), Point::new(30, 50)] {
            assert_eq!(grid.flood(&grid.cells(&[end]), &snake), snake);
        }
    }
}

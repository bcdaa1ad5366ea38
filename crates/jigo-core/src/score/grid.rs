//! A board as a row of cells, and what is next to what in sets of them.

use super::cell_set::CellSet;
use crate::board::{BoardSize, Point, PointSet, Position};

/// The cell of a point on a board of this size: the points row by row, with one border cell before each row and a border row above and below.
pub(super) fn cell_of(size: BoardSize, point: Point) -> usize {
    (usize::from(point.y()) + 1) * (usize::from(size.width()) + 1) + usize::from(point.x()) + 1
}

/// Cells that a board of this size needs.
pub(super) fn cells_of(size: BoardSize) -> usize {
    (usize::from(size.width()) + 1) * (usize::from(size.height()) + 2) + 1
}

/// Calls a function for sets of as many words as a board of this size needs: 19x19 has 421 cells, 52x52 has 2,863, and smaller sets are faster.
macro_rules! with_words {
    ($size:expr, $function:ident, $($argument:expr),*) => {
        match crate::score::grid::cells_of($size).div_ceil(64) {
            0..=2 => $function::<2>($($argument),*),
            3..=7 => $function::<7>($($argument),*),
            _ => $function::<45>($($argument),*),
        }
    };
}
pub(super) use with_words;

/// The cells of a board of at most `64 * W`.
pub(super) struct Grid<const W: usize> {
    pub(super) size: BoardSize,
    /// How far a cell is from that below it.
    stride: usize,
    /// The points of the board.
    pub(super) board: CellSet<W>,
}

impl<const W: usize> Grid<W> {
    pub(super) fn new(size: BoardSize) -> Grid<W> {
        let mut grid = Grid { size, stride: usize::from(size.width()) + 1, board: CellSet::EMPTY };
        grid.board = grid.of(&PointSet::board(size));
        grid
    }

    /// The cells of a set of points of the board.
    pub(super) fn of(&self, points: &PointSet) -> CellSet<W> {
        let mut set = CellSet::EMPTY;
        for row in 1..=usize::from(self.size.height()) {
            let (word, bit) = (row * self.stride / 64, row * self.stride % 64);
            let bits = points.row(row);
            set.0[word] |= bits << bit;
            // Without a bit in the next word there may be no next word.
            if bit + self.stride > 64 {
                set.0[word + 1] |= bits >> (64 - bit);
            }
        }
        set
    }

    /// The stones of each colour of a position, Black's first.
    pub(super) fn stones(&self, position: &Position) -> [CellSet<W>; 2] {
        position.by_color().map(|stones| self.of(&stones))
    }

    /// All cells that are no points of the board.
    pub(super) fn outside(&self) -> CellSet<W> {
        CellSet(self.board.0.map(|word| !word))
    }

    /// The cells of points of the board.
    pub(super) fn cells(&self, points: &[Point]) -> CellSet<W> {
        points.iter().map(|&point| cell_of(self.size, point)).collect()
    }

    /// The point of a cell of the board.
    pub(super) fn point(&self, cell: usize) -> Point {
        Point::new((cell % self.stride - 1) as u8, (cell / self.stride - 1) as u8)
    }

    /// The points of cells of the board.
    pub(super) fn points(&self, cells: &CellSet<W>) -> PointSet {
        let columns = (1 << self.stride) - 1;
        PointSet::of_rows(self.size.height(), |row| {
            let (word, bit) = (row * self.stride / 64, row * self.stride % 64);
            let carried = if bit + self.stride > 64 { cells.0[word + 1] << (64 - bit) } else { 0 };
            (cells.0[word] >> bit | carried) & columns
        })
    }

    /// The cells next to one of the board, off the board as well.
    #[inline]
    pub(super) fn neighbours(&self, cell: usize) -> [usize; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }

    /// The cells that have a point of the board to the east, and to the south, with how far on that is.
    pub(super) fn pairs(&self) -> [(usize, CellSet<W>); 2] {
        [1, self.stride].map(|step| (step, self.board.intersection(&self.board.down(step))))
    }

    /// The cells east, west, south and north of those of a set, off the board as well.
    #[inline]
    pub(super) fn sides(&self, set: &CellSet<W>) -> [CellSet<W>; 4] {
        [set.up(1), set.down(1), set.up(self.stride), set.down(self.stride)]
    }

    /// The set with every point of the board next to it.
    #[inline]
    pub(super) fn grown(&self, set: &CellSet<W>) -> CellSet<W> {
        let [east, west, south, north] = self.sides(set);
        CellSet(std::array::from_fn(|word| {
            set.0[word] | (east.0[word] | west.0[word] | south.0[word] | north.0[word]) & self.board.0[word]
        }))
    }

    /// The points of the board with at least as many neighbours in the set, from 1 to 4.
    #[inline]
    pub(super) fn beside(&self, set: &CellSet<W>, times: usize) -> CellSet<W> {
        debug_assert!((1..=4).contains(&times));
        let sides = self.sides(set);
        CellSet(std::array::from_fn(|word| {
            let [east, west, south, north] = sides.each_ref().map(|side| side.0[word]);
            let (one, other) = (east | west, south | north);
            let (both, others) = (east & west, south & north);
            self.board.0[word]
                & match times {
                    1 => one | other,
                    2 => both | others | one & other,
                    3 => both & other | others & one,
                    _ => both & others,
                }
        }))
    }

    /// For each of the eight directions the cells that have one of the set there: east first, then on by north, west and south.
    pub(super) fn around(&self, set: &CellSet<W>) -> [CellSet<W>; 8] {
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

    /// The cells of `within` that are linked to those of `from` by others of it.
    pub(super) fn flood(&self, from: &CellSet<W>, within: &CellSet<W>) -> CellSet<W> {
        let mut reached = from.intersection(within);
        // Sweeps along the words and back, each of which is filled from those beside it as they are by then: a board is seldom so winding that it takes more
        // than two, where steps of the whole set take as many as the longest way has points.
        while (0..W).fold(false, |spread, word| self.fill(&mut reached, within, word) | spread) {
            if !(0..W).rev().fold(false, |spread, word| self.fill(&mut reached, within, word) | spread) {
                break;
            }
        }
        reached
    }

    /// Fills a word of `within` from what is reached of it and of the words beside it; whether that is more than before.
    #[inline(always)]
    fn fill(&self, reached: &mut CellSet<W>, within: &CellSet<W>, word: usize) -> bool {
        let (own, stride) = (within.0[word], self.stride);
        let before = if word == 0 { 0 } else { reached.0[word - 1] };
        let behind = if word + 1 == W { 0 } else { reached.0[word + 1] };
        let beside = before >> 63 | before >> (64 - stride) | behind << 63 | behind << (64 - stride);
        let known = reached.0[word];
        let mut filled = known | beside & own;
        if filled == 0 {
            return false;
        }
        loop {
            let next = filled | (filled << 1 | filled >> 1 | filled << stride | filled >> stride) & own;
            if next == filled {
                break;
            }
            filled = next;
        }
        reached.0[word] = filled;
        filled != known
    }

    /// The connected parts of a set of points of the board, by their first cells.
    pub(super) fn parts(&self, set: CellSet<W>) -> impl Iterator<Item = CellSet<W>> + use<'_, W> {
        let mut rest = set;
        std::iter::from_fn(move || {
            let part = self.flood(&CellSet::from_iter([rest.first()?]), &rest);
            rest = rest.without(&part);
            Some(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hash::split_mix;
    use std::collections::BTreeSet;

    /// Random points of a board.
    fn some(size: BoardSize, random: &mut u64) -> BTreeSet<Point> {
        let share = 1 + split_mix(random) % 5;
        size.iter().filter(|_| split_mix(random).is_multiple_of(share)).collect()
    }

    /// The points linked to some by others, one by one.
    fn linked(from: impl Iterator<Item = Point>, within: &BTreeSet<Point>, board: &Position) -> BTreeSet<Point> {
        let mut open: Vec<Point> = from.filter(|point| within.contains(point)).collect();
        let mut reached = BTreeSet::new();
        while let Some(point) = open.pop() {
            if reached.insert(point) {
                open.extend(board.neighbours(point).filter(|near| within.contains(near)));
            }
        }
        reached
    }

    /// Sets of cells of a board, held against sets of points one by one.
    fn agree<const W: usize>(size: BoardSize, random: &mut u64) {
        let (grid, board) = (Grid::<W>::new(size), Position::new(size));
        let (points, others) = (some(size, random), some(size, random));
        let is_same = |cells: &CellSet<W>, points: BTreeSet<Point>| {
            assert!(cells.iter().map(|cell| grid.point(cell)).eq(points), "{size:?} {cells:?}");
        };
        let set = |points: &BTreeSet<Point>| points.iter().copied().collect::<PointSet>();
        let [cells, other] = [&points, &others].map(|points| grid.of(&set(points)));
        assert_eq!(cells, grid.cells(&points.iter().copied().collect::<Vec<_>>()));
        assert_eq!((grid.points(&cells), cells.len() as usize), (set(&points), points.len()));
        assert_eq!((cells.is_empty(), cells.meets(&other)), (points.is_empty(), !points.is_disjoint(&others)));
        assert_eq!((cells.is_single(), cells.first().is_some()), (points.len() == 1, !points.is_empty()));
        is_same(&cells.union(&other), &points | &others);
        is_same(&cells.intersection(&other), &points & &others);
        is_same(&cells.without(&other), &points - &others);
        is_same(&grid.grown(&cells), points.iter().flat_map(|&point| board.neighbours(point).chain([point])).collect());
        for times in 1..=4 {
            let has = |point: &Point| board.neighbours(*point).filter(|near| points.contains(near)).count() >= times;
            is_same(&grid.beside(&cells, times), size.iter().filter(has).collect());
        }
        const DIRECTIONS: [(i16, i16); 8] = [(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)];
        let place = |point: &Point| (i16::from(point.x()), i16::from(point.y()));
        let places: BTreeSet<(i16, i16)> = points.iter().map(place).collect();
        for (around, (east, south)) in grid.around(&cells).into_iter().zip(DIRECTIONS) {
            let has = |point: &Point| places.contains(&(place(point).0 + east, place(point).1 + south));
            is_same(&around.intersection(&grid.board), size.iter().filter(has).collect());
        }
        is_same(&grid.flood(&other, &cells), linked(others.into_iter(), &points, &board));
        let mut left = points.clone();
        for part in grid.parts(cells) {
            let first = left.first().copied();
            is_same(&part, linked(first.into_iter(), &left, &board));
            left.retain(|point| !part.contains(cell_of(size, *point)));
        }
        assert!(left.is_empty());
    }

    #[test]
    fn sets_of_cells_are_sets_of_points() {
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
    fn a_flood_follows_every_bend() {
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

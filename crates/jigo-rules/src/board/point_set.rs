//! Sets of points of one board.

use super::point::{BoardSize, CELLS, Point, STRIDE};

const ROWS: usize = CELLS / STRIDE;

/// A set of points, with one word for each grid row and one bit for each cell.
#[derive(Clone, Copy)]
pub struct PointSet {
    rows: [u64; ROWS],
    /// Rows from this index on are empty, so operations skip them.
    ///
    /// Most boards have 19 rows, while the grid has room for 52.
    end: usize,
}

/// Compares only the points, because `end` can differ between sets with the same points.
impl PartialEq for PointSet {
    fn eq(&self, other: &PointSet) -> bool {
        self.rows == other.rows
    }
}

impl Eq for PointSet {}

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet { rows: [0; ROWS], end: 0 };

    /// Returns all points of a board.
    pub fn full_board(size: BoardSize) -> PointSet {
        PointSet::from_rows(size.height(), |_| ((1 << size.width()) - 1) << 1)
    }

    /// Creates a set from the grid rows 1 to `last`. Grid row 1 is the board's upper row.
    ///
    /// `bits` returns one bit for each cell of a grid row. The lowest bit belongs to the border
    /// cell left of column 0.
    #[inline]
    pub fn from_rows(last: u8, bits: impl Fn(usize) -> u64) -> PointSet {
        let mut set = PointSet::EMPTY;
        set.end = usize::from(last) + 1;
        (1..set.end).for_each(|row| set.rows[row] = bits(row));
        set
    }

    /// Creates two sets at once, as [`PointSet::from_rows`] does.
    #[inline]
    pub(super) fn pair_from_rows(last: u8, bits: impl Fn(usize) -> [u64; 2]) -> [PointSet; 2] {
        let mut sets = [PointSet::EMPTY; 2];
        sets.iter_mut().for_each(|set| set.end = usize::from(last) + 1);
        for row in 1..=usize::from(last) {
            let bits = bits(row);
            sets.iter_mut().zip(bits).for_each(|(set, bits)| set.rows[row] = bits);
        }
        sets
    }

    /// Returns the bits of a grid row in the layout of [`PointSet::from_rows`].
    #[inline]
    pub fn row(&self, row: usize) -> u64 {
        self.rows[row]
    }

    /// Returns true if `point` is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.rows[point.cell() / STRIDE] >> (point.cell() % STRIDE) & 1 == 1
    }

    /// Adds a point. Returns true if the set did not contain it.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let new = !self.contains(point);
        self.rows[point.cell() / STRIDE] |= 1 << (point.cell() % STRIDE);
        self.end = self.end.max(point.cell() / STRIDE + 1);
        new
    }

    /// Adds all points of a rectangle.
    ///
    /// The corners are the upper left and the lower right one, in this order.
    pub fn insert_rectangle(&mut self, [first, last]: [Point; 2]) {
        let columns = ((2_u64 << (last.x() - first.x())) - 1) << (first.cell() % STRIDE);
        self.rows[first.cell() / STRIDE..=last.cell() / STRIDE].iter_mut().for_each(|row| *row |= columns);
        self.end = self.end.max(last.cell() / STRIDE + 1);
    }

    /// Removes a point.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.rows[point.cell() / STRIDE] &= !(1 << (point.cell() % STRIDE));
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.rows[..self.end].iter().fold(0, |all, row| all | row) == 0
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.rows[..self.end].iter().filter(|row| **row != 0).map(|row| row.count_ones() as usize).sum()
    }

    /// Returns the points in either set.
    pub fn union(mut self, other: &PointSet) -> PointSet {
        self.end = self.end.max(other.end);
        self.rows[..other.end].iter_mut().zip(&other.rows).for_each(|(row, other)| *row |= other);
        self
    }

    /// Returns the points in both sets.
    pub fn intersection(mut self, other: &PointSet) -> PointSet {
        self.rows[..self.end].iter_mut().zip(&other.rows).for_each(|(row, other)| *row &= other);
        self.end = self.end.min(other.end);
        self
    }

    /// Returns the points of this set that the other one does not contain.
    pub fn without(mut self, other: &PointSet) -> PointSet {
        self.rows[..self.end].iter_mut().zip(&other.rows).for_each(|(row, other)| *row &= !other);
        self
    }

    /// Returns true if the sets share a point.
    pub fn intersects(&self, other: &PointSet) -> bool {
        self.rows[..self.end].iter().zip(&other.rows).fold(0, |both, (row, other)| both | row & other) != 0
    }

    /// Returns the points row by row from the top left.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        let (mut row, mut bits) = (0, self.rows[0]);
        std::iter::from_fn(move || {
            while bits == 0 {
                row += 1;
                bits = *self.rows[..self.end].get(row)?;
            }
            let column = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            Some(Point::from_cell(row * STRIDE + column))
        })
    }
}

impl Default for PointSet {
    fn default() -> PointSet {
        PointSet::EMPTY
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl std::fmt::Debug for PointSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Points marked as territory or area at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedTerritory {
    /// True if jigo counted and wrote them. They then don't show an agreement of the players.
    pub is_counted: bool,
    /// TB, sorted.
    pub black: Vec<Point>,
    /// TW, sorted.
    pub white: Vec<Point>,
}

impl MarkedTerritory {
    /// Returns true if a point of the board is marked. Empty marks and marks off the board have no
    /// meaning.
    pub fn is_on_board(&self, size: BoardSize) -> bool {
        self.black.iter().chain(&self.white).any(|point| size.contains(*point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_is_ordered_on_the_largest_board() {
        let size = BoardSize::square(52).unwrap();
        assert!(PointSet::full_board(size).iter().eq(size.iter()));
        assert_eq!(PointSet::full_board(BoardSize::new(3, 2).unwrap()).len(), 6);
    }

    #[test]
    fn rectangle_has_the_points_between_its_corners() {
        for (first, last) in [((0, 0), (51, 51)), ((3, 4), (3, 4)), ((50, 0), (51, 1)), ((2, 7), (40, 7))] {
            let mut set = PointSet::EMPTY;
            set.insert_rectangle([first, last].map(|(x, y)| Point::new(x, y)));
            let inside =
                |point: &Point| (first.0..=last.0).contains(&point.x()) && (first.1..=last.1).contains(&point.y());
            assert!(set.iter().eq(BoardSize::square(52).unwrap().iter().filter(inside)));
        }
    }

    /// Compares sets on boards of all heights with `BTreeSet`.
    #[test]
    fn operations_agree_with_btree_sets() {
        use crate::board::hash::split_mix;
        use std::collections::BTreeSet;
        let mut random = 3;
        for _ in 0..2_000 {
            let mut below = |bound: u64| split_mix(&mut random) % bound;
            let (width, share) = (1 + below(52) as u8, 1 + below(6));
            let [one, other] = [(); 2].map(|()| -> BTreeSet<Point> {
                let board = BoardSize::new(width, 1 + below(52) as u8).unwrap();
                board.iter().filter(|_| below(share) == 0).collect()
            });
            let set = |points: &BTreeSet<Point>| points.iter().copied().collect::<PointSet>();
            let (a, b) = (set(&one), set(&other));
            assert_eq!(a.union(&b), set(&(&one | &other)));
            assert_eq!(a.intersection(&b), set(&(&one & &other)));
            assert_eq!(a.without(&b), set(&(&one - &other)));
            assert_eq!(
                (a.intersects(&b), a.is_empty(), a.len()),
                (!one.is_disjoint(&other), one.is_empty(), one.len())
            );
            assert!(a.iter().eq(one.iter().copied()));
        }
    }

    #[test]
    fn insert_reports_new_points_and_remove_empties_the_set() {
        let board = PointSet::full_board(BoardSize::square(2).unwrap());
        let mut one = PointSet::EMPTY;
        assert!(one.is_empty() && one.insert(Point::new(1, 1)) && !one.insert(Point::new(1, 1)));
        assert!(one.intersects(&board));
        assert_eq!(board.without(&one).union(&one), board);
        one.remove(Point::new(1, 1));
        assert!(one.is_empty());
    }
}

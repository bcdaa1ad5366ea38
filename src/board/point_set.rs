//! A set of points of one board.

use super::point::{BoardSize, CELLS, Point, STRIDE};

const ROWS: usize = CELLS / STRIDE;

/// A set of points: one bit for each cell of the grid, one word for each row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PointSet([u64; ROWS]);

impl PointSet {
    /// The set without points.
    pub const EMPTY: PointSet = PointSet([0; ROWS]);

    /// All points of a board.
    pub fn board(size: BoardSize) -> PointSet {
        let mut all = PointSet::EMPTY;
        all.0[1..=usize::from(size.height())].fill(((1 << size.width()) - 1) << 1);
        all
    }

    /// Whether `point` is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.cell() / STRIDE] >> (point.cell() % STRIDE) & 1 == 1
    }

    /// Adds a point; true when it was not in the set before.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let new = !self.contains(point);
        self.0[point.cell() / STRIDE] |= 1 << (point.cell() % STRIDE);
        new
    }

    /// Takes a point out.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0[point.cell() / STRIDE] &= !(1 << (point.cell() % STRIDE));
    }

    /// Whether no point is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The points that are in this set or in the other.
    pub fn union(mut self, other: &PointSet) -> PointSet {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row |= other);
        self
    }

    /// The points that are in both sets.
    pub fn intersection(mut self, other: &PointSet) -> PointSet {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row &= other);
        self
    }

    /// The points of this set that are not in the other.
    pub fn without(mut self, other: &PointSet) -> PointSet {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row &= !other);
        self
    }

    /// Whether a point is in both sets.
    pub fn meets(&self, other: &PointSet) -> bool {
        self.0.iter().zip(other.0).any(|(row, other)| row & other != 0)
    }

    /// The set with every point next to it, points of the border included: intersect it with what is wanted.
    pub fn grown(&self) -> PointSet {
        let mut grown = PointSet::EMPTY;
        for row in 0..ROWS {
            let own = self.0[row];
            let above = if row > 0 { self.0[row - 1] } else { 0 };
            let below = if row + 1 < ROWS { self.0[row + 1] } else { 0 };
            grown.0[row] = own | own << 1 | own >> 1 | above | below;
        }
        grown
    }

    /// The points of `within` that are linked to this set by points of `within`; points of this set outside it are dropped.
    pub fn flood(&self, within: &PointSet) -> PointSet {
        let mut reached = self.intersection(within);
        loop {
            let wider = reached.grown().intersection(within);
            if wider == reached {
                return reached;
            }
            reached = wider;
        }
    }

    /// The connected parts of the set, by their first points.
    pub fn parts(self) -> impl Iterator<Item = PointSet> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let first = rest.iter().next()?;
            let part = PointSet::from_iter([first]).flood(&rest);
            rest = rest.without(&part);
            Some(part)
        })
    }

    /// The points in order, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().enumerate().flat_map(|(row, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let column = bits.trailing_zeros() as usize;
                bits &= bits.checked_sub(1)?;
                Some(Point::from_cell(row * STRIDE + column))
            })
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_out_in_order_on_the_largest_board_too() {
        let size = BoardSize::square(52).unwrap();
        assert!(PointSet::board(size).iter().eq(size.iter()));
        assert_eq!(PointSet::board(BoardSize::new(3, 2).unwrap()).len(), 6);
    }

    #[test]
    fn a_flood_stays_within_and_parts_are_apart() {
        let row: PointSet = [0, 1, 3].map(|x| Point::new(x, 0)).into_iter().collect();
        assert_eq!(PointSet::from_iter([Point::new(0, 0)]).flood(&row).len(), 2);
        assert_eq!(row.parts().map(|part| part.len()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn set_operations_agree_with_their_names() {
        let board = PointSet::board(BoardSize::square(2).unwrap());
        let mut one = PointSet::EMPTY;
        assert!(one.is_empty() && one.insert(Point::new(1, 1)) && !one.insert(Point::new(1, 1)));
        assert!(one.meets(&board));
        assert_eq!(board.without(&one).union(&one), board);
        assert_eq!(one.grown().intersection(&board).len(), 3);
        one.remove(Point::new(1, 1));
        assert!(one.is_empty());
    }
}

//! A set of cells of a playout board.

/// At most `64 * W` cells, one bit each.
#[derive(Clone, Copy)]
pub(super) struct CellSet<const W: usize>([u64; W]);

impl<const W: usize> CellSet<W> {
    pub(super) const EMPTY: CellSet<W> = CellSet([0; W]);

    #[inline]
    pub(super) fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Adds a cell; whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, cell: usize) -> bool {
        let word = &mut self.0[cell / 64];
        let bit = 1 << (cell % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes a cell out; whether it was there.
    #[inline]
    pub(super) fn remove(&mut self, cell: usize) -> bool {
        let word = &mut self.0[cell / 64];
        let bit = 1 << (cell % 64);
        let was_there = *word & bit != 0;
        *word &= !bit;
        was_there
    }

    #[inline]
    pub(super) fn add(&mut self, other: &CellSet<W>) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The cells in ascending order.
    #[inline]
    pub(super) fn iter(mut self) -> impl Iterator<Item = usize> {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < W && self.0[at] == 0 {
                at += 1;
            }
            let word = self.0.get_mut(at)?;
            let bit = word.trailing_zeros() as usize;
            *word &= *word - 1;
            Some(at * 64 + bit)
        })
    }
}

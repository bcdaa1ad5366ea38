//! A set of cells, as small as the board size allows.

/// A set of at most `64 * W` cells, with one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellSet<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> CellSet<W> {
    pub(crate) const EMPTY: CellSet<W> = CellSet([0; W]);

    #[inline]
    pub(crate) fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Adds a cell. Returns true if the set did not contain it.
    #[inline]
    pub(crate) fn insert(&mut self, cell: usize) -> bool {
        let word = &mut self.0[cell / 64];
        let bit = 1 << (cell % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Removes a cell. Returns true if the set contained it.
    #[inline]
    pub(crate) fn remove(&mut self, cell: usize) -> bool {
        let word = &mut self.0[cell / 64];
        let bit = 1 << (cell % 64);
        let was_there = *word & bit != 0;
        *word &= !bit;
        was_there
    }

    #[inline]
    pub(crate) fn add(&mut self, other: &CellSet<W>) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    /// Returns the cells in either set.
    #[inline]
    pub(crate) fn union(&self, other: &CellSet<W>) -> CellSet<W> {
        CellSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Returns the cells in both sets.
    #[inline]
    pub(crate) fn intersection(&self, other: &CellSet<W>) -> CellSet<W> {
        CellSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Returns the cells of this set that the other one does not contain.
    #[inline]
    pub(crate) fn without(&self, other: &CellSet<W>) -> CellSet<W> {
        CellSet(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Returns true if the sets share a cell.
    #[inline]
    pub(crate) fn intersects(&self, other: &CellSet<W>) -> bool {
        self.0.iter().zip(&other.0).fold(0, |common, (word, other)| common | word & other) != 0
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns true if the set has exactly one cell. This is faster than `len`.
    #[inline]
    pub(crate) fn is_single(&self) -> bool {
        let all = self.0.iter().fold(0, |all, word| all | word);
        all.is_power_of_two() && self.0.iter().filter(|word| **word != 0).count() == 1
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the smallest cell.
    #[inline]
    pub(crate) fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// Returns the cells in ascending order.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let mut words = self.0;
        let mut index = 0;
        std::iter::from_fn(move || {
            while index < W && words[index] == 0 {
                index += 1;
            }
            let word = words.get_mut(index)?;
            let bit = word.trailing_zeros() as usize;
            *word &= *word - 1;
            Some(index * 64 + bit)
        })
    }

    /// Calls a function for each cell in ascending order. This is faster than [`CellSet::iter`].
    #[inline]
    pub(crate) fn for_each(&self, mut action: impl FnMut(usize)) {
        for (index, &word) in self.0.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                action(index * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }

    /// Adds `steps` to every cell. `steps` must be less than 64.
    #[inline]
    pub(crate) fn up(&self, steps: usize) -> CellSet<W> {
        let carry = |word: usize| if word == 0 { 0 } else { self.0[word - 1] >> (64 - steps) };
        CellSet(std::array::from_fn(|word| self.0[word] << steps | carry(word)))
    }

    /// Subtracts `steps` from every cell. `steps` must be less than 64.
    #[inline]
    pub(crate) fn down(&self, steps: usize) -> CellSet<W> {
        let carry = |word: usize| if word + 1 == W { 0 } else { self.0[word + 1] << (64 - steps) };
        CellSet(std::array::from_fn(|word| self.0[word] >> steps | carry(word)))
    }
}

impl<const W: usize> FromIterator<usize> for CellSet<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> CellSet<W> {
        let mut set = CellSet::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

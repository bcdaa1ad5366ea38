//! The cells of a position's grid, a byte each.

use std::ops::{Index, IndexMut};

use crate::board::point::{CELLS, Color, STRIDE};

/// Cells that can be asked for: a power of two, and no fewer than the grid has.
const NUMBERS: usize = 1 << 12;
const _: () = assert!(CELLS <= NUMBERS);

/// A byte for each cell. Only the lower bits of an index count, and there is room on both sides, so that no index needs a check, and
/// neither do those of the neighbours.
#[derive(Clone)]
pub(super) struct Cells([u8; STRIDE + NUMBERS + STRIDE]);

impl Cells {
    pub(super) const OUTSIDE: Cells = Cells([OUTSIDE; STRIDE + NUMBERS + STRIDE]);

    /// The cells from the first of `row` on, `width` of them.
    #[inline]
    pub(super) fn row(&self, row: usize, width: usize) -> &[u8] {
        &self.0[STRIDE + row * STRIDE..][..width]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, row: usize, width: usize) -> &mut [u8] {
        &mut self.0[STRIDE + row * STRIDE..][..width]
    }

    /// The stones among the first `width` cells of `row`, eight cells at once: the first of these, and for each colour, Black's first, a
    /// bit in the byte of every cell with a stone of it.
    #[inline]
    pub(super) fn stones_of_row(&self, row: usize, width: usize) -> impl Iterator<Item = (usize, [u64; 2])> + '_ {
        let (cells, _) = self.row(row, STRIDE).as_chunks::<8>();
        cells[..width.div_ceil(8)].iter().enumerate().map(|(index, cells)| {
            let in_each = u64::from_le_bytes([1; 8]);
            // The border is both colours at once.
            let cells = u64::from_le_bytes(*cells);
            let [black, white] = Color::BOTH.map(|color| cells >> of_color(color).trailing_zeros() & in_each);
            (8 * index, [black & !white, white & !black])
        })
    }

    /// The cells next to one.
    #[inline(always)]
    pub(super) fn beside(&self, cell: usize) -> [u8; 4] {
        let cell = cell % NUMBERS;
        [self.0[cell], self.0[cell + STRIDE - 1], self.0[cell + STRIDE + 1], self.0[cell + 2 * STRIDE]]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn change_beside(&mut self, cell: usize, change: u8) -> [u8; 4] {
        let cell = cell % NUMBERS;
        [cell, cell + STRIDE - 1, cell + STRIDE + 1, cell + 2 * STRIDE].map(|beside| {
            self.0[beside] = self.0[beside].wrapping_add(change);
            self.0[beside]
        })
    }
}

impl Index<usize> for Cells {
    type Output = u8;

    #[inline(always)]
    fn index(&self, cell: usize) -> &u8 {
        &self.0[cell % NUMBERS + STRIDE]
    }
}

impl IndexMut<usize> for Cells {
    #[inline(always)]
    fn index_mut(&mut self, cell: usize) -> &mut u8 {
        &mut self.0[cell % NUMBERS + STRIDE]
    }
}

/// How many neighbours of the cell are empty points, whatever is on the cell. One of the border counts those beyond it as if they were:
/// it has at most one neighbour on the board, so it always has some.
pub(super) const LIBERTIES: u8 = 7;
/// With [`EMPTY`]: a stone was on the cell before.
pub(super) const EMPTIED: u8 = 1 << 3;
/// What is on the cell: nothing, a [`Color`], or the border.
pub(super) const ON_CELL: u8 = 3 << 4;
pub(super) const EMPTY: u8 = 0;
pub(super) const BORDER: u8 = 3 << 4;
/// While a chain is gone through: its stone was met.
pub(super) const MET: u8 = 1 << 6;

/// A cell of the border, and an empty one all whose neighbours are empty.
pub(super) const OUTSIDE: u8 = BORDER | 4;
pub(super) const OPEN: u8 = EMPTY | 4;

pub(super) const fn of_color(color: Color) -> u8 {
    (color as u8) << 4
}

/// The stones of `color`'s opponent.
pub(super) const fn of_opponent(color: Color) -> u8 {
    ON_CELL - of_color(color)
}

#[inline]
pub(super) fn stone(cell: u8) -> Option<Color> {
    match (cell & ON_CELL) >> 4 {
        1 => Some(Color::Black),
        2 => Some(Color::White),
        _ => None,
    }
}

#[inline]
pub(super) fn neighbours(cell: usize) -> [usize; 4] {
    // The cell of a point is never on the border, so these stay inside the grid.
    [cell - STRIDE, cell - 1, cell + 1, cell + STRIDE]
}

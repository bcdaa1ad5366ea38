//! The cells of a position's grid, one byte each.

use std::ops::{Index, IndexMut};

use crate::board::point::{CELLS, Color, STRIDE};

/// Range of valid cell indices: a power of two that is at least the size of the grid.
const INDICES: usize = 1 << 12;
const _: () = assert!(CELLS <= INDICES);

/// One byte for each cell.
///
/// An index is reduced to its lower bits, and the array has padding on both sides. Therefore
/// neither an index nor those of its neighbours need a bounds check.
#[derive(Clone)]
pub(super) struct Cells([u8; STRIDE + INDICES + STRIDE]);

impl Cells {
    pub(super) const OUTSIDE: Cells = Cells([OUTSIDE; STRIDE + INDICES + STRIDE]);

    /// Returns the first `width` cells of `row`.
    #[inline]
    pub(super) fn row(&self, row: usize, width: usize) -> &[u8] {
        &self.0[STRIDE + row * STRIDE..][..width]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, row: usize, width: usize) -> &mut [u8] {
        &mut self.0[STRIDE + row * STRIDE..][..width]
    }

    /// Returns the stones among the first `width` cells of `row`, eight cells at a time.
    ///
    /// Each item contains the index of the first of the eight cells and a word for each colour,
    /// Black first. In a word the byte of each cell with such a stone is 1.
    #[inline]
    pub(super) fn stones_of_row(&self, row: usize, width: usize) -> impl Iterator<Item = (usize, [u64; 2])> + '_ {
        let (cells, _) = self.row(row, STRIDE).as_chunks::<8>();
        cells[..width.div_ceil(8)].iter().enumerate().map(|(index, cells)| {
            let in_each = u64::from_le_bytes([1; 8]);
            // A border cell has the bits of both colours.
            let cells = u64::from_le_bytes(*cells);
            let [black, white] = Color::BOTH.map(|color| cells >> color_bits(color).trailing_zeros() & in_each);
            (8 * index, [black & !white, white & !black])
        })
    }

    /// Returns the contents of the four cells next to `cell`, in the order of [`neighbours`].
    #[inline(always)]
    pub(super) fn neighbour_cells(&self, cell: usize) -> [u8; 4] {
        let cell = cell % INDICES;
        [self.0[cell], self.0[cell + STRIDE - 1], self.0[cell + STRIDE + 1], self.0[cell + 2 * STRIDE]]
    }

    /// Adds `change` to the four cells next to `cell`, modulo 256, and returns their new contents.
    #[inline(always)]
    pub(super) fn add_to_neighbours(&mut self, cell: usize, change: u8) -> [u8; 4] {
        let cell = cell % INDICES;
        [cell, cell + STRIDE - 1, cell + STRIDE + 1, cell + 2 * STRIDE].map(|neighbour| {
            self.0[neighbour] = self.0[neighbour].wrapping_add(change);
            self.0[neighbour]
        })
    }
}

impl Index<usize> for Cells {
    type Output = u8;

    #[inline(always)]
    fn index(&self, cell: usize) -> &u8 {
        &self.0[cell % INDICES + STRIDE]
    }
}

impl IndexMut<usize> for Cells {
    #[inline(always)]
    fn index_mut(&mut self, cell: usize) -> &mut u8 {
        &mut self.0[cell % INDICES + STRIDE]
    }
}

/// Mask of the number of empty neighbours, which is stored for empty points, stones and border
/// cells.
///
/// A border cell also counts its neighbours off the board as empty. It has at most one neighbour on
/// the board, so its count is never 0.
pub(super) const LIBERTIES: u8 = 7;
/// Flag of an [`EMPTY`] cell from which a stone was removed.
pub(super) const CLEARED: u8 = 1 << 3;
/// Mask of the cell's content: empty, a [`Color`] or the border.
pub(super) const CELL_STONE: u8 = 3 << 4;
pub(super) const EMPTY: u8 = 0;
pub(super) const BORDER: u8 = 3 << 4;
/// Flag of a stone that the current chain search has visited.
pub(super) const VISITED: u8 = 1 << 6;

/// Initial values: a border cell, and an empty cell with four empty neighbours.
pub(super) const OUTSIDE: u8 = BORDER | 4;
pub(super) const OPEN: u8 = EMPTY | 4;

/// Returns the cell content for stones of `color`.
pub(super) const fn color_bits(color: Color) -> u8 {
    (color as u8) << 4
}

/// Returns the cell content for stones of `color`'s opponent.
pub(super) const fn opponent_bits(color: Color) -> u8 {
    CELL_STONE - color_bits(color)
}

/// Returns the stone on a cell with this content.
#[inline]
pub(super) fn stone(cell: u8) -> Option<Color> {
    match (cell & CELL_STONE) >> 4 {
        1 => Some(Color::Black),
        2 => Some(Color::White),
        _ => None,
    }
}

/// Returns the indices of the four cells next to a point's cell: above, left, right, below.
#[inline]
pub(super) fn neighbours(cell: usize) -> [usize; 4] {
    // A point's cell is never on the border, so these indices are inside the grid.
    [cell - STRIDE, cell - 1, cell + 1, cell + STRIDE]
}

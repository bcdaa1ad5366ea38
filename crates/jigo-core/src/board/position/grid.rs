//! The cells of a position's grid, and what each knows of its chain.

use crate::board::point::{CELLS, Color, STRIDE};

/// What a cell knows of its chain.
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// Of the chain's head alone: pseudo-liberties, which are pairs of a stone and an empty neighbour of it, so that there are none
    /// exactly when the chain has no liberty.
    pub(super) liberties: u16,
    /// What is on the cell, and below it the cell that stands for the chain.
    pub(super) chain: u16,
    /// The next cell of the chain, in a ring.
    pub(super) next: u16,
    /// Of the chain's head alone: the chain's stones.
    pub(super) stones: u16,
}

/// Cells of the grid, and some more: a cell is any number below a power of two, so no index needs a check.
pub(super) const GRID: usize = 1 << 12;
const _: () = assert!(CELLS <= GRID);

/// What is on a cell, in the upper bits of [`Link::chain`]: nothing, a [`Color`], or the border.
pub(super) const EMPTY: u16 = 0;
pub(super) const BORDER: u16 = 3 << 14;
pub(super) const ON_CELL: u16 = 3 << 14;
/// With [`EMPTY`]: a stone was on the cell before.
pub(super) const EMPTIED: u16 = 1 << 13;
pub(super) const LAST_CELL: u16 = GRID as u16 - 1;

pub(super) const fn of_color(color: Color) -> u16 {
    (color as u16) << 14
}

impl Link {
    /// A cell alone, all its neighbours empty.
    pub(super) const fn alone(cell: usize, on_cell: u16) -> Link {
        Link { liberties: 4, stones: 0, chain: on_cell | cell as u16, next: cell as u16 }
    }

    #[inline]
    pub(super) fn head(self) -> usize {
        usize::from(self.chain & LAST_CELL)
    }

    #[inline]
    pub(super) fn stone(self) -> Option<Color> {
        match self.chain >> 14 {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }
}

/// Every cell empty and alone.
pub(super) static ALONE: [Link; GRID] = {
    let mut links = [Link::alone(0, EMPTY); GRID];
    let mut cell = 0;
    while cell < GRID {
        links[cell] = Link::alone(cell, EMPTY);
        cell += 1;
    }
    links
};

/// Whether a cell has all its neighbours in the grid, as those of points have.
#[inline]
pub(super) fn is_inside(cell: usize) -> bool {
    (STRIDE..CELLS - STRIDE).contains(&cell)
}

#[inline]
pub(super) fn neighbours(cell: usize) -> [usize; 4] {
    // A stone is never on the border, so these stay inside the grid.
    [cell - STRIDE, cell - 1, cell + 1, cell + STRIDE]
}

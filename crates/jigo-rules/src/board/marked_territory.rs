//! Territory that a record marks.

use super::{BoardSize, Point};

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

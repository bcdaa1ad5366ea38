//! Territory that a record marks.

use super::{BoardSize, Point};

/// Points marked as territory or area at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedTerritory {
    /// jigo counted it and wrote it down: it says nothing of what the players agreed on.
    pub is_counted: bool,
    /// TB, sorted.
    pub black: Vec<Point>,
    /// TW, sorted.
    pub white: Vec<Point>,
}

impl MarkedTerritory {
    /// Whether a point of a board is marked: empty marks, and those beside the board, say nothing.
    pub fn is_on(&self, size: BoardSize) -> bool {
        self.black.iter().chain(&self.white).any(|point| size.contains(*point))
    }
}

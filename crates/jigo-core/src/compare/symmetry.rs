//! The eight symmetries of a board, with and without an exchange of colours.

use std::fmt;

use crate::board::{BoardSize, Point};

/// One of the eight ways to lay a board onto a board: mirrored left to right, then top to bottom, then along the diagonal from the top left, each or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

/// What each does to a diagram, by number.
const NAMES: [&str; 8] = [
    "none",
    "mirror-left-right",
    "mirror-top-bottom",
    "rotate-180",
    "mirror-diagonal",
    "rotate-270",
    "rotate-90",
    "mirror-antidiagonal",
];

impl Symmetry {
    /// All eight; the first changes nothing.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// The number, below 8; 0 changes nothing.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Size of the board that one of `size` becomes.
    pub fn size(self, size: BoardSize) -> (u8, u8) {
        if self.0 & 4 != 0 { (size.height(), size.width()) } else { (size.width(), size.height()) }
    }

    /// Column and row, from 0, that a point of a board of `size` comes to lie in. A point outside that board comes to lie outside the other, or nowhere sensible.
    pub fn place(self, point: Point, size: BoardSize) -> (u8, u8) {
        let x = if self.0 & 1 != 0 { size.width().wrapping_sub(1 + point.x()) } else { point.x() };
        let y = if self.0 & 2 != 0 { size.height().wrapping_sub(1 + point.y()) } else { point.y() };
        if self.0 & 4 != 0 { (y, x) } else { (x, y) }
    }

    /// What it does to a diagram: `none`, `rotate-90` (clockwise), `mirror-left-right` and so on.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }
}

/// A way to look at a game: one of the eight symmetries, and the colours as they are or exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View {
    /// What happens to the points.
    pub symmetry: Symmetry,
    /// Whether Black's turns are White's.
    pub colors_swapped: bool,
}

impl View {
    /// All sixteen, those with the colours as they are first; the first of all changes nothing.
    pub fn all() -> impl Iterator<Item = View> {
        let with = |colors_swapped| Symmetry::all().map(move |symmetry| View { symmetry, colors_swapped });
        with(false).chain(with(true))
    }

    /// Whether it changes anything.
    pub fn is_identity(self) -> bool {
        self == View::default()
    }
}

/// `rotate-90`, `none;colors-swapped`.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symmetry.name())?;
        f.write_str(if self.colors_swapped { ";colors-swapped" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the corner, the point to its right and the one below it come to lie, on a board of 3 columns and 2 rows.
    #[test]
    fn names_say_what_happens_to_a_diagram() {
        let size = BoardSize::new(3, 2).unwrap();
        let seen = |name: &str| {
            let symmetry = Symmetry::all().find(|symmetry| symmetry.name() == name).unwrap();
            [(0, 0), (1, 0), (0, 1)].map(|(x, y)| symmetry.place(Point::new(x, y), size))
        };
        assert_eq!(seen("none"), [(0, 0), (1, 0), (0, 1)]);
        assert_eq!(seen("mirror-left-right"), [(2, 0), (1, 0), (2, 1)]);
        assert_eq!(seen("mirror-top-bottom"), [(0, 1), (1, 1), (0, 0)]);
        assert_eq!(seen("rotate-180"), [(2, 1), (1, 1), (2, 0)]);
        assert_eq!(seen("mirror-diagonal"), [(0, 0), (0, 1), (1, 0)]);
        // Clockwise: the top left corner goes to the top right one of a board of 2 columns, and the upper edge to the right one.
        assert_eq!(seen("rotate-90"), [(1, 0), (1, 1), (0, 0)]);
        assert_eq!(seen("rotate-270"), [(0, 2), (0, 1), (1, 2)]);
        assert_eq!(seen("mirror-antidiagonal"), [(1, 2), (1, 1), (0, 2)]);
    }
}

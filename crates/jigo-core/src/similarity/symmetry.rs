//! The eight symmetries of a board, with and without an exchange of colours.

use std::fmt;

use jigo_rules::board::{BoardSize, Point};

/// A symmetry of the board as three optional steps: mirror left to right, then top to bottom, then
/// along the diagonal from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

/// The effects on a diagram, by number.
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
    /// Returns all eight symmetries. The first is the identity.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// Returns the number, below 8. 0 is the identity.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns width and height of the transformed board.
    pub fn size(self, size: BoardSize) -> (u8, u8) {
        if self.0 & 4 != 0 { (size.height(), size.width()) } else { (size.width(), size.height()) }
    }

    /// Returns the column and row, from 0, of the transformed point.
    ///
    /// The result for a point off the board is off the transformed board or arbitrary.
    pub fn place(self, point: Point, size: BoardSize) -> (u8, u8) {
        let x = if self.0 & 1 != 0 { size.width().wrapping_sub(1 + point.x()) } else { point.x() };
        let y = if self.0 & 2 != 0 { size.height().wrapping_sub(1 + point.y()) } else { point.y() };
        if self.0 & 4 != 0 { (y, x) } else { (x, y) }
    }

    /// Returns the effect on a diagram: `none`, `rotate-90` (clockwise), `mirror-left-right` and so
    /// on.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }
}

/// One of the eight symmetries, with or without an exchange of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View {
    /// Symmetry of the points.
    pub symmetry: Symmetry,
    /// True if the colours are exchanged.
    pub colors_swapped: bool,
}

impl View {
    /// Returns all sixteen views, those without exchanged colours first. The first one is the
    /// identity.
    pub fn all() -> impl Iterator<Item = View> {
        let views = |colors_swapped| Symmetry::all().map(move |symmetry| View { symmetry, colors_swapped });
        views(false).chain(views(true))
    }

    /// Returns true if the view changes nothing.
    pub fn is_identity(self) -> bool {
        self == View::default()
    }
}

/// Writes names such as `rotate-90` and `none;colors-swapped`.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symmetry.name())?;
        f.write_str(if self.colors_swapped { ";colors-swapped" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the images of the corner, the point to its right and the point below it, on a board
    /// of 3 columns and 2 rows.
    #[test]
    fn names_describe_the_effect_on_a_diagram() {
        let size = BoardSize::new(3, 2).unwrap();
        let in_view = |name: &str| {
            let symmetry = Symmetry::all().find(|symmetry| symmetry.name() == name).unwrap();
            [(0, 0), (1, 0), (0, 1)].map(|(x, y)| symmetry.place(Point::new(x, y), size))
        };
        assert_eq!(in_view("none"), [(0, 0), (1, 0), (0, 1)]);
        assert_eq!(in_view("mirror-left-right"), [(2, 0), (1, 0), (2, 1)]);
        assert_eq!(in_view("mirror-top-bottom"), [(0, 1), (1, 1), (0, 0)]);
        assert_eq!(in_view("rotate-180"), [(2, 1), (1, 1), (2, 0)]);
        assert_eq!(in_view("mirror-diagonal"), [(0, 0), (0, 1), (1, 0)]);
        // Clockwise: the top left corner moves to the top right one of a board of 2 columns, and
        // the upper edge to the right edge.
        assert_eq!(in_view("rotate-90"), [(1, 0), (1, 1), (0, 0)]);
        assert_eq!(in_view("rotate-270"), [(0, 2), (0, 1), (1, 2)]);
        assert_eq!(in_view("mirror-antidiagonal"), [(1, 2), (1, 1), (0, 2)]);
    }
}

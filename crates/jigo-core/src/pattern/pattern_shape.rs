//! The shape of a pattern: its points and its borders.

use jigo_rules::board::{BoardSize, Color, Point, Position};

use crate::similarity::{Symmetry, View};

/// The condition of a pattern on one point of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternPoint {
    /// `?`: the point may have any content.
    Any,
    /// `.`: the point is empty.
    Empty,
    /// `*`: the point is empty, and the next turn is on it or on another such point.
    NextTurn,
    /// `X` or `O`: the point has a stone of this colour.
    Stone(Color),
}

impl PatternPoint {
    /// Returns true if a point with this content satisfies the condition.
    #[inline]
    pub fn accepts(self, content: Option<Color>) -> bool {
        match self {
            PatternPoint::Any => true,
            PatternPoint::Empty | PatternPoint::NextTurn => content.is_none(),
            PatternPoint::Stone(color) => content == Some(color),
        }
    }

    /// Returns the symbol in diagrams.
    pub fn symbol(self) -> char {
        match self {
            PatternPoint::Any => '?',
            PatternPoint::Empty => '.',
            PatternPoint::NextTurn => '*',
            PatternPoint::Stone(Color::Black) => 'X',
            PatternPoint::Stone(Color::White) => 'O',
        }
    }

    fn with_swapped_colors(self) -> PatternPoint {
        match self {
            PatternPoint::Stone(color) => PatternPoint::Stone(color.opponent()),
            other => other,
        }
    }
}

/// The sides of a pattern that lie on the edge of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Borders {
    /// True if the first column is the leftmost of the board.
    pub left: bool,
    /// True if the last column is the rightmost of the board.
    pub right: bool,
    /// True if the first row is the top row of the board.
    pub top: bool,
    /// True if the last row is the bottom row of the board.
    pub bottom: bool,
}

impl Borders {
    /// All four borders. The pattern is as large as the board.
    pub const ALL: Borders = Borders { left: true, right: true, top: true, bottom: true };

    /// Returns the borders after a symmetry, whose three steps are in the order of its bits.
    fn in_symmetry(self, symmetry: Symmetry) -> Borders {
        let Borders { mut left, mut right, mut top, mut bottom } = self;
        if symmetry.number() & 1 != 0 {
            (left, right) = (right, left);
        }
        if symmetry.number() & 2 != 0 {
            (top, bottom) = (bottom, top);
        }
        if symmetry.number() & 4 != 0 {
            (left, right, top, bottom) = (top, bottom, left, right);
        }
        Borders { left, right, top, bottom }
    }
}

/// A rectangle of points with conditions, and the edges of the board that it touches.
///
/// ```
/// use jigo_core::pattern::BoardPattern;
///
/// // A stone on the 4-4 point of an empty corner.
/// let corner = BoardPattern::from_diagram("
///     +---------
///     |. . . . .
///     |. . . . .
///     |. . . . .
///     |. . . X .
///     |. . . . .
/// ").unwrap();
/// assert_eq!(corner.size().to_string(), "5x5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPattern {
    size: BoardSize,
    points: Vec<PatternPoint>,
    borders: Borders,
}

impl BoardPattern {
    /// Creates a pattern from its points, row by row from the top left.
    pub(super) fn new(size: BoardSize, points: Vec<PatternPoint>, borders: Borders) -> BoardPattern {
        debug_assert_eq!(points.len(), size.points());
        BoardPattern { size, points, borders }
    }

    /// Creates the pattern of a whole position. Only the same position matches it.
    pub fn from_position(position: &Position) -> BoardPattern {
        let size = position.size();
        let content = |point| position.stone(point).map_or(PatternPoint::Empty, PatternPoint::Stone);
        BoardPattern { size, points: size.iter().map(content).collect(), borders: Borders::ALL }
    }

    /// Returns the number of columns and rows.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Returns the borders.
    pub fn borders(&self) -> Borders {
        self.borders
    }

    /// Returns the condition on a point of the pattern. `None` outside the pattern.
    pub fn point(&self, point: Point) -> Option<PatternPoint> {
        self.size.contains(point).then(|| self.points[self.size.index(point)])
    }

    /// Returns the points with their conditions, row by row from the top left.
    pub fn iter(&self) -> impl Iterator<Item = (Point, PatternPoint)> + '_ {
        self.size.iter().zip(self.points.iter().copied())
    }

    /// Returns true if the pattern contains `*`.
    pub fn names_next_turn(&self) -> bool {
        self.points.contains(&PatternPoint::NextTurn)
    }

    /// Returns the pattern in a view.
    pub(super) fn in_view(&self, view: View) -> BoardPattern {
        let (width, height) = view.symmetry.size(self.size);
        // A symmetry keeps or exchanges the sides, so both are valid.
        let size = BoardSize::new(width, height).unwrap_or(self.size);
        let mut viewed = BoardPattern {
            size,
            points: vec![PatternPoint::Any; self.points.len()],
            borders: self.borders.in_symmetry(view.symmetry),
        };
        for (point, condition) in self.iter() {
            let index = viewed.size.index(self.place_in(view, point));
            viewed.points[index] = if view.colors_swapped { condition.with_swapped_colors() } else { condition };
        }
        viewed
    }

    /// Returns the place of a point of this pattern in a view of it.
    pub(super) fn place_in(&self, view: View, point: Point) -> Point {
        let (x, y) = view.symmetry.place(point, self.size);
        Point::new(x, y)
    }
}

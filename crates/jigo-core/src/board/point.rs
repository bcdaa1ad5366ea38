//! Colours, points, board sizes and turns, and the two ways to write a point.

use std::fmt::{self, Write as _};
use std::num::NonZeroU16;

use serde::{Deserialize, Serialize};

/// Columns of the grid every board is laid into: 52 points, a border, and room to make it a power of two.
pub(crate) const STRIDE: usize = 64;
/// Cells of the grid: 52 rows and a border row above and below.
pub(crate) const CELLS: usize = STRIDE * (BoardSize::MAX as usize + 2);

/// The colour of a stone or a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Color {
    /// Black, who plays first in an even game.
    Black = 1,
    /// White.
    White = 2,
}

impl Color {
    /// Both colours, Black first; `Color::index` is the place in it.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// The other colour.
    ///
    /// ```
    /// use jigo_core::Color;
    ///
    /// assert_eq!(Color::Black.opponent(), Color::White);
    /// ```
    #[inline]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// 0 for Black, 1 for White: for arrays with a place for each.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// `B` or `W`, as SGF writes it.
    pub const fn letter(self) -> &'static str {
        match self {
            Color::Black => "B",
            Color::White => "W",
        }
    }

    /// `Black` or `White`, for sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Black => "Black",
            Color::White => "White",
        }
    }
}

/// Width and height of a board, each from 1 to 52.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u8, u8)", into = "(u8, u8)")]
pub struct BoardSize {
    width: u8,
    height: u8,
}

impl TryFrom<(u8, u8)> for BoardSize {
    type Error = &'static str;

    fn try_from((width, height): (u8, u8)) -> Result<BoardSize, Self::Error> {
        BoardSize::new(width, height).ok_or("a board has 1 to 52 lines a side")
    }
}

impl From<BoardSize> for (u8, u8) {
    fn from(size: BoardSize) -> (u8, u8) {
        (size.width, size.height)
    }
}

impl BoardSize {
    /// The longest side that SGF letters can name (`a` to `z`, `A` to `Z`).
    pub const MAX: u8 = 52;

    /// A board of `width` columns and `height` rows; `None` outside 1 to 52.
    pub const fn new(width: u8, height: u8) -> Option<BoardSize> {
        if width == 0 || height == 0 || width > Self::MAX || height > Self::MAX {
            return None;
        }
        Some(BoardSize { width, height })
    }

    /// A square board; `None` outside 1 to 52.
    pub const fn square(side: u8) -> Option<BoardSize> {
        Self::new(side, side)
    }

    /// The 19x19 board, which SGF assumes when a record names no size.
    pub const fn standard() -> BoardSize {
        BoardSize { width: 19, height: 19 }
    }

    /// Columns.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Number of points on the board.
    pub const fn points(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether `point` lies on the board.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// All points, row by row from the top left.
    ///
    /// ```
    /// let size = jigo_core::BoardSize::new(3, 2).unwrap();
    /// let points: Vec<_> = size.iter().map(|point| point.to_string()).collect();
    /// assert_eq!(points, ["aa", "ba", "ca", "ab", "bb", "cb"]);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Point> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Point::new(x, y)))
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A point of a board, the same for every board size: its cell in a grid of 64 columns with a border.
///
/// Points are ordered row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(NonZeroU16);

impl Point {
    /// The point in column `x` from the left and row `y` from the top, both counted from 0.
    ///
    /// # Panics
    /// When a coordinate is 52 or more.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Point {
        assert!(x < BoardSize::MAX && y < BoardSize::MAX, "coordinates are below 52");
        match NonZeroU16::new((y as u16 + 1) * STRIDE as u16 + x as u16 + 1) {
            Some(cell) => Point(cell),
            None => unreachable!(),
        }
    }

    /// Column from the left, from 0.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.0.get() % STRIDE as u16) as u8 - 1
    }

    /// Row from the top, from 0.
    #[inline]
    pub const fn y(self) -> u8 {
        (self.0.get() / STRIDE as u16) as u8 - 1
    }

    /// The cell of the grid: below [`CELLS`], with neighbours at ±1 and ±[`STRIDE`].
    #[inline]
    pub(crate) const fn cell(self) -> usize {
        self.0.get() as usize
    }

    /// The point of a cell inside the border; callers pass cells they took from a point.
    #[inline]
    pub(crate) fn from_cell(cell: usize) -> Point {
        debug_assert!((STRIDE + 1..CELLS - STRIDE).contains(&cell));
        // The border makes every cell of a point at least STRIDE + 1, so `max(1)` changes nothing.
        Point(NonZeroU16::new(cell as u16).unwrap_or(NonZeroU16::MIN))
    }

    /// The point that a pair of SGF letters names: `a` to `z` are 0 to 25, `A` to `Z` 26 to 51, column first.
    #[inline]
    pub const fn from_sgf(column: u8, row: u8) -> Option<Point> {
        match (letter_value(column), letter_value(row)) {
            (Some(x), Some(y)) => Some(Point::new(x, y)),
            _ => None,
        }
    }

    /// The pair of SGF letters that names this point, column first; the inverse of [`Point::from_sgf`].
    #[inline]
    pub const fn letters(self) -> [char; 2] {
        [value_letter(self.x()), value_letter(self.y())]
    }

    /// The point that a player's coordinates name on a board of this size: `A1` is the lower left corner,
    /// the letter `I` is left out, and after `Z` come `AA`, `BB` and so on.
    ///
    /// ```
    /// use jigo_core::{BoardSize, Point};
    ///
    /// let size = BoardSize::standard();
    /// let point = Point::from_a1("Q16", size).unwrap();
    /// assert_eq!((point.x(), point.y(), point.to_string().as_str()), (15, 3, "pd"));
    /// assert_eq!(Point::from_a1("I9", size), None);
    /// ```
    pub fn from_a1(text: &str, size: BoardSize) -> Option<Point> {
        let letters = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let (column, row) = text.split_at(letters);
        let mut bytes = column.bytes().map(|b| b.to_ascii_uppercase());
        let first = bytes.next()?;
        if first == b'I' || bytes.any(|b| b != first) || column.len() > 3 {
            return None;
        }
        let x = (column.len() - 1) * 25 + usize::from(first - b'A') - usize::from(first > b'I');
        let y = usize::from(size.height).checked_sub(row.parse().ok()?)?;
        if x >= usize::from(size.width) || y >= usize::from(size.height) {
            return None;
        }
        Some(Point::new(x as u8, y as u8))
    }

    /// The player's coordinates of this point on a board of this size; the inverse of [`Point::from_a1`]. Rows below the board are 0 and
    /// less.
    pub fn to_a1(self, size: BoardSize) -> String {
        let x = self.x();
        let letter = b'A' + x % 25 + u8::from(x % 25 >= 8);
        let column = char::from(letter).to_string().repeat(usize::from(x / 25) + 1);
        format!("{column}{}", i16::from(size.height) - i16::from(self.y()))
    }
}

/// What a letter of an SGF point stands for, from 0.
#[inline]
pub(crate) const fn letter_value(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

const fn value_letter(value: u8) -> char {
    (if value < 26 { b'a' + value } else { b'A' + value - 26 }) as char
}

/// The SGF pair of letters, column first.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters().into_iter().try_for_each(|letter| f.write_char(letter))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a player does with a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A stone on this point.
    Play(Point),
    /// No stone.
    Pass,
}

/// One player's turn: a play or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Whose turn.
    pub color: Color,
    /// A play or a pass.
    pub action: Action,
}

impl Turn {
    /// A play of `color` on `point`.
    pub const fn play(color: Color, point: Point) -> Turn {
        Turn { color, action: Action::Play(point) }
    }

    /// A pass of `color`.
    pub const fn pass(color: Color) -> Turn {
        Turn { color, action: Action::Pass }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sgf_and_a1_coordinates_round_trip_on_every_board() {
        for (width, height) in [(1, 1), (9, 13), (19, 19), (25, 26), (52, 52)] {
            let size = BoardSize::new(width, height).unwrap();
            for point in size.iter() {
                let text = point.to_string();
                let bytes = text.as_bytes();
                assert_eq!(Point::from_sgf(bytes[0], bytes[1]), Some(point));
                assert_eq!(Point::from_a1(&point.to_a1(size), size), Some(point), "{point}");
                assert!(size.contains(point));
                assert_eq!(Point::from_cell(point.cell()), point);
            }
        }
    }

    #[test]
    fn a1_skips_the_letter_i_and_counts_rows_from_below() {
        let size = BoardSize::standard();
        assert_eq!(Point::from_a1("A1", size), Some(Point::new(0, 18)));
        assert_eq!(Point::from_a1("J19", size), Some(Point::new(8, 0)));
        assert_eq!(Point::from_a1("t19", size), Some(Point::new(18, 0)));
        assert_eq!(Point::new(0, 19).to_a1(size), "A0");
        for wrong in ["I1", "A0", "A20", "U1", "", "4", "AB1", "A-1"] {
            assert_eq!(Point::from_a1(wrong, size), None, "{wrong}");
        }
    }

    #[test]
    fn sizes_end_at_52() {
        assert!(BoardSize::new(52, 1).is_some());
        assert!(BoardSize::new(53, 1).is_none());
        assert!(BoardSize::square(0).is_none());
    }
}

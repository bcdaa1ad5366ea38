//! Colours, points, board sizes and turns, and both notations for points (SGF and A1).

use std::fmt::{self, Write as _};
use std::num::NonZeroU16;

use serde::{Deserialize, Serialize};

/// Columns of the grid that contains every board.
///
/// The largest board has 52 columns; the border and padding round this up to a power of two.
pub(crate) const STRIDE: usize = 64;
/// Cells of the grid: 52 rows, with a border row above and below.
pub(crate) const CELLS: usize = STRIDE * (BoardSize::MAX as usize + 2);

/// The colour of a stone or a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Color {
    /// Black, the first player in an even game.
    Black = 1,
    /// White.
    White = 2,
}

impl Color {
    /// Both colours in the order of [`Color::index`], Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// Returns the other colour.
    ///
    /// ```
    /// use jigo_rules::Color;
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

    /// Returns the array index of this colour: 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// Returns `B` or `W`, the SGF name of the colour.
    pub const fn letter(self) -> &'static str {
        match self {
            Color::Black => "B",
            Color::White => "W",
        }
    }

    /// Returns `Black` or `White`, for sentences.
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

impl Default for BoardSize {
    fn default() -> BoardSize {
        BoardSize::standard()
    }
}

impl BoardSize {
    /// Longest side that SGF letters can address (`a` to `z`, `A` to `Z`).
    pub const MAX: u8 = 52;

    /// Creates a board size of `width` columns and `height` rows. Returns `None` outside 1 to 52.
    pub const fn new(width: u8, height: u8) -> Option<BoardSize> {
        if width == 0 || height == 0 || width > Self::MAX || height > Self::MAX {
            return None;
        }
        Some(BoardSize { width, height })
    }

    /// Creates a square board size. Returns `None` outside 1 to 52.
    pub const fn square(side: u8) -> Option<BoardSize> {
        Self::new(side, side)
    }

    /// Returns the 19x19 size, the SGF default for records without `SZ`.
    pub const fn standard() -> BoardSize {
        BoardSize { width: 19, height: 19 }
    }

    /// Returns the number of columns.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Returns the number of rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Returns the number of points on the board.
    pub const fn points(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns true if `point` is on the board.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// Returns the index of a point of the board in [`BoardSize::iter`].
    #[inline]
    pub const fn index(self, point: Point) -> usize {
        point.y() as usize * self.width as usize + point.x() as usize
    }

    /// Returns all points, row by row from the top left.
    ///
    /// ```
    /// let size = jigo_rules::BoardSize::new(3, 2).unwrap();
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

/// A point, independent of the board size: its cell in a grid of 64 columns with a border.
///
/// Points are ordered row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(NonZeroU16);

impl Point {
    /// Creates the point in column `x` from the left and row `y` from the top, both from 0.
    ///
    /// # Panics
    /// If a coordinate is 52 or more.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Point {
        assert!(x < BoardSize::MAX && y < BoardSize::MAX, "coordinates are below 52");
        match NonZeroU16::new((y as u16 + 1) * STRIDE as u16 + x as u16 + 1) {
            Some(cell) => Point(cell),
            None => unreachable!(),
        }
    }

    /// Returns the column, from 0 at the left.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.0.get() % STRIDE as u16) as u8 - 1
    }

    /// Returns the row, from 0 at the top.
    #[inline]
    pub const fn y(self) -> u8 {
        (self.0.get() / STRIDE as u16) as u8 - 1
    }

    /// Returns the grid cell, which is below `CELLS` and has its neighbours at ±1 and
    /// ±`STRIDE`.
    #[inline]
    pub const fn cell(self) -> usize {
        self.0.get() as usize
    }

    /// Returns the point of a cell inside the border. Callers pass only cells of points.
    #[inline]
    pub(crate) fn from_cell(cell: usize) -> Point {
        debug_assert!((STRIDE + 1..CELLS - STRIDE).contains(&cell));
        // Every point's cell is at least STRIDE + 1, so the fallback is never used.
        Point(NonZeroU16::new(cell as u16).unwrap_or(NonZeroU16::MIN))
    }

    /// Parses a pair of SGF letters, column first: `a` to `z` are 0 to 25, `A` to `Z` are 26 to 51.
    /// Returns `None` for other bytes.
    #[inline]
    pub const fn from_sgf(column: u8, row: u8) -> Option<Point> {
        match (letter_value(column), letter_value(row)) {
            (Some(x), Some(y)) => Some(Point::new(x, y)),
            _ => None,
        }
    }

    /// Returns the pair of SGF letters, column first. This is the inverse of [`Point::from_sgf`].
    #[inline]
    pub const fn letters(self) -> [char; 2] {
        [value_letter(self.x()), value_letter(self.y())]
    }

    /// Parses A1 coordinates on a board of this size.
    ///
    /// `A1` is the lower left corner. The column letters skip `I`, and after `Z` come `AA`, `BB`
    /// and so on. Returns `None` for other texts and for points off the board.
    ///
    /// ```
    /// use jigo_rules::{BoardSize, Point};
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
        // `parse` would also accept a sign.
        let has_sign = !row.bytes().all(|b| b.is_ascii_digit());
        if first == b'I' || bytes.any(|b| b != first) || column.len() > 3 || has_sign {
            return None;
        }
        let x = (column.len() - 1) * 25 + usize::from(first - b'A') - usize::from(first > b'I');
        let y = usize::from(size.height).checked_sub(row.parse().ok()?)?;
        if x >= usize::from(size.width) || y >= usize::from(size.height) {
            return None;
        }
        Some(Point::new(x as u8, y as u8))
    }

    /// Returns the A1 coordinates on a board of this size. This is the inverse of
    /// [`Point::from_a1`].
    ///
    /// Rows below the board have the number 0 or a negative one.
    pub fn to_a1(self, size: BoardSize) -> String {
        let x = self.x();
        let letter = b'A' + x % 25 + u8::from(x % 25 >= 8);
        let column = char::from(letter).to_string().repeat(usize::from(x / 25) + 1);
        format!("{column}{}", i16::from(size.height) - i16::from(self.y()))
    }
}

/// Returns the value of an SGF coordinate letter, from 0 for `a` to 51 for `Z`. Returns `None` for
/// other bytes.
#[inline]
pub const fn letter_value(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

const fn value_letter(value: u8) -> char {
    (if value < 26 { b'a' + value } else { b'A' + value - 26 }) as char
}

/// Writes the pair of SGF letters, column first.
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

/// The content of a turn: a play or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A stone placed on this point.
    Play(Point),
    /// A turn without a stone.
    Pass,
}

/// One player's turn: a play or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Player of the turn.
    pub color: Color,
    /// Play or pass.
    pub action: Action,
}

impl Turn {
    /// Creates a play of `color` on `point`.
    pub const fn play(color: Color, point: Point) -> Turn {
        Turn { color, action: Action::Play(point) }
    }

    /// Creates a pass of `color`.
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
        for text in ["I1", "A0", "A20", "U1", "", "4", "AB1", "A-1", "A+1"] {
            assert_eq!(Point::from_a1(text, size), None, "{text}");
        }
    }

    #[test]
    fn sizes_end_at_52() {
        assert!(BoardSize::new(52, 1).is_some());
        assert!(BoardSize::new(53, 1).is_none());
        assert!(BoardSize::square(0).is_none());
    }
}

//! A position prepared for drawing: coordinates, last turn, finding marks, move numbers, dead
//! stones, territory.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::point::{BoardSize, Color, Point};
use super::position::Position;

/// A position with annotations on its points, and the drawn part of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PackedPicture", into = "PackedPicture")]
pub struct Picture {
    size: BoardSize,
    columns: Range<u8>,
    rows: Range<u8>,
    points: Vec<PointContent>,
}

impl From<Picture> for PackedPicture {
    fn from(Picture { size, columns, rows, points }: Picture) -> PackedPicture {
        PackedPicture::new(size, columns, rows, &points)
    }
}

impl TryFrom<PackedPicture> for Picture {
    type Error = &'static str;

    fn try_from(packed: PackedPicture) -> Result<Picture, &'static str> {
        let (size, columns, rows) = (packed.size, packed.columns.clone(), packed.rows.clone());
        let is_part = |range: &Range<u8>, length: u8| !range.is_empty() && range.end <= length;
        if !is_part(&columns, size.width()) || !is_part(&rows, size.height()) {
            return Err("the picture shows another part than its board has");
        }
        let points = packed.contents().ok_or("the picture has other points than its board")?;
        Ok(Picture { size, columns, rows, points })
    }
}

impl Picture {
    /// Creates a picture of the stones, without annotations.
    pub fn from_position(position: &Position) -> Picture {
        let size = position.size();
        let points = size.iter().map(|point| PointContent { stone: position.stone(point), ..PointContent::default() });
        Picture { size, columns: 0..size.width(), rows: 0..size.height(), points: points.collect() }
    }

    /// Returns the board's size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Returns the drawn columns, from 0.
    pub fn columns(&self) -> Range<u8> {
        self.columns.clone()
    }

    /// Returns the drawn rows, from 0 at the top.
    pub fn rows(&self) -> Range<u8> {
        self.rows.clone()
    }

    /// Returns the contents of a point.
    ///
    /// # Panics
    /// If the point is off the board.
    pub fn point(&self, point: Point) -> &PointContent {
        &self.points[self.size.index(point)]
    }

    /// Returns the contents of a point for changes, or `None` if the point is off the board.
    pub fn point_mut(&mut self, point: Point) -> Option<&mut PointContent> {
        let index = self.size.index(point);
        self.points.get_mut(index).filter(|_| self.size.contains(point))
    }

    /// Marks a point if it is on the board.
    ///
    /// A later mark replaces an earlier one. Callers mark the last turn before the findings.
    pub fn mark(&mut self, point: Point, mark: Mark) {
        if let Some(content) = self.point_mut(point) {
            content.mark = Some(mark);
        }
    }

    /// Limits the drawing to `points` plus `margin` lines on each side. Draws the whole board if
    /// `points` is empty.
    pub fn crop(&mut self, points: &[Point], margin: u8) {
        let limits = |values: &dyn Fn(&Point) -> u8, end: u8| -> Range<u8> {
            let first = points.iter().map(values).min().unwrap_or(0);
            let last = points.iter().map(values).max().unwrap_or(end);
            // Omitting one or two lines would save nothing.
            let first = first.min(end - 1).saturating_sub(margin);
            let last = last.saturating_add(margin).saturating_add(1).min(end);
            (if first <= 2 { 0 } else { first })..(if last + 2 >= end { end } else { last })
        };
        self.columns = limits(&|point| point.x(), self.size.width());
        self.rows = limits(&|point| point.y(), self.size.height());
    }

    /// Returns true if boards of this size mark the point with a dot (star point).
    pub fn is_star(&self, point: Point) -> bool {
        // Returns true for the middle line of a side and false for the star lines near its ends.
        let line = |coordinate: u8, side: u8| {
            let distance = if side < 13 { 2 } else { 3 };
            match coordinate {
                _ if side < 7 => None,
                _ if coordinate == distance || coordinate + distance + 1 == side => Some(false),
                _ if side % 2 == 1 && coordinate == side / 2 => Some(true),
                _ => None,
            }
        };
        match (line(point.x(), self.size.width()), line(point.y(), self.size.height())) {
            (Some(middle), Some(other)) => middle == other || self.size.width().min(self.size.height()) >= 15,
            _ => false,
        }
    }
}

/// The contents of one drawn point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointContent {
    /// Stone on the point, if any.
    pub stone: Option<Color>,
    /// True for a dead stone, which is removed before counting.
    pub is_dead: bool,
    /// Player who owns this point under territory scoring.
    pub territory: Option<Color>,
    /// Player who owns this empty point under area scoring only.
    ///
    /// Such a point is an eye in seki or a point that the players still have to fill.
    pub area_only: Option<Color>,
    /// Mark that highlights the point.
    pub mark: Option<Mark>,
    /// Number of a play in a sequence, from 1, and its colour.
    ///
    /// The stone itself may have been captured since.
    pub number: Option<(u32, Color)>,
}

/// The reason to highlight a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The last turn played here.
    Last,
    /// A finding names this point.
    Finding,
}

/// A saved picture, before its validation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PackedPicture {
    /// The board's size.
    pub(super) size: BoardSize,
    /// The drawn columns.
    pub(super) columns: Range<u8>,
    /// The drawn rows.
    pub(super) rows: Range<u8>,
    /// The contents of each point apart from its number: five digits of base 3 or, for dead stones,
    /// of base 2.
    points: Vec<u8>,
    /// The points with a number of a play: index of the point, number and colour.
    numbers: Vec<(u16, u32, Color)>,
}

/// The number of values of the contents of a point.
const CODES: u8 = 3 * 3 * 3 * 3 * 2;

impl PackedPicture {
    /// Packs the contents of the points.
    pub(super) fn new(size: BoardSize, columns: Range<u8>, rows: Range<u8>, points: &[PointContent]) -> PackedPicture {
        // A board has at most 52 x 52 points, so an index fits.
        let number = |(index, content): (usize, &PointContent)| {
            content.number.map(|(number, color)| (index as u16, number, color))
        };
        let numbers = points.iter().enumerate().filter_map(number).collect();
        PackedPicture { size, columns, rows, points: points.iter().map(code).collect(), numbers }
    }

    /// Returns the contents of the points. Returns `None` if they are not the points of a board of
    /// this size.
    pub(super) fn contents(&self) -> Option<Vec<PointContent>> {
        let contents: Option<Vec<PointContent>> = self.points.iter().map(|code| content(*code)).collect();
        let mut contents = contents.filter(|contents| contents.len() == self.size.points())?;
        for &(index, number, color) in &self.numbers {
            contents.get_mut(usize::from(index))?.number = Some((number, color));
        }
        Some(contents)
    }
}

/// Packs the contents of a point apart from its number.
fn code(content: &PointContent) -> u8 {
    let color = |color: Option<Color>| color.map_or(0, |color| color.index() as u8 + 1);
    let mark = match content.mark {
        None => 0,
        Some(Mark::Last) => 1,
        Some(Mark::Finding) => 2,
    };
    let digits = [mark, color(content.area_only), color(content.territory), color(content.stone)];
    digits.into_iter().fold(u8::from(content.is_dead), |code, digit| code * 3 + digit)
}

/// Unpacks the contents of a point. Returns `None` for a number that [`code`] does not return.
fn content(code: u8) -> Option<PointContent> {
    let color = |digit: u8| Color::BOTH.into_iter().find(|color| color.index() as u8 + 1 == digit);
    let mark = match code / 27 % 3 {
        0 => None,
        1 => Some(Mark::Last),
        _ => Some(Mark::Finding),
    };
    (code < CODES).then(|| PointContent {
        stone: color(code % 3),
        territory: color(code / 3 % 3),
        area_only: color(code / 9 % 3),
        mark,
        is_dead: code / 81 == 1,
        number: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::board::diagram::read;

    #[test]
    fn star_points_match_common_boards() {
        let stars = |side: u8| -> usize {
            let picture = Picture::from_position(&Position::new(BoardSize::square(side).unwrap()));
            picture.size().iter().filter(|point| picture.is_star(*point)).count()
        };
        assert_eq!([5, 9, 13, 19, 18].map(stars), [0, 5, 5, 9, 4]);
    }

    #[test]
    fn mark_off_the_board_is_ignored() {
        let mut picture = Picture::from_position(&read("X . .\nO . .").unwrap());
        picture.mark(Point::new(9, 0), Mark::Finding);
        picture.mark(Point::new(0, 9), Mark::Finding);
        assert_eq!(picture, Picture::from_position(&read("X . .\nO . .").unwrap()));
        picture.mark(Point::new(0, 1), Mark::Last);
        assert_eq!(picture.point(Point::new(0, 1)).mark, Some(Mark::Last));
    }

    #[test]
    fn pictures_are_packed_without_loss() {
        let mut picture = Picture::from_position(&read("X . O\n. X O").unwrap());
        let point = |x, y| Point::new(x, y);
        picture.point_mut(point(0, 0)).unwrap().is_dead = true;
        picture.point_mut(point(1, 0)).unwrap().territory = Some(Color::White);
        picture.point_mut(point(0, 1)).unwrap().area_only = Some(Color::Black);
        picture.point_mut(point(2, 1)).unwrap().number = Some((300, Color::White));
        picture.mark(point(1, 1), Mark::Last);
        picture.mark(point(2, 0), Mark::Finding);
        let text = serde_json::to_string(&picture).unwrap();
        assert!(text.len() < 200, "{text}");
        assert_eq!(serde_json::from_str::<Picture>(&text).unwrap(), picture);
        for (part, other) in
            [("[82,", "["), ("[82,", "[82,0,"), ("[82,", "[162,"), ("[[5,", "[[6,"), ("\"end\":3", "\"end\":4")]
        {
            assert!(text.contains(part), "{part} {text}");
            assert!(serde_json::from_str::<Picture>(&text.replacen(part, other, 1)).is_err(), "{part} {other}");
        }
    }

    #[test]
    fn crop_keeps_margin_and_omits_no_single_line() {
        let mut picture = Picture::from_position(&Position::new(BoardSize::standard()));
        picture.crop(&[Point::new(9, 4)], 3);
        assert_eq!((picture.columns(), picture.rows()), (6..13, 0..8));
        picture.crop(&[Point::new(9, 4)], u8::MAX);
        assert_eq!((picture.columns(), picture.rows()), (0..19, 0..19));
        picture.crop(&[], 3);
        assert_eq!((picture.columns(), picture.rows()), (0..19, 0..19));
    }
}

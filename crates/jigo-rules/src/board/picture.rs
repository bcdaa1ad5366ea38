//! A position prepared for drawing: coordinates, last turn, finding marks, move numbers, dead
//! stones, territory.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::point::{BoardSize, Color, Point};
use super::position::Position;

/// The contents of one drawn point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// The last turn played here.
    Last,
    /// A finding names this point.
    Finding,
}

/// A position with annotations on its points, and the drawn part of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedPicture")]
pub struct Picture {
    size: BoardSize,
    columns: Range<u8>,
    rows: Range<u8>,
    points: Vec<PointContent>,
}

/// A deserialised picture before validation.
#[derive(Deserialize)]
struct UncheckedPicture {
    size: BoardSize,
    columns: Range<u8>,
    rows: Range<u8>,
    points: Vec<PointContent>,
}

impl TryFrom<UncheckedPicture> for Picture {
    type Error = &'static str;

    fn try_from(UncheckedPicture { size, columns, rows, points }: UncheckedPicture) -> Result<Picture, Self::Error> {
        let is_part = |range: &Range<u8>, length: u8| !range.is_empty() && range.end <= length;
        let is_whole = points.len() == size.points();
        (is_whole && is_part(&columns, size.width()) && is_part(&rows, size.height()))
            .then_some(Picture { size, columns, rows, points })
            .ok_or("the picture has other points than its board")
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
        &self.points[self.index(point)]
    }

    /// Returns the contents of a point for changes, or `None` if the point is off the board.
    pub fn point_mut(&mut self, point: Point) -> Option<&mut PointContent> {
        let index = self.index(point);
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

    fn index(&self, point: Point) -> usize {
        usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

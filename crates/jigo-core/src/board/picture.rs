//! A position as people look at it: coordinates, the last turn, what a finding points at, numbers, dead stones, territory.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::point::{BoardSize, Color, Point};
use super::position::Position;

/// What is drawn on one point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The stone.
    pub stone: Option<Color>,
    /// The stone is dead: taken off before counting.
    pub is_dead: bool,
    /// The point counts for this player, wherever territory is counted.
    pub territory: Option<Color>,
    /// An empty point that area counts for this player and territory does not: an eye in seki, or one to be filled.
    pub area_only: Option<Color>,
    /// What draws the eye here.
    pub mark: Option<Mark>,
    /// Number of a play in a sequence, from 1, and whose it is; the stone need not be there any more.
    pub number: Option<(u32, Color)>,
}

/// What draws the eye to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// The last turn was played here.
    Last,
    /// A finding names this point.
    Finding,
}

/// A position with what is said about its points, and the part of the board that is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Picture {
    size: BoardSize,
    columns: Range<u8>,
    rows: Range<u8>,
    points: Vec<Shown>,
}

/// A picture as somebody wrote it.
#[derive(Deserialize)]
struct Unchecked {
    size: BoardSize,
    columns: Range<u8>,
    rows: Range<u8>,
    points: Vec<Shown>,
}

impl TryFrom<Unchecked> for Picture {
    type Error = &'static str;

    fn try_from(Unchecked { size, columns, rows, points }: Unchecked) -> Result<Picture, Self::Error> {
        let is_part = |drawn: &Range<u8>, of: u8| !drawn.is_empty() && drawn.end <= of;
        let is_whole = points.len() == size.points();
        (is_whole && is_part(&columns, size.width()) && is_part(&rows, size.height()))
            .then_some(Picture { size, columns, rows, points })
            .ok_or("the picture is no part of its board")
    }
}

impl Picture {
    /// The stones of a position and nothing else.
    pub fn of(position: &Position) -> Picture {
        let size = position.size();
        let points = size.iter().map(|point| Shown { stone: position.stone(point), ..Shown::default() });
        Picture { size, columns: 0..size.width(), rows: 0..size.height(), points: points.collect() }
    }

    /// The board's size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The columns that are drawn, from 0.
    pub fn columns(&self) -> Range<u8> {
        self.columns.clone()
    }

    /// The rows that are drawn, from 0 at the top.
    pub fn rows(&self) -> Range<u8> {
        self.rows.clone()
    }

    /// What is drawn on a point of the board.
    ///
    /// # Panics
    /// When the point is off the board.
    pub fn at(&self, point: Point) -> &Shown {
        &self.points[self.index(point)]
    }

    /// The same to be changed; `None` off the board, where nothing is drawn.
    pub fn at_mut(&mut self, point: Point) -> Option<&mut Shown> {
        let index = self.index(point);
        self.points.get_mut(index).filter(|_| self.size.contains(point))
    }

    /// Puts a mark on a point, if it is on the board; a finding's takes the place of the last turn's.
    pub fn mark(&mut self, point: Point, mark: Mark) {
        if let Some(shown) = self.at_mut(point) {
            shown.mark = Some(mark);
        }
    }

    /// Draws only the part around some points, with so many lines beside them; all of the board where there are none.
    pub fn crop(&mut self, around: &[Point], margin: u8) {
        let limits = |values: &dyn Fn(&Point) -> u8, end: u8| -> Range<u8> {
            let low = around.iter().map(values).min().unwrap_or(0);
            let high = around.iter().map(values).max().unwrap_or(end);
            // A line or two left out would save nothing.
            let low = low.saturating_sub(margin);
            let high = high.saturating_add(margin + 1).min(end);
            (if low <= 2 { 0 } else { low })..(if high + 2 >= end { end } else { high })
        };
        self.columns = limits(&|point| point.x(), self.size.width());
        self.rows = limits(&|point| point.y(), self.size.height());
    }

    /// Whether a point is one of those that boards mark with a dot.
    pub fn is_star(&self, point: Point) -> bool {
        let line = |place: u8, side: u8| {
            let near = if side < 13 { 2 } else { 3 };
            match place {
                _ if side < 7 => None,
                _ if place == near || place + near + 1 == side => Some(false),
                _ if side % 2 == 1 && place == side / 2 => Some(true),
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
    fn stars_are_where_boards_have_them() {
        let stars = |side: u8| -> usize {
            let picture = Picture::of(&Position::new(BoardSize::square(side).unwrap()));
            picture.size().iter().filter(|point| picture.is_star(*point)).count()
        };
        assert_eq!([5, 9, 13, 19, 18].map(stars), [0, 5, 5, 9, 4]);
    }

    #[test]
    fn a_point_off_the_board_takes_no_mark() {
        let mut picture = Picture::of(&read("X . .\nO . .").unwrap());
        picture.mark(Point::new(9, 0), Mark::Finding);
        picture.mark(Point::new(0, 9), Mark::Finding);
        assert_eq!(picture, Picture::of(&read("X . .\nO . .").unwrap()));
        picture.mark(Point::new(0, 1), Mark::Last);
        assert_eq!(picture.at(Point::new(0, 1)).mark, Some(Mark::Last));
    }

    #[test]
    fn a_crop_keeps_its_margin_and_leaves_no_single_line_out() {
        let mut picture = Picture::of(&Position::new(BoardSize::standard()));
        picture.crop(&[Point::new(9, 4)], 3);
        assert_eq!((picture.columns(), picture.rows()), (6..13, 0..8));
        picture.crop(&[], 3);
        assert_eq!((picture.columns(), picture.rows()), (0..19, 0..19));
    }
}

//! The form in which a picture is saved: one small number for each point. A checkpoint can contain
//! hundreds of pictures.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::point::{BoardSize, Color};
use super::point_content::{Mark, PointContent};

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

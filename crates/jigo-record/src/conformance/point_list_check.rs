//! Checks of points, rectangles, labels and lines.

use std::ops::Range;

use super::declared::Declared;
use super::node_place::NodePlace;
use super::value_form::colons;
use super::violation::Fault;
use crate::finding::Code;
use crate::record::property::{corners, point};
use crate::sgf::tokens::ff4::{Definition, PropertyRole, ValueForm};
use jigo_rules::board::{Point, PointSet};

/// A list to check.
pub(super) struct PointList {
    /// The form of the values.
    pub form: ValueForm,
    /// The record's size and version.
    pub declared: Declared,
    /// The faults that the reader already reports.
    pub reported: Reported,
}

/// The faults of a list that other findings report.
#[derive(Clone, Copy, Default)]
pub(super) struct Reported {
    /// Values that are not points, and rectangles in another form.
    pub form: bool,
    /// Points outside the board.
    pub outside: bool,
    /// Points that occur more than once.
    pub repeated: bool,
}

impl Reported {
    /// Returns the faults of a list in this node that the reader reports.
    pub(super) fn by_reader(definition: &Definition, place: NodePlace) -> Reported {
        let is_stones = matches!(definition.role, PropertyRole::Stones(_));
        let is_read_list = definition.role.is_read_list() && place.is_read;
        let is_mark = definition.role == PropertyRole::Mark;
        Reported {
            form: is_read_list,
            outside: (is_stones && place.is_read)
                || place.has_note(&[Code::OddCoordinates]) && (is_read_list || is_mark),
            repeated: is_stones && place.is_read,
        }
    }
}

impl PointList {
    /// Checks all values, and adds their points to `points`. `report` receives each fault with its
    /// value.
    pub(super) fn check(
        &self,
        bytes: &[u8],
        values: &[Range<usize>],
        points: &mut PointSet,
        mut report: impl FnMut(&[u8], Fault),
    ) {
        let mut lines: Vec<&[u8]> = Vec::new();
        for range in values {
            let value = &bytes[range.clone()];
            let mut note = |code, text| report(value, (code, text));
            if self.form == ValueForm::PointsOrEmpty && value.is_empty() && values.len() == 1 {
                continue;
            }
            match self.form {
                ValueForm::Labels => self.label(value, points, note),
                ValueForm::Lines => {
                    if lines.contains(&value) {
                        note(Code::RepeatedPoint, "occurs twice in the list");
                    } else if lines.len() < MAX_COMPARED {
                        lines.push(value);
                    }
                    self.line(value, note);
                }
                _ => match item(value) {
                    Some((first, last)) => self.check_place(first, last, points, note),
                    None if !self.reported.form || value.is_empty() => {
                        note(Code::PointForm, "is not a point");
                    }
                    None => {}
                },
            }
        }
    }

    /// Checks the place of a point, or of a rectangle up to `last`, and adds its points.
    fn check_place(
        &self,
        first: Point,
        last: Option<Point>,
        points: &mut PointSet,
        mut note: impl FnMut(Code, &'static str),
    ) {
        if last.is_some() && self.declared.is_before_ff4() {
            note(Code::NewerProperty, "is a rectangle, which only FF[4] defines");
        }
        let corners = last.map(|last| corners(first, last));
        if corners.is_some_and(|corners| corners[0] != first || corners[0] == corners[1]) && !self.reported.form {
            note(Code::RectangleForm, "has its corners in another order, or is a single point");
        }
        let size = self.declared.size;
        if !(size.contains(first) && last.is_none_or(|last| size.contains(last))) {
            if !self.reported.outside {
                note(Code::OutsideBoard, "is outside the board");
            }
            return;
        }
        let is_repeated = match corners {
            Some(corners) => {
                let mut rectangle = PointSet::EMPTY;
                rectangle.insert_rectangle(corners);
                let is_repeated = rectangle.intersects(points);
                *points = points.union(&rectangle);
                is_repeated
            }
            None => !points.insert(first),
        };
        if is_repeated && !self.reported.repeated {
            note(Code::RepeatedPoint, "names a point again");
        }
    }

    /// Checks a label: a point and a text.
    fn label(&self, value: &[u8], points: &mut PointSet, mut note: impl FnMut(Code, &'static str)) {
        match value.iter().position(|byte| *byte == b':') {
            None => note(Code::ComposedValue, "has no colon between point and text"),
            Some(colon) => {
                if colons(value).count() > 1 {
                    note(Code::ComposedValue, "has a further colon without a backslash");
                }
                match point(&value[..colon]) {
                    Some(point) => self.check_place(point, None, points, note),
                    None => note(Code::PointForm, "has no point before the colon"),
                }
            }
        }
    }

    /// Checks an arrow or line: two different points.
    fn line(&self, value: &[u8], mut note: impl FnMut(Code, &'static str)) {
        let Some(colon) = value.iter().position(|byte| *byte == b':') else {
            return note(Code::ComposedValue, "has no colon between two points");
        };
        match (point(&value[..colon]), point(&value[colon + 1..])) {
            (Some(first), Some(last)) if first == last => note(Code::RepeatedPoint, "begins and ends on one point"),
            (Some(first), Some(last)) => {
                let size = self.declared.size;
                if !(size.contains(first) && size.contains(last)) {
                    note(Code::OutsideBoard, "is outside the board");
                }
            }
            _ => note(Code::PointForm, "has no point on each side of the colon"),
        }
    }
}

/// Parses a point, or the two corners of a rectangle.
fn item(value: &[u8]) -> Option<(Point, Option<Point>)> {
    if value.len() == 2 {
        return Some((point(value)?, None));
    }
    let colon = value.iter().position(|byte| *byte == b':')?;
    Some((point(&value[..colon])?, Some(point(&value[colon + 1..])?)))
}

/// The number of lines of a list that are compared with each other.
const MAX_COMPARED: usize = 64;

//! Checks of points, rectangles, labels and lines.

use super::declared::Declared;
use super::node_place::NodePlace;
use super::tokens::{colons, point};
use super::violation::{FormViolation, quoted};
use crate::finding::Code;
use crate::sgf::tokens::ff4::{Definition, PropertyRole, ValueForm};
use jigo_rules::board::{Point, PointSet};

/// A list to check.
pub(super) struct PointList<'a> {
    /// The text that contains the values.
    pub bytes: &'a [u8],
    /// The identifier in capitals.
    pub name: &'a [u8],
    /// The offset of the property.
    pub offset: usize,
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

/// A value of a list.
enum Item {
    Point(Point),
    /// The upper left and the lower right corner.
    Rectangle(Point, Point),
}

impl PointList<'_> {
    /// Checks all values, and adds their points to `points`.
    pub(super) fn check(
        &self,
        values: &[std::ops::Range<usize>],
        points: &mut PointSet,
        mut violate: impl FnMut(FormViolation),
    ) {
        let mut lines: Vec<&[u8]> = Vec::new();
        for range in values {
            let value = &self.bytes[range.clone()];
            let mut note = |code, text: &str| {
                let detail = format!("{} {text}", quoted(self.name, value));
                violate(FormViolation { code, offset: self.offset, detail });
            };
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
                _ => match self.item(value) {
                    Some(item) => self.check_place(&item, points, note),
                    None if !self.reported.form || value.is_empty() => {
                        note(Code::PointForm, "is not a point");
                    }
                    None => {}
                },
            }
        }
    }

    /// Parses a point or rectangle, and reports the form of rectangles.
    fn item(&self, value: &[u8]) -> Option<Item> {
        if let [column, row] = *value {
            return Point::from_sgf(column, row).map(Item::Point);
        }
        let colon = value.iter().position(|byte| *byte == b':')?;
        Some(Item::Rectangle(point(&value[..colon])?, point(&value[colon + 1..])?))
    }

    /// Checks the place of an item and adds its points.
    fn check_place(&self, item: &Item, points: &mut PointSet, mut note: impl FnMut(Code, &str)) {
        let (first, last) = match *item {
            Item::Point(point) => (point, point),
            Item::Rectangle(first, last) => (first, last),
        };
        let is_rectangle = matches!(item, Item::Rectangle(..));
        if is_rectangle && self.declared.is_before_ff4() {
            note(Code::NewerProperty, "is a rectangle, which only FF[4] defines");
        }
        let is_upper_left = first.x() <= last.x() && first.y() <= last.y();
        if is_rectangle && !self.reported.form && (!is_upper_left || first == last) {
            note(Code::RectangleForm, "has its corners in another order, or is a single point");
        }
        let size = self.declared.size;
        if !(size.contains(first) && size.contains(last)) {
            if !self.reported.outside {
                note(Code::OutsideBoard, "is outside the board");
            }
            return;
        }
        let corners = [
            Point::new(first.x().min(last.x()), first.y().min(last.y())),
            Point::new(first.x().max(last.x()), first.y().max(last.y())),
        ];
        let is_repeated = if is_rectangle {
            let mut rectangle = PointSet::EMPTY;
            rectangle.insert_rectangle(corners);
            let is_repeated = rectangle.intersects(points);
            *points = points.union(&rectangle);
            is_repeated
        } else {
            let is_repeated = points.contains(first);
            points.insert(first);
            is_repeated
        };
        if is_repeated && !self.reported.repeated {
            note(Code::RepeatedPoint, "names a point again");
        }
    }

    /// Checks a label: a point and a text.
    fn label(&self, value: &[u8], points: &mut PointSet, mut note: impl FnMut(Code, &str)) {
        match value.iter().position(|byte| *byte == b':') {
            None => note(Code::ComposedValue, "has no colon between point and text"),
            Some(colon) => {
                if colons(value) > 1 {
                    note(Code::ComposedValue, "has a further colon without a backslash");
                }
                match point(&value[..colon]) {
                    Some(point) => self.check_place(&Item::Point(point), points, note),
                    None => note(Code::PointForm, "has no point before the colon"),
                }
            }
        }
    }

    /// Checks an arrow or line: two different points.
    fn line(&self, value: &[u8], mut note: impl FnMut(Code, &str)) {
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

/// The number of lines of a list that are compared with each other.
const MAX_COMPARED: usize = 64;

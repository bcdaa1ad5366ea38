//! Lists of points in setup and markup.

use std::ops::Range;

use super::coordinates::with_small_letters;
use super::nodes;
use super::property::repeats_point;
use super::reader::Reader;
use crate::finding::{Code, excerpt};
use crate::header::root_property::RootProperty;
use crate::sgf::tokens::ff4;
use crate::sgf::tokens::lexer::capitals;
use jigo_rules::board::Point;

impl Reader<'_> {
    /// Returns true if the setup properties of the node repeat a point. The result of sgf-parse
    /// does not show this.
    pub(crate) fn sets_up_twice(&self, body: Range<usize>) -> bool {
        let (properties, _) = nodes::properties(&self.lexer(), body);
        let is_setup = |name: Range<usize>| ff4::is_setup(&capitals(&self.bytes[name]));
        let mut setup = properties.iter().filter(|property| is_setup(property.identifier.clone()));
        setup.any(|property| repeats_point(property.values.iter().map(|value| &self.bytes[value.clone()])))
    }

    /// Reports properties that a node repeats, except for header properties and turns, which other
    /// findings cover.
    pub(crate) fn report_repeated(&mut self, body: Range<usize>) {
        let dialect = self.reading.record.header.dialect;
        for (name, offset) in nodes::repeated_names(self.bytes, body) {
            let is_usual =
                || dialect.is_some_and(|dialect| dialect.repeated.iter().any(|allowed| allowed.as_bytes() == &*name));
            let is_of_header = self.in_root && (RootProperty::find(&name).is_some() || is_usual());
            if !is_of_header && !matches!(&*name, b"" | b"B" | b"W") {
                let excerpt = excerpt(&name);
                self.note(
                    Code::RepeatedProperty,
                    offset,
                    format!("{excerpt} occurs again: an earlier {excerpt} exists"),
                );
            }
        }
    }

    /// Returns the points of a list. If capitals put points off the board, and small letters put
    /// them all on it, they are read as small letters.
    pub(crate) fn report_listed_points(&mut self, points: Vec<Point>, offset: usize) -> Vec<Point> {
        let size = self.reading.record.header.size;
        let Some(first) = points.iter().copied().find(|point| !size.contains(*point)) else { return points };
        let to_board =
            |point: &Point| if size.contains(*point) { Some(*point) } else { with_small_letters(*point, size) };
        let Some(mut lowered) = points.iter().map(to_board).collect::<Option<Vec<Point>>>() else { return points };
        if let Some(small) = with_small_letters(first, size) {
            self.note(Code::OddCoordinates, offset, format!("{first} is read as {small}"));
        }
        lowered.sort();
        lowered.dedup();
        lowered
    }
}

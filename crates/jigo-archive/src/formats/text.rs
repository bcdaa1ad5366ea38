//! Rows as lines for people.

use super::named_format::{NamedFormat, Shape, empty_head};
use crate::row::Row;
use crate::row::line::Line;

/// Lines for people.
pub const FORMAT: NamedFormat = NamedFormat {
    name: "text",
    summary: "One line a row, for people",
    details: "one line per row, for people; coloured on a terminal (`--color`, `NO_COLOR`)",
    suffixes: &["txt"],
    shape: Shape::Lines(empty_head),
    findings_only: false,
};

/// Appends a row's line.
pub fn push(row: &impl Row, color: bool, out: &mut Vec<u8>) {
    let mut line = Line::new(out, color);
    // Writing to a line can't fail.
    let _ = row.line(&mut line);
    line.end();
}

//! Parts of values: points and colons.

use jigo_rules::board::Point;

/// Returns the number of colons without a backslash.
pub(super) fn colons(value: &[u8]) -> usize {
    let mut is_escaped = false;
    let is_colon = |byte: &&u8| {
        let is_colon = **byte == b':' && !is_escaped;
        is_escaped = **byte == b'\\' && !is_escaped;
        is_colon
    };
    value.iter().filter(is_colon).count()
}

/// Parses a point: two letters.
pub(super) fn point(value: &[u8]) -> Option<Point> {
    let &[column, row] = value else { return None };
    Point::from_sgf(column, row)
}

//! Turns of a UGF record with their notes.

use crate::formats::rewrite::SgfWriter;
use jigo_rules::board::Color;

/// A comment and labels.
#[derive(Default)]
pub(super) struct TurnNote {
    pub(super) comment: String,
    pub(super) labels: Vec<((u32, u32), String)>,
}

impl TurnNote {
    pub(super) fn line(&mut self, line: &str) {
        if !self.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(line);
    }

    pub(super) fn write(&self, writer: &mut SgfWriter) {
        writer.property("C", &self.comment);
        writer.labels(&self.labels);
    }
}

/// A turn with its offset.
pub(super) struct NumberedTurn {
    pub(super) offset: usize,
    pub(super) color: Color,
    pub(super) point: Option<(u32, u32)>,
    pub(super) number: u32,
}

/// A line of `[Data]`.
pub(super) struct MoveLine {
    /// The column, from 1.
    pub(super) column: u32,
    /// The row, from 1.
    pub(super) row: u32,
    /// `None` for `MK`, which some passes have.
    pub(super) color: Option<Color>,
    pub(super) number: u32,
    /// True if the line states seconds.
    pub(super) has_seconds: bool,
}

/// Returns true for a turn, which no other format writes like this.
pub(super) fn is_turn_line(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| move_line(line).is_some())
}

pub(super) fn move_line(line: &str) -> Option<MoveLine> {
    let mut parts = line.split(',').map(str::trim);
    let &[column @ b'A'..=b'Z', row @ b'A'..=b'Z'] = parts.next()?.as_bytes() else { return None };
    let color = match parts.next()? {
        "MK" => None,
        color if color.starts_with('B') => Some(Color::Black),
        color if color.starts_with('W') => Some(Color::White),
        _ => return None,
    };
    let number = parts.next()?.parse().ok()?;
    let has_seconds = parts.next().is_some_and(|seconds| seconds != "0" && !seconds.is_empty());
    Some(MoveLine { column: u32::from(column - b'A') + 1, row: u32::from(row - b'A') + 1, color, number, has_seconds })
}

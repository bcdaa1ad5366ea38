//! The text of the root, of setups, of marks and of turns.

use std::fmt::Write as _;

use super::form::Form;
use super::properties::Properties;
use super::value::escaped;
use crate::sgf::ff4::ValueKind;
use crate::{Coordinates, GameRecord, Header, Setup, size_text};
use jigo_rules::board::{Color, MarkedTerritory, Point};

/// Returns the text of the root up to its setup.
pub(super) fn root(header: &Header, others: &Properties, form: Form) -> String {
    let separator = if form.is_pretty { "\n" } else { "" };
    let size = size_text(header.size);
    let mut text = format!(";FF[4]GM[1]CA[UTF-8]{separator}SZ[{size}]");
    others.write(separator, &mut text);
    text
}

/// Writes AB, AW, AE and PL.
pub(super) fn set_up(setup: &Setup, output: &mut String) {
    for (name, stone) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)] {
        list(name, setup.stones.iter().filter(|(_, color)| *color == stone).map(|(point, _)| *point), output);
    }
    if let Some(color) = setup.to_play {
        output.push_str(&format!("PL[{}]", color.letter()));
    }
}

/// Writes TB and TW.
pub(super) fn mark(territory: &MarkedTerritory, output: &mut String) {
    let MarkedTerritory { black, white, .. } = territory;
    if black.is_empty() && white.is_empty() {
        output.push_str("TB[]");
    }
    list("TB", black.iter().copied(), output);
    list("TW", white.iter().copied(), output);
}

/// Writes a property with these points, unless there are none.
pub(super) fn list(name: &str, points: impl Iterator<Item = Point>, output: &mut String) {
    for (index, point) in points.enumerate() {
        if index == 0 {
            output.push_str(name);
        }
        // Writing to a String can't fail.
        let _ = write!(output, "[{point}]");
    }
}

/// Returns the property B or W.
pub(super) fn turn(record: &GameRecord, color: Color, coordinates: Coordinates) -> String {
    let letter = color.letter();
    match coordinates {
        Coordinates::Play(point) | Coordinates::OffBoard(point) => format!("{letter}[{point}]"),
        Coordinates::Pass => format!("{letter}[]"),
        Coordinates::Unreadable(index) => {
            // The stored value is still escaped.
            format!("{letter}[{}]", escaped(record.unreadable[index as usize].as_bytes(), ValueKind::Word))
        }
    }
}

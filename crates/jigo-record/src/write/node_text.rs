//! The text of the root, of setups, of marks and of turns.

use std::fmt::Write as _;

use super::node_properties::NodeProperties;
use super::omissions::WriteOptions;
use super::value::escape_value;
use crate::sgf::tokens::ff4::ValueForm;
use crate::{Coordinates, GameRecord, Header, Setup, size_text};
use jigo_rules::board::{Color, MarkedTerritory, Point};

/// Returns the text of the root up to its setup.
pub(super) fn root_text(header: &Header, others: &NodeProperties, options: WriteOptions) -> String {
    let separator = if options.is_pretty { "\n" } else { "" };
    let size = size_text(header.size);
    let mut text = format!(";FF[4]GM[1]CA[UTF-8]{separator}SZ[{size}]");
    others.write(separator, &mut text);
    text
}

/// Writes AB, AW, AE and PL.
pub(super) fn write_setup(setup: &Setup, output: &mut String) {
    for (name, stone) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)] {
        write_points(name, setup.stones.iter().filter(|(_, color)| *color == stone).map(|(point, _)| *point), output);
    }
    if let Some(color) = setup.to_play {
        output.push_str(&format!("PL[{}]", color.letter()));
    }
}

/// Writes TB and TW.
pub(super) fn write_territory(territory: &MarkedTerritory, output: &mut String) {
    let MarkedTerritory { black, white, .. } = territory;
    if black.is_empty() && white.is_empty() {
        output.push_str("TB[]");
    }
    write_points("TB", black.iter().copied(), output);
    write_points("TW", white.iter().copied(), output);
}

/// Writes a property with these points, unless there are none.
pub(super) fn write_points(name: &str, points: impl Iterator<Item = Point>, output: &mut String) {
    for (index, point) in points.enumerate() {
        if index == 0 {
            output.push_str(name);
        }
        // Writing to a String can't fail.
        let _ = write!(output, "[{point}]");
    }
}

/// Returns the property B or W.
pub(super) fn turn_text(record: &GameRecord, color: Color, coordinates: Coordinates) -> String {
    let letter = color.letter();
    match coordinates {
        Coordinates::Play(point) | Coordinates::OffBoard(point) => format!("{letter}[{point}]"),
        Coordinates::Pass => format!("{letter}[]"),
        Coordinates::Unreadable(index) => {
            // The stored value is still escaped.
            format!("{letter}[{}]", escape_value(record.unreadable[index as usize].as_bytes(), ValueForm::Turn))
        }
    }
}

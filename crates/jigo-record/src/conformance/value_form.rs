//! Checks of single values that are neither points nor lists.

use super::date_list;
use super::violation::Fault;
use crate::finding::Code;
use crate::header::result::result_parser::is_ff4;
use crate::header::time_control::Overtime;
use crate::record::property::point;
use crate::sgf::charset::find_encoding;
use crate::sgf::tokens::ff4::ValueForm;
use jigo_rules::board::BoardSize;

/// Returns the fault of a value with this form, if it has one. Lists are checked elsewhere.
pub(super) fn fault(form: ValueForm, value: &[u8], size: BoardSize) -> Option<Fault> {
    let wrong = |is_right: bool, text| (!is_right).then_some((Code::ValueType, text));
    match form {
        ValueForm::Empty => wrong(value.is_empty(), "must be empty"),
        ValueForm::Number(minimum, maximum) => number_fault(value, minimum, maximum),
        ValueForm::Real => wrong(is_real(value), "is not a number"),
        ValueForm::Double => wrong(matches!(value, b"1" | b"2"), "is neither 1 nor 2"),
        ValueForm::Color => wrong(matches!(value, b"B" | b"W"), "is neither B nor W"),
        ValueForm::Dates => date_list::fault(value),
        ValueForm::Charset => {
            find_encoding(value.trim_ascii()).is_none().then_some((Code::UnknownCharset, "names no known charset"))
        }
        ValueForm::Application => match colons(value).count() {
            0 => Some((Code::ComposedValue, "has no colon and version after the name")),
            1 => None,
            _ => Some((Code::ComposedValue, "has a further colon without a backslash")),
        },
        ValueForm::Figure => figure_fault(value),
        ValueForm::Turn => turn_fault(value, size),
        ValueForm::Result => result_fault(value),
        ValueForm::Overtime => overtime_fault(value),
        // Other findings are about SZ in the root; elsewhere its place is the fault.
        ValueForm::Size
        | ValueForm::SimpleText
        | ValueForm::Text
        | ValueForm::Points
        | ValueForm::PointsOrEmpty
        | ValueForm::Labels
        | ValueForm::Lines => None,
    }
}

/// Returns the fault of a result.
fn result_fault(value: &[u8]) -> Option<Fault> {
    let is_right = value.is_empty() || std::str::from_utf8(value).is_ok_and(is_ff4);
    (!is_right).then_some((Code::ValueType, "is not a result in FF[4]'s form"))
}

/// Returns the fault of an overtime if its text has no certain meaning.
fn overtime_fault(value: &[u8]) -> Option<Fault> {
    let is_read = is_byo_yomi(value)
        || value.trim_ascii().is_empty()
        || std::str::from_utf8(value).is_ok_and(|text| Overtime::parse(text).is_some());
    (!is_read).then_some((Code::UnreadableOvertime, "has no certain meaning"))
}

/// Returns true if a value is one such as `3x30` or `5x30 byo-yomi`. Most games of servers have
/// one, so these are found without the parser.
fn is_byo_yomi(value: &[u8]) -> bool {
    let value = value.strip_suffix(b" byo-yomi").unwrap_or(value);
    matches!(
        value,
        [b'1'..=b'9', b'x', b'1'..=b'9', b'0'..=b'9'] | [b'1'..=b'9', b'0'..=b'9', b'x', b'1'..=b'9', b'0'..=b'9']
    )
}

fn number_fault(value: &[u8], minimum: i64, maximum: i64) -> Option<Fault> {
    let digits = unsigned(value);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Some((Code::ValueType, "is not a whole number"));
    }
    // A number that is too large for the type is beyond every limit, and some properties have none.
    let too_large = if value.starts_with(b"-") { i64::MIN } else { i64::MAX };
    let number = match value {
        // Nearly all numbers are digits.
        [digit] => i64::from(digit - b'0'),
        _ => std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()).unwrap_or(too_large),
    };
    let is_allowed = (minimum..=maximum).contains(&number);
    (!is_allowed).then_some((Code::ValueRange, "is outside the range of the standard"))
}

fn figure_fault(value: &[u8]) -> Option<Fault> {
    if value.is_empty() {
        return None;
    }
    match (colons(value).count(), value.iter().position(|byte| *byte == b':')) {
        (1, Some(colon)) => number_fault(&value[..colon], 0, i64::MAX),
        (0, _) => Some((Code::ComposedValue, "has no colon between flags and name")),
        _ => Some((Code::ComposedValue, "has a further colon without a backslash")),
    }
}

fn turn_fault(value: &[u8], size: BoardSize) -> Option<Fault> {
    match point(value) {
        _ if value.is_empty() => None,
        None => Some((Code::PointForm, "is not a point")),
        Some(point) if size.contains(point) => None,
        // A pass, as FF[3] writes it.
        Some(_) if value == b"tt" && size.width() <= 19 && size.height() <= 19 => None,
        Some(_) => Some((Code::OutsideBoard, "is outside the board")),
    }
}

fn unsigned(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"+").or_else(|| value.strip_prefix(b"-")).unwrap_or(value)
}

/// Returns true if a value is a number, perhaps with a fraction.
pub(crate) fn is_real(value: &[u8]) -> bool {
    let digits = unsigned(value);
    let (whole, fraction) = match digits.iter().position(|byte| *byte == b'.') {
        Some(point) => (&digits[..point], Some(&digits[point + 1..])),
        None => (digits, None),
    };
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number(whole) && fraction.is_none_or(is_number)
}

/// Returns the offsets of the colons without a backslash.
pub(super) fn colons(value: &[u8]) -> impl Iterator<Item = usize> {
    let mut is_escaped = false;
    let is_colon = move |byte: &u8| {
        let is_colon = *byte == b':' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_colon
    };
    value.iter().map(is_colon).enumerate().filter_map(|(offset, is_colon)| is_colon.then_some(offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_plain_periods_are_read_by_the_parser() {
        let times = (10..100).flat_map(|seconds| (1..100).map(move |periods| format!("{periods}x{seconds}")));
        for time in times.flat_map(|time| [format!("{time} byo-yomi"), time]) {
            assert!(is_byo_yomi(time.as_bytes()) && Overtime::parse(&time).is_some(), "{time}");
        }
        for time in ["0x30", "3x0", "3x030", "x30", "3x", "3X30", "3x30 canadian"] {
            assert!(!is_byo_yomi(time.as_bytes()), "{time}");
        }
    }
}

//! Values in the form of FF\[4\] that mean the same as a value in another form.

use super::value_form::{self, colons};
use crate::header::written_date::standard_dates;
use crate::record::property::parse_color;
use crate::sgf::tokens::ff4::{ValueForm, definition};
use jigo_rules::board::BoardSize;

/// Returns the form of FF\[4\] that means the same as a value of the property with this name in
/// capitals. Returns `None` if the meaning is not certain, or if the form does not matter.
pub fn standard_value(name: &[u8], value: &[u8]) -> Option<String> {
    let form = definition(name)?.form;
    let text = std::str::from_utf8(value).ok()?;
    let trimmed = text.trim();
    match form {
        ValueForm::Empty => matches!(trimmed, "" | "1").then(String::new),
        ValueForm::Double => match trimmed {
            "" => Some("1".into()),
            _ => matches!(trimmed, "1" | "2").then(|| trimmed.into()),
        },
        ValueForm::Color => parse_color(text).map(|color| color.letter().into()),
        ValueForm::Number(..) => {
            let number = whole_number(trimmed);
            let is_allowed = |text: &&str| value_form::fault(form, text.as_bytes(), BoardSize::standard()).is_none();
            number.filter(is_allowed).map(str::to_owned)
        }
        ValueForm::Real => real(trimmed).or_else(|| (name == b"TM").then(|| seconds(trimmed))?),
        ValueForm::Dates => standard_dates(text),
        ValueForm::Figure if !trimmed.is_empty() && trimmed.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(format!("{trimmed}:"))
        }
        ValueForm::Labels | ValueForm::Figure => {
            let (first, rest) = trimmed_first_part(text)?;
            Some(format!("{first}:{}", escape_colons(rest)))
        }
        ValueForm::Application => match trimmed_first_part(text) {
            Some((name, version)) => Some(format!("{name}:{}", escape_colons(version))),
            None => (!trimmed.is_empty() && !trimmed.ends_with('\\')).then(|| format!("{trimmed}:")),
        },
        ValueForm::Points | ValueForm::PointsOrEmpty | ValueForm::Lines => Some(points_without_blanks(trimmed)),
        _ => None,
    }
}

/// Returns true if the property with this name in capitals is a number and its only value is blank,
/// so that it says nothing.
pub fn is_blank_number(name: &[u8], values: &[&[u8]]) -> bool {
    let is_number =
        definition(name).is_some_and(|property| matches!(property.form, ValueForm::Number(..) | ValueForm::Real));
    is_number && matches!(values, [value] if value.trim_ascii().is_empty())
}

/// Returns true if the property with this name in capitals has text with lines, so that several
/// values can be joined.
pub fn has_lines(name: &[u8]) -> bool {
    definition(name).is_some_and(|property| property.form == ValueForm::Text)
}

/// Returns the property of FF\[4\] for a property of FF\[1\] or FF\[2\]: LB for L, with the letters
/// in order, and MA for M.
pub fn current_property(name: &[u8], values: &[&[u8]]) -> Option<(&'static str, Vec<String>)> {
    let points: Option<Vec<&str>> = values
        .iter()
        .map(|value| std::str::from_utf8(value.trim_ascii()).ok().filter(|text| text.len() == 2))
        .collect();
    let points =
        points.filter(|points| points.iter().all(|point| point.bytes().all(|byte| byte.is_ascii_alphabetic())))?;
    let mut distinct = points.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < points.len() {
        return None;
    }
    match name {
        b"M" => Some(("MA", points.into_iter().map(str::to_owned).collect())),
        b"L" if points.len() <= LETTERS.len() => {
            let labels = points.iter().zip(LETTERS.chars()).map(|(point, letter)| format!("{point}:{letter}"));
            Some(("LB", labels.collect()))
        }
        _ => None,
    }
}

/// The letters of L, in their order.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

/// Removes the blanks from a point or from two points with a colon between them.
fn points_without_blanks(text: &str) -> String {
    let letters: String = text.split_ascii_whitespace().collect();
    let is_point = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_complete = letters.split(':').all(is_point) && letters.split(':').count() <= 2;
    if is_complete { letters } else { text.to_owned() }
}

/// Splits a value at its first colon without a backslash, and trims the first part.
fn trimmed_first_part(text: &str) -> Option<(&str, &str)> {
    let colon = colons(text.as_bytes()).next()?;
    Some((text[..colon].trim(), &text[colon + 1..]))
}

/// Puts a backslash before each colon that has none.
fn escape_colons(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut is_escaped = false;
    for c in text.chars() {
        if c == ':' && !is_escaped {
            escaped.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        escaped.push(c);
    }
    escaped
}

/// Returns a whole number without a fraction of zeros.
fn whole_number(text: &str) -> Option<&str> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    (!whole.is_empty() && fraction.bytes().all(|byte| byte == b'0')).then_some(whole)
}

/// Returns a number in the form of FF\[4\]. A comma before one or two digits is a decimal point.
fn real(text: &str) -> Option<String> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'+' | b'-' => text.split_at(1),
        _ => ("", text),
    };
    let (whole, fraction) = match (digits.split_once('.'), digits.split_once(',')) {
        (Some(parts), None) => parts,
        (None, Some((whole, fraction))) if (1..=2).contains(&fraction.len()) => (whole, fraction),
        (None, None) => (digits, ""),
        _ => return None,
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
}

/// The units of time, the longest first, with their lengths in seconds.
const UNITS: [(u64, &[&str]); 3] = [
    (3600, &["h", "hr", "hrs", "hour", "hours"]),
    (60, &["m", "min", "mins", "minute", "minutes"]),
    (1, &["s", "sec", "secs", "second", "seconds"]),
];

/// Returns the seconds of a time such as `9 hours` or `1h 30min`.
fn seconds(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (mut rest, mut total, mut last_unit) = (lower.as_str(), 0_u64, u64::MAX);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = rest.get(..digits).filter(|digits| digits.len() <= 6)?.parse().ok()?;
        rest = rest[digits..].trim_start();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (unit, _) = UNITS.iter().find(|(_, names)| names.contains(&&rest[..letters]))?;
        if *unit >= last_unit {
            return None;
        }
        (total, last_unit) = (total + number * unit, *unit);
        rest = rest[letters..].trim_start_matches('.').trim_start();
    }
    (last_unit < u64::MAX).then(|| total.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_values_get_the_standard_form() {
        for (name, value, standard) in [
            ("KO", "1", Some("")),
            ("KO", " ", Some("")),
            ("KO", "x", None),
            ("GB", "", Some("1")),
            ("GB", " 2", Some("2")),
            ("GB", "3", None),
            ("PL", "black", Some("B")),
            ("PL", "2", Some("W")),
            ("OB", "5 ", Some("5")),
            ("OB", "5.0", Some("5")),
            ("OB", "5.5", None),
            ("ST", "9", None),
            ("BL", " 30.5", Some("30.5")),
            ("BL", "1,5", Some("1.5")),
            ("BL", "1,800", None),
            ("BL", "5.", Some("5")),
            ("BL", "-.5", Some("-0.5")),
            ("BL", "1:30", None),
            ("BL", "1.5,5", None),
            ("V", "", None),
            ("TM", "9 hours", Some("32400")),
            ("TM", "1h 30min", Some("5400")),
            ("TM", "90m", Some("5400")),
            ("TM", "5 min. 30 sec.", Some("330")),
            ("TM", "30 min 1 h", None),
            ("TM", "90 minutes each", None),
            ("TM", "9", Some("9")),
            ("BL", "9 hours", None),
            ("DT", "May 3 1999", Some("1999-05-03")),
            ("DT", "03.05.1999", None),
            ("LB", "aa:1:2", Some("aa:1\\:2")),
            ("LB", " aa:1\\:2", Some("aa:1\\:2")),
            ("LB", "aa", None),
            ("FG", "1", Some("1:")),
            ("FG", "1:y:z", Some("1:y\\:z")),
            ("AP", "x", Some("x:")),
            ("AP", "a:b:c", Some("a:b\\:c")),
            ("TR", " aa ", Some("aa")),
            ("AR", "a a: c c", Some("aa:cc")),
            ("AR", "a a: c", Some("a a: c")),
            ("XY", "x", None),
            ("EV", " x ", None),
        ] {
            assert_eq!(standard_value(name.as_bytes(), value.as_bytes()).as_deref(), standard, "{name}[{value}]");
        }
    }

    #[test]
    fn letters_and_marks_get_their_current_names() {
        let labels = current_property(b"L", &[b"aa", b"cc"]).unwrap();
        assert_eq!(labels, ("LB", vec!["aa:a".into(), "cc:b".into()]));
        assert_eq!(current_property(b"M", &[b"aa"]).unwrap(), ("MA", vec!["aa".into()]));
        for (name, values) in [(&b"L"[..], vec![&b"aa"[..], b"aa"]), (b"M", vec![b"a"]), (b"N", vec![b"aa"])] {
            assert_eq!(current_property(name, &values), None);
        }
    }
}

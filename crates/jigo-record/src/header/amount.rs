//! Parser for numbers of points as people write them: with units, as fractions, or in words.

use jigo_rules::half_points::{MAX_POINTS, parse_quarters};

/// A number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Amount {
    /// The number in quarter points.
    pub quarters: i32,
    /// True if the text uses zi (子). One zi equals two points.
    pub is_zi: bool,
}

/// Units that may follow a number of points.
const POINTS: [&str; 6] = ["points", "point", "pts.", "pts", "pt", "moku"];

/// Parses `6.5 points`, `6.5 moku`, `6目半`, `3¾子`, `5 1/2` or `7½`.
///
/// Returns `None` if the whole text is not such a number, or if it has a unit of points and a finer
/// fraction than one half.
pub(crate) fn parse(text: &str) -> Option<Amount> {
    // Nearly all amounts are plain numbers.
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        let quarters = parse_quarters(text).ok().filter(|quarters| *quarters <= MAX_POINTS * 4)?;
        return Some(Amount { quarters, is_zi: false });
    }
    let text = text.trim().to_lowercase();
    if let Some((amount, unit, suffix)) = split_at_unit(&text) {
        let half = match suffix.trim() {
            "" => 0,
            "半" | "반" => 2,
            _ => return None,
        };
        let amount = amount.trim();
        let unsigned = amount.strip_prefix('-').map(str::trim_start);
        if unsigned.is_some_and(|amount| amount.starts_with(['-', '+'])) {
            return None;
        }
        let quarters = number(unsigned.unwrap_or(amount))?;
        // A half after the unit completes whole points only.
        if half > 0 && quarters % 4 != 0 {
            return None;
        }
        let is_zi = unit == '子';
        let quarters = (quarters + half) * if is_zi { 2 } else { 1 };
        let quarters = if unsigned.is_some() { -quarters } else { quarters };
        return (is_zi || quarters % 2 == 0).then_some(Amount { quarters, is_zi });
    }
    let points = POINTS.iter().find_map(|unit| text.strip_suffix(unit));
    let quarters = number(points.unwrap_or(&text).trim())?;
    (points.is_none() || quarters % 2 == 0).then_some(Amount { quarters, is_zi: false })
}

/// The units of numbers of points in Chinese, Japanese and Korean.
const UNITS: [char; 5] = ['子', '目', '点', '點', '집'];

/// Splits a text at the first unit: the text before it, the unit, and the text after it.
fn split_at_unit(text: &str) -> Option<(&str, char, &str)> {
    let (amount, rest) = text.split_at(text.find(UNITS)?);
    split_unit(rest).map(|(unit, suffix)| (amount, unit, suffix))
}

/// Splits a text that begins with a unit: the unit, and the text after it.
pub(crate) fn split_unit(text: &str) -> Option<(char, &str)> {
    let unit = text.chars().next().filter(|first| UNITS.contains(first))?;
    Some((unit, &text[unit.len_utf8()..]))
}

/// Parses `3`, `2.75`, `3/4`, `5 1/2`, `1又3/4`, `1¾`, `半`, `三` or `一又四分之三`, in quarters.
pub(crate) fn number(text: &str) -> Option<i32> {
    let quarters = fraction(text).or_else(|| parse_quarters(text).ok()).or_else(|| numeral(text));
    quarters.filter(|quarters| quarters.abs() <= MAX_POINTS * 4)
}

/// Returns true if [`number`] accepts this character in numbers without sign and blanks.
pub(crate) fn is_number_character(c: char) -> bool {
    c.is_ascii_digit() || "/.又¼½¾半반分之十两兩".contains(c) || NUMERALS.contains(&c)
}

/// The numerals from 1 to 9.
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Parses a numeral up to 99, in quarters.
fn numeral(text: &str) -> Option<i32> {
    let digit = |text: &str| {
        let mut chars = text.chars();
        match (chars.next()?, chars.next()) {
            ('两' | '兩', None) => Some(2),
            (c, None) => (1..).zip(NUMERALS).find_map(|(digit, numeral)| (numeral == c).then_some(digit)),
            _ => None,
        }
    };
    let number = match text.split_once('十') {
        None => digit(text)?,
        Some((tens, ones)) => {
            let tens = if tens.is_empty() { 1 } else { digit(tens)? };
            tens * 10 + if ones.is_empty() { 0 } else { digit(ones)? }
        }
    };
    Some(number * 4)
}

/// Parses an unsigned number with a fraction, in quarters.
fn fraction(text: &str) -> Option<i32> {
    for (sign, quarters) in [("¼", 1), ("½", 2), ("¾", 3), ("半", 2), ("반", 2)] {
        if let Some(integer) = text.strip_suffix(sign) {
            return if integer.is_empty() {
                Some(quarters)
            } else {
                Some(parse_integer(integer.trim_end())? + quarters)
            };
        }
    }
    let add_fraction = |text: &str, numerator: &str, denominator: &str| {
        let integer = if text.is_empty() { 0 } else { whole_number(text)? };
        let denominator = whole_number(denominator)
            .map(|quarters| quarters / 4)
            .filter(|denominator| matches!(denominator, 1 | 2 | 4))?;
        Some(integer + whole_number(numerator)? / denominator)
    };
    if let Some((integer, numerator)) = text.split_once("分之") {
        // Chinese puts the denominator first: 四分之三 means three quarters.
        let (integer, denominator) =
            integer.split_once('又').filter(|(integer_part, _)| !integer_part.is_empty()).unwrap_or(("", integer));
        return add_fraction(integer, numerator, denominator);
    }
    let (integer, denominator) = text.split_once('/')?;
    let (integer, numerator) = match integer.split_once(['又', ' ']) {
        Some(("", _)) => return None,
        Some((integer, numerator)) => (integer, numerator.trim_start()),
        None => ("", integer),
    };
    add_fraction(integer, numerator, denominator)
}

/// Parses digits or a numeral, in quarters.
fn whole_number(text: &str) -> Option<i32> {
    parse_integer(text).or_else(|| numeral(text))
}

/// Parses digits, in quarters.
fn parse_integer(digits: &str) -> Option<i32> {
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    parse_quarters(digits).ok().filter(|_| is_integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_people_write_them() {
        for (text, quarters, is_zi) in [
            ("6.5", 26, false),
            ("6.5 points", 26, false),
            ("1 Point", 4, false),
            ("3,5pts", 14, false),
            ("6.5 moku", 26, false),
            ("6目半", 26, false),
            ("6.5目", 26, false),
            ("半目", 2, false),
            ("6집 반", 26, false),
            ("5 1/2", 22, false),
            ("1/2 point", 2, false),
            ("7½", 30, false),
            ("7 ½", 30, false),
            ("½", 2, false),
            ("-6.5 points", -26, false),
            ("3.75子", 30, true),
            ("1又3/4子", 14, true),
            ("一又四分之三子", 14, true),
            ("四分之三子", 6, true),
            ("3又二分之一子", 28, true),
            ("两子半", 20, true),
            ("六目半", 26, false),
            ("-5目半", -22, false),
            ("-半目", -2, false),
            ("- 3子半", -28, true),
            ("-一又四分之三子", -14, true),
            ("-5.5 moku", -22, false),
            ("-6집 반", -26, false),
            ("二十三目", 92, false),
            ("十目", 40, false),
        ] {
            assert_eq!(parse(text), Some(Amount { quarters, is_zi }), "{text}");
        }
    }

    #[test]
    fn malformed_amount_is_rejected() {
        let long = [
            "6.25 points",
            "6目2",
            "6目半目",
            "6.5目半",
            "半目半",
            "--5目半",
            "-+5目",
            "3¾子半",
            "536870911/1子",
            "99999 points",
            "-5 1/2",
            "5 -1/2",
            "1/3",
            "5/0",
        ];
        let in_words =
            ["又四分之三子", "一又四分之子", "三分之一子", "二三目", "一十一十目", "一半子", "十十目", "一分之"];
        for text in ["", "points", "目", "six points", "6.5 stones", "/", "1/", "5 1", "+½"]
            .into_iter()
            .chain(long)
            .chain(in_words)
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

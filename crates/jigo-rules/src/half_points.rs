//! Scores and komi as integer half points.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Neg, Sub};

use serde::{Deserialize, Serialize};

/// A score, margin or komi in half points: 13 means 6½ points.
///
/// Margins are Black minus White, and their names say so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HalfPoints(pub i32);

impl HalfPoints {
    /// Zero points.
    pub const ZERO: HalfPoints = HalfPoints(0);

    /// Converts a whole number of points.
    pub const fn from_points(points: i32) -> HalfPoints {
        HalfPoints(points * 2)
    }

    /// Parses a decimal number that is a multiple of ½.
    ///
    /// The decimal separator is a point or a comma. The range is ±10,000.
    ///
    /// # Errors
    /// [`HalfPointsError`] if the text is not such a number.
    ///
    /// ```
    /// use jigo_rules::HalfPoints;
    ///
    /// let komi = HalfPoints::parse("6.5").unwrap();
    /// assert_eq!((komi, komi.to_string().as_str()), (HalfPoints(13), "6.5"));
    /// assert!(HalfPoints::parse("6.4").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<HalfPoints, HalfPointsError> {
        let quarters = parse_quarters(text)?;
        if quarters % 2 != 0 { Err(HalfPointsError::NotAMultiple) } else { Ok(HalfPoints(quarters / 2)) }
    }
}

/// The reason why a text is not a number of half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HalfPointsError {
    /// Not a decimal number.
    #[error("is not a decimal number")]
    NotANumber,
    /// A number beyond ±[`MAX_POINTS`]. The SGF standard has no limit.
    #[error("is beyond {MAX_POINTS} points, the limit of jigo")]
    OutOfRange,
    /// A number between two multiples of ½.
    #[error("is not a multiple of 0.5")]
    NotAMultiple,
}

/// Largest accepted number of whole points, positive or negative.
pub const MAX_POINTS: i32 = 10_000;

/// Parses a decimal number as quarter points, without rounding.
///
/// Chinese records count in quarters of a zi.
///
/// # Errors
/// [`HalfPointsError`] if the text is not a decimal number, not a multiple of ¼, or beyond
/// ±[`MAX_POINTS`].
pub fn parse_quarters(text: &str) -> Result<i32, HalfPointsError> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) || whole.len() + fraction.len() == 0 {
        return Err(HalfPointsError::NotANumber);
    }
    let whole: i32 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| HalfPointsError::OutOfRange)? };
    if whole > MAX_POINTS {
        return Err(HalfPointsError::OutOfRange);
    }
    let quarter = match fraction.trim_end_matches('0') {
        "" => 0,
        "25" => 1,
        "5" => 2,
        "75" => 3,
        _ => return Err(HalfPointsError::NotAMultiple),
    };
    let value = whole * 4 + quarter;
    Ok(if negative { -value } else { value })
}

/// Writes a decimal number with `.5` for a half: `7.5`, `-3`, `0`.
impl fmt::Display for HalfPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let half = if self.0 % 2 != 0 { ".5" } else { "" };
        write!(f, "{sign}{}{half}", self.0.abs() / 2)
    }
}

impl Add for HalfPoints {
    type Output = HalfPoints;
    fn add(self, other: HalfPoints) -> HalfPoints {
        HalfPoints(self.0 + other.0)
    }
}

impl Sub for HalfPoints {
    type Output = HalfPoints;
    fn sub(self, other: HalfPoints) -> HalfPoints {
        HalfPoints(self.0 - other.0)
    }
}

impl Neg for HalfPoints {
    type Output = HalfPoints;
    fn neg(self) -> HalfPoints {
        HalfPoints(-self.0)
    }
}

impl Sum for HalfPoints {
    fn sum<I: Iterator<Item = HalfPoints>>(amounts: I) -> HalfPoints {
        amounts.fold(HalfPoints::ZERO, Add::add)
    }
}

/// Formats a margin, Black minus White, as in RE: `B+1`, `W+5.5`, `0`.
pub fn format_margin(black_minus_white: HalfPoints) -> String {
    match black_minus_white.0 {
        0 => "0".to_owned(),
        1.. => format!("B+{black_minus_white}"),
        _ => format!("W+{}", -black_minus_white),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_parse_exactly_and_round_trip() {
        for (text, halves, normal_form) in [
            ("6.5", 13, "6.5"),
            ("0", 0, "0"),
            ("-3", -6, "-3"),
            ("7,50", 15, "7.5"),
            (".5", 1, "0.5"),
            ("-0.5", -1, "-0.5"),
            ("+2", 4, "2"),
            ("10000", 20_000, "10000"),
        ] {
            let amount = HalfPoints::parse(text).unwrap();
            assert_eq!((amount.0, amount.to_string().as_str()), (halves, normal_form), "{text}");
        }
        assert_eq!(HalfPoints::from_points(-3), HalfPoints(-6));
        assert_eq!(["0.25", "-1.75", "2.5"].map(parse_quarters), [Ok(1), Ok(-7), Ok(10)]);
    }

    #[test]
    fn invalid_half_points_report_their_reason() {
        for text in ["", "-", ".", "six", "1e3", "nan", "inf", "6.5.5", "+-1"] {
            assert_eq!(HalfPoints::parse(text), Err(HalfPointsError::NotANumber), "{text}");
        }
        for text in ["10001", "-99999", "99999999999999999999.5"] {
            assert_eq!(HalfPoints::parse(text), Err(HalfPointsError::OutOfRange), "{text}");
        }
        for text in ["3.75", "0.02", "6.51"] {
            assert_eq!(HalfPoints::parse(text), Err(HalfPointsError::NotAMultiple), "{text}");
        }
    }
}

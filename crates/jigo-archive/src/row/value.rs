//! Cell values, and their form in text formats.

use std::fmt::{self, Write as _};

use jigo_record::Date;
use jigo_rules::HalfPoints;
use jigo_rules::board::{Color, Point};

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// No value: it is unknown or does not apply.
    Empty,
    /// A text or a word.
    Text(&'a str),
    /// An integer.
    Integer(i64),
    /// A number of points ([`POINTS`](super::POINTS)).
    Points(HalfPoints),
    /// A number of points that is written in zi ([`ZI`](super::ZI)).
    Zi(HalfPoints),
    /// A number in units of its last decimal, and the decimals of its column.
    Decimal(i64, u8),
    /// A probability, rounded to the decimals of [`PROBABILITY`](super::PROBABILITY).
    Probability(f32),
    /// A day: the first one that an inexact date may mean.
    Date(Date),
    /// True or false.
    Flag(bool),
    /// Any bytes. Text formats replace invalid UTF-8.
    Bytes(&'a [u8]),
    /// A point, written as its SGF pair.
    Point(Point),
    /// A 64-bit hash, written as 16 hexadecimal digits.
    Hash(u64),
}

impl Value<'_> {
    /// Returns a decimal number as an integer in units of its last digit: tenths of points,
    /// hundredths of zi, thousandths of a probability.
    pub fn unscaled(self) -> Option<i64> {
        match self {
            Value::Points(points) => Some(i64::from(points.0) * 5),
            Value::Zi(points) => Some(i64::from(points.0) * 25),
            Value::Decimal(unscaled, _) => Some(unscaled),
            // The product of 24 and 10 bits is exact in 53 bits, so this rounds as printing with
            // three digits does.
            Value::Probability(probability) => Some((f64::from(probability) * 1000.0).round_ties_even() as i64),
            _ => None,
        }
    }

    /// Appends the cell in its form for CSV and for people.
    ///
    /// `write!` costs hundreds of instructions per cell, and a table of turns has millions of
    /// cells. The most frequent types therefore have faster code.
    pub fn append_to(self, out: &mut String) {
        match self {
            Value::Empty => {}
            Value::Text(text) => out.push_str(text),
            Value::Integer(number) => out.push_str(itoa::Buffer::new().format(number)),
            Value::Flag(flag) => out.push_str(if flag { "true" } else { "false" }),
            Value::Point(point) => out.extend(point.letters()),
            Value::Hash(hash) => append_hexadecimal(hash, out),
            Value::Decimal(unscaled, decimals) => append_decimal(unscaled, decimals, out),
            Value::Bytes(bytes) => out.push_str(&String::from_utf8_lossy(bytes)),
            value => {
                // Writing to a String can't fail.
                let _ = value.format(out);
            }
        }
    }

    /// Formats the less frequent types.
    fn format(self, out: &mut String) -> fmt::Result {
        match self {
            Value::Points(points) => write!(out, "{points}"),
            Value::Zi(points) => write!(out, "{}", f64::from(points.0) / 4.0),
            Value::Probability(probability) => write!(out, "{probability:.3}"),
            Value::Date(Date { year, month, day }) => {
                write!(out, "{year:04}-{:02}-{:02}", month.unwrap_or(1), day.unwrap_or(1))
            }
            _ => Ok(()),
        }
    }
}

/// Appends all 16 hexadecimal digits.
fn append_hexadecimal(number: u64, out: &mut String) {
    let digits: [u8; 16] =
        std::array::from_fn(|index| b"0123456789abcdef"[(number >> (60 - 4 * index)) as usize & 0xF]);
    // Digits are valid UTF-8.
    out.push_str(str::from_utf8(&digits).unwrap_or_default());
}

/// Appends a decimal number without trailing zeros.
fn append_decimal(unscaled: i64, decimals: u8, out: &mut String) {
    let scale = 10_u64.pow(decimals.into());
    let (integer, remainder) = (unscaled.unsigned_abs() / scale, unscaled.unsigned_abs() % scale);
    out.push_str(if unscaled < 0 { "-" } else { "" });
    out.push_str(itoa::Buffer::new().format(integer));
    if remainder > 0 {
        // Writing to a String can't fail.
        let _ = write!(out, ".{remainder:0width$}", width = usize::from(decimals));
        out.truncate(out.trim_end_matches('0').len());
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Value<'a> {
        if text.is_empty() { Value::Empty } else { Value::Text(text) }
    }
}

macro_rules! from_types {
    ($($type:ty => $variant:ident,)*) => {
        $(impl From<$type> for Value<'_> {
            fn from(value: $type) -> Self {
                Value::$variant(value.into())
            }
        })*
    };
}
from_types! {
    bool => Flag,
    u8 => Integer,
    u16 => Integer,
    u32 => Integer,
    i32 => Integer,
    Date => Date,
    HalfPoints => Points,
    Point => Point,
}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        // Offsets and byte counts fit into i64, since no file is larger.
        Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        Value::from(number as u64)
    }
}

impl From<Color> for Value<'_> {
    fn from(color: Color) -> Self {
        Value::Text(color.letter())
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Empty, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: Value<'_>) -> String {
        let mut text = String::new();
        value.append_to(&mut text);
        text
    }

    #[test]
    fn fast_paths_equal_the_standard_formatting() {
        for bits in 0..64 {
            for number in [1_u64 << bits, (1 << bits) - 1, u64::MAX - (1 << bits), 0x0123_4567_89AB_CDEF >> bits] {
                assert_eq!(text(Value::Hash(number)), format!("{number:016x}"));
                assert_eq!(text(Value::Integer(number as i64)), (number as i64).to_string());
                let seconds = text(Value::Decimal(number as i64, 3));
                assert!(!seconds.contains('.') || !seconds.ends_with(['0', '.']), "{seconds}");
                let (whole, part) = seconds.split_once('.').unwrap_or((&seconds, ""));
                assert_eq!(format!("{whole}{part:0<3}").parse::<i64>().unwrap(), number as i64, "{seconds}");
            }
        }
        for point in jigo_rules::board::BoardSize::square(52).unwrap().iter() {
            assert_eq!(text(Value::Point(point)), point.to_string());
        }
    }

    #[test]
    fn text_and_unscaled_integer_have_equal_digits() {
        for half in -60..60 {
            let points = Value::Points(HalfPoints(half));
            assert_eq!(text(points).parse::<f64>().unwrap() * 10.0, points.unscaled().unwrap() as f64);
            let seconds = Value::Decimal(i64::from(half) * 125, 3);
            assert_eq!(text(seconds).parse::<f64>().unwrap() * 1000.0, seconds.unscaled().unwrap() as f64);
            let zi = Value::Zi(HalfPoints(half));
            assert_eq!(text(zi).parse::<f64>().unwrap() * 100.0, zi.unscaled().unwrap() as f64);
        }
        // Some multiples of 1/65,536 lie exactly between two thousandths.
        for step in 0..=65_536 {
            let probability = Value::Probability(step as f32 / 65_536.0);
            let thousandths = probability.unscaled().unwrap();
            assert_eq!(text(probability), format!("{}.{:03}", thousandths / 1000, thousandths % 1000));
        }
    }
}

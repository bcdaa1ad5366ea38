//! A table's schema, written once: every format derives its header and its cells from it.

use std::fmt;

use crate::tables::FindingRow;
use crate::tables::formats::text::Line;
use jigo_core::board::{Color, Point};
use jigo_core::record::Date;
use jigo_core::rules::HalfPoints;

/// The words of an enumeration of which each has its name in tables.
pub(super) const fn words_of<T: Copy, const N: usize>(named: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut index = 0;
    while index < N {
        words[index] = named[index].0;
        index += 1;
    }
    words
}

/// What a column holds, in every format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number of 64 bits.
    Integer,
    /// A number with as many digits behind the point at most.
    Decimal(u8),
    /// A day of the calendar.
    Date,
    /// True or false.
    Flag,
    /// Any bytes.
    Bytes,
}

/// Digits behind the point of a number of points.
pub const POINTS: Kind = Kind::Decimal(1);
/// Digits behind the point of a number of zi, of which one is two points.
pub const ZI: Kind = Kind::Decimal(2);
/// Digits behind the point of a number of seconds.
pub const SECONDS: Kind = Kind::Decimal(3);
/// Digits behind the point of a probability.
pub const PROBABILITY: Kind = Kind::Decimal(3);

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in every format.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether a cell may be empty: not known, or does not apply.
    pub nullable: bool,
    /// What it means; units, sign, index base.
    pub meaning: &'static str,
}

impl Column {
    /// A column that may have empty cells.
    pub const fn new(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
        Column { name, kind, nullable: true, meaning }
    }

    /// The same column without empty cells.
    pub const fn always(self) -> Column {
        Column { nullable: false, ..self }
    }
}

/// The schema of a table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What a row is, and who writes it.
    pub what: &'static str,
    /// The columns that no two rows have the same cells in; none where there are none.
    pub key: &'static [&'static str],
    /// The columns, in order.
    pub columns: &'static [Column],
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Not known, or does not apply.
    Empty,
    /// Text or a word.
    Text(&'a str),
    /// A whole number.
    Integer(i64),
    /// A number of points, a [`POINTS`].
    Points(HalfPoints),
    /// A number of points, written in zi, a [`ZI`].
    Zi(HalfPoints),
    /// A time in thousandths of a second, written in [`SECONDS`].
    Milliseconds(i64),
    /// A probability, rounded to a [`PROBABILITY`].
    Probability(f32),
    /// A day: the first that a date may be.
    Date(Date),
    /// True or false.
    Flag(bool),
    /// Any bytes; where a format has text only, what is no UTF-8 is replaced.
    Bytes(&'a [u8]),
    /// A point, written as its SGF pair.
    Point(Point),
    /// A 64-bit hash, written as 16 hexadecimal digits.
    Hash(u64),
}

impl Value<'_> {
    /// A decimal number as a whole number of its last digit: tenths of points, hundredths of zi, thousandths of a probability.
    pub fn unscaled(self) -> Option<i64> {
        match self {
            Value::Points(points) => Some(i64::from(points.0) * 5),
            Value::Zi(points) => Some(i64::from(points.0) * 25),
            Value::Milliseconds(milliseconds) => Some(milliseconds),
            // A product of 24 and 10 bits is exact in 53, so this rounds as printing with three digits does.
            Value::Probability(probability) => Some((f64::from(probability) * 1000.0).round_ties_even() as i64),
            _ => None,
        }
    }
}

/// Takes the cells of a row, from its first column to its last.
pub trait Cells {
    /// Takes the next cell.
    fn value(&mut self, value: Value<'_>);

    /// Takes the next cell.
    #[inline]
    fn put<'a>(&mut self, value: impl Into<Value<'a>>)
    where
        Self: Sized,
    {
        self.value(value.into());
    }
}

/// A row of a table.
pub trait Row {
    /// The table's schema.
    const TABLE: &'static Table;
    /// Hands on the cells: as many as there are columns, each of its column's kind.
    fn cells(&self, cells: &mut impl Cells);
    /// The line that people read.
    fn line(&self, line: &mut Line) -> fmt::Result;
    /// The finding that the row is, if it is one.
    fn finding(&self) -> Option<&FindingRow<'_>> {
        None
    }
}

/// The schema of a table and the cells of its rows, in one list: each column with how its cell is got. What several cells need is worked out once, before the list.
macro_rules! table {
    ($name:literal, $what:literal, $(key [$($key:literal),*],)? |$row:ident| $(let $part:pat = $of:expr;)* $($column:expr => $cell:expr),* $(,)?) => {
        const TABLE: &'static Table = &Table { name: $name, what: $what, key: &[$($($key),*)?], columns: &[$($column),*] };

        fn cells(&self, cells: &mut impl Cells) {
            let $row = self;
            $(let $part = $of;)*
            $(cells.put($cell);)*
        }
    };
}
pub(super) use table;

/// As CSV and people write it.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Empty => Ok(()),
            Value::Text(text) => f.write_str(text),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Points(points) => write!(f, "{points}"),
            Value::Zi(points) => write!(f, "{}", f64::from(points.0) / 4.0),
            Value::Milliseconds(milliseconds) => {
                let sign = if *milliseconds < 0 { "-" } else { "" };
                let digits = milliseconds.unsigned_abs();
                let text = format!("{sign}{}.{:03}", digits / 1000, digits % 1000);
                f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
            }
            Value::Probability(probability) => write!(f, "{probability:.3}"),
            Value::Flag(flag) => f.write_str(if *flag { "true" } else { "false" }),
            Value::Date(Date { year, month, day }) => {
                write!(f, "{year:04}-{:02}-{:02}", month.unwrap_or(1), day.unwrap_or(1))
            }
            Value::Bytes(bytes) => f.write_str(&String::from_utf8_lossy(bytes)),
            Value::Point(point) => write!(f, "{point}"),
            Value::Hash(hash) => write!(f, "{hash:016x}"),
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Value<'a> {
        if text.is_empty() { Value::Empty } else { Value::Text(text) }
    }
}

impl From<bool> for Value<'_> {
    fn from(flag: bool) -> Self {
        Value::Flag(flag)
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Value::Integer(number.into())
    }
}

impl From<u8> for Value<'_> {
    fn from(number: u8) -> Self {
        Value::Integer(number.into())
    }
}

impl From<i32> for Value<'_> {
    fn from(number: i32) -> Self {
        Value::Integer(number.into())
    }
}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        // Offsets and counts of bytes: beyond i64 there is no file.
        Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        Value::from(number as u64)
    }
}

impl From<u16> for Value<'_> {
    fn from(number: u16) -> Self {
        Value::Integer(number.into())
    }
}

impl From<Date> for Value<'_> {
    fn from(date: Date) -> Self {
        Value::Date(date)
    }
}

impl From<HalfPoints> for Value<'_> {
    fn from(points: HalfPoints) -> Self {
        Value::Points(points)
    }
}

impl From<Color> for Value<'_> {
    fn from(color: Color) -> Self {
        Value::Text(color.letter())
    }
}

impl From<Point> for Value<'_> {
    fn from(point: Point) -> Self {
        Value::Point(point)
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

    #[test]
    fn a_decimal_number_has_the_same_digits_printed_and_as_a_whole_number() {
        for half in -60..60 {
            let points = Value::Points(HalfPoints(half));
            assert_eq!(points.to_string().parse::<f64>().unwrap() * 10.0, points.unscaled().unwrap() as f64);
            let seconds = Value::Milliseconds(i64::from(half) * 125);
            assert_eq!(seconds.to_string().parse::<f64>().unwrap() * 1000.0, seconds.unscaled().unwrap() as f64);
            let zi = Value::Zi(HalfPoints(half));
            assert_eq!(zi.to_string().parse::<f64>().unwrap() * 100.0, zi.unscaled().unwrap() as f64);
        }
        // Sixteenths and the like lie exactly between two thousandths.
        for step in 0..=65_536 {
            let probability = Value::Probability(step as f32 / 65_536.0);
            let thousandths = probability.unscaled().unwrap();
            assert_eq!(probability.to_string(), format!("{}.{:03}", thousandths / 1000, thousandths % 1000));
        }
    }
}

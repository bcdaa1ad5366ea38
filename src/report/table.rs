//! A table's schema, written once: every format derives its header and its cells from it.

use std::fmt;

use crate::board::{Color, Point};
use crate::rules::HalfPoints;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of a few words.
    Word,
    /// A whole number.
    Integer,
    /// A number of points with at most one decimal, or of zi with at most two.
    Points,
    /// A probability from 0 to 1.
    Probability,
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in every format.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it means; units, sign, index base.
    pub meaning: &'static str,
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
    /// A number of points.
    Points(HalfPoints),
    /// A number of points, written in zi, of which one is two points.
    Zi(HalfPoints),
    /// A probability.
    Probability(f32),
    /// A point, written as its SGF pair.
    Point(Point),
    /// A 64-bit hash, written as 16 hexadecimal digits.
    Hash(u64),
}

/// A row of a table.
pub trait Row {
    /// The table's name.
    const TABLE: &'static str;
    /// Its columns, in order.
    const COLUMNS: &'static [Column];
    /// The cells: as many as there are columns.
    fn values(&self) -> impl IntoIterator<Item = Value<'_>>;
    /// The line that people read.
    fn line(&self, out: &mut dyn fmt::Write) -> fmt::Result;
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Empty => Ok(()),
            Value::Text(text) => f.write_str(text),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Points(points) => write!(f, "{points}"),
            Value::Zi(points) => write!(f, "{}", f64::from(points.0) / 4.0),
            Value::Probability(probability) => write!(f, "{probability:.3}"),
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

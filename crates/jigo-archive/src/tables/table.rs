//! The schema of a table. Every format derives its header and its cells from it.

use std::fmt;

use crate::tables::FindingRow;
use crate::tables::formats::text::Line;
use crate::tables::value::Value;

/// Returns the names of an enumeration from its table of names and values.
pub(super) const fn words_of<T: Copy, const N: usize>(named: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut index = 0;
    while index < N {
        words[index] = named[index].0;
        index += 1;
    }
    words
}

/// The type of a column, in every format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A 64-bit integer.
    Integer,
    /// A number with up to this many decimals.
    Decimal(u8),
    /// A day of the calendar.
    Date,
    /// True or false.
    Flag,
    /// Any bytes.
    Bytes,
}

/// A number of points.
pub const POINTS: Kind = Kind::Decimal(1);
/// A number of zi. One zi is two points.
pub const ZI: Kind = Kind::Decimal(2);
/// A number of seconds.
pub const SECONDS: Kind = Kind::Decimal(3);
/// A probability.
pub const PROBABILITY: Kind = Kind::Decimal(3);

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name in every format.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// True if a cell may be empty because its value is unknown or does not apply.
    pub nullable: bool,
    /// The meaning: units, sign, index base.
    pub meaning: &'static str,
}

impl Column {
    /// Returns a column that may have empty cells.
    pub const fn new(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
        Column { name, kind, nullable: true, meaning }
    }

    /// Returns the same column without empty cells.
    pub const fn always(self) -> Column {
        Column { nullable: false, ..self }
    }
}

/// The schema of a table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name of the table.
    pub name: &'static str,
    /// The meaning of a row, and the commands that write it.
    pub what: &'static str,
    /// The columns that identify a row; empty if there are none.
    pub key: &'static [&'static str],
    /// The columns in order.
    pub columns: &'static [Column],
}

/// Receives the cells of a row, from the first column to the last.
pub trait Cells {
    /// Receives the next cell.
    fn value(&mut self, value: Value<'_>);

    /// Converts a value and passes it on as the next cell.
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
    /// Passes on the cells: one per column, of the column's type.
    fn cells(&self, cells: &mut impl Cells);
    /// Writes the row as a line for people.
    fn line(&self, line: &mut Line) -> fmt::Result;
    /// Returns the finding of the row, if it is one.
    fn finding(&self) -> Option<&FindingRow<'_>> {
        None
    }
}

/// Defines the schema of a table and the cells of its rows in one list of columns and expressions.
/// Bindings before the list compute values that several cells need.
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

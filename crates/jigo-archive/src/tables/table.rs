//! A table's schema, written once: every format derives its header and its cells from it.

use std::fmt;

use crate::tables::FindingRow;
use crate::tables::formats::text::Line;
use crate::tables::value::Value;

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

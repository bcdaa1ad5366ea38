//! The schema of a table. Every format derives its header and its cells from it.

use std::fmt;

use super::line::Line;
use super::located_finding::LocatedFinding;
use super::value::Value;
use crate::source::InputFormat;

/// The type of a column, in every format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Any text.
    Text,
    /// Any text that many rows repeat, such as the name of their file. Columnar formats write it as
    /// a dictionary.
    RepeatedText,
    /// A point of the board as its SGF pair. Columnar formats write it as a dictionary of all
    /// points.
    Point,
    /// A 64-bit hash: 16 hexadecimal digits in text formats, an unsigned integer in columnar ones.
    Hash,
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
pub const POINTS: ColumnType = ColumnType::Decimal(1);
/// A number of zi. One zi is two points.
pub const ZI: ColumnType = ColumnType::Decimal(2);
/// A number of seconds.
pub const SECONDS: ColumnType = ColumnType::Decimal(3);
/// A probability.
pub const PROBABILITY: ColumnType = ColumnType::Decimal(3);

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name in every format.
    pub name: &'static str,
    /// The type.
    pub kind: ColumnType,
    /// True if a cell may be empty because its value is unknown or does not apply.
    pub nullable: bool,
    /// True if the table has the column only if the user asks for it.
    pub on_request: bool,
    /// True if the value depends on the count of the ending.
    pub needs_count: bool,
    /// True if the column belongs to the games table, and another table has it as well.
    pub of_games: bool,
    /// The meaning: units, sign, index base.
    pub meaning: &'static str,
}

impl Column {
    /// Returns a column that may have empty cells.
    pub const fn new(name: &'static str, kind: ColumnType, meaning: &'static str) -> Column {
        Column { name, kind, nullable: true, on_request: false, needs_count: false, of_games: false, meaning }
    }

    /// Returns the same column without empty cells.
    pub const fn not_null(self) -> Column {
        Column { nullable: false, ..self }
    }

    /// Returns the same column for tables that have it only on request.
    pub const fn on_request(self) -> Column {
        Column { on_request: true, ..self }
    }

    /// Returns the same column with values that depend on the count of the ending.
    pub const fn counted(self) -> Column {
        Column { needs_count: true, ..self }
    }
}

/// The schema of a table, and its columns that are written.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name of the table.
    pub name: &'static str,
    /// The meaning of a row, and the commands that write it.
    pub description: &'static str,
    /// The columns that identify a row; empty if there are none.
    pub key: &'static [&'static str],
    /// The columns of the rows in order.
    pub columns: &'static [Column],
    /// The columns that are written.
    pub written: ColumnSet,
    /// The same table for rows of records, with the row's identifier in place of the file; `None`
    /// for such a table itself.
    pub by_id: Option<&'static Table>,
}

impl Table {
    /// Returns the table for an input format. If the input consists of rows, their identifiers take
    /// the place of files.
    pub fn for_input(&'static self, input: InputFormat) -> &'static Table {
        self.by_id.filter(|_| input.is_rows()).unwrap_or(self)
    }

    /// Returns the columns that are written, in order.
    pub fn written_columns(&self) -> impl Iterator<Item = &'static Column> {
        let written = self.written;
        self.columns.iter().enumerate().filter(move |(index, _)| written.contains(*index)).map(|(_, column)| column)
    }

    /// Returns true if a column of the games table is written in another one.
    pub fn has_games_columns(&self) -> bool {
        self.written_columns().any(|column| column.of_games)
    }

    /// Returns true if a column that is written depends on the count of the ending.
    pub fn needs_count(&self) -> bool {
        self.written_columns().any(|column| column.needs_count)
    }
}

/// Some of the columns of a table, of which there are at most [`ColumnSet::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSet(u128);

impl ColumnSet {
    /// The maximum number of columns.
    pub const MAX: usize = 128;
    /// All columns.
    pub const ALL: ColumnSet = ColumnSet(u128::MAX);

    /// Returns true if the column with this index, from 0, belongs to the set.
    #[inline]
    pub fn contains(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }
}

impl FromIterator<usize> for ColumnSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> ColumnSet {
        ColumnSet(indices.into_iter().fold(0, |set, index| set | 1 << index))
    }
}

/// Receives the cells of a row, from the first column to the last.
pub trait Cells {
    /// Receives the next cell.
    fn value(&mut self, value: Value<'_>);

    /// Converts a value and passes it on as the next cell.
    #[inline]
    fn add<'a>(&mut self, value: impl Into<Value<'a>>)
    where
        Self: Sized,
    {
        self.value(value.into());
    }
}

/// A function that receives each cell.
impl<F: FnMut(Value<'_>)> Cells for F {
    fn value(&mut self, value: Value<'_>) {
        self(value);
    }
}

/// A row of a table.
pub trait Row {
    /// The table's schema.
    const TABLE: &'static Table;
    /// Passes on the cells: one per column, of the column's type.
    fn cells(&self, cells: &mut impl Cells);
    /// Passes on the cells of `written` columns with the indices of their columns.
    #[inline]
    fn written_cells(&self, written: ColumnSet, mut cell: impl FnMut(usize, Value<'_>)) {
        let mut index = 0;
        self.cells(&mut |value: Value<'_>| {
            if written.contains(index) {
                cell(index, value);
            }
            index += 1;
        });
    }
    /// Writes the row as a line for people.
    fn line(&self, line: &mut Line) -> fmt::Result;
    /// Returns the finding of the row, if it is one.
    fn finding(&self) -> Option<&LocatedFinding<'_>> {
        None
    }
}

//! Rows without the cells of some columns.

use std::fmt;

use super::line::Line;
use super::located_finding::LocatedFinding;
use super::table::{Cells, ColumnSet, Row, Table};
use super::value::Value;

/// A row of which only some cells are written.
pub(crate) struct SelectedCells<'a, R: Row> {
    /// The row.
    pub row: &'a R,
    /// The columns of the cells that are written.
    pub written: ColumnSet,
}

impl<R: Row> Row for SelectedCells<'_, R> {
    const TABLE: &'static Table = R::TABLE;

    fn cells(&self, cells: &mut impl Cells) {
        self.row.cells(&mut WrittenCells { cells, written: self.written, next: 0 });
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        self.row.line(line)
    }

    fn finding(&self) -> Option<&LocatedFinding<'_>> {
        self.row.finding()
    }
}

/// Passes on the cells that are written.
struct WrittenCells<'a, C: Cells> {
    cells: &'a mut C,
    written: ColumnSet,
    /// The index of the next cell's column.
    next: usize,
}

impl<C: Cells> Cells for WrittenCells<'_, C> {
    #[inline]
    fn value(&mut self, value: Value<'_>) {
        if self.written.contains(self.next) {
            self.cells.value(value);
        }
        self.next += 1;
    }
}

//! Rows without the cells of some columns.

use std::fmt;
use std::slice::Iter;

use super::line::Line;
use super::located_finding::LocatedFinding;
use super::table::{Cells, Row, Table};
use super::value::Value;

/// A row of which only some cells are written.
pub(crate) struct SelectedCells<'a, R: Row> {
    /// The row.
    pub row: &'a R,
    /// True for each cell that is written, as in [`Table::is_written`].
    pub is_written: &'a [bool],
}

impl<R: Row> Row for SelectedCells<'_, R> {
    const TABLE: &'static Table = R::TABLE;

    fn cells(&self, cells: &mut impl Cells) {
        self.row.cells(&mut WrittenCells { cells, is_written: self.is_written.iter() });
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
    /// True for each remaining cell that is written.
    is_written: Iter<'a, bool>,
}

impl<C: Cells> Cells for WrittenCells<'_, C> {
    #[inline]
    fn value(&mut self, value: Value<'_>) {
        if self.is_written.next() == Some(&true) {
            self.cells.value(value);
        }
    }
}

//! Rows as comma separated values (RFC 4180, lines end with LF).

use std::fmt::Write as _;

use super::table::{Cells, Row, Table, Value};

/// The rows of a batch.
pub struct CsvRows {
    writer: csv::Writer<Vec<u8>>,
    /// A cell that is being written as text.
    cell: String,
}

impl Default for CsvRows {
    fn default() -> CsvRows {
        CsvRows { writer: csv::Writer::from_writer(Vec::new()), cell: String::new() }
    }
}

impl CsvRows {
    /// The header line of a table.
    pub fn header(table: &Table) -> Vec<u8> {
        let mut rows = CsvRows::default();
        table.columns.iter().for_each(|column| rows.put(column.name));
        rows.end_line();
        rows.into_bytes()
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        row.cells(self);
        self.end_line();
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        // A Vec does not refuse to be written to.
        self.writer.into_inner().unwrap_or_default()
    }

    fn end_line(&mut self) {
        // A Vec does not refuse to be written to, and all rows of a table have as many cells.
        let written = self.writer.write_record(None::<&[u8]>);
        debug_assert!(written.is_ok(), "{written:?}");
    }
}

impl Cells for CsvRows {
    fn value(&mut self, value: Value<'_>) {
        let written = match value {
            Value::Text(text) => self.writer.write_field(text),
            value => {
                self.cell.clear();
                // A String does not refuse to be written to.
                let _ = write!(self.cell, "{value}");
                self.writer.write_field(&self.cell)
            }
        };
        debug_assert!(written.is_ok(), "{written:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be_and_empty_where_nothing_is_known() {
        let mut rows = CsvRows::default();
        let values = [Value::Text("a,b"), Value::Empty, Value::Integer(-3), Value::Text("say \"x\"\n")];
        values.into_iter().for_each(|value| rows.value(value));
        rows.end_line();
        assert_eq!(String::from_utf8(rows.into_bytes()).unwrap(), "\"a,b\",,-3,\"say \"\"x\"\"\n\"\n");
    }
}

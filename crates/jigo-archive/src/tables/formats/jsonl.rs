//! Rows as JSON, an object a line, with every column of the table; null where nothing is known.

use std::io::Write as _;

use crate::tables::table::{Cells, Column, Row, Table, Value};

/// The rows of a batch.
pub struct JsonlRows {
    out: Vec<u8>,
    table: &'static Table,
    columns: std::slice::Iter<'static, Column>,
}

impl JsonlRows {
    /// No row yet.
    pub fn new(table: &'static Table) -> JsonlRows {
        JsonlRows { out: Vec::new(), table, columns: [].iter() }
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        self.columns = self.table.columns.iter();
        self.out.push(b'{');
        row.cells(self);
        self.out.extend_from_slice(b"}\n");
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Writes the name of the next column.
    fn name(&mut self) {
        if self.out.last() != Some(&b'{') {
            self.out.push(b',');
        }
        let name = self.columns.next().map_or("", |column| column.name);
        self.text(name);
        self.out.push(b':');
    }

    fn text(&mut self, text: &str) {
        // Neither does a Vec refuse to be written to, nor text to be JSON.
        let _ = serde_json::to_writer(&mut self.out, text);
    }
}

impl Cells for JsonlRows {
    fn value(&mut self, value: Value<'_>) {
        self.name();
        match value {
            Value::Empty => self.out.extend_from_slice(b"null"),
            Value::Flag(flag) => self.out.extend_from_slice(if flag { b"true" } else { b"false" }),
            Value::Text(text) => self.text(text),
            Value::Bytes(bytes) => self.text(&String::from_utf8_lossy(bytes)),
            // A Vec does not refuse to be written to.
            Value::Integer(_) | Value::Points(_) | Value::Zi(_) | Value::Milliseconds(_) | Value::Probability(_) => {
                let _ = write!(self.out, "{value}");
            }
            Value::Point(_) | Value::Hash(_) | Value::Date(_) => {
                let _ = write!(self.out, "\"{value}\"");
            }
        }
    }
}

//! Rows as JSON lines: one object per row with every column of the table, null for unknown values.

use super::named_format::{NamedFormat, Shape, empty_head};
use crate::row::{Column, ColumnSet, Row, Table, Value};

/// JSON lines.
pub const FORMAT: NamedFormat = NamedFormat {
    name: "jsonl",
    summary: "A JSON object a line",
    details: "one JSON object per line with every column; unknown values are null",
    suffixes: &["jsonl", "ndjson", "json"],
    shape: Shape::Lines(empty_head),
    findings_only: false,
};

/// The rows of a batch.
pub struct JsonlRows {
    out: Vec<u8>,
    /// The columns, and those of them that are written.
    columns: &'static [Column],
    written: ColumnSet,
    /// A buffer for the cell that is being formatted.
    cell: String,
}

impl JsonlRows {
    /// Returns an empty batch.
    pub fn new(table: &Table) -> JsonlRows {
        JsonlRows { out: Vec::new(), columns: table.columns, written: table.written, cell: String::new() }
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        self.out.push(b'{');
        row.written_cells(self.written, |index, value| self.write(self.columns[index].name, value));
        self.out.extend_from_slice(b"}\n");
    }

    /// Returns the bytes of the rows.
    pub fn as_bytes(&self) -> &[u8] {
        &self.out
    }

    /// Returns the bytes of the rows.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    fn write(&mut self, name: &str, value: Value<'_>) {
        self.write_name(name);
        match value {
            Value::Empty => self.out.extend_from_slice(b"null"),
            Value::Text(text) => self.write_text(text),
            Value::Bytes(bytes) => self.write_text(&String::from_utf8_lossy(bytes)),
            Value::Flag(_)
            | Value::Integer(_)
            | Value::Points(_)
            | Value::Zi(_)
            | Value::Decimal(..)
            | Value::Probability(_) => self.write_unescaped(value),
            Value::Point(_) | Value::Hash(_) | Value::Date(_) => {
                self.out.push(b'"');
                self.write_unescaped(value);
                self.out.push(b'"');
            }
        }
    }

    /// Writes the name of a column.
    fn write_name(&mut self, name: &str) {
        if self.out.last() != Some(&b'{') {
            self.out.push(b',');
        }
        // No column name needs escapes in JSON; a test checks this.
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// Writes a cell that needs no escapes in JSON.
    fn write_unescaped(&mut self, value: Value<'_>) {
        self.cell.clear();
        value.append_to(&mut self.cell);
        self.out.extend_from_slice(self.cell.as_bytes());
    }

    fn write_text(&mut self, text: &str) {
        // Neither writing to a Vec nor serializing a str can fail.
        let _ = serde_json::to_writer(&mut self.out, text);
    }
}

#[cfg(test)]
mod tests {
    use crate::tables::TABLES;

    #[test]
    fn column_names_need_no_json_escapes() {
        for column in TABLES.iter().flat_map(|table| table.columns) {
            assert_eq!(serde_json::to_string(column.name).unwrap(), format!("\"{}\"", column.name));
        }
    }
}

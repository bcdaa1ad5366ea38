//! Rows as comma separated values (RFC 4180, lines end with LF).

use std::fmt::Write as _;

use crate::tables::table::{Cells, Row, Table, Value};

/// What a spreadsheet takes for the beginning of a formula, or passes over before one (OWASP, CSV Injection): the last four are the full-width
/// forms of the first.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The rows of a batch.
pub struct CsvRows {
    writer: csv::Writer<Vec<u8>>,
    /// A cell that is being written as text.
    cell: String,
    /// Whether texts are written so that no spreadsheet takes them for a formula.
    is_safe: bool,
}

impl Default for CsvRows {
    fn default() -> CsvRows {
        CsvRows { writer: csv::Writer::from_writer(Vec::new()), cell: String::new(), is_safe: false }
    }
}

impl CsvRows {
    /// Rows whose texts are no formula to a spreadsheet: an apostrophe stands before those that begin like one.
    pub fn safe() -> CsvRows {
        CsvRows { is_safe: true, ..CsvRows::default() }
    }

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
            Value::Text(text) if self.is_safe && text.starts_with(FORMULA) => {
                self.cell.clear();
                self.cell.extend(["'", text]);
                self.writer.write_field(&self.cell)
            }
            Value::Text(text) => self.writer.write_field(text),
            // Most cells without text are these, and formatting takes its time.
            Value::Empty => self.writer.write_field(""),
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

    #[test]
    fn safe_texts_begin_with_no_sign_of_a_formula_and_numbers_stay_numbers() {
        let mut rows = CsvRows::safe();
        let points = Value::Points(jigo_core::rules::HalfPoints(-7));
        let values = [Value::Integer(-3), points, Value::Text("a=b"), Value::Text("'"), Value::Empty];
        values.into_iter().for_each(|value| rows.value(value));
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=", "＝1", "＋1", "－1", "＠A"] {
            rows.value(Value::Text(text));
        }
        rows.end_line();
        let written = String::from_utf8(rows.into_bytes()).unwrap();
        assert_eq!(
            written,
            "-3,-3.5,a=b,',,'=1+1,'+1,'-1,'@SUM(A1),'\t=1,\"'\r=1\",\"'\n=1\",'=,'＝1,'＋1,'－1,'＠A\n"
        );
    }
}

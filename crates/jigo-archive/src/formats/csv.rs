//! Rows as CSV (RFC 4180, with LF line ends).

use super::named_format::{NamedFormat, Shape};
use crate::row::{ColumnSet, Row, Table, Value};

/// CSV.
pub const FORMAT: NamedFormat = NamedFormat {
    name: "csv",
    summary: "Comma separated values with a header line",
    details: "a header line, then RFC 4180 rows with LF",
    suffixes: &["csv"],
    shape: Shape::Lines(CsvRows::header),
    findings_only: false,
};

/// The characters that start a formula in a spreadsheet, or that it skips before one (OWASP, CSV
/// Injection). The last four are the full-width forms of the first four.
const FORMULA_STARTS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The rows of a batch.
pub struct CsvRows {
    out: String,
    /// The columns that are written.
    written: ColumnSet,
    /// True if the current row already has a cell.
    has_cell: bool,
    /// True if texts that look like formulas are escaped.
    escapes_formulas: bool,
}

impl CsvRows {
    /// Returns an empty batch with these columns.
    pub fn new(written: ColumnSet) -> CsvRows {
        CsvRows { out: String::new(), written, has_cell: false, escapes_formulas: false }
    }

    /// Returns an empty batch whose texts no spreadsheet takes for a formula: an apostrophe precedes
    /// any text that starts like one.
    pub fn without_formulas(written: ColumnSet) -> CsvRows {
        CsvRows { escapes_formulas: true, ..CsvRows::new(written) }
    }

    /// Returns the header line of a table.
    pub fn header(table: &Table) -> Vec<u8> {
        let mut rows = CsvRows::new(table.written);
        table.written_columns().for_each(|column| rows.write(column.name.into()));
        rows.end_line();
        rows.into_bytes()
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        row.written_cells(self.written, |_, value| self.write(value));
        self.end_line();
    }

    /// Returns the bytes of the rows.
    pub fn as_bytes(&self) -> &[u8] {
        self.out.as_bytes()
    }

    /// Returns the bytes of the rows.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    fn end_line(&mut self) {
        self.out.push('\n');
        self.has_cell = false;
    }

    fn write(&mut self, value: Value<'_>) {
        let is_first = !std::mem::replace(&mut self.has_cell, true);
        if !is_first {
            self.out.push(',');
        }
        match value {
            // A CI service takes a line that begins with `::` for a command. Quotes prevent this.
            Value::Text(text) if is_first && text.trim_start().starts_with("::") => self.push_quoted(text),
            Value::Text(text) if self.escapes_formulas && text.starts_with(FORMULA_STARTS) => {
                self.push_text(&format!("'{text}"));
            }
            Value::Text(text) => self.push_text(text),
            Value::Bytes(bytes) => self.push_text(&String::from_utf8_lossy(bytes)),
            // Numbers, points and days never need quotes.
            value => value.append_to(&mut self.out),
        }
    }

    fn push_text(&mut self, text: &str) {
        match must_be_quoted(text) {
            true => self.push_quoted(text),
            false => self.out.push_str(text),
        }
    }

    fn push_quoted(&mut self, text: &str) {
        self.out.push('"');
        for part in text.split_inclusive('"') {
            self.out.push_str(part);
            self.out.push_str(if part.ends_with('"') { "\"" } else { "" });
        }
        self.out.push('"');
    }
}

/// Returns true if a text needs quotes. Checks all bytes without an early exit, so that the
/// compiler can use SIMD with 16 bytes at a time.
fn must_be_quoted(text: &str) -> bool {
    let is_special = |byte: u8| (byte == b',') | (byte == b'"') | (byte == b'\n') | (byte == b'\r');
    text.bytes().fold(false, |found, byte| found | is_special(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_cells_are_quoted_and_unknown_ones_empty() {
        let mut rows = CsvRows::new(ColumnSet::ALL);
        let values = [Value::Text("a,b"), Value::Empty, Value::Integer(-3), Value::Text("say \"x\"\n")];
        values.into_iter().for_each(|value| rows.write(value));
        rows.end_line();
        assert_eq!(String::from_utf8(rows.into_bytes()).unwrap(), "\"a,b\",,-3,\"say \"\"x\"\"\n\"\n");
    }

    #[test]
    fn first_cell_that_is_a_command_of_a_ci_service_is_quoted() {
        let mut rows = CsvRows::new(ColumnSet::ALL);
        ["::error::x", "::error::x"].into_iter().for_each(|text| rows.write(Value::Text(text)));
        rows.end_line();
        rows.write(Value::Text(" ::x\""));
        rows.end_line();
        assert_eq!(String::from_utf8(rows.into_bytes()).unwrap(), "\"::error::x\",::error::x\n\" ::x\"\"\"\n");
    }

    #[test]
    fn quoting_equals_that_of_the_csv_crate() {
        let (mut ours, mut theirs) = (CsvRows::new(ColumnSet::ALL), csv::Writer::from_writer(Vec::new()));
        let characters = ['a', ',', '"', '\n', '\r', ' ', '\'', ';', '#', '\\', '囲', '\u{85}', '\0'];
        let texts = characters
            .map(|first| characters.map(|second| characters.map(|third| String::from_iter([first, second, third]))));
        for text in texts.iter().flatten().flatten() {
            let cells = ["", text, &text.repeat(9), "x", text];
            cells.iter().for_each(|cell| ours.write((*cell).into()));
            ours.end_line();
            theirs.write_record(cells).unwrap();
        }
        assert_eq!(ours.into_bytes(), theirs.into_inner().unwrap());
    }

    #[test]
    fn safe_csv_escapes_formulas_but_not_numbers() {
        let mut rows = CsvRows::without_formulas(ColumnSet::ALL);
        let points = Value::Points(jigo_rules::HalfPoints(-7));
        let values = [Value::Integer(-3), points, Value::Text("a=b"), Value::Text("'"), Value::Empty];
        values.into_iter().for_each(|value| rows.write(value));
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=", "＝1", "＋1", "－1", "＠A"] {
            rows.write(Value::Text(text));
        }
        rows.end_line();
        let written = String::from_utf8(rows.into_bytes()).unwrap();
        assert_eq!(
            written,
            "-3,-3.5,a=b,',,'=1+1,'+1,'-1,'@SUM(A1),'\t=1,\"'\r=1\",\"'\n=1\",'=,'＝1,'＋1,'－1,'＠A\n"
        );
    }
}

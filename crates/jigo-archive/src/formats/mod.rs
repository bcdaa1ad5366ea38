//! The output formats of rows.

#[cfg(feature = "columnar")]
pub mod columnar;
pub mod csv;
pub mod github;
pub mod jsonl;
mod named_format;
pub mod sarif;
pub mod text;
pub mod writer;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::row::{Row, Table};
use crate::stored_bytes;
#[cfg(feature = "columnar")]
use columnar::ColumnarRows;
use csv::CsvRows;
use jsonl::JsonlRows;
pub use named_format::{NamedFormat, Shape};

/// An output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// CSV with a header line.
    #[default]
    Csv,
    /// CSV whose texts no spreadsheet takes for a formula.
    SafeCsv,
    /// JSON lines: one object per row.
    Jsonl,
    /// One line per row, for people.
    Text {
        /// True if the line is coloured for a terminal.
        color: bool,
    },
    /// SARIF 2.1.0. Only findings have rows in it.
    Sarif,
    /// Annotations of GitHub Actions. Only findings have rows in them.
    Github,
    /// An Arrow IPC stream.
    #[cfg(feature = "columnar")]
    Arrow,
    /// Parquet.
    #[cfg(feature = "columnar")]
    Parquet,
}

/// All formats with a name. If a suffix belongs to several formats, the first one counts. All code
/// that names formats uses this list.
pub const FORMATS: &[Format] = &[
    Format::Csv,
    Format::Jsonl,
    Format::Text { color: false },
    Format::Sarif,
    Format::Github,
    #[cfg(feature = "columnar")]
    Format::Arrow,
    #[cfg(feature = "columnar")]
    Format::Parquet,
];

impl Format {
    /// Returns the name and properties of the format.
    pub fn properties(self) -> &'static NamedFormat {
        match self {
            Format::Csv | Format::SafeCsv => &csv::FORMAT,
            Format::Jsonl => &jsonl::FORMAT,
            Format::Text { .. } => &text::FORMAT,
            Format::Sarif => &sarif::FORMAT,
            Format::Github => &github::FORMAT,
            #[cfg(feature = "columnar")]
            Format::Arrow => &columnar::ARROW,
            #[cfg(feature = "columnar")]
            Format::Parquet => &columnar::PARQUET,
        }
    }

    /// Checks that the format supports the rows of a table.
    ///
    /// # Errors
    /// Fails if the format supports only findings, and the table has other rows.
    pub fn check_table(self, table: &Table) -> Result<(), UnsupportedTable> {
        let is_supported = !self.properties().findings_only || table.name == FINDINGS;
        if is_supported { Ok(()) } else { Err(UnsupportedTable { format: self.properties().name, table: table.name }) }
    }

    /// Returns the suffix of file names.
    pub fn extension(self) -> &'static str {
        self.properties().suffixes[0]
    }

    /// Returns true if an interrupted file can be continued.
    pub fn is_lines(self) -> bool {
        matches!(self.properties().shape, Shape::Lines(_))
    }

    /// Returns true if a terminal can't show the format.
    pub fn is_binary(self) -> bool {
        !matches!(self.properties().shape, Shape::Lines(_) | Shape::Text { .. })
    }
}

/// The name of the table whose rows are findings.
const FINDINGS: &str = "findings";

/// The error for a format that does not support the rows of a table.
#[derive(Debug, thiserror::Error)]
#[error(
    "{format} is a format for findings, and the rows are {table}; choose another with --format or the name of --output, or use jigo check --table findings"
)]
pub struct UnsupportedTable {
    /// The name of the format.
    format: &'static str,
    /// The name of the table.
    table: &'static str,
}

/// Rows of one table in an output format.
pub struct Rows {
    count: u64,
    buffer: RowBuffer,
    /// True if the rows also have columns of the games table.
    has_games_columns: bool,
}

/// The rows in their format.
enum RowBuffer {
    Csv(Box<CsvRows>),
    Jsonl(JsonlRows),
    /// The lines, and true if they are coloured.
    Text(Vec<u8>, bool),
    Sarif(Vec<u8>),
    Github(Vec<u8>),
    #[cfg(feature = "columnar")]
    Columns(Box<ColumnarRows>),
}

impl Rows {
    /// Returns an empty batch.
    pub fn new(format: Format, table: &Table) -> Rows {
        let buffer = match format {
            Format::Csv => RowBuffer::Csv(Box::new(CsvRows::new(table.written))),
            Format::SafeCsv => RowBuffer::Csv(Box::new(CsvRows::without_formulas(table.written))),
            Format::Jsonl => RowBuffer::Jsonl(JsonlRows::new(table)),
            Format::Text { color } => RowBuffer::Text(Vec::new(), color),
            Format::Sarif => RowBuffer::Sarif(Vec::new()),
            Format::Github => RowBuffer::Github(Vec::new()),
            #[cfg(feature = "columnar")]
            Format::Arrow | Format::Parquet => RowBuffer::Columns(Box::new(ColumnarRows::new(table))),
        };
        Rows { count: 0, buffer, has_games_columns: table.has_games_columns() }
    }

    /// Returns the number of rows.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns true if the rows of this table also have columns of the games table.
    pub fn has_games_columns(&self) -> bool {
        self.has_games_columns
    }

    /// Returns the rows as columns, or `None` if the format is not columnar.
    #[cfg(feature = "columnar")]
    pub fn into_columns(self) -> Option<ColumnarRows> {
        match self.buffer {
            RowBuffer::Columns(rows) => Some(*rows),
            _ => None,
        }
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        self.count += 1;
        match &mut self.buffer {
            RowBuffer::Csv(rows) => rows.push(row),
            RowBuffer::Jsonl(rows) => rows.push(row),
            RowBuffer::Text(out, color) => text::push(row, *color, out),
            RowBuffer::Sarif(out) => row.finding().into_iter().for_each(|finding| sarif::push(finding, out)),
            RowBuffer::Github(out) => row.finding().into_iter().for_each(|finding| github::push(finding, out)),
            #[cfg(feature = "columnar")]
            RowBuffer::Columns(rows) => rows.push(row),
        }
    }

    /// Appends a line for people that is not a row. Other formats have no such lines.
    pub fn push_line(&mut self, line: impl AsRef<[u8]>) {
        if let RowBuffer::Text(out, _) = &mut self.buffer {
            out.extend_from_slice(line.as_ref());
            out.push(b'\n');
        }
    }

    /// Appends a row of another table as a line for people. Other formats have no such lines.
    pub fn push_row_as_line(&mut self, row: &impl Row) {
        if let RowBuffer::Text(out, color) = &mut self.buffer {
            text::push(row, *color, out);
        }
    }

    /// Returns true if the rows are lines for people. Such a line may combine several findings.
    pub fn is_text(&self) -> bool {
        matches!(self.buffer, RowBuffer::Text(..))
    }

    /// Returns true if the rows are JSON, which can't contain other bytes than UTF-8.
    pub fn is_json(&self) -> bool {
        matches!(self.buffer, RowBuffer::Jsonl(_))
    }

    /// Returns true if the format contains fingerprints of findings.
    pub fn has_fingerprints(&self) -> bool {
        matches!(self.buffer, RowBuffer::Sarif(_))
    }

    /// Returns the bytes of the rows. Columnar rows have none; only a
    /// [`TableWriter`](writer::TableWriter) encodes them.
    fn bytes(&self) -> &[u8] {
        match &self.buffer {
            RowBuffer::Csv(rows) => rows.as_bytes(),
            RowBuffer::Jsonl(rows) => rows.as_bytes(),
            RowBuffer::Text(out, _) | RowBuffer::Sarif(out) | RowBuffer::Github(out) => out,
            #[cfg(feature = "columnar")]
            RowBuffer::Columns(_) => &[],
        }
    }
}

/// Rows of a format that satisfies [`Format::is_lines`], in a part of a run.
#[derive(Serialize, Deserialize)]
struct StoredRows {
    count: u64,
    #[serde(with = "stored_bytes")]
    bytes: Vec<u8>,
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredRows { count: self.count, bytes: self.bytes().to_vec() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rows, D::Error> {
        let StoredRows { count, bytes } = StoredRows::deserialize(deserializer)?;
        Ok(Rows { count, buffer: RowBuffer::Text(bytes, false), has_games_columns: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_listed_once() {
        for (index, named) in FORMATS.iter().map(|format| format.properties()).enumerate() {
            assert!(FORMATS[..index].iter().all(|other| other.properties().name != named.name), "{}", named.name);
            assert!(!named.suffixes.is_empty() && !named.summary.is_empty() && !named.details.is_empty());
        }
    }
}

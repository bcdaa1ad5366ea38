//! The formats that rows go out in.

#[cfg(feature = "columnar")]
pub mod columnar;
pub mod csv;
pub mod github;
pub mod jsonl;
pub mod sarif;
pub mod text;
pub mod writer;

pub use writer::TableWriter;

use super::{Row, Table};
#[cfg(feature = "columnar")]
use columnar::ColumnarRows;
use csv::CsvRows;
use jsonl::JsonlRows;

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Comma separated values with a header line.
    #[default]
    Csv,
    /// The same, with texts that no spreadsheet takes for a formula.
    SafeCsv,
    /// A JSON object a line.
    Jsonl,
    /// A line a row, for people.
    Text {
        /// Whether the line is coloured for a terminal.
        color: bool,
    },
    /// Findings as SARIF 2.1.0; other tables have no rows in it.
    Sarif,
    /// Findings as annotations of GitHub Actions; other tables have no rows in it.
    Github,
    /// An Arrow IPC stream.
    #[cfg(feature = "columnar")]
    Arrow,
    /// Parquet.
    #[cfg(feature = "columnar")]
    Parquet,
}

/// A format as it is asked for, and what the program has to know of it. Everything that names formats goes through [`FORMATS`].
#[derive(Debug)]
pub struct NamedFormat {
    /// The word for it.
    pub name: &'static str,
    /// What it is, in the help.
    pub what: &'static str,
    /// What it is, in the documents.
    pub details: &'static str,
    /// How names of files may end that hold it; the first is what ours are given.
    pub endings: &'static [&'static str],
    /// The format.
    pub format: Format,
    /// What it makes of rows.
    pub shape: Shape,
    /// Whether tables of anything but findings have no rows in it.
    pub for_findings: bool,
}

/// What a format makes of rows.
#[derive(Debug)]
pub enum Shape {
    /// Lines that follow each other, behind what stands before the first. A file of them can be written on where it was left.
    Lines(fn(&Table) -> Vec<u8>),
    /// A text that is whole with its tail only.
    Text {
        /// What stands before the first row.
        head: fn() -> String,
        /// What stands before every row but the first; rows are pushed with it.
        between: &'static str,
        /// What stands behind the last.
        tail: &'static str,
    },
    /// Columns of bytes, which a terminal can't show.
    #[cfg(feature = "columnar")]
    Columns,
}

/// All formats that can be asked for. Where a name may stand for several, the first is meant.
pub const FORMATS: &[&NamedFormat] = &[
    &csv::FORMAT,
    &jsonl::FORMAT,
    &text::FORMAT,
    &sarif::FORMAT,
    &github::FORMAT,
    #[cfg(feature = "columnar")]
    &columnar::ARROW,
    #[cfg(feature = "columnar")]
    &columnar::PARQUET,
];

impl Format {
    /// What there is to know of it.
    pub fn named(self) -> &'static NamedFormat {
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

    /// How names of files end that hold it.
    pub fn extension(self) -> &'static str {
        self.named().endings[0]
    }

    /// Whether a file of it can be written on where it was left, whatever stands before.
    pub fn is_lines(self) -> bool {
        matches!(self.named().shape, Shape::Lines(_))
    }

    /// Whether a terminal can't show it.
    pub fn is_binary(self) -> bool {
        #[cfg(feature = "columnar")]
        return matches!(self.named().shape, Shape::Columns);
        #[cfg(not(feature = "columnar"))]
        false
    }
}

/// What stands before the first line of most.
fn nothing(_: &Table) -> Vec<u8> {
    Vec::new()
}

/// Rows of one table, in the format that they go out in.
pub struct Rows {
    count: u64,
    written: Written,
}

/// What becomes of rows in a format.
enum Written {
    Csv(Box<CsvRows>),
    Jsonl(JsonlRows),
    /// The lines, and whether they are coloured.
    Text(Vec<u8>, bool),
    Sarif(Vec<u8>),
    Github(Vec<u8>),
    #[cfg(feature = "columnar")]
    Columns(Box<ColumnarRows>),
}

impl Rows {
    /// No row yet.
    pub fn new(format: Format, table: &'static Table) -> Rows {
        let written = match format {
            Format::Csv => Written::Csv(Box::default()),
            Format::SafeCsv => Written::Csv(Box::new(CsvRows::safe())),
            Format::Jsonl => Written::Jsonl(JsonlRows::new(table)),
            Format::Text { color } => Written::Text(Vec::new(), color),
            Format::Sarif => Written::Sarif(Vec::new()),
            Format::Github => Written::Github(Vec::new()),
            #[cfg(feature = "columnar")]
            Format::Arrow | Format::Parquet => Written::Columns(Box::new(ColumnarRows::new(table))),
        };
        Rows { count: 0, written }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The rows as columns, where the format has them so.
    #[cfg(feature = "columnar")]
    pub fn into_columns(self) -> Option<ColumnarRows> {
        match self.written {
            Written::Columns(rows) => Some(*rows),
            _ => None,
        }
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        self.count += 1;
        match &mut self.written {
            Written::Csv(rows) => rows.push(row),
            Written::Jsonl(rows) => rows.push(row),
            Written::Text(out, color) => text::push(row, *color, out),
            Written::Sarif(out) => row.finding().into_iter().for_each(|finding| sarif::push(finding, out)),
            Written::Github(out) => row.finding().into_iter().for_each(|finding| github::push(finding, out)),
            #[cfg(feature = "columnar")]
            Written::Columns(rows) => rows.push(row),
        }
    }

    /// Whether the rows are lines for people, which may tell of several things at once.
    pub fn is_text(&self) -> bool {
        matches!(self.written, Written::Text(..))
    }

    /// Whether findings are told apart by a number that they are known again by.
    pub fn tells_fingerprints(&self) -> bool {
        matches!(self.written, Written::Sarif(_))
    }

    /// What was written; nothing where rows are columns, which only a [`TableWriter`] makes bytes of.
    fn into_bytes(self) -> Vec<u8> {
        match self.written {
            Written::Csv(rows) => rows.into_bytes(),
            Written::Jsonl(rows) => rows.into_bytes(),
            Written::Text(out, _) | Written::Sarif(out) | Written::Github(out) => out,
            #[cfg(feature = "columnar")]
            Written::Columns(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_stands_in_the_table_once() {
        for (index, named) in FORMATS.iter().enumerate() {
            assert_eq!(named.format.named().name, named.name);
            assert!(FORMATS[..index].iter().all(|other| other.name != named.name), "{}", named.name);
            assert!(!named.endings.is_empty() && !named.what.is_empty() && !named.details.is_empty());
        }
    }
}

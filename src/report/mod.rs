//! Rows, the formats they are written in, and the summary.

pub mod baseline;
pub mod csv;
pub mod jsonl;
pub mod rows;
pub mod schema;
pub mod summary;
pub mod table;
pub mod text;

pub use summary::Summary;
pub use table::{Cells, Column, Kind, Row, Table, Value};

use csv::CsvRows;
use jsonl::JsonlRows;

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Comma separated values with a header line.
    #[default]
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// A line a row, for people.
    Text,
}

impl Format {
    /// What stands before the first row of a table.
    pub fn header(self, table: &Table) -> Vec<u8> {
        match self {
            Format::Csv => CsvRows::header(table),
            Format::Jsonl | Format::Text => Vec::new(),
        }
    }
}

/// Rows of one table, in the format that they go out in.
pub enum Rows {
    /// See [`Format::Csv`].
    Csv(Box<CsvRows>),
    /// See [`Format::Jsonl`].
    Jsonl(JsonlRows),
    /// See [`Format::Text`].
    Text(Vec<u8>),
}

impl Rows {
    /// No row yet.
    pub fn new(format: Format) -> Rows {
        match format {
            Format::Csv => Rows::Csv(Box::default()),
            Format::Jsonl => Rows::Jsonl(JsonlRows::default()),
            Format::Text => Rows::Text(Vec::new()),
        }
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        match self {
            Rows::Csv(rows) => rows.push(row),
            Rows::Jsonl(rows) => rows.push(row),
            Rows::Text(out) => text::push(row, out),
        }
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Rows::Csv(rows) => rows.into_bytes(),
            Rows::Jsonl(rows) => rows.into_bytes(),
            Rows::Text(out) => out,
        }
    }
}

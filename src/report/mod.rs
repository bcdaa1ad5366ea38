//! Rows, the formats they are written in, and the summary.

pub mod baseline;
pub mod csv;
pub mod rows;
pub mod summary;
pub mod table;
pub mod text;

pub use summary::Summary;
pub use table::{Column, Kind, Row, Value};

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Comma separated values with a header line.
    #[default]
    Csv,
    /// A line a row, for people.
    Text,
}

impl Format {
    /// What stands before the first row.
    pub fn header<R: Row>(self) -> Vec<u8> {
        match self {
            Format::Csv => csv::header::<R>(),
            Format::Text => Vec::new(),
        }
    }

    /// Appends a row.
    pub fn write<R: Row>(self, row: &R, out: &mut Vec<u8>) {
        match self {
            Format::Csv => csv::write(row, out),
            Format::Text => text::write(row, out),
        }
    }
}

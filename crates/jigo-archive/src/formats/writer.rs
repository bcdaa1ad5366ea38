//! The writer of a table: head, the rows of all batches, and tail.

use std::io::{self, Write};

#[cfg(feature = "columnar")]
use super::columnar::ColumnarWriter;
use super::sarif::FingerprintCounts;
use super::{Format, Rows, Shape};
use crate::row::Table;

/// Writes the rows of a table batch by batch.
pub struct TableWriter<W: Write + Send>(WriterState<W>);

enum WriterState<W: Write + Send> {
    /// Lines without separators.
    Lines(W),
    /// A text that ends with its tail.
    Text {
        out: W,
        separator: &'static str,
        tail: &'static str,
        /// True if a row has been written.
        has_rows: bool,
        fingerprints: FingerprintCounts,
    },
    #[cfg(feature = "columnar")]
    Columns(ColumnarWriter<W>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Writes the head of the table. Formats with metadata contain the `provenance` of the rows, if
    /// it returns one.
    ///
    /// # Errors
    /// Fails if `out` can't be written, or if the format does not support the table's rows.
    #[cfg_attr(not(feature = "columnar"), expect(unused_variables, reason = "only columnar formats have metadata"))]
    pub fn new(
        format: Format,
        table: &Table,
        provenance: impl FnOnce() -> Option<String>,
        mut out: W,
    ) -> io::Result<TableWriter<W>> {
        format.check_table(table).map_err(io::Error::other)?;
        Ok(TableWriter(match format.properties().shape {
            Shape::Lines(head) => {
                out.write_all(&head(table))?;
                WriterState::Lines(out)
            }
            Shape::Text { head, separator, tail } => {
                out.write_all(head().as_bytes())?;
                WriterState::Text { out, separator, tail, has_rows: false, fingerprints: FingerprintCounts::default() }
            }
            #[cfg(feature = "columnar")]
            Shape::Columns => {
                let writer = if format == Format::Parquet { ColumnarWriter::parquet } else { ColumnarWriter::arrow };
                WriterState::Columns(writer(table, provenance(), out)?)
            }
        }))
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// Fails if the output can't be written.
    pub fn write(&mut self, rows: Rows) -> io::Result<()> {
        match (&mut self.0, rows) {
            #[cfg(feature = "columnar")]
            (WriterState::Columns(writer), rows) => rows.into_columns().map_or(Ok(()), |rows| writer.write(rows)),
            (WriterState::Lines(out), rows) => out.write_all(rows.bytes()),
            (WriterState::Text { out, separator, has_rows, fingerprints, .. }, rows) => {
                let rows = fingerprints.number_repeats(rows.bytes());
                let rows = if *has_rows { &rows } else { rows.strip_prefix(separator.as_bytes()).unwrap_or(&rows) };
                *has_rows |= !rows.is_empty();
                out.write_all(rows)
            }
        }
    }

    /// Writes the tail of the table.
    ///
    /// # Errors
    /// Fails if the output can't be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            WriterState::Lines(out) => Ok(out),
            WriterState::Text { mut out, tail, .. } => out.write_all(tail.as_bytes()).map(|()| out),
            #[cfg(feature = "columnar")]
            WriterState::Columns(writer) => writer.finish(),
        }
    }
}

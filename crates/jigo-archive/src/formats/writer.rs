//! The writer of a table: head, the rows of all batches, and tail.

use std::io::{self, Write};

#[cfg(feature = "columnar")]
use super::columnar::ColumnarWriter;
use super::sarif::Repeats;
use super::{Format, Rows, Shape};
use crate::row::Table;

/// Writes the rows of a table batch by batch.
pub struct TableWriter<W: Write + Send>(Sheet<W>);

enum Sheet<W: Write + Send> {
    /// Lines without separators.
    Lines(W),
    /// A text that ends with its tail.
    Text {
        out: W,
        between: &'static str,
        tail: &'static str,
        /// True if a row has been written.
        is_begun: bool,
        repeats: Repeats,
    },
    #[cfg(feature = "columnar")]
    Columns(ColumnarWriter<W>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Writes the head of the table.
    ///
    /// # Errors
    /// Fails if `out` can't be written, or if the format does not support the table's rows.
    pub fn new(format: Format, table: &Table, mut out: W) -> io::Result<TableWriter<W>> {
        format.check_table(table).map_err(io::Error::other)?;
        Ok(TableWriter(match format.named().shape {
            Shape::Lines(head) => {
                out.write_all(&head(table))?;
                Sheet::Lines(out)
            }
            Shape::Text { head, between, tail } => {
                out.write_all(head().as_bytes())?;
                Sheet::Text { out, between, tail, is_begun: false, repeats: Repeats::default() }
            }
            #[cfg(feature = "columnar")]
            Shape::Columns if format == Format::Parquet => Sheet::Columns(ColumnarWriter::parquet(table, out)?),
            #[cfg(feature = "columnar")]
            Shape::Columns => Sheet::Columns(ColumnarWriter::arrow(table, out)?),
        }))
    }

    /// Continues a table whose first rows have been written. The format must satisfy
    /// [`Format::is_lines`].
    pub fn resumed(out: W) -> TableWriter<W> {
        TableWriter(Sheet::Lines(out))
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// Fails if the output can't be written.
    pub fn write(&mut self, rows: Rows) -> io::Result<()> {
        match (&mut self.0, rows) {
            #[cfg(feature = "columnar")]
            (Sheet::Columns(writer), rows) => rows.into_columns().map_or(Ok(()), |rows| writer.write(rows)),
            (Sheet::Lines(out), rows) => out.write_all(&rows.into_bytes()),
            (Sheet::Text { out, between, is_begun, repeats, .. }, rows) => {
                let rows = repeats.counted(&rows.into_bytes());
                let rows = if *is_begun { &rows } else { rows.strip_prefix(between.as_bytes()).unwrap_or(&rows) };
                *is_begun |= !rows.is_empty();
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
            Sheet::Lines(out) => Ok(out),
            Sheet::Text { mut out, tail, .. } => out.write_all(tail.as_bytes()).map(|()| out),
            #[cfg(feature = "columnar")]
            Sheet::Columns(writer) => writer.finish(),
        }
    }
}

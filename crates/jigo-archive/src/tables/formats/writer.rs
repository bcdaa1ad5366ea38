//! A table as it goes out: what stands before the rows, the rows of batch after batch, and what stands after them.

use std::io::{self, Write};

#[cfg(feature = "columnar")]
use super::columnar::ColumnarWriter;
use super::csv::CsvRows;
use super::{Format, Rows, sarif};
use crate::tables::Table;

/// Writes the rows of a table one batch after the other.
pub struct TableWriter<W: Write + Send>(Sheet<W>);

enum Sheet<W: Write + Send> {
    /// Rows follow each other without anything between.
    Lines(W),
    /// SARIF, and whether it has a result.
    Sarif(W, bool),
    #[cfg(feature = "columnar")]
    Columns(ColumnarWriter<W>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Writes what stands before the first row.
    ///
    /// # Errors
    /// When `out` can't be written to.
    pub fn new(format: Format, table: &Table, mut out: W) -> io::Result<TableWriter<W>> {
        let sheet = match format {
            Format::Csv | Format::SafeCsv => {
                out.write_all(&CsvRows::header(table))?;
                Sheet::Lines(out)
            }
            Format::Jsonl | Format::Text { .. } | Format::Github => Sheet::Lines(out),
            Format::Sarif => {
                out.write_all(sarif::head().as_bytes())?;
                Sheet::Sarif(out, false)
            }
            #[cfg(feature = "columnar")]
            Format::Arrow => Sheet::Columns(ColumnarWriter::arrow(table, out)?),
            #[cfg(feature = "columnar")]
            Format::Parquet => Sheet::Columns(ColumnarWriter::parquet(table, out)?),
        };
        Ok(TableWriter(sheet))
    }

    /// Goes on behind rows that are written, of a format that [`Format::is_lines`].
    pub fn resumed(out: W) -> TableWriter<W> {
        TableWriter(Sheet::Lines(out))
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// When the output can't be written to.
    pub fn write(&mut self, rows: Rows) -> io::Result<()> {
        match (&mut self.0, rows) {
            #[cfg(feature = "columnar")]
            (Sheet::Columns(writer), rows) => rows.into_columns().map_or(Ok(()), |rows| writer.write(rows)),
            (Sheet::Lines(out), rows) => out.write_all(&rows.into_bytes()),
            (Sheet::Sarif(out, has_result), rows) => {
                let results = rows.into_bytes();
                // Every result begins with a comma, but nothing stands before the first.
                let separated = usize::from(!*has_result && !results.is_empty());
                *has_result |= !results.is_empty();
                out.write_all(&results[separated..])
            }
        }
    }

    /// Writes what stands after the last row.
    ///
    /// # Errors
    /// When the output can't be written to.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Sheet::Lines(out) => Ok(out),
            Sheet::Sarif(mut out, _) => out.write_all(sarif::TAIL.as_bytes()).map(|()| out),
            #[cfg(feature = "columnar")]
            Sheet::Columns(writer) => writer.finish(),
        }
    }
}

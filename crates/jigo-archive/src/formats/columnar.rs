//! Rows as columns: Arrow record batches, written as an Arrow IPC stream or as Parquet.
//!
//! Integers are Int64. Other numbers are Float64, which represents points, half points and quarters
//! exactly. Days are Date32, booleans Boolean, texts Utf8. Enumerations are dictionaries of their
//! words, equal in every batch. The metadata of the schema contains the version of the columns, and
//! the pandas types of columns that pandas would otherwise convert badly.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Float64Builder, Int16Builder, Int64Builder, StringBuilder,
};
use arrow_array::{ArrayRef, DictionaryArray, RecordBatch, StringArray};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde_json::json;

use super::named_format::{NamedFormat, Shape};
use crate::row::{Cells, Column, ColumnType, Row, Table, Value};
use crate::summary::SCHEMA_VERSION;

/// An Arrow IPC stream.
pub const ARROW: NamedFormat = NamedFormat {
    name: "arrow",
    summary: "An Arrow IPC stream",
    details: "an Arrow IPC stream, written batch by batch, also into a pipe",
    suffixes: &["arrows", "arrow"],
    shape: Shape::Columns,
    findings_only: false,
};

/// Parquet.
pub const PARQUET: NamedFormat = NamedFormat {
    name: "parquet",
    summary: "Parquet",
    details: "Parquet with Snappy compression, in row groups of 65,536 rows, so that memory stays constant; also into a pipe",
    suffixes: &["parquet"],
    shape: Shape::Columns,
    findings_only: false,
};

/// The number of rows in a row group of Parquet, which are buffered in memory.
const ROW_GROUP_ROWS: usize = 1 << 16;

/// Returns the Arrow schema of a table.
pub fn schema(table: &Table) -> Schema {
    let field = |column: &Column| Field::new(column.name, data_type(column.kind), column.nullable);
    Schema::new_with_metadata(table.columns.iter().map(field).collect::<Vec<Field>>(), metadata(table))
}

/// Returns the metadata of a table's schema.
fn metadata(table: &Table) -> [(String, String); 4] {
    [
        ("jigo.version".into(), env!("CARGO_PKG_VERSION").into()),
        ("jigo.table".into(), table.name.into()),
        ("jigo.schema".into(), SCHEMA_VERSION.to_string()),
        ("pandas".into(), pandas_metadata(table).to_string()),
    ]
}

/// Returns the pandas types of columns, in the format of pyarrow.
///
/// Without them, pandas reads booleans with empty cells as objects, integers with empty cells as
/// floats, and days as objects. Then neither `games[games.agrees]` nor `games.date.dt` works.
fn pandas_metadata(table: &Table) -> serde_json::Value {
    let column = |column: &Column| {
        let (pandas, numpy) = match (column.kind, column.nullable) {
            (ColumnType::Flag, true) => ("bool", "boolean"),
            (ColumnType::Integer, true) => ("int64", "Int64"),
            (ColumnType::Date, _) => ("date", "date32[day][pyarrow]"),
            _ => return None,
        };
        let name = column.name;
        Some(json!({ "name": name, "field_name": name, "pandas_type": pandas, "numpy_type": numpy, "metadata": null }))
    };
    let columns: Vec<serde_json::Value> = table.columns.iter().filter_map(column).collect();
    let creator = json!({ "library": "jigo", "version": env!("CARGO_PKG_VERSION") });
    json!({ "index_columns": [], "column_indexes": [], "columns": columns, "creator": creator, "pandas_version": "1.0.0" })
}

fn data_type(kind: ColumnType) -> DataType {
    match kind {
        ColumnType::Text => DataType::Utf8,
        ColumnType::Word(_) => DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8)),
        ColumnType::Integer => DataType::Int64,
        ColumnType::Decimal(_) => DataType::Float64,
        ColumnType::Date => DataType::Date32,
        ColumnType::Flag => DataType::Boolean,
        ColumnType::Bytes => DataType::Binary,
    }
}

/// The rows of a batch.
pub struct ColumnarRows {
    table: &'static Table,
    columns: Vec<ColumnCells>,
    /// The index of the next cell's column.
    next: usize,
    rows: usize,
}

/// The cells of a column.
enum ColumnCells {
    /// The texts, and a buffer for the cell that is being formatted.
    Text(StringBuilder, String),
    Word(Int16Builder, &'static [&'static str]),
    Integer(Int64Builder),
    Decimal(Float64Builder, u8),
    Date(Date32Builder),
    Flag(BooleanBuilder),
    Bytes(BinaryBuilder),
}

impl ColumnarRows {
    /// Returns an empty batch.
    pub fn new(table: &'static Table) -> ColumnarRows {
        let columns = table.columns.iter().map(|column| ColumnCells::new(column.kind)).collect();
        ColumnarRows { table, columns, next: 0, rows: 0 }
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        self.next = 0;
        row.cells(self);
        debug_assert_eq!(self.next, self.columns.len());
        self.rows += 1;
    }

    /// Converts the rows to an Arrow batch.
    ///
    /// # Errors
    /// Fails if a cell is empty in a column without empty cells.
    pub fn into_batch(self, schema: &Arc<Schema>) -> Result<RecordBatch, ArrowError> {
        let columns: Result<Vec<ArrayRef>, ArrowError> =
            self.columns.into_iter().map(ColumnCells::into_array).collect();
        RecordBatch::try_new(Arc::clone(schema), columns?)
    }
}

impl Cells for ColumnarRows {
    fn value(&mut self, value: Value<'_>) {
        let nullable = self.table.columns[self.next].nullable;
        self.columns[self.next].push(value, nullable);
        self.next += 1;
    }
}

impl ColumnCells {
    fn new(kind: ColumnType) -> ColumnCells {
        match kind {
            ColumnType::Text => ColumnCells::Text(StringBuilder::new(), String::new()),
            ColumnType::Word(words) => ColumnCells::Word(Int16Builder::new(), words),
            ColumnType::Integer => ColumnCells::Integer(Int64Builder::new()),
            ColumnType::Decimal(scale) => ColumnCells::Decimal(Float64Builder::new(), scale),
            ColumnType::Date => ColumnCells::Date(Date32Builder::new()),
            ColumnType::Flag => ColumnCells::Flag(BooleanBuilder::new()),
            ColumnType::Bytes => ColumnCells::Bytes(BinaryBuilder::new()),
        }
    }

    /// Appends a cell. A cell of another type than its column becomes null; the tests of the tables
    /// would detect this.
    fn push(&mut self, value: Value<'_>, nullable: bool) {
        match (self, value) {
            (ColumnCells::Text(texts, _), Value::Empty) if nullable => texts.append_null(),
            (ColumnCells::Text(texts, _), Value::Text(text)) => texts.append_value(text),
            (ColumnCells::Text(texts, cell), value) => {
                cell.clear();
                value.append_to(cell);
                texts.append_value(cell);
            }
            (ColumnCells::Word(indices, words), Value::Text(text)) => {
                let index = words.iter().position(|word| *word == text);
                debug_assert!(index.is_some(), "{text} is none of {words:?}");
                indices.append_option(index.map(|index| index as i16));
            }
            (ColumnCells::Word(indices, _), _) => indices.append_null(),
            (ColumnCells::Integer(numbers), Value::Integer(number)) => numbers.append_value(number),
            (ColumnCells::Integer(numbers), _) => numbers.append_null(),
            (ColumnCells::Decimal(numbers, digits), value) => {
                // The quotient of integers is the nearest float, as if the digits were parsed.
                let quotient = |unscaled: i64| unscaled as f64 / 10_f64.powi(i32::from(*digits));
                numbers.append_option(value.unscaled().map(quotient));
            }
            (ColumnCells::Date(days), Value::Date(date)) => days.append_value(date.first_day()),
            (ColumnCells::Date(days), _) => days.append_null(),
            (ColumnCells::Flag(flags), Value::Flag(flag)) => flags.append_value(flag),
            (ColumnCells::Flag(flags), _) => flags.append_null(),
            (ColumnCells::Bytes(cells), Value::Bytes(bytes)) => cells.append_value(bytes),
            (ColumnCells::Bytes(cells), _) => cells.append_null(),
        }
    }

    fn into_array(self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            ColumnCells::Text(mut texts, _) => Arc::new(texts.finish()),
            ColumnCells::Word(mut indices, words) => {
                let words: ArrayRef = Arc::new(StringArray::from(words.to_vec()));
                Arc::new(DictionaryArray::try_new(indices.finish(), words)?)
            }
            ColumnCells::Integer(mut numbers) => Arc::new(numbers.finish()),
            ColumnCells::Decimal(mut numbers, _) => Arc::new(numbers.finish()),
            ColumnCells::Date(mut days) => Arc::new(days.finish()),
            ColumnCells::Flag(mut flags) => Arc::new(flags.finish()),
            ColumnCells::Bytes(mut cells) => Arc::new(cells.finish()),
        })
    }
}

/// Writes the rows of a table batch by batch.
pub struct ColumnarWriter<W: Write + Send> {
    schema: Arc<Schema>,
    writer: BatchWriter<W>,
}

enum BatchWriter<W: Write + Send> {
    Arrow(Box<StreamWriter<W>>),
    Parquet(Box<ArrowWriter<W>>),
}

impl<W: Write + Send> ColumnarWriter<W> {
    /// Starts an Arrow IPC stream.
    ///
    /// # Errors
    /// Fails if `out` can't be written.
    pub fn arrow(table: &Table, out: W) -> io::Result<ColumnarWriter<W>> {
        let schema = Arc::new(schema(table));
        let writer = StreamWriter::try_new(out, &schema).map_err(arrow_io_error)?;
        Ok(ColumnarWriter { schema, writer: BatchWriter::Arrow(Box::new(writer)) })
    }

    /// Starts a Parquet file, compressed with Snappy. It is written sequentially, so `out` may be a
    /// pipe.
    ///
    /// # Errors
    /// Fails if `out` can't be written.
    pub fn parquet(table: &Table, out: W) -> io::Result<ColumnarWriter<W>> {
        let schema = Arc::new(schema(table));
        // SQL engines see these values, but not the ones in the Arrow schema.
        let key_values = metadata(table).into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
        let properties = WriterProperties::builder()
            .set_key_value_metadata(Some(key_values))
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
            .build();
        let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties)).map_err(parquet_io_error)?;
        Ok(ColumnarWriter { schema, writer: BatchWriter::Parquet(Box::new(writer)) })
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// Fails if the output can't be written.
    pub fn write(&mut self, rows: ColumnarRows) -> io::Result<()> {
        if rows.rows == 0 {
            return Ok(());
        }
        let batch = rows.into_batch(&self.schema).map_err(arrow_io_error)?;
        match &mut self.writer {
            BatchWriter::Arrow(writer) => writer.write(&batch).map_err(arrow_io_error),
            BatchWriter::Parquet(writer) => writer.write(&batch).map_err(parquet_io_error),
        }
    }

    /// Writes the buffered rows and the end of the file.
    ///
    /// # Errors
    /// Fails if the output can't be written.
    pub fn finish(self) -> io::Result<W> {
        match self.writer {
            // This also writes the end of the stream.
            BatchWriter::Arrow(writer) => writer.into_inner().map_err(arrow_io_error),
            BatchWriter::Parquet(writer) => writer.into_inner().map_err(parquet_io_error),
        }
    }
}

/// Extracts the I/O error from an Arrow error, so that the caller recognizes a closed pipe.
fn arrow_io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}

/// Extracts the I/O error from a Parquet error.
fn parquet_io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

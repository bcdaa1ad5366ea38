//! Rows as columns: Arrow record batches, written as an Arrow IPC stream or as Parquet.
//!
//! Integers are Int64, hashes UInt64. Other numbers are Float64, which represents points, half
//! points and quarters exactly. Days are Date32, booleans Boolean, texts Utf8. Enumerations and
//! points are dictionaries of all words, equal in every batch. Texts that many rows repeat are
//! dictionaries of the batch. The metadata of the schema contains the version of the columns,
//! the provenance of the rows, and the pandas types of columns that pandas would otherwise convert
//! badly.

mod column_builder;

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;
use serde_json::json;

use super::named_format::{NamedFormat, Shape};
use crate::row::schema::SCHEMA_VERSION;
use crate::row::{Column, ColumnType, Row, Table, Value};
use column_builder::{ColumnBuilder, data_type};

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
    Schema::new_with_metadata(table.written_columns().map(field).collect::<Vec<Field>>(), metadata(table))
}

/// Returns the Arrow schema of a table whose rows have this provenance.
fn schema_with(table: &Table, provenance: Option<String>) -> Schema {
    let mut schema = schema(table);
    schema.metadata.extend(provenance.map(|text| ("jigo.provenance".to_owned(), text)));
    schema
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
/// floats, which changes hashes, and days as objects. Then neither `games[games.agrees]` nor
/// `games.date.dt` works.
fn pandas_metadata(table: &Table) -> serde_json::Value {
    let column = |column: &Column| {
        let (pandas, numpy) = match (column.kind, column.nullable) {
            (ColumnType::Flag, true) => ("bool", "boolean"),
            (ColumnType::Integer, true) => ("int64", "Int64"),
            (ColumnType::Hash, true) => ("uint64", "UInt64"),
            (ColumnType::Date, _) => ("date", "date32[day][pyarrow]"),
            _ => return None,
        };
        let name = column.name;
        Some(json!({ "name": name, "field_name": name, "pandas_type": pandas, "numpy_type": numpy, "metadata": null }))
    };
    let columns: Vec<serde_json::Value> = table.written_columns().filter_map(column).collect();
    let creator = json!({ "library": "jigo", "version": env!("CARGO_PKG_VERSION") });
    json!({ "index_columns": [], "column_indexes": [], "columns": columns, "creator": creator, "pandas_version": "1.0.0" })
}

/// The rows of a batch.
pub struct ColumnarRows {
    /// The cells of each column and whether some may be empty, or `None` if it is not written.
    columns: Vec<Option<(ColumnBuilder, bool)>>,
    rows: usize,
}

impl ColumnarRows {
    /// Returns an empty batch.
    pub fn new(table: &Table) -> ColumnarRows {
        let builder = |(index, column): (usize, &Column)| {
            table.written.contains(index).then(|| (ColumnBuilder::new(column.kind), column.nullable))
        };
        ColumnarRows { columns: table.columns.iter().enumerate().map(builder).collect(), rows: 0 }
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Appends a row.
    pub fn push(&mut self, row: &impl Row) {
        let mut columns = self.columns.iter_mut();
        row.cells(&mut |value: Value<'_>| {
            if let Some(Some((cells, nullable))) = columns.next() {
                cells.push(value, *nullable);
            }
        });
        // Rows have no cells after the last column that is written.
        debug_assert!(columns.all(|column| column.is_none()));
        self.rows += 1;
    }

    /// Converts the rows to an Arrow batch.
    ///
    /// # Errors
    /// Fails if a cell is empty in a column without empty cells.
    pub fn into_batch(self, schema: &Arc<Schema>) -> Result<RecordBatch, ArrowError> {
        let columns: Result<Vec<ArrayRef>, ArrowError> =
            self.columns.into_iter().flatten().map(|(cells, _)| cells.into_array()).collect();
        RecordBatch::try_new(Arc::clone(schema), columns?)
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
    pub fn arrow(table: &Table, provenance: Option<String>, out: W) -> io::Result<ColumnarWriter<W>> {
        let schema = Arc::new(schema_with(table, provenance));
        let writer = StreamWriter::try_new(out, &schema).map_err(arrow_io_error)?;
        Ok(ColumnarWriter { schema, writer: BatchWriter::Arrow(Box::new(writer)) })
    }

    /// Starts a Parquet file, compressed with Snappy. It is written sequentially, so `out` may be a
    /// pipe.
    ///
    /// # Errors
    /// Fails if `out` can't be written.
    pub fn parquet(table: &Table, provenance: Option<String>, out: W) -> io::Result<ColumnarWriter<W>> {
        let schema = Arc::new(schema_with(table, provenance));
        // SQL engines see these values, but not the ones in the Arrow schema.
        let mut key_values: Vec<KeyValue> =
            schema.metadata.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        key_values.sort_by(|one, other| one.key.cmp(&other.key));
        let properties = WriterProperties::builder()
            .set_key_value_metadata(Some(key_values))
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
            .set_statistics_enabled(EnabledStatistics::Chunk);
        let is_hash = |column: &&Column| column.kind == ColumnType::Hash;
        let properties = table.written_columns().filter(is_hash).fold(properties, without_compression).build();
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

/// Writes a column of hashes as they are. Neither a dictionary nor compression makes random numbers
/// smaller, and no search asks for a range of them.
fn without_compression(properties: WriterPropertiesBuilder, column: &Column) -> WriterPropertiesBuilder {
    let path = || ColumnPath::from(column.name);
    properties
        .set_column_dictionary_enabled(path(), false)
        .set_column_compression(path(), Compression::UNCOMPRESSED)
        .set_column_statistics_enabled(path(), EnabledStatistics::None)
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

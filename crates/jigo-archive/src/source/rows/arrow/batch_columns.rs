//! The columns of a table that jigo reads, and the values of their cells.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use serde_json::Value;

use crate::source::rows::row::{RecordRow, RowKey};
use crate::source::rows::row_columns::{ID_COLUMN, RowColumns, is_read_column, missing_column_message};
use crate::source::signatures::{OWN_TABLE_MESSAGE, has_own_columns};

/// The columns that are read apart from the text, and their types.
const COLUMN_TYPES: [(&str, CellType); 6] = [
    ("game", CellType::Integer),
    ("offset", CellType::Integer),
    ("line", CellType::Integer),
    ("state", CellType::Text),
    ("last", CellType::Flag),
    ("fault", CellType::Text),
];

#[derive(Clone, Copy)]
enum CellType {
    /// A text or an integer.
    Identifier,
    Text,
    Integer,
    /// An integer of any type. pandas converts a column with empty cells to floats.
    Number,
    Flag,
}

impl CellType {
    /// Returns the expected types if the column's type does not fit.
    fn mismatch(self, column_type: &DataType) -> Option<&'static str> {
        let is_text = matches!(
            column_type,
            DataType::Utf8
                | DataType::LargeUtf8
                | DataType::Utf8View
                | DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
        );
        let (fits, expected) = match self {
            CellType::Identifier => (is_text || column_type.is_integer(), "string, binary or integer"),
            CellType::Text => (is_text, "string or binary"),
            CellType::Integer => (*column_type == DataType::Int64, "int64"),
            CellType::Number => (
                column_type.is_integer() || matches!(column_type, DataType::Float32 | DataType::Float64),
                "integer or float",
            ),
            CellType::Flag => (*column_type == DataType::Boolean, "bool"),
        };
        (!fits).then_some(expected)
    }
}

/// Checks the types of the columns that are read. Other columns are ignored.
pub(crate) fn check_columns(schema: &Schema, columns: RowColumns<'_>) -> Result<(), String> {
    let RowColumns { record: column, id } = columns;
    let names = || schema.fields().iter().map(|field| field.name().as_str());
    if schema.field_with_name(column).is_err() {
        if has_own_columns(names()) {
            return Err(OWN_TABLE_MESSAGE.to_owned());
        }
        return Err(missing_column_message(columns, &names().collect::<Vec<_>>()));
    }
    if id != ID_COLUMN && schema.field_with_name(id).is_err() {
        return Err(missing_column_message(columns, &names().collect::<Vec<_>>()));
    }
    let part_columns = COLUMN_TYPES.into_iter().filter(|(name, _)| *name != id);
    let other_columns = [(id, CellType::Identifier)].into_iter().chain(part_columns);
    let checked = other_columns.filter(|(name, _)| *name != column && is_read_column(name, columns));
    for (name, cell_type) in checked.chain([(column, CellType::Text)]) {
        check_column(schema, name, cell_type)?;
    }
    Ok(())
}

/// Checks the types of the columns that name games: `file`, and the number in `game`.
pub(crate) fn check_names(schema: &Schema, file: &str) -> Result<(), String> {
    check_column(schema, file, CellType::Identifier)?;
    check_column(schema, "game", CellType::Number)
}

/// Checks the type of a column, if it exists.
fn check_column(schema: &Schema, name: &str, cell_type: CellType) -> Result<(), String> {
    let Ok(field) = schema.field_with_name(name) else { return Ok(()) };
    let actual = field.data_type();
    cell_type
        .mismatch(actual)
        .map_or(Ok(()), |expected| Err(format!("column {name} is {actual}, wanted is {expected}")))
}

/// The columns of a batch that are read, as far as they exist.
pub(crate) struct BatchColumns<'a> {
    names: RowColumns<'a>,
    text: Option<&'a dyn Array>,
    /// The other columns with their names.
    fields: Vec<(&'a str, &'a dyn Array)>,
}

impl<'a> BatchColumns<'a> {
    pub(crate) fn new(rows: &'a RecordBatch, names: RowColumns<'a>) -> BatchColumns<'a> {
        let find_column = |name: &str| rows.column_by_name(name).map(|column| &**column);
        let other_names = [names.id].into_iter().chain(COLUMN_TYPES.map(|(name, _)| name));
        let read = other_names.filter(|name| *name != names.record && is_read_column(name, names));
        let fields = read.filter_map(|name| Some((name, find_column(name)?))).collect();
        BatchColumns { names, text: find_column(names.record), fields }
    }

    /// Returns the number of bytes of text in a row.
    pub(crate) fn length(&self, index: usize) -> usize {
        let columns = self.fields.iter().map(|(_, column)| *column).chain(self.text);
        columns.filter_map(|column| cell(column, index)).map(<[u8]>::len).sum()
    }

    /// Returns the key of a row, or `None` if the row has no identifier or its position is invalid.
    pub(crate) fn key(&self, index: usize) -> Option<RowKey> {
        RowKey::from_fields(|name| self.field(name, index), self.names)
    }

    /// Returns a row, or an error message if it lacks its identifier or text.
    pub(crate) fn row(&self, index: usize) -> Result<RecordRow, String> {
        let text = self.text.and_then(|column| cell(column, index)).map(<[u8]>::to_vec);
        RecordRow::from_fields(|name| self.field(name, index), Ok(text), self.names)
    }

    fn field(&self, name: &str, index: usize) -> Option<Value> {
        let (_, column) = self.fields.iter().find(|(other, _)| *other == name)?;
        Some(value(*column, index))
    }
}

/// Returns the identifier in a cell as text. An empty cell and, in a column of floats, NaN give
/// `None`.
pub(crate) fn identifier(column: &dyn Array, index: usize) -> Option<String> {
    match value(column, index) {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

/// Returns the value of a cell.
fn value(column: &dyn Array, index: usize) -> Value {
    if column.is_null(index) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Boolean => column.as_boolean().value(index).into(),
        DataType::Int8 => column.as_primitive::<Int8Type>().value(index).into(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(index).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(index).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(index).into(),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(index).into(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(index).into(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(index).into(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(index).into(),
        DataType::Float32 => float(column.as_primitive::<Float32Type>().value(index).into()),
        DataType::Float64 => float(column.as_primitive::<Float64Type>().value(index)),
        _ => cell(column, index).map(String::from_utf8_lossy).into(),
    }
}

/// Returns a number as text, because JSON has no infinite numbers.
fn float(value: f64) -> Value {
    (!value.is_nan()).then(|| value.to_string()).into()
}

/// Returns the text of a cell, if it has one.
fn cell(column: &dyn Array, index: usize) -> Option<&[u8]> {
    if column.is_null(index) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(index).as_bytes(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(index).as_bytes(),
        DataType::Utf8View => column.as_string_view().value(index).as_bytes(),
        DataType::Binary => column.as_binary::<i32>().value(index),
        DataType::LargeBinary => column.as_binary::<i64>().value(index),
        DataType::BinaryView => column.as_binary_view().value(index),
        // The types were checked when the stream was opened.
        _ => return None,
    })
}

//! The columns of a table that jigo reads, and the values of their cells.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};

use crate::source::rows::file_part::{FilePart, PartState, SourceFault};
use crate::source::rows::row::{RecordRow, RowKey};
use crate::source::rows::row_columns::{
    ID_COLUMN, RowColumns, is_read_column, missing_column_message, missing_text_message,
};
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
    let other_columns = [(id, CellType::Identifier)].into_iter().chain(COLUMN_TYPES);
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
    id: Option<&'a dyn Array>,
    game: Option<&'a dyn Array>,
    offset: Option<&'a dyn Array>,
    line: Option<&'a dyn Array>,
    state: Option<&'a dyn Array>,
    last: Option<&'a dyn Array>,
    fault: Option<&'a dyn Array>,
    names: RowColumns<'a>,
    text: Option<&'a dyn Array>,
}

impl<'a> BatchColumns<'a> {
    pub(crate) fn new(rows: &'a RecordBatch, names: RowColumns<'a>) -> BatchColumns<'a> {
        let find_column =
            |name: &str| rows.column_by_name(name).filter(|_| is_read_column(name, names)).map(|column| &**column);
        BatchColumns {
            id: find_column(names.id),
            game: find_column("game"),
            offset: find_column("offset"),
            line: find_column("line"),
            state: find_column("state"),
            last: find_column("last"),
            fault: find_column("fault"),
            names,
            text: find_column(names.record),
        }
    }

    /// Returns the number of bytes of text in a row.
    pub(crate) fn length(&self, index: usize) -> usize {
        let columns_by_name = [(self.names.id, self.id), ("state", self.state), ("fault", self.fault)].into_iter();
        let other_columns = columns_by_name.filter(|(name, _)| *name != self.names.record).map(|(_, column)| column);
        other_columns.chain([self.text]).flatten().filter_map(|column| cell(column, index)).map(<[u8]>::len).sum()
    }

    /// Returns true if the table has a column with identifiers.
    pub(crate) fn has_id(&self) -> bool {
        self.id.is_some()
    }

    /// Returns the key of a row, or `None` if the row has no identifier or its position is invalid.
    pub(crate) fn key(&self, index: usize) -> Option<RowKey> {
        let id = identifier(self.id?, index)?;
        let default_part = FilePart::default();
        let game = integer("game", self.game, index).ok()?.unwrap_or(default_part.game);
        let offset = integer("offset", self.offset, index).ok()?.unwrap_or(default_part.offset);
        Some(RowKey { id, game, offset })
    }

    /// Returns a row, or an error message if it lacks its identifier or text.
    pub(crate) fn row(&self, index: usize) -> Result<RecordRow, String> {
        let text = |column: Option<&'a dyn Array>| cell(column?, index).map(String::from_utf8_lossy);
        let default_part = FilePart::default();
        let without_id = || format!("{} is missing", self.names.id);
        let id = self.id.map(|column| identifier(column, index).ok_or_else(without_id)).transpose()?;
        let fault = text(self.fault).map(|text| SourceFault::parse(&text)).transpose()?;
        let sgf = match self.text.and_then(|column| cell(column, index)) {
            Some(sgf) => sgf.to_vec(),
            None if fault.is_some() => Vec::new(),
            None => return Err(missing_text_message(self.names, id.as_deref())),
        };
        let part = FilePart {
            game: integer("game", self.game, index)?.unwrap_or(default_part.game),
            offset: integer("offset", self.offset, index)?.unwrap_or(default_part.offset),
            line: integer("line", self.line, index)?.unwrap_or(default_part.line),
            state: text(self.state).map(|text| PartState::parse(&text)).transpose()?,
            is_last: flag(self.last, index).unwrap_or(default_part.is_last),
            fault,
        };
        Ok(RecordRow { id, sgf, part: part.validate()? })
    }
}

/// Returns the identifier in a cell as text. An empty cell and, in a column of floats, NaN give
/// `None`.
pub(crate) fn identifier(column: &dyn Array, index: usize) -> Option<String> {
    if column.is_null(index) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Int8 => column.as_primitive::<Int8Type>().value(index).to_string(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(index).to_string(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(index).to_string(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(index).to_string(),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(index).to_string(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(index).to_string(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(index).to_string(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(index).to_string(),
        DataType::Float32 => number(column.as_primitive::<Float32Type>().value(index).into())?,
        DataType::Float64 => number(column.as_primitive::<Float64Type>().value(index))?,
        _ => String::from_utf8_lossy(cell(column, index)?).into_owned(),
    })
}

fn number(value: f64) -> Option<String> {
    (!value.is_nan()).then(|| value.to_string())
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

fn integer(name: &str, column: Option<&dyn Array>, index: usize) -> Result<Option<u64>, String> {
    let Some(column) = column.filter(|column| column.is_valid(index)) else { return Ok(None) };
    let number = column.as_primitive::<Int64Type>().value(index);
    u64::try_from(number).map(Some).map_err(|_| format!("{name} is {number}"))
}

fn flag(column: Option<&dyn Array>, index: usize) -> Option<bool> {
    let column = column.filter(|column| column.is_valid(index))?;
    Some(column.as_boolean().value(index))
}

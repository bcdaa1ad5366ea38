//! Rows of records from Arrow IPC streams and files, and what else comes in record batches.
//!
//! A batch is cut into slices, which share its memory, so that several threads work on a large one. A batch that can't be
//! decoded costs itself; where the stream does not say any more how long its messages are, it ends.

mod messages;

use std::fs::File;
use std::io::{Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, DataType, Schema};

use super::RecordRow;
use super::archive::meter::{Counted, Meter};
use super::row::{FilePart, PartState, SourceFault, is_read, missing};
use super::signs::{OWN_TABLE, has_own_columns};
use jigo_core::sgf::Limits;
use messages::{HeldMessages, Refused};

/// Reads the rows of a stream.
pub struct ArrowRows {
    stream: Option<Box<dyn RecordBatchReader + Send>>,
    /// The bytes that came in and went out; none where the batches are in memory already, as they will be handed out.
    meter: Option<Arc<Meter>>,
    /// The batch that is being handed out, and how many of its rows were.
    batch: Option<(RecordBatch, usize)>,
    /// Rows and batches read so far.
    rows: u64,
    batches: u64,
    /// The column with the texts.
    column: String,
}

/// Some rows of a stream.
pub struct RowSlice {
    rows: RecordBatch,
    /// Number of the first of them in the stream, from 1.
    pub first: u64,
    /// Bytes of text in them.
    pub bytes: u64,
}

impl ArrowRows {
    /// Begins to read a stream, or a file, which is a stream behind eight bytes and before a list of its batches; `column` has the texts.
    ///
    /// # Errors
    /// When it is neither, or has other columns than are wanted.
    pub fn new(input: Box<dyn Read + Send>, limits: Limits, column: &str) -> Result<ArrowRows, String> {
        let meter = Arc::new(Meter::new(limits, 0));
        let mut input = Counted { input, meter: Arc::clone(&meter) };
        let mut start = Vec::new();
        input.by_ref().take(8).read_to_end(&mut start).map_err(|error| error.to_string())?;
        let start = if start.starts_with(b"ARROW1") { Vec::new() } else { start };
        let messages = HeldMessages::new(Cursor::new(start).chain(input), limits.memory);
        // What the decoder does not foresee is damage, too.
        let stream = catch_unwind(AssertUnwindSafe(|| StreamReader::try_new(messages, None)));
        let stream = stream.unwrap_or_else(|_| Err(ArrowError::IpcError("the decoder failed".into())));
        let stream = stream.map_err(|error| format!("this is no Arrow IPC stream: {error}"))?;
        Ok(ArrowRows { meter: Some(meter), ..ArrowRows::of_batches(Box::new(stream), column)? })
    }

    /// Begins to read Parquet.
    ///
    /// # Errors
    /// When it is none, has other columns than are wanted, or takes more memory than it may.
    pub fn of_parquet(file: File, limits: Limits, column: &str) -> Result<ArrowRows, String> {
        let length = file.metadata().map_err(|error| error.to_string())?.len();
        let meter = Arc::new(Meter::new(limits, length));
        // As above.
        let batches = catch_unwind(AssertUnwindSafe(|| super::parquet::batches(file, &meter.memory, column)));
        let batches = batches.unwrap_or_else(|_| Err("this is no sound Parquet file: the decoder failed".into()))?;
        Ok(ArrowRows { meter: Some(meter), ..ArrowRows::of_batches(batches, column)? })
    }

    /// Begins to read batches.
    ///
    /// # Errors
    /// When they have other columns than are wanted.
    pub fn of_batches(batches: Box<dyn RecordBatchReader + Send>, column: &str) -> Result<ArrowRows, String> {
        check_columns(&batches.schema(), column)?;
        Ok(ArrowRows { stream: Some(batches), meter: None, batch: None, rows: 0, batches: 0, column: column.into() })
    }

    /// The next rows, with about so many bytes of text; what is wrong with a batch that can't be decoded.
    pub fn slice(&mut self, wanted: u64) -> Option<Result<RowSlice, String>> {
        loop {
            if let Some((batch, taken)) = self.batch.take_if(|(batch, taken)| *taken < batch.num_rows()) {
                return Some(self.cut(batch, taken, wanted));
            }
            match self.next_batch()? {
                Ok(batch) => self.batch = Some((batch, 0)),
                Err(reason) => return Some(Err(reason)),
            }
        }
    }

    /// The next rows of a batch. Cells may share their bytes, so that a small file has endless texts: what is handed out has the limits of what is unpacked.
    fn cut(&mut self, batch: RecordBatch, taken: usize, wanted: u64) -> Result<RowSlice, String> {
        let read =
            HOLDS.iter().map(|(name, _)| *name).filter(|name| *name != self.column && is_read(name, &self.column));
        let texts: Vec<&str> = read.chain([self.column.as_str()]).collect();
        let length =
            |row: usize| texts.iter().filter_map(|name| cell(&batch, name, row)).map(<[u8]>::len).sum::<usize>();
        let (mut count, mut bytes) = (0, 0);
        while taken + count < batch.num_rows() && bytes < wanted {
            bytes = bytes.saturating_add(length(taken + count) as u64);
            count += 1;
        }
        if let Some(meter) = &self.meter
            && let Err(error) = meter.count(usize::try_from(bytes).unwrap_or(usize::MAX))
        {
            self.stream = None;
            return Err(format!("batch {}: {error}; what follows can't be read", self.batches));
        }
        let slice = RowSlice { rows: batch.slice(taken, count), first: self.rows + 1, bytes };
        self.rows += count as u64;
        self.batch = Some((batch, taken + count));
        Ok(slice)
    }

    fn next_batch(&mut self) -> Option<Result<RecordBatch, String>> {
        let stream = self.stream.as_mut()?;
        self.batches += 1;
        // The decoder checks what it is given; should it miss something, the rows before are not lost.
        let next = catch_unwind(AssertUnwindSafe(|| stream.next()));
        let (reason, goes_on) = match next {
            Ok(None) => return None,
            Ok(Some(Ok(batch))) => return Some(Ok(batch)),
            Ok(Some(Err(error))) => (error.to_string(), !is_lost(&error)),
            Err(_) => ("the decoder failed".into(), false),
        };
        if !goes_on {
            self.stream = None;
        }
        let consequence = if goes_on { "" } else { "; what follows can't be read" };
        Some(Err(format!("batch {}: {reason}{consequence}", self.batches)))
    }
}

/// Whether the beginning of the next message is not known behind this error.
fn is_lost(error: &ArrowError) -> bool {
    match error {
        ArrowError::IoError(_, error) => !error.get_ref().is_some_and(|error| error.is::<Refused>()),
        ArrowError::ParseError(_)
        | ArrowError::MemoryError(_)
        | ArrowError::ParquetError(_)
        | ArrowError::ExternalError(_) => true,
        _ => false,
    }
}

impl RowSlice {
    /// The rows with their numbers in the stream, from 1; a sentence for one that has no identifier or no text.
    pub fn rows(&self, column: &str) -> impl Iterator<Item = (u64, Result<RecordRow, String>)> {
        (0..self.rows.num_rows()).map(|index| {
            let number = self.first + index as u64;
            (number, self.row(index, column).map_err(|reason| format!("row {number}: {reason}")))
        })
    }

    fn row(&self, index: usize, column: &str) -> Result<RecordRow, String> {
        let text = |name: &str| {
            let found = cell(&self.rows, name, index).filter(|_| is_read(name, column));
            found.map(String::from_utf8_lossy)
        };
        let number = |name: &str| if is_read(name, column) { integer(&self.rows, name, index) } else { Ok(None) };
        let whole = FilePart::default();
        let id = match self.rows.column_by_name("id") {
            Some(_) => Some(identifier(&self.rows, index).ok_or("id is missing")?),
            None => None,
        };
        let fault = text("fault").map(|text| SourceFault::parse(&text)).transpose()?;
        let sgf = match cell(&self.rows, column, index) {
            Some(sgf) => sgf.to_vec(),
            None if fault.is_some() => Vec::new(),
            None => return Err(missing(column, id.as_deref())),
        };
        let part = FilePart {
            game: number("game")?.unwrap_or(whole.game),
            offset: number("offset")?.unwrap_or(whole.offset),
            line: number("line")?.unwrap_or(whole.line),
            state: text("state").map(|text| PartState::parse(&text)).transpose()?,
            is_last: match is_read("last", column) {
                true => flag(&self.rows, "last", index).unwrap_or(whole.is_last),
                false => whole.is_last,
            },
            fault,
        };
        Ok(RecordRow { id, sgf, part: part.checked()? })
    }
}

/// What a column holds that is read, beside the text.
const HOLDS: [(&str, Holds); 7] = [
    ("id", Holds::Name),
    ("game", Holds::Integer),
    ("offset", Holds::Integer),
    ("line", Holds::Integer),
    ("state", Holds::Text),
    ("last", Holds::Flag),
    ("fault", Holds::Text),
];

#[derive(Clone, Copy)]
enum Holds {
    /// A text or a whole number.
    Name,
    Text,
    Integer,
    Flag,
}

impl Holds {
    /// What is wanted instead of this type, where it does not fit.
    fn wanted(self, found: &DataType) -> Option<&'static str> {
        let is_text = matches!(
            found,
            DataType::Utf8
                | DataType::LargeUtf8
                | DataType::Utf8View
                | DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
        );
        let (fits, wanted) = match self {
            Holds::Name => (is_text || found.is_integer(), "string, binary or integer"),
            Holds::Text => (is_text, "string or binary"),
            Holds::Integer => (*found == DataType::Int64, "int64"),
            Holds::Flag => (*found == DataType::Boolean, "bool"),
        };
        (!fits).then_some(wanted)
    }
}

/// Other columns than these are passed over.
pub(super) fn check_columns(schema: &Schema, column: &str) -> Result<(), String> {
    if schema.field_with_name(column).is_err() {
        let names = || schema.fields().iter().map(|field| field.name().as_str());
        if has_own_columns(names()) {
            return Err(OWN_TABLE.to_owned());
        }
        let names = names().collect::<Vec<_>>().join(", ");
        return Err(format!(
            "there is no column {column}, only {names}: --column says which one has the records, where it is not sgf"
        ));
    }
    let read = HOLDS.into_iter().filter(|(name, _)| *name != column && is_read(name, column));
    for (name, holds) in read.chain([(column, Holds::Text)]) {
        let Ok(field) = schema.field_with_name(name) else { continue };
        if let Some(wanted) = holds.wanted(field.data_type()) {
            return Err(format!("column {name} is {}, wanted is {wanted}", field.data_type()));
        }
    }
    Ok(())
}

/// What the row is called, if it says so.
fn identifier(rows: &RecordBatch, index: usize) -> Option<String> {
    let column = rows.column_by_name("id").filter(|column| column.is_valid(index))?;
    Some(match column.data_type() {
        DataType::Int8 => column.as_primitive::<Int8Type>().value(index).to_string(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(index).to_string(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(index).to_string(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(index).to_string(),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(index).to_string(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(index).to_string(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(index).to_string(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(index).to_string(),
        _ => String::from_utf8_lossy(cell(rows, "id", index)?).into_owned(),
    })
}

/// The text of a cell, if it has one.
fn cell<'a>(rows: &'a RecordBatch, name: &str, index: usize) -> Option<&'a [u8]> {
    let column = rows.column_by_name(name).filter(|column| column.is_valid(index))?;
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(index).as_bytes(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(index).as_bytes(),
        DataType::Utf8View => column.as_string_view().value(index).as_bytes(),
        DataType::Binary => column.as_binary::<i32>().value(index),
        DataType::LargeBinary => column.as_binary::<i64>().value(index),
        DataType::BinaryView => column.as_binary_view().value(index),
        // The columns were checked when the stream began.
        _ => return None,
    })
}

fn integer(rows: &RecordBatch, name: &str, index: usize) -> Result<Option<u64>, String> {
    let Some(column) = rows.column_by_name(name).filter(|column| column.is_valid(index)) else { return Ok(None) };
    let number = column.as_primitive::<Int64Type>().value(index);
    u64::try_from(number).map(Some).map_err(|_| format!("{name} is {number}"))
}

fn flag(rows: &RecordBatch, name: &str, index: usize) -> Option<bool> {
    let column = rows.column_by_name(name).filter(|column| column.is_valid(index))?;
    Some(column.as_boolean().value(index))
}

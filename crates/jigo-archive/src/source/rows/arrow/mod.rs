//! Rows of records from Arrow IPC streams, files and other sources of record batches.
//!
//! A batch is divided into slices that share its memory, so that several threads can process a
//! large batch. An undecodable batch affects only its own rows. The stream ends when the length of
//! the next message is unknown.

mod batch_columns;
mod messages;

use std::fs::File;
use std::io::{Cursor, Read};
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_schema::ArrowError;

use super::row::{RecordRow, RowKey};
use super::row_columns::{RowColumns, is_read_column};
use crate::source::budget::quota::{Quota, packed_counter};
use crate::source::catch_panic::catch_panic;
use batch_columns::{BatchColumns, check_columns};
pub(crate) use batch_columns::{check_names, identifier};
use jigo_record::sgf::Limits;
use messages::{CheckedMessages, RejectedBatch};

/// A reader for the rows of a stream.
pub struct ArrowRows {
    stream: Option<Box<dyn RecordBatchReader + Send>>,
    /// Counts input and output bytes. `None` for batches that are already in memory.
    quota: Option<Arc<Quota>>,
    /// The current batch, and the number of its rows already returned.
    batch: Option<(RecordBatch, usize)>,
    /// The number of rows and batches so far.
    rows: u64,
    batches: u64,
    /// The columns with the texts and their identifiers.
    record: String,
    id: String,
}

/// The minimum size of a row in bytes: the offset of its text's end. Without this minimum, the
/// number of rows without text would have no limit.
const MIN_ROW_BYTES: usize = 8;

/// Some rows of a stream.
pub struct RowSlice {
    rows: RecordBatch,
    /// The number of the first row in the stream, from 1.
    pub first: u64,
    /// The number of bytes of text in the rows.
    pub bytes: u64,
}

impl ArrowRows {
    /// Begins to read a stream or a file. A file is a stream between eight bytes and a list of its
    /// batches.
    ///
    /// # Errors
    /// Fails if the input is neither a stream nor a file, or has unsuitable columns.
    pub fn new(input: Box<dyn Read + Send>, limits: Limits, columns: RowColumns<'_>) -> Result<ArrowRows, String> {
        let quota = Arc::new(Quota::new(limits, 0));
        let mut input = packed_counter(input, Arc::clone(&quota));
        let mut start = Vec::new();
        input.by_ref().take(8).read_to_end(&mut start).map_err(|error| error.to_string())?;
        let start = if start.starts_with(b"ARROW1") { Vec::new() } else { start };
        let messages = CheckedMessages::new(Cursor::new(start).chain(input), limits.memory);
        // A panic of the decoder also means damage.
        let stream = catch_panic(|| StreamReader::try_new(messages, None));
        let stream = stream.unwrap_or_else(|| Err(ArrowError::IpcError("the decoder failed".into())));
        let stream = stream.map_err(|error| format!("this is no Arrow IPC stream: {error}"))?;
        Ok(ArrowRows { quota: Some(quota), ..ArrowRows::from_batches(Box::new(stream), columns)? })
    }

    /// Opens Parquet.
    ///
    /// # Errors
    /// Fails if the file is not Parquet, has unsuitable columns, or needs more memory than allowed.
    pub fn from_parquet(file: File, limits: Limits, columns: RowColumns<'_>) -> Result<ArrowRows, String> {
        let length = file.metadata().map_err(|error| error.to_string())?.len();
        let quota = Arc::new(Quota::new(limits, length));
        let batches = super::parquet::read_batches(file, &quota.memory, |schema| {
            check_columns(schema, columns)?;
            Ok::<_, String>(|name: &str| is_read_column(name, columns))
        })?;
        Ok(ArrowRows { quota: Some(quota), ..ArrowRows::from_batches(batches, columns)? })
    }

    /// Opens a source of batches.
    ///
    /// # Errors
    /// Fails if the columns are unsuitable.
    pub fn from_batches(
        batches: Box<dyn RecordBatchReader + Send>,
        columns: RowColumns<'_>,
    ) -> Result<ArrowRows, String> {
        check_columns(&batches.schema(), columns)?;
        let (record, id) = (columns.record.to_owned(), columns.id.to_owned());
        Ok(ArrowRows { stream: Some(batches), quota: None, batch: None, rows: 0, batches: 0, record, id })
    }

    /// Returns the next rows, with about `target_bytes` bytes of text, or the error of an
    /// undecodable batch.
    pub fn slice(&mut self, target_bytes: u64) -> Option<Result<RowSlice, String>> {
        loop {
            if let Some((batch, returned)) = self.batch.take_if(|(batch, returned)| *returned < batch.num_rows()) {
                return Some(self.take_slice(batch, returned, target_bytes));
            }
            match self.next_batch()? {
                Ok(batch) => self.batch = Some((batch, 0)),
                Err(reason) => return Some(Err(reason)),
            }
        }
    }

    /// Takes the next rows from a batch.
    ///
    /// Cells may share their bytes, so a small file can contain very long texts. Returned bytes
    /// therefore count as unpacked bytes.
    fn take_slice(&mut self, batch: RecordBatch, returned: usize, target_bytes: u64) -> Result<RowSlice, String> {
        let columns = BatchColumns::new(&batch, RowColumns { record: &self.record, id: &self.id });
        let (mut count, mut bytes) = (0, 0);
        while returned + count < batch.num_rows() && bytes < target_bytes {
            bytes = bytes.saturating_add(columns.length(returned + count) as u64);
            count += 1;
        }
        if let Some(quota) = &self.quota
            && let Err(error) =
                quota.count_unpacked(usize::try_from(bytes).unwrap_or(usize::MAX).saturating_add(count * MIN_ROW_BYTES))
        {
            self.stream = None;
            return Err(format!("batch {}: {error}; what follows can't be read", self.batches));
        }
        let slice = RowSlice { rows: batch.slice(returned, count), first: self.rows + 1, bytes };
        self.rows += count as u64;
        self.batch = Some((batch, returned + count));
        Ok(slice)
    }

    fn next_batch(&mut self) -> Option<Result<RecordBatch, String>> {
        let stream = self.stream.as_mut()?;
        self.batches += 1;
        // The decoder validates its input. If it still panics, the earlier rows are not lost.
        let (reason, can_continue) = match catch_panic(|| stream.next()) {
            Some(None) => return None,
            Some(Some(Ok(batch))) => return Some(Ok(batch)),
            Some(Some(Err(error))) => (error.to_string(), !is_position_lost(&error)),
            None => ("the decoder failed".into(), false),
        };
        if !can_continue {
            self.stream = None;
        }
        let consequence = if can_continue { "" } else { "; what follows can't be read" };
        Some(Err(format!("batch {}: {reason}{consequence}", self.batches)))
    }
}

/// Returns true if the start of the next message is unknown after this error.
fn is_position_lost(error: &ArrowError) -> bool {
    match error {
        ArrowError::IoError(_, error) => !error.get_ref().is_some_and(|error| error.is::<RejectedBatch>()),
        ArrowError::ParseError(_)
        | ArrowError::MemoryError(_)
        | ArrowError::ParquetError(_)
        | ArrowError::ExternalError(_) => true,
        _ => false,
    }
}

impl RowSlice {
    /// Returns the keys of the rows that have one, with the rows' numbers in the stream, from 1.
    pub(crate) fn keys<'a>(&'a self, columns: RowColumns<'a>) -> impl Iterator<Item = (u64, RowKey)> + 'a {
        let columns = BatchColumns::new(&self.rows, columns);
        (0..self.rows.num_rows()).filter_map(move |index| Some((self.first + index as u64, columns.key(index)?)))
    }

    /// Returns the rows with their numbers in the stream, from 1. A row without an identifier or
    /// text becomes an error message.
    pub fn rows<'a>(&'a self, columns: RowColumns<'a>) -> impl Iterator<Item = (u64, Result<RecordRow, String>)> + 'a {
        let columns = BatchColumns::new(&self.rows, columns);
        (0..self.rows.num_rows()).map(move |index| {
            let number = self.first + index as u64;
            (number, columns.row(index).map_err(|reason| format!("row {number}: {reason}")))
        })
    }
}

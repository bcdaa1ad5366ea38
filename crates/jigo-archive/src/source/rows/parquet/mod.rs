//! Rows of records from Parquet, in batches that fit into a memory budget.
//!
//! The sizes in the footer and the page headers are checked against the budget before the decoder
//! sees them, because the parquet crate trusts them. No value is longer than its page, so the
//! largest page of each column limits the number of rows in a batch.

mod length_counts;
mod footer;
mod page_header;
mod pages;
mod thrift;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::Schema;
use jigo_record::sgf::Limits;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use crate::source::budget::memory_budget::MemoryBudget;
use crate::source::catch_panic::catch_panic;
use page_header::PageSizes;
use pages::FileRowGroups;

/// The maximum number of rows per batch.
const MAX_BATCH_ROWS: u64 = 1024;
/// The maximum length of a page header in bytes.
const PAGE_HEADER_BYTES: u64 = 1 << 20;

/// The error message after a panic in the decoder.
const DECODER_FAILED: &str = "this is no sound Parquet file: the decoder failed";

/// Reads a whole table, such as an index, with the default memory limit. Stop reading at the first
/// error.
///
/// # Errors
/// As [`read_batches`].
pub(crate) fn read_table<W: Fn(&str) -> bool, E: From<String>>(
    file: File,
    choose: impl FnOnce(&Schema) -> Result<W, E>,
) -> Result<impl Iterator<Item = Result<RecordBatch, String>>, E> {
    let memory = Arc::new(MemoryBudget::new(Limits::default().memory, None));
    let mut batches = read_batches(file, &memory, choose)?;
    Ok(std::iter::from_fn(move || match catch_panic(|| batches.next()) {
        Some(next) => next.map(|batch| batch.map_err(|error| error.to_string())),
        None => Some(Err(DECODER_FAILED.to_owned())),
    }))
}

/// Reads the batches of a file, with the columns that `choose` selects.
///
/// # Errors
/// Fails if the file is not Parquet, needs more than the available `memory`, or if `choose` fails.
pub(crate) fn read_batches<W: Fn(&str) -> bool, E: From<String>>(
    file: File,
    memory: &Arc<MemoryBudget>,
    choose: impl FnOnce(&Schema) -> Result<W, E>,
) -> Result<Box<dyn RecordBatchReader + Send>, E> {
    catch_panic(|| open_batches(file, memory, choose)).unwrap_or_else(|| Err(DECODER_FAILED.to_owned().into()))
}

fn open_batches<W: Fn(&str) -> bool, E: From<String>>(
    mut file: File,
    memory: &Arc<MemoryBudget>,
    choose: impl FnOnce(&Schema) -> Result<W, E>,
) -> Result<Box<dyn RecordBatchReader + Send>, E> {
    let damaged = |error: &dyn std::fmt::Display| format!("this is no sound Parquet file: {error}");
    footer::check(&mut file, memory.limit()).map_err(|error| damaged(&error))??;
    // Use the types of the Parquet schema. The Arrow schema in the metadata is only the wish of the
    // program that wrote the file.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let arrow_metadata = ArrowReaderMetadata::load(&file, options).map_err(|error| damaged(&error))?;
    let is_selected = choose(arrow_metadata.schema())?;
    let columns = arrow_metadata.parquet_schema().columns();
    let column_indices: Vec<usize> = (0..columns.len())
        .filter(|index| matches!(columns[*index].path().parts(), [name] if is_selected(name)))
        .collect();
    let metadata = Arc::clone(arrow_metadata.metadata());
    let largest =
        largest_pages(&file, &metadata, &column_indices, memory.limit()).map_err(|error| damaged(&error))??;
    let mask = ProjectionMask::leaves(arrow_metadata.parquet_schema(), column_indices);
    let levels =
        parquet_to_arrow_field_levels(arrow_metadata.parquet_schema(), mask, None).map_err(|error| damaged(&error))?;
    let rows = (memory.limit() / largest.max(1)).clamp(1, MAX_BATCH_ROWS);
    let groups = FileRowGroups { file: Arc::new(file), metadata, largest, memory: Arc::clone(memory) };
    let reader = ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, rows as usize, None);
    Ok(Box::new(reader.map_err(|error| damaged(&error))?))
}

/// Returns the unpacked size of the largest page and the largest dictionary of each wanted column,
/// added up.
///
/// # Errors
/// Fails if columns overlap, exceed the file, or are damaged. The inner error describes pages that
/// exceed the budget.
fn largest_pages(
    file: &File,
    metadata: &ParquetMetaData,
    column_indices: &[usize],
    memory: u64,
) -> io::Result<Result<u64, String>> {
    let length = file.metadata()?.len();
    let mut file = BufReader::new(file);
    let (mut largest, mut bytes) = (vec![[0; 2]; column_indices.len()], 0_u64);
    for group in metadata.row_groups() {
        for (index, largest) in column_indices.iter().zip(&mut largest) {
            let Some(column) = group.columns().get(*index) else { continue };
            let (start, size) = column.byte_range();
            bytes = bytes.saturating_add(size);
            let Some(end) = start.checked_add(size).filter(|end| *end <= length) else {
                return Err(io::Error::other("a column reaches beyond the end of the file"));
            };
            // Without this limit, a short file could have any number of pages.
            if bytes > length {
                return Err(io::Error::other("its columns overlap"));
            }
            if let Err(error) = update_largest(&mut file, start..end, column, largest, memory)? {
                return Ok(Err(error));
            }
        }
    }
    let total = largest.into_iter().flatten().fold(0, u64::saturating_add);
    Ok(if total > memory {
        Err(format!("the pages of its columns take {total} bytes of memory, more than --max memory={memory}"))
    } else {
        Ok(total)
    })
}

/// Updates the largest page and the largest dictionary with those of a column in a row group.
fn update_largest(
    file: &mut BufReader<&File>,
    range: Range<u64>,
    column: &ColumnChunkMetaData,
    largest: &mut [u64; 2],
    memory: u64,
) -> io::Result<Result<(), String>> {
    // The decoder allocates memory for a value of fixed length before it reads the value.
    let value_length = u64::try_from(column.column_descr().type_length()).unwrap_or(0);
    let mut offset = range.start;
    while offset < range.end {
        file.seek(SeekFrom::Start(offset))?;
        let page = PageSizes::read(file.by_ref(), PAGE_HEADER_BYTES.min(range.end - offset))?;
        let needed = page.memory().max(value_length);
        if needed > memory {
            let path = column.column_path();
            return Ok(Err(format!(
                "a page of column {path} unpacks to {needed} bytes, more than --max memory={memory}"
            )));
        }
        let kind = usize::from(page.dictionary.is_some());
        largest[kind] = largest[kind].max(needed);
        if page.packed > range.end - offset {
            return Err(io::Error::other("a page reaches beyond its column"));
        }
        offset = offset.saturating_add(page.header).saturating_add(page.packed);
    }
    Ok(Ok(()))
}

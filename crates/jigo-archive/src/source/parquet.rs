//! Rows of records from Parquet, in batches that a budget of memory has room for.
//!
//! What the headers of pages state is held against the budget before anything is unpacked; how many rows come at once follows from the largest page, which no value
//! is longer than.

mod page_header;
mod pages;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::Schema;
use jigo_core::sgf::Limits;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::archive::memory::Memory;
use super::guarded::guarded;
use page_header::Page;
use pages::Groups;

/// Rows of a batch, at most.
const MOST_ROWS: u64 = 1024;
/// What the description of columns and pages takes in memory, for a byte of the file.
const FOOTER_TIMES: u64 = 16;
/// Bytes of the header of a page, at most.
const PAGE_HEADER_BYTES: u64 = 1 << 20;

/// What is said of what the decoder does not foresee.
const FAILED: &str = "this is no sound Parquet file: the decoder failed";

/// The batches of a table that is read at once, as an index is: see [`batches`]. Whoever meets an error reads no further.
///
/// # Errors
/// As there.
pub(crate) fn table<W: Fn(&str) -> bool, E: From<String>>(
    file: File,
    choose: impl FnOnce(&Schema) -> Result<W, E>,
) -> Result<impl Iterator<Item = Result<RecordBatch, String>>, E> {
    let memory = Arc::new(Memory::new(Limits::default().memory, None));
    let mut batches = batches(file, &memory, choose)?;
    Ok(std::iter::from_fn(move || match guarded(|| batches.next()) {
        Some(next) => next.map(|batch| batch.map_err(|error| error.to_string())),
        None => Some(Err(FAILED.to_owned())),
    }))
}

/// The batches of a file, with the columns that `choose` wants.
///
/// # Errors
/// A sentence: it is no Parquet, wants more than there is of `memory`; or what `choose` says.
pub(super) fn batches<W: Fn(&str) -> bool, E: From<String>>(
    file: File,
    memory: &Arc<Memory>,
    choose: impl FnOnce(&Schema) -> Result<W, E>,
) -> Result<Box<dyn RecordBatchReader + Send>, E> {
    guarded(|| begin(file, memory, choose)).unwrap_or_else(|| Err(FAILED.to_owned().into()))
}

fn begin<W: Fn(&str) -> bool, E: From<String>>(
    mut file: File,
    memory: &Arc<Memory>,
    choose: impl FnOnce(&Schema) -> Result<W, E>,
) -> Result<Box<dyn RecordBatchReader + Send>, E> {
    let damaged = |error: &dyn std::fmt::Display| format!("this is no sound Parquet file: {error}");
    check_footer(&mut file, memory.limit()).map_err(|error| damaged(&error))??;
    // The types are Parquet's own: those that a program wished for are its affair.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let described = ArrowReaderMetadata::load(&file, options).map_err(|error| damaged(&error))?;
    let is_wanted = choose(described.schema())?;
    let columns = described.parquet_schema().columns();
    let wanted: Vec<usize> = (0..columns.len())
        .filter(|index| matches!(columns[*index].path().parts(), [name] if is_wanted(name)))
        .collect();
    let metadata = Arc::clone(described.metadata());
    let largest = largest_page(&file, &metadata, &wanted, memory.limit()).map_err(|error| damaged(&error))??;
    let mask = ProjectionMask::leaves(described.parquet_schema(), wanted);
    let levels =
        parquet_to_arrow_field_levels(described.parquet_schema(), mask, None).map_err(|error| damaged(&error))?;
    let rows = (memory.limit() / largest.max(1)).clamp(1, MOST_ROWS);
    let groups = Groups { file: Arc::new(file), metadata, largest, memory: Arc::clone(memory) };
    let reader = ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, rows as usize, None);
    Ok(Box::new(reader.map_err(|error| damaged(&error))?))
}

/// Whether what describes the file, which is read as a whole, fits into the budget.
fn check_footer(file: &mut File, memory: u64) -> io::Result<Result<(), String>> {
    let mut tail = [0; 8];
    let end = file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut tail)?;
    file.rewind()?;
    let length = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    if length > end {
        return Err(io::Error::other("its end is not there"));
    }
    Ok(if length.saturating_mul(FOOTER_TIMES) > memory {
        Err(format!("its description of {length} bytes takes more than --max-memory: write it with fewer row groups"))
    } else {
        Ok(())
    })
}

/// The largest page of the wanted columns, unpacked; an error where it is larger than the budget.
fn largest_page(
    file: &File,
    metadata: &ParquetMetaData,
    wanted: &[usize],
    memory: u64,
) -> io::Result<Result<u64, String>> {
    let length = file.metadata()?.len();
    let mut file = BufReader::new(file);
    let mut largest = 0;
    for group in metadata.row_groups() {
        for column in wanted.iter().filter_map(|index| group.columns().get(*index)) {
            let Some((start, end)) = extent(column).filter(|(_, end)| *end <= length) else {
                return Err(io::Error::other("a column reaches beyond the end of the file"));
            };
            let mut at = start;
            while at < end {
                file.seek(SeekFrom::Start(at))?;
                let page = Page::read(file.by_ref().take(PAGE_HEADER_BYTES.min(end - at)))?;
                if page.unpacked > memory {
                    let path = column.column_path();
                    return Ok(Err(format!(
                        "a page of column {path} unpacks to {} bytes, more than --max-memory {memory}",
                        page.unpacked
                    )));
                }
                largest = largest.max(page.unpacked);
                if page.packed > end - at {
                    return Err(io::Error::other("a page reaches beyond its column"));
                }
                at = at.saturating_add(page.header).saturating_add(page.packed);
            }
        }
    }
    Ok(Ok(largest))
}

/// Where a column of a row group begins and ends in its file.
fn extent(column: &ColumnChunkMetaData) -> Option<(u64, u64)> {
    let first =
        column.dictionary_page_offset().map_or(column.data_page_offset(), |at| at.min(column.data_page_offset()));
    let start = u64::try_from(first).ok()?;
    Some((start, start.checked_add(u64::try_from(column.compressed_size()).ok()?)?))
}

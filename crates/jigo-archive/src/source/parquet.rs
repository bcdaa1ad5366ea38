//! Rows of records from Parquet, in batches that fit into a memory budget.
//!
//! The page sizes in the headers are checked against the budget before any page is unpacked. No
//! value is longer than the largest page, so the size of this page limits the number of rows per
//! batch.

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

/// The maximum number of rows per batch.
const MOST_ROWS: u64 = 1024;
/// The memory that the metadata of columns and pages takes per byte of the footer.
const FOOTER_TIMES: u64 = 16;
/// The maximum length of a page header in bytes.
const PAGE_HEADER_BYTES: u64 = 1 << 20;

/// The error message after a panic in the decoder.
const FAILED: &str = "this is no sound Parquet file: the decoder failed";

/// Reads a whole table, such as an index, with the default memory limit. Stop reading at the first
/// error.
///
/// # Errors
/// As [`batches`].
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

/// Reads the batches of a file, with the columns that `choose` selects.
///
/// # Errors
/// Fails if the file is not Parquet, needs more than the available `memory`, or if `choose` fails.
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
    // Use the types of the Parquet schema. The Arrow schema in the metadata is only the wish of the
    // program that wrote the file.
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

/// Checks that the footer, which the decoder reads as a whole, fits into the budget.
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

/// Returns the unpacked size of the largest page in the selected columns. Fails if a page is larger
/// than the budget.
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

/// Returns the start and end of a column chunk in the file.
fn extent(column: &ColumnChunkMetaData) -> Option<(u64, u64)> {
    let first =
        column.dictionary_page_offset().map_or(column.data_page_offset(), |at| at.min(column.data_page_offset()));
    let start = u64::try_from(first).ok()?;
    Some((start, start.checked_add(u64::try_from(column.compressed_size()).ok()?)?))
}

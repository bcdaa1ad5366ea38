//! Decompression of Zstandard pages. The parquet crate decompresses all other pages.
//!
//! For Zstandard the crate needs a C library. This module decompresses such pages first and passes
//! them to the decoder as uncompressed pages.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Compression, CompressionCodec};
use parquet::column::page::{Page, PageIterator, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::length_counts::{CheckedPages, UnpackPage};
use crate::source::budget::memory_budget::MemoryBudget;
use crate::source::compression::zstd::ZstdFrames;

/// All row groups of a file.
pub(crate) struct FileRowGroups {
    pub file: Arc<File>,
    pub metadata: Arc<ParquetMetaData>,
    /// A limit on the unpacked size of a page in bytes: the largest pages and dictionaries of all
    /// columns together.
    pub largest: u64,
    pub memory: Arc<MemoryBudget>,
}

impl RowGroups for FileRowGroups {
    fn num_rows(&self) -> usize {
        let rows = self.metadata.row_groups().iter().map(|group| usize::try_from(group.num_rows()).unwrap_or(0));
        rows.fold(0, usize::saturating_add)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let FileRowGroups { file, metadata, largest, memory } = self;
        let (file, metadata, memory) = (Arc::clone(file), Arc::clone(metadata), Arc::clone(memory));
        Ok(Box::new(ColumnPages {
            groups: FileRowGroups { file, metadata, largest: *largest, memory },
            column,
            next: 0,
        }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The chunks of a column in all row groups.
struct ColumnPages {
    groups: FileRowGroups,
    column: usize,
    /// The index of the next row group.
    next: usize,
}

impl ColumnPages {
    fn pages(&self, group: &RowGroupMetaData) -> Result<Box<dyn PageReader>> {
        let missing = || ParquetError::General("a row group has fewer columns than the file".into());
        let column = group.columns().get(self.column).ok_or_else(missing)?;
        let rows = usize::try_from(group.num_rows())?;
        let file = Arc::clone(&self.groups.file);
        let (pages, unpack): (_, UnpackPage) = if column.compression_codec() == CompressionCodec::ZSTD {
            let uncompressed = column.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
            let zstd = ZstdPages { largest: self.groups.largest, memory: Arc::clone(&self.groups.memory) };
            (SerializedPageReader::new(file, &uncompressed, rows, None)?, Box::new(move |page| zstd.unpack(page)))
        } else {
            (SerializedPageReader::new(file, column, rows, None)?, Box::new(Ok))
        };
        let (column, memory) = (column.column_descr_ptr(), self.groups.memory.limit());
        Ok(Box::new(CheckedPages { pages, unpack, column, memory }))
    }
}

impl Iterator for ColumnPages {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.groups.metadata.row_groups().get(self.next)?;
        self.next += 1;
        Some(self.pages(group))
    }
}

impl PageIterator for ColumnPages {}

/// Pages compressed with Zstandard.
struct ZstdPages {
    largest: u64,
    memory: Arc<MemoryBudget>,
}

impl ZstdPages {
    fn unpack(&self, mut page: Page) -> Result<Page> {
        match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => *buf = self.bytes(buf, 0)?.into(),
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, is_compressed, .. } => {
                if *is_compressed {
                    let levels = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                    *buf = self.bytes(buf, levels)?.into();
                    *is_compressed = false;
                }
            }
        }
        Ok(page)
    }

    /// Decompresses a page. It starts with `levels` bytes that are not compressed.
    fn bytes(&self, page: &[u8], levels: u64) -> Result<Vec<u8>> {
        let error = |problem: &str| ParquetError::General(format!("a page of Zstandard {problem}"));
        let parts = usize::try_from(levels).ok().and_then(|levels| page.split_at_checked(levels));
        let (levels, packed) = parts.ok_or_else(|| error("is shorter than its levels"))?;
        let mut bytes = levels.to_vec();
        // A page without values may consist only of levels.
        if packed.is_empty() {
            return Ok(bytes);
        }
        let frames = ZstdFrames::new(packed, &self.memory)?;
        frames.take(self.largest + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > self.largest {
            return Err(error("is longer than its header says"));
        }
        Ok(bytes)
    }
}

//! Decompression of Zstandard pages. The parquet crate decompresses all other pages.
//!
//! For Zstandard the crate needs a C library. This module decompresses such pages first and passes
//! them to the decoder as uncompressed pages.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Compression, CompressionCodec};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::length_counts::CheckedPages;
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
        let pages = self.unpacked(column, rows)?;
        let (column, memory) = (column.column_descr_ptr(), self.groups.memory.limit());
        Ok(Box::new(CheckedPages { pages, column, memory }))
    }

    /// Returns the pages of a column in a row group.
    fn unpacked(&self, column: &ColumnChunkMetaData, rows: usize) -> Result<Box<dyn PageReader>> {
        let file = Arc::clone(&self.groups.file);
        if column.compression_codec() != CompressionCodec::ZSTD {
            return Ok(Box::new(SerializedPageReader::new(file, column, rows, None)?));
        }
        let uncompressed = column.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
        let packed = SerializedPageReader::new(file, &uncompressed, rows, None)?;
        Ok(Box::new(ZstdPages { packed, largest: self.groups.largest, memory: Arc::clone(&self.groups.memory) }))
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
    packed: SerializedPageReader<File>,
    largest: u64,
    memory: Arc<MemoryBudget>,
}

impl ZstdPages {
    fn unpack(&self, page: Page) -> Result<Page> {
        Ok(match page {
            Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, statistics } => {
                let buf = self.bytes(&buf, 0)?.into();
                Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, statistics }
            }
            Page::DictionaryPage { buf, num_values, encoding, is_sorted } => {
                Page::DictionaryPage { buf: self.bytes(&buf, 0)?.into(), num_values, encoding, is_sorted }
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                num_nulls,
                num_rows,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed: true,
                statistics,
            } => Page::DataPageV2 {
                buf: self.bytes(&buf, u64::from(def_levels_byte_len) + u64::from(rep_levels_byte_len))?.into(),
                num_values,
                encoding,
                num_nulls,
                num_rows,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed: false,
                statistics,
            },
            page @ Page::DataPageV2 { .. } => page,
        })
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

impl Iterator for ZstdPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for ZstdPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.packed.get_next_page()?;
        page.map(|page| self.unpack(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.packed.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.packed.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.packed.at_record_boundary()
    }
}

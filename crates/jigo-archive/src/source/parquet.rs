//! Rows of records from Parquet, in batches that a budget of memory has room for.
//!
//! What the headers of pages state is held against the budget before anything is unpacked; how many rows come at once follows from the largest page, which no value
//! is longer than.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use arrow_array::RecordBatchReader;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::arrow::check_columns;
use super::row::is_read;

/// Rows of a batch, at most.
const MOST_ROWS: u64 = 1024;
/// What the description of columns and pages takes in memory, for a byte of the file.
const FOOTER_TIMES: u64 = 16;
/// Bytes of the header of a page, at most.
const PAGE_HEADER_BYTES: u64 = 1 << 20;
/// How deep the fields of a page's header are nested, at most; by the format it is three.
const MOST_NESTED: u32 = 8;

/// The batches of a file, whose column `column` has the texts.
///
/// # Errors
/// A sentence: it is no Parquet, has other columns than are wanted, or wants more than `memory` bytes.
pub fn batches(mut file: File, memory: u64, column: &str) -> Result<Box<dyn RecordBatchReader + Send>, String> {
    let damaged = |error: &dyn std::fmt::Display| format!("this is no sound Parquet file: {error}");
    check_footer(&mut file, memory).map_err(|error| damaged(&error))??;
    let other = file.try_clone().map_err(|error| error.to_string())?;
    // The types are Parquet's own: those that a program wished for are its affair.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder =
        ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).map_err(|error| damaged(&error))?;
    check_columns(builder.schema(), column)?;
    let columns = builder.parquet_schema().columns();
    let wanted: Vec<usize> = (0..columns.len())
        .filter(|index| matches!(columns[*index].path().parts(), [name] if is_read(name, column)))
        .collect();
    let largest = largest_page(&other, builder.metadata(), &wanted, memory).map_err(|error| damaged(&error))??;
    let mask = ProjectionMask::leaves(builder.parquet_schema(), wanted);
    let rows = (memory / largest.max(1)).clamp(1, MOST_ROWS);
    let reader = builder.with_projection(mask).with_batch_size(rows as usize).build();
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

/// What the header of a page states.
#[derive(Debug, PartialEq, Eq)]
struct Page {
    /// Bytes of the header itself.
    header: u64,
    /// Bytes of the page in the file, and unpacked.
    packed: u64,
    unpacked: u64,
}

impl Page {
    /// Reads a header: a structure of Thrift's compact protocol, whose second and third field are the sizes.
    fn read(input: impl Read) -> io::Result<Page> {
        let mut header = Compact { input, bytes: 0 };
        let (mut packed, mut unpacked, mut field) = (None, None, 0);
        while let Some(kind) = header.field(&mut field)? {
            match field {
                2 if kind == 5 => unpacked = Some(header.number()?),
                3 if kind == 5 => packed = Some(header.number()?),
                _ => header.skip(kind, 0)?,
            }
        }
        let size = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        match (size(packed), size(unpacked)) {
            (Some(packed), Some(unpacked)) => Ok(Page { header: header.bytes, packed, unpacked }),
            _ => Err(io::Error::other("the header of a page has no sizes")),
        }
    }
}

/// Reads Thrift's compact protocol as far as headers of pages need it.
struct Compact<R> {
    input: R,
    /// Bytes read.
    bytes: u64,
}

impl<R: Read> Compact<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.bytes += 1;
        Ok(byte[0])
    }

    /// A number without sign, seven bits a byte.
    fn varint(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(io::Error::other("a number in the header of a page has no end"))
    }

    /// A number whose lowest bit is its sign.
    fn number(&mut self) -> io::Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The type of the next field, whose number goes into `field`; `None` at the end of the structure.
    fn field(&mut self, field: &mut i64) -> io::Result<Option<u8>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        *field = match byte >> 4 {
            0 => self.number()?,
            more => field.saturating_add(i64::from(more)),
        };
        Ok(Some(byte & 0x0F))
    }

    fn pass(&mut self, count: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.input.by_ref().take(count), &mut io::sink())?;
        self.bytes += passed;
        if passed == count { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Passes over a value of a type.
    fn skip(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        if depth > MOST_NESTED {
            return Err(io::Error::other("the header of a page is nested too deep"));
        }
        match kind {
            // As a field, a truth value is its type.
            1 | 2 => Ok(()),
            3 => self.pass(1),
            4..=6 => self.varint().map(drop),
            7 => self.pass(8),
            8 => {
                let length = self.varint()?;
                self.pass(length)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                match head & 0x0F {
                    // In a list, it takes a byte.
                    1 | 2 => self.pass(count),
                    kind => (0..count).try_for_each(|_| self.skip(kind, depth + 1)),
                }
            }
            12 => {
                let mut field = 0;
                while let Some(kind) = self.field(&mut field)? {
                    self.skip(kind, depth + 1)?;
                }
                Ok(())
            }
            _ => Err(io::Error::other("the header of a page has a field of no known type")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_a_page_is_read_with_whatever_stands_behind_its_sizes() {
        // Type 0, unpacked 300, packed 5, no checksum, then a structure of a number, a text, a list of truth values and an empty structure.
        let header = [
            0x15, 0x00, 0x15, 0xD8, 0x04, 0x15, 0x0A, 0x2C, 0x15, 0x02, 0x18, 0x03, b'a', b'b', b'c', 0x19, 0x21, 1, 2,
            0x1C, 0x00, 0x00, 0x00,
        ];
        let expected = Page { header: header.len() as u64, packed: 5, unpacked: 300 };
        assert_eq!(Page::read([header.as_slice(), b"rest"].concat().as_slice()).unwrap(), expected);
        for length in 0..header.len() {
            assert!(Page::read(&header[..length]).is_err(), "{length}");
        }
        assert!(Page::read([0x15, 0x01, 0x15, 0x01, 0x15, 0x01, 0x00].as_slice()).is_err(), "sizes below zero");
        assert!(Page::read([0x1C; 100].as_slice()).is_err(), "structures in structures");
        assert!(
            Page::read([0x19, 0xF8, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F].as_slice()).is_err(),
            "a list without its members"
        );
    }
}

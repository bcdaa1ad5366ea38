//! Counts within pages. The decoder allocates memory for them before it reads any value.
//!
//! The DELTA encodings of texts begin with the lengths of all values of a page. The decoder
//! allocates memory for the number of lengths that the page declares.

use std::fs::File;

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescPtr;

use super::thrift::ThriftReader;

/// The memory that the decoder needs for a length, in bytes.
const LENGTH_BYTES: u64 = 4;

/// Pages whose counts fit into the budget.
pub(crate) struct CheckedPages {
    pub pages: SerializedPageReader<File>,
    pub unpack: UnpackPage,
    pub column: ColumnDescPtr,
    /// The budget in bytes.
    pub memory: u64,
}

/// Unpacks a page that the reader leaves packed.
pub(crate) type UnpackPage = Box<dyn Fn(Page) -> Result<Page> + Send>;

fn damaged(part: &str) -> ParquetError {
    ParquetError::General(part.to_owned())
}

impl CheckedPages {
    fn check(&self, page: &Page) -> Result<()> {
        let encoding = page.encoding();
        if !matches!(encoding, Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) {
            return Ok(());
        }
        let lengths = self.values(page)?;
        let max_values = u64::from(page.num_values());
        let rest = self.check_lengths(lengths, max_values)?;
        if encoding == Encoding::DELTA_BYTE_ARRAY {
            self.check_lengths(rest, max_values)?;
        }
        Ok(())
    }

    /// Checks the number of lengths in a page, and returns the bytes after them.
    fn check_lengths<'p>(&self, page: &'p [u8], max_values: u64) -> Result<&'p [u8]> {
        let (count, rest) = skip_delta(page).ok_or_else(|| damaged("the lengths of a page are damaged"))?;
        let bytes = count.saturating_mul(LENGTH_BYTES);
        if count > max_values {
            return Err(damaged(&format!("a page has {count} lengths for {max_values} values")));
        }
        if bytes > self.memory {
            let subject = format!("the lengths of a page take {bytes} bytes of memory");
            return Err(damaged(&format!("{subject}, more than --max memory={}", self.memory)));
        }
        Ok(rest)
    }

    /// Returns the values of a page, which follow the levels, as the decoder finds them.
    fn values<'p>(&self, page: &'p Page) -> Result<&'p [u8]> {
        let bytes = page.buffer().as_ref();
        let values = match page {
            Page::DataPage { num_values, def_level_encoding, rep_level_encoding, .. } => {
                let (rep, def) = (self.column.max_rep_level(), self.column.max_def_level());
                let rest = skip_levels(bytes, rep, *rep_level_encoding, *num_values);
                rest.and_then(|rest| skip_levels(rest, def, *def_level_encoding, *num_values))
            }
            Page::DataPageV2 { rep_levels_byte_len, def_levels_byte_len, .. } => {
                let levels = u64::from(*rep_levels_byte_len) + u64::from(*def_levels_byte_len);
                usize::try_from(levels).ok().and_then(|levels| bytes.get(levels..))
            }
            Page::DictionaryPage { .. } => Some(bytes),
        };
        values.ok_or_else(|| damaged("a page is shorter than its levels"))
    }
}

/// Returns the bytes after the levels of a page of version 1.
fn skip_levels(bytes: &[u8], max_level: i16, encoding: Encoding, count: u32) -> Option<&[u8]> {
    if max_level == 0 {
        return Some(bytes);
    }
    if encoding == Encoding::RLE {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        return rest.get(usize::try_from(i32::from_le_bytes(*length)).ok()?..);
    }
    let width = u64::from(i16::BITS - max_level.leading_zeros());
    bytes.get(usize::try_from((u64::from(count) * width).div_ceil(8)).ok()?..)
}

/// Returns the number of values in a DELTA encoding, and the bytes after it.
///
/// A block consists of its minimum difference, the widths of its parts in bits, and the parts.
/// Parts after the last number may be missing.
fn skip_delta(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (block, bytes) = parse_number(bytes)?;
    let (parts, bytes) = parse_number(bytes)?;
    let (count, bytes) = parse_number(bytes)?;
    let (_, mut bytes) = parse_number(bytes)?;
    let per_part = block.checked_div(parts).filter(|numbers| *numbers > 0 && numbers.is_multiple_of(32))?;
    let mut remaining = count.saturating_sub(1);
    while remaining > 0 {
        let (_, rest) = parse_number(bytes)?;
        let (widths, rest) = rest.split_at_checked(usize::try_from(parts).ok()?)?;
        let mut length = 0_u64;
        for width in widths {
            let part = if remaining > 0 { u64::from(*width).saturating_mul(per_part / 8) } else { 0 };
            length = length.saturating_add(part);
            remaining = remaining.saturating_sub(per_part);
        }
        // The last part may end with its last number.
        let end = usize::try_from(length).ok()?;
        bytes = rest.get(end..).or_else(|| (remaining == 0).then_some(&[][..]))?;
    }
    Some((count, bytes))
}

/// Returns a number with seven bits per byte, and the bytes after it.
fn parse_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut reader = ThriftReader::new(bytes, bytes.len() as u64);
    Some((reader.read_varint().ok()?, &bytes[reader.bytes_read as usize..]))
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?.map(&self.unpack).transpose()?;
        page.as_ref().map_or(Ok(()), |page| self.check(page))?;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delta_text_is_skipped_to_its_last_block() {
        // Blocks of 128 numbers in 4 parts; 3 numbers, the first is 0; minimum difference 0; widths
        // 8, 0, 0, and one of a missing part.
        let short = [&[0x80, 1, 4, 3, 0, 0, 8, 0, 0, 99][..], &[7; 32], b"rest"].concat();
        assert_eq!(skip_delta(&short), Some((3, &b"rest"[..])));
        // 2^31 equal numbers take a block for each 128 of them.
        let endless = [&[0x80, 1, 4, 0x80, 0x80, 0x80, 0x80, 8, 0][..], &[0; 500]].concat();
        assert_eq!(skip_delta(&endless), None);
        // One block for all.
        let block = [0x80, 0x80, 0x80, 0x80, 8, 1, 0x80, 0x80, 0x80, 0x80, 8, 0, 0, 0];
        assert_eq!(skip_delta(&block), Some((1 << 31, &[][..])));
        for damaged in [&[][..], &[0x80, 1, 0, 3, 0], &[0x80, 1, 128, 3, 0], &[0xFF; 30]] {
            assert_eq!(skip_delta(damaged), None, "{damaged:?}");
        }
    }

    #[test]
    fn levels_are_skipped_in_both_encodings() {
        assert_eq!(skip_levels(b"rest", 0, Encoding::RLE, 9), Some(&b"rest"[..]));
        assert_eq!(skip_levels(b"\x02\0\0\0xxrest", 1, Encoding::RLE, 9), Some(&b"rest"[..]));
        #[expect(deprecated)]
        let packed = Encoding::BIT_PACKED;
        assert_eq!(skip_levels(b"xxxrest", 3, packed, 9), Some(&b"rest"[..]));
        assert_eq!(skip_levels(b"\xFF\xFF\xFF\xFFrest", 1, Encoding::RLE, 9), None);
    }
}

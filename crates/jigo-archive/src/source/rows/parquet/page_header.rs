//! Page headers: the sizes and counts for which the decoder allocates memory.
//!
//! The decoder trusts them: it allocates the declared size of an unpacked page before it unpacks
//! anything.

use std::io::{self, Read};

use super::thrift::{ThriftReader, ThriftStruct, ThriftType, ThriftValue, thrift_structs};

/// Bytes that the decoder needs for a dictionary value, in addition to its text.
const DICTIONARY_VALUE_BYTES: u64 = 16;

// The fields of a page header that the decoder reads. It skips statistics.
thrift_structs! {
    PAGE_HEADER "PageHeader" {
        1: Number, 2: Number, 3: Number, 4: Number, 5: {DATA_PAGE}, 6: {INDEX_PAGE},
        7: {DICTIONARY_PAGE}, 8: {DATA_PAGE_V2},
    }
    DATA_PAGE "DataPageHeader" { 1: Number, 2: Number, 3: Number, 4: Number }
    INDEX_PAGE "IndexPageHeader" {}
    DICTIONARY_PAGE "DictionaryPageHeader" { 1: Number, 2: Number, 3: Flag }
    DATA_PAGE_V2 "DataPageHeaderV2" {
        1: Number, 2: Number, 3: Number, 4: Number, 5: Number, 6: Number, 7: Flag,
    }
}

/// The sizes in a page header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PageSizes {
    /// The length of the header itself in bytes.
    pub header: u64,
    /// The packed and unpacked length of the page in bytes.
    pub packed: u64,
    pub unpacked: u64,
    /// The number of values, if the page is a dictionary.
    pub dictionary: Option<u64>,
}

impl PageSizes {
    /// Reads a header from `input`, which has at most `length` bytes.
    ///
    /// # Errors
    /// Fails if the header is damaged, or if a dictionary has more values than its page has bytes.
    pub(crate) fn read(input: impl Read, length: u64) -> io::Result<PageSizes> {
        let mut header = ThriftReader::new(input.take(length), length);
        let (mut packed, mut unpacked, mut dictionary) = (None, None, None);
        header.walk(&PAGE_HEADER, &mut |value| match value {
            ThriftValue::Number("PageHeader", 2, number) => unpacked = Some(number),
            ThriftValue::Number("PageHeader", 3, number) => packed = Some(number),
            ThriftValue::Number("DictionaryPageHeader", 1, number) => dictionary = Some(number),
            _ => {}
        })?;
        let size = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        let (Some(packed), Some(unpacked)) = (size(packed), size(unpacked)) else {
            return Err(io::Error::other("the header of a page has no sizes"));
        };
        // A value takes four bytes, or the number of bytes of its type.
        if dictionary.is_some_and(|count| size(Some(count)).is_none_or(|count| count > unpacked)) {
            return Err(io::Error::other("a dictionary has more values than its page has bytes"));
        }
        Ok(PageSizes { header: header.bytes_read, packed, unpacked, dictionary: size(dictionary) })
    }

    /// Returns the memory that the decoder needs for the page, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.unpacked.saturating_add(self.dictionary.unwrap_or(0).saturating_mul(DICTIONARY_VALUE_BYTES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &[u8]) -> io::Result<PageSizes> {
        PageSizes::read(header, 1 << 20)
    }

    #[test]
    fn page_header_parses_with_any_fields_after_the_sizes() {
        // Type 0, unpacked 300, packed 5, no checksum; then a struct with a number, a text, a list
        // of booleans and an empty struct.
        let header = [
            0x15, 0x00, 0x15, 0xD8, 0x04, 0x15, 0x0A, 0xAC, 0x15, 0x02, 0x18, 0x03, b'a', b'b', b'c', 0x19, 0x23, 1, 2,
            0x1C, 0x00, 0x00, 0x00,
        ];
        let expected = PageSizes { header: header.len() as u64, packed: 5, unpacked: 300, dictionary: None };
        assert_eq!(read(&[header.as_slice(), b"rest"].concat()).unwrap(), expected);
        for length in 0..header.len() {
            assert!(read(&header[..length]).is_err(), "{length}");
        }
        assert!(read(&[0x15, 0x01, 0x15, 0x01, 0x15, 0x01, 0x00]).is_err(), "sizes below zero");
        assert!(read(&[0x1C; 100]).is_err(), "structures in structures");
        assert!(read(&[0x19, 0xF8, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]).is_err(), "a list without its members");
    }

    #[test]
    fn dictionary_count_is_limited_by_its_page() {
        // Type 2, unpacked 100, packed 100, then a dictionary's header with its count and encoding.
        let header =
            |count: &[u8]| [&[0x15, 4, 0x15, 0xC8, 1, 0x15, 0xC8, 1, 0x4C, 0x15], count, &[0x15, 0, 0, 0]].concat();
        assert_eq!(read(&header(&[20])).unwrap().dictionary, Some(10));
        assert_eq!(read(&header(&[20])).unwrap().memory(), 260);
        for refused in [&[0xFE, 0xFF, 0xFF, 0xFF, 0x0F][..], &[0xCA, 1], &[1]] {
            assert!(read(&header(refused)).is_err(), "{refused:?}");
        }
    }

    #[test]
    fn field_of_another_type_than_the_decoder_reads_is_refused() {
        // The decoder reads the number 5 from a field that says it is a list.
        assert!(read(&[0x15, 0, 0x19, 0x15, 10, 0x15, 10, 0]).is_err());
        // A list of truth values. The decoder skips none of its bytes.
        assert!(read(&[0x15, 0, 0x15, 10, 0x15, 10, 0x79, 0x21, 1, 2, 0]).is_err());
    }
}

//! Page headers, parsed only for their sizes.

use std::io::{self, Read};

/// The maximum nesting in a page header. The format itself has three levels.
const MOST_NESTED: u32 = 8;

/// The sizes in a page header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// The length of the header itself in bytes.
    pub header: u64,
    /// The packed and unpacked length of the page in bytes.
    pub packed: u64,
    pub unpacked: u64,
}

impl Page {
    /// Parses a header: a struct in Thrift's compact protocol, whose fields 2 and 3 are the sizes.
    pub(super) fn read(input: impl Read) -> io::Result<Page> {
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

/// A parser for the part of Thrift's compact protocol that page headers use.
struct Compact<R> {
    input: R,
    /// The number of bytes read.
    bytes: u64,
}

impl<R: Read> Compact<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.bytes += 1;
        Ok(byte[0])
    }

    /// Parses an unsigned number with seven bits per byte.
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

    /// Parses a signed number, whose lowest bit is the sign.
    fn number(&mut self) -> io::Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Returns the type of the next field and stores its number in `field`; `None` at the end of
    /// the struct.
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

    /// Skips a value of a type.
    fn skip(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        if depth > MOST_NESTED {
            return Err(io::Error::other("the header of a page is nested too deep"));
        }
        match kind {
            // The type of a boolean field contains its value.
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
                    // A boolean in a list takes one byte.
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
        // Type 0, unpacked 300, packed 5, no checksum; then a struct with a number, a text, a list
        // of booleans and an empty struct.
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

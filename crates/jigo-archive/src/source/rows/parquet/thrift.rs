//! Walks Thrift's compact protocol, the form of Parquet's footer and page headers.
//!
//! The decoder's own reader is private, and it allocates the declared length of a text.
//!
//! The decoder identifies a field by its number and ignores the type in the file. A field of
//! another type would therefore give the decoder other numbers than the walk. So a table lists each
//! field that the decoder reads, with its type, and the walk rejects a file that deviates. The walk
//! skips the same fields as the decoder, in the same way.

use std::io::{self, Read};

/// The maximum nesting depth of unlisted fields. The format itself nests them twice.
const MAX_NESTING: u32 = 8;
/// The maximum number of a field. The decoder stores it in 16 bits.
const MAX_FIELD: i64 = i16::MAX as i64;

/// The type of a value.
pub(crate) enum ThriftType {
    /// A truth value. The type of its field contains it.
    Flag,
    /// A number of one byte.
    Byte,
    /// A number of any length.
    Number,
    /// A number with a fraction, of eight bytes.
    Double,
    /// A text or other bytes.
    Bytes,
    List(&'static ThriftType),
    Struct(&'static ThriftStruct),
}

/// A structure: its name, and the fields that the decoder reads.
pub(crate) struct ThriftStruct {
    pub name: &'static str,
    pub fields: &'static [(i64, ThriftType)],
}

/// Declares structures as parquet.thrift does: `CONSTANT "Name" { 1: Number, 2: [Bytes] }`. Brackets
/// enclose the type of a list's elements, and braces the constant of another structure.
macro_rules! thrift_structs {
    ($($constant:ident $name:literal { $($field:literal: $kind:tt),* $(,)? })*) => {
        $(const $constant: ThriftStruct = ThriftStruct {
            name: $name,
            fields: &[$(($field, $crate::source::rows::parquet::thrift::thrift_type!($kind))),*],
        };)*
    };
}
macro_rules! thrift_type {
    ([$element:tt]) => {
        ThriftType::List(&$crate::source::rows::parquet::thrift::thrift_type!($element))
    };
    ({$constant:ident}) => {
        ThriftType::Struct(&$constant)
    };
    ($kind:ident) => {
        ThriftType::$kind
    };
}
pub(super) use {thrift_structs, thrift_type};

/// A value in the file, in the order of the file.
#[derive(Clone, Copy)]
pub(crate) enum ThriftValue {
    /// A structure of this name begins.
    StructStart(&'static str),
    /// A number in the field of a structure.
    Number(&'static str, i64, i64),
    /// The number of bytes in the field of a structure.
    Bytes(&'static str, i64, u64),
}

/// Reads the compact protocol.
pub(crate) struct ThriftReader<R> {
    input: R,
    /// The length of the input in bytes.
    length: u64,
    /// The number of bytes read so far.
    pub bytes_read: u64,
}

impl<R: Read> ThriftReader<R> {
    /// Returns a reader of `input`, which has at most `length` bytes.
    pub(crate) fn new(input: R, length: u64) -> ThriftReader<R> {
        ThriftReader { input, length, bytes_read: 0 }
    }

    /// Reads a structure and passes its values to `visit`.
    ///
    /// # Errors
    /// Fails if a field does not have the type that the format requires, or if a count or a length
    /// exceeds the rest of the input.
    pub(crate) fn walk(
        &mut self,
        struct_type: &'static ThriftStruct,
        visit: &mut impl FnMut(ThriftValue),
    ) -> io::Result<()> {
        visit(ThriftValue::StructStart(struct_type.name));
        let mut field = 0;
        while let Some(wire) = self.read_field_type(&mut field)? {
            match struct_type.fields.iter().find(|(number, _)| *number == field) {
                Some((_, kind)) => self.walk_value(kind, wire, struct_type.name, field, visit)?,
                None => self.skip(wire, 0)?,
            }
        }
        Ok(())
    }

    /// Reads a value that has the type `wire` in the file.
    fn walk_value(
        &mut self,
        kind: &'static ThriftType,
        wire: u8,
        name: &'static str,
        field: i64,
        visit: &mut impl FnMut(ThriftValue),
    ) -> io::Result<()> {
        match (kind, wire) {
            (ThriftType::Flag, 1 | 2) | (ThriftType::Byte, 3) | (ThriftType::Double, 7) => self.skip(wire, 0),
            (ThriftType::Number, 4..=6) => {
                let number = self.read_number()?;
                visit(ThriftValue::Number(name, field, number));
                Ok(())
            }
            (ThriftType::Bytes, 8) => {
                let length = self.read_varint()?;
                visit(ThriftValue::Bytes(name, field, length));
                self.skip_bytes(length)
            }
            (ThriftType::List(kind), 9) => {
                let (count, wire) = self.read_list_head()?;
                (0..count).try_for_each(|_| self.walk_value(kind, wire, name, field, visit))
            }
            (ThriftType::Struct(struct_type), 12) => self.walk(struct_type, visit),
            _ => Err(io::Error::other(format!("field {field} of {name} has a wrong type"))),
        }
    }

    fn read_byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.bytes_read += 1;
        Ok(byte[0])
    }

    /// Reads a number without sign, seven bits a byte.
    pub(super) fn read_varint(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.read_byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(io::Error::other("a number has no end"))
    }

    /// Reads a number whose lowest bit is its sign.
    fn read_number(&mut self) -> io::Result<i64> {
        let number = self.read_varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Returns the type of the next field and stores its number in `field`. Returns `None` at the
    /// end of the structure.
    fn read_field_type(&mut self, field: &mut i64) -> io::Result<Option<u8>> {
        let byte = self.read_byte()?;
        if byte & 0x0F == 0 {
            return Ok(None);
        }
        *field = match byte >> 4 {
            0 => self.read_number()?,
            delta => *field + i64::from(delta),
        };
        if !(0..=MAX_FIELD).contains(field) {
            return Err(io::Error::other(format!("there is no field {field}")));
        }
        Ok(Some(byte & 0x0F))
    }

    /// Reads the head of a list and returns the number of its elements and their type. Each element
    /// takes at least one byte.
    fn read_list_head(&mut self) -> io::Result<(u64, u8)> {
        let head = self.read_byte()?;
        let count = if head >> 4 == 15 { self.read_varint()? } else { u64::from(head >> 4) };
        if count > self.length.saturating_sub(self.bytes_read) {
            return Err(io::Error::other(format!("a list of {count} elements is longer than the file")));
        }
        Ok((count, head & 0x0F))
    }

    fn skip_bytes(&mut self, count: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.input.by_ref().take(count), &mut io::sink())?;
        self.bytes_read += skipped;
        if skipped == count { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Skips the value of an unlisted field.
    fn skip(&mut self, wire: u8, depth: u32) -> io::Result<()> {
        if depth > MAX_NESTING {
            return Err(io::Error::other("fields are nested too deep"));
        }
        match wire {
            1 | 2 => Ok(()),
            3 => self.skip_bytes(1),
            4..=6 => self.read_varint().map(drop),
            7 => self.skip_bytes(8),
            8 => {
                let length = self.read_varint()?;
                self.skip_bytes(length)
            }
            9 | 10 => {
                let (count, wire) = self.read_list_head()?;
                // The decoder skips truth values without reading a byte, so it would continue
                // inside the list.
                if matches!(wire, 0..=2) && count > 0 {
                    return Err(io::Error::other("a list has truth values"));
                }
                (0..count).try_for_each(|_| self.skip(wire, depth + 1))
            }
            12 => {
                let mut field = 0;
                while let Some(wire) = self.read_field_type(&mut field)? {
                    self.skip(wire, depth + 1)?;
                }
                Ok(())
            }
            _ => Err(io::Error::other("a field has an unknown type")),
        }
    }
}

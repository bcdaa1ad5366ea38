//! Walks Thrift's compact protocol, in which Parquet writes its footer and the headers of its pages.
//!
//! The decoder identifies a field by its number and ignores the type that the file gives it. A field of another type would
//! therefore make the decoder read other numbers than the walk has seen. So each field that the decoder reads is listed here
//! with its type, a file that deviates is refused, and what the decoder skips is skipped in the same way.

use std::io::{self, Read};

/// How deep fields are nested that no table lists. The format itself nests them twice.
const MAX_NESTING: u32 = 8;
/// The decoder keeps the number of a field in 16 bits.
const MAX_FIELD: i64 = i16::MAX as i64;

/// The type of a value.
pub(super) enum Kind {
    /// A truth value, which is the type of its field.
    Flag,
    /// A number of one byte.
    Byte,
    /// A number of any length.
    Number,
    /// A number with a fraction, of eight bytes.
    Double,
    /// A text or other bytes.
    Bytes,
    List(&'static Kind),
    Struct(&'static Struct),
}

/// A structure: its name, and the fields that the decoder reads.
pub(super) struct Struct {
    pub name: &'static str,
    pub fields: &'static [(i64, Kind)],
}

/// A value in the file, in the order of the file.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// A structure of this name begins.
    Begin(&'static str),
    /// A number in the field of a structure.
    Number(&'static str, i64, i64),
    /// So many bytes in the field of a structure.
    Bytes(&'static str, i64, u64),
}

/// Reads the compact protocol.
pub(super) struct Compact<R> {
    input: R,
    /// Bytes of the input.
    length: u64,
    /// Bytes read.
    pub read: u64,
}

impl<R: Read> Compact<R> {
    /// Reads from `input`, which has at most `length` bytes.
    pub(super) fn new(input: R, length: u64) -> Compact<R> {
        Compact { input, length, read: 0 }
    }

    /// Reads a structure and passes its values to `visit`.
    ///
    /// # Errors
    /// Fails if a field has another type than the format gives it, or if a count or a length exceeds the rest of the input.
    pub(super) fn walk(&mut self, of: &'static Struct, visit: &mut impl FnMut(Value)) -> io::Result<()> {
        visit(Value::Begin(of.name));
        let mut field = 0;
        while let Some(wire) = self.field(&mut field)? {
            match of.fields.iter().find(|(number, _)| *number == field) {
                Some((_, kind)) => self.value(kind, wire, (of.name, field), visit)?,
                None => self.skip(wire, 0)?,
            }
        }
        Ok(())
    }

    /// Reads a value that has the type `wire` in the file.
    fn value(
        &mut self,
        kind: &'static Kind,
        wire: u8,
        (name, field): (&'static str, i64),
        visit: &mut impl FnMut(Value),
    ) -> io::Result<()> {
        match (kind, wire) {
            (Kind::Flag, 1 | 2) => Ok(()),
            (Kind::Byte, 3) => self.pass(1),
            (Kind::Number, 4..=6) => {
                let number = self.number()?;
                visit(Value::Number(name, field, number));
                Ok(())
            }
            (Kind::Double, 7) => self.pass(8),
            (Kind::Bytes, 8) => {
                let length = self.varint()?;
                visit(Value::Bytes(name, field, length));
                self.pass(length)
            }
            (Kind::List(kind), 9) => {
                let (count, wire) = self.list()?;
                (0..count).try_for_each(|_| self.value(kind, wire, (name, field), visit))
            }
            (Kind::Struct(of), 12) => self.walk(of, visit),
            _ => Err(io::Error::other(format!("field {field} of {name} has a wrong type"))),
        }
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.read += 1;
        Ok(byte[0])
    }

    /// Reads a number without sign, seven bits a byte.
    fn varint(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(io::Error::other("a number has no end"))
    }

    /// Reads a number whose lowest bit is its sign.
    fn number(&mut self) -> io::Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Returns the type of the next field, whose number goes into `field`; `None` at the end of the structure.
    fn field(&mut self, field: &mut i64) -> io::Result<Option<u8>> {
        let byte = self.byte()?;
        if byte & 0x0F == 0 {
            return Ok(None);
        }
        *field = match byte >> 4 {
            0 => self.number()?,
            more => *field + i64::from(more),
        };
        if !(0..=MAX_FIELD).contains(field) {
            return Err(io::Error::other(format!("there is no field {field}")));
        }
        Ok(Some(byte & 0x0F))
    }

    /// Reads the head of a list: how many elements it has, and their type. Each takes a byte at least.
    fn list(&mut self) -> io::Result<(u64, u8)> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        if count > self.length.saturating_sub(self.read) {
            return Err(io::Error::other(format!("a list of {count} elements is longer than the file")));
        }
        Ok((count, head & 0x0F))
    }

    fn pass(&mut self, count: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.input.by_ref().take(count), &mut io::sink())?;
        self.read += passed;
        if passed == count { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Skips a value of a field that no table lists.
    fn skip(&mut self, wire: u8, depth: u32) -> io::Result<()> {
        if depth > MAX_NESTING {
            return Err(io::Error::other("fields are nested too deep"));
        }
        match wire {
            1 | 2 => Ok(()),
            3 => self.pass(1),
            4..=6 => self.varint().map(drop),
            7 => self.pass(8),
            8 => {
                let length = self.varint()?;
                self.pass(length)
            }
            9 | 10 => {
                let (count, wire) = self.list()?;
                // The decoder skips truth values without reading a byte, so it would go on in the middle of the list.
                if matches!(wire, 0..=2) && count > 0 {
                    return Err(io::Error::other("a list has truth values"));
                }
                (0..count).try_for_each(|_| self.skip(wire, depth + 1))
            }
            12 => {
                let mut field = 0;
                while let Some(wire) = self.field(&mut field)? {
                    self.skip(wire, depth + 1)?;
                }
                Ok(())
            }
            _ => Err(io::Error::other("a field has an unknown type")),
        }
    }
}

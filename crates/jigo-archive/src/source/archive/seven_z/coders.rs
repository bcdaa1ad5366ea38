//! The coders of a 7z folder, connected as the list describes.
//!
//! Their memory is reserved before any decoder starts, since a decoder allocates the stated
//! dictionary size.

use std::io::{BufReader, Read};
use std::sync::Arc;

use lzma_rust2::filter::bcj::BcjReader;
use lzma_rust2::filter::bcj2::Bcj2Reader;
use lzma_rust2::filter::delta::DeltaReader;
use lzma_rust2::{Lzma2Reader, LzmaReader};

use super::directory::{Coder, Folder};
use super::error::SevenZError;
use crate::source::archive::file_cursor::FileCursor;
use crate::source::budget::memory_budget::{MemoryBudget, Reservation};
use crate::source::compression::format::BZIP2_BYTES;
use crate::source::compression::lzma::LZMA_BYTES;

/// The unpacked bytes of a folder.
pub(super) type BoxedReader = Box<dyn Read + Send>;

/// The memory of an LZMA2 decoder without its dictionary: a chunk and its probabilities.
const LZMA2_BYTES: u64 = 256 << 10;
/// The smallest dictionary that is allocated.
const MIN_DICTIONARY_BYTES: u64 = 4096;

/// Returns the unpacked bytes of a folder, and the memory reservation of its coders.
pub(super) fn unpack(
    folder: &Folder,
    packed: &[(u64, u64)],
    cursor: &FileCursor,
    memory: &Arc<MemoryBudget>,
) -> Result<(BoxedReader, Reservation), SevenZError> {
    let mut bytes = 0;
    for coder in &folder.coders {
        bytes += decoder_memory(coder)?;
    }
    let reservation = memory.reserve(bytes, "a dictionary of 7z")?;
    Ok((Coders { folder, packed, cursor }.output(folder.main)?, reservation))
}

/// The coders of a folder with their packed streams.
struct Coders<'a> {
    folder: &'a Folder,
    packed: &'a [(u64, u64)],
    cursor: &'a FileCursor,
}

impl Coders<'_> {
    /// Returns the output of a coder. The recursion ends because the parser has checked that coders
    /// form a tree.
    fn output(&self, index: usize) -> Result<BoxedReader, SevenZError> {
        let coder = &self.folder.coders[index];
        let first: usize = self.folder.coders[..index].iter().map(|before| before.inputs).sum();
        let mut inputs =
            (first..first + coder.inputs).map(|input| self.input(input)).collect::<Result<Vec<_>, SevenZError>>()?;
        match (coder.method, inputs.len(), inputs.pop()) {
            (_, 1, Some(input)) => decoder(coder, input),
            (BCJ2, 4, Some(last)) => {
                inputs.push(last);
                Ok(Box::new(Bcj2Reader::new(inputs, coder.length)))
            }
            _ => Err(SevenZError::Method(coder.method)),
        }
    }

    /// Returns an input of a coder: a packed stream, or the output of another coder.
    fn input(&self, input: usize) -> Result<BoxedReader, SevenZError> {
        if let Some((_, coder)) = self.folder.bonds.iter().find(|bond| bond.0 == input) {
            return self.output(*coder);
        }
        let number = self.folder.packed.iter().position(|packed| *packed == input);
        let packed = number.and_then(|number| self.packed.get(self.folder.first_packed + number));
        let (offset, length) = *packed.ok_or(SevenZError::Damaged("its coders don't fit together"))?;
        Ok(Box::new(BufReader::new(self.cursor.at(offset).take(length))))
    }
}

const BCJ2: u64 = 0x0303_011B;

/// Returns the memory of a coder's decoder, as far as it depends on the list.
fn decoder_memory(coder: &Coder) -> Result<u64, SevenZError> {
    Ok(match coder.method {
        0x03_0101 => lzma_dictionary(coder)? + LZMA_BYTES,
        0x21 => dictionary(coder, coder.properties.first().and_then(|byte| lzma2_dictionary(*byte)))? + LZMA2_BYTES,
        0x04_0202 => BZIP2_BYTES,
        BCJ2 => 2 << 20,
        _ => 128 << 10,
    })
}

/// Returns the size of a dictionary, which need not be larger than the output.
fn dictionary(coder: &Coder, declared: Option<u64>) -> Result<u64, SevenZError> {
    let declared = declared.ok_or(SevenZError::Damaged("its list has a coder without a dictionary"))?;
    Ok(declared.min(coder.length).max(MIN_DICTIONARY_BYTES))
}

/// Returns the dictionary size for an LZMA2 property byte.
fn lzma2_dictionary(property: u8) -> Option<u64> {
    match property {
        0..40 => Some((2 | u64::from(property & 1)) << (property / 2 + 11)),
        40 => Some(u64::from(u32::MAX)),
        _ => None,
    }
}

fn lzma_dictionary(coder: &Coder) -> Result<u64, SevenZError> {
    let declared = match coder.properties[..] {
        [_, a, b, c, d] => Some(u64::from(u32::from_le_bytes([a, b, c, d]))),
        _ => None,
    };
    dictionary(coder, declared)
}

/// Returns a decoder with one input.
fn decoder(coder: &Coder, input: BoxedReader) -> Result<BoxedReader, SevenZError> {
    let start = match coder.properties[..] {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => 0,
    };
    Ok(match coder.method {
        0x00 => input,
        0x21 => {
            let declared = coder.properties.first().and_then(|byte| lzma2_dictionary(*byte));
            Box::new(Lzma2Reader::new(input, dictionary(coder, declared)? as u32, None))
        }
        0x03_0101 => {
            let dictionary = lzma_dictionary(coder)? as u32;
            Box::new(LzmaReader::new_with_props(input, coder.length, coder.properties[0], dictionary, None)?)
        }
        0x04_0202 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
        0x04_0108 => Box::new(flate2::read::DeflateDecoder::new(input)),
        0x03 => Box::new(DeltaReader::new(input, usize::from(coder.properties.first().copied().unwrap_or(0)) + 1)),
        0x04 | 0x0303_0103 => Box::new(BcjReader::new_x86(input, start)),
        0x05 | 0x0303_0205 => Box::new(BcjReader::new_ppc(input, start)),
        0x06 | 0x0303_0401 => Box::new(BcjReader::new_ia64(input, start)),
        0x07 | 0x0303_0501 => Box::new(BcjReader::new_arm(input, start)),
        0x08 | 0x0303_0701 => Box::new(BcjReader::new_arm_thumb(input, start)),
        0x09 | 0x0303_0805 => Box::new(BcjReader::new_sparc(input, start)),
        0x0A => Box::new(BcjReader::new_arm64(input, start)),
        0x0B => Box::new(BcjReader::new_riscv(input, start)),
        0x06F1_0701 => return Err(SevenZError::Encrypted),
        method => return Err(SevenZError::Method(method)),
    })
}

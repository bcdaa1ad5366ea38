//! Compression and archive formats: detection by name or first bytes, and decoders for single
//! files.

use std::io::{self, Read};
use std::sync::Arc;

use super::gzip::GzipMembers;
use super::lzma;
use super::xz::XzFile;
use super::zstd::{ZstdFrames, is_skippable};
use crate::source::budget::memory_budget::{MemoryBudget, WithReservation};

/// A compression or archive format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveFormat {
    /// zip: many files, compressed one by one, with a directory at the end.
    Zip,
    /// 7z: many files, compressed together, with a directory at the end.
    SevenZ,
    /// tar: many files in sequence, uncompressed.
    Tar,
    /// gzip: one file.
    Gzip,
    /// xz: one file.
    Xz,
    /// LZMA, the predecessor of xz: one file.
    Lzma,
    /// Zstandard: one file.
    Zstd,
    /// bzip2: one file.
    Bzip2,
}

/// Suffixes of names and their formats, longest first. For a compressed tar it is the outer format.
const SUFFIXES: [(&str, ArchiveFormat); 17] = [
    (".zip", ArchiveFormat::Zip),
    (".7z", ArchiveFormat::SevenZ),
    (".tar", ArchiveFormat::Tar),
    (".tgz", ArchiveFormat::Gzip),
    (".tar.gz", ArchiveFormat::Gzip),
    (".txz", ArchiveFormat::Xz),
    (".tar.xz", ArchiveFormat::Xz),
    (".tar.lzma", ArchiveFormat::Lzma),
    (".tzst", ArchiveFormat::Zstd),
    (".tar.zst", ArchiveFormat::Zstd),
    (".tbz2", ArchiveFormat::Bzip2),
    (".tar.bz2", ArchiveFormat::Bzip2),
    (".gz", ArchiveFormat::Gzip),
    (".xz", ArchiveFormat::Xz),
    (".lzma", ArchiveFormat::Lzma),
    (".zst", ArchiveFormat::Zstd),
    (".bz2", ArchiveFormat::Bzip2),
];

impl ArchiveFormat {
    /// Returns the format for a file name.
    pub fn from_name(name: &str) -> Option<ArchiveFormat> {
        let lower = name.to_ascii_lowercase();
        SUFFIXES.iter().find(|(ending, _)| lower.ends_with(ending)).map(|(_, format)| *format)
    }

    /// Returns the format for the first bytes of a file. Detecting tar needs 262 bytes.
    pub fn from_start(start: &[u8]) -> Option<ArchiveFormat> {
        match start {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(ArchiveFormat::Zip),
            [b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C, ..] => Some(ArchiveFormat::SevenZ),
            [0x1F, 0x8B, 8, ..] => Some(ArchiveFormat::Gzip),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(ArchiveFormat::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(ArchiveFormat::Zstd),
            _ if is_skippable(start) => Some(ArchiveFormat::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Some(ArchiveFormat::Bzip2),
            _ if lzma::is_lzma_start(start) => Some(ArchiveFormat::Lzma),
            _ if start.get(257..262) == Some(b"ustar") => Some(ArchiveFormat::Tar),
            _ => None,
        }
    }

    /// Returns true if the format contains only one file.
    pub fn is_single(self) -> bool {
        !matches!(self, ArchiveFormat::Zip | ArchiveFormat::SevenZ | ArchiveFormat::Tar)
    }

    /// Returns a decoder for a single-file format; `None` for formats with many files. The decoder
    /// reserves `memory` according to its headers.
    ///
    /// # Errors
    /// Fails if the first bytes are not of this format, or if there is too little memory.
    pub(crate) fn unpack<'a>(
        self,
        input: Box<dyn Read + 'a>,
        memory: &Arc<MemoryBudget>,
    ) -> io::Result<Option<Box<dyn Read + 'a>>> {
        Ok(Some(match self {
            ArchiveFormat::Gzip => Box::new(GzipMembers::new(input)),
            ArchiveFormat::Xz => Box::new(XzFile::new(input, memory)),
            ArchiveFormat::Lzma => Box::new(lzma::unpack(input, memory)?),
            ArchiveFormat::Zstd => Box::new(ZstdFrames::new(input, memory)?),
            ArchiveFormat::Bzip2 => {
                let reservation = memory.reserve(BZIP2_BYTES, "a block of bzip2")?;
                Box::new(WithReservation::new(bzip2::read::MultiBzDecoder::new(input), reservation))
            }
            ArchiveFormat::Zip | ArchiveFormat::SevenZ | ArchiveFormat::Tar => return Ok(None),
        }))
    }
}

/// The memory that a bzip2 decoder needs for the largest block size.
pub(crate) const BZIP2_BYTES: u64 = 4 << 20;

/// Returns the name of a single file after decompression: the last part of its path without the
/// suffix.
pub fn unpacked_name(path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or(path);
    let lower = last.to_ascii_lowercase();
    for (short, long) in [(".tgz", ".tar"), (".txz", ".tar"), (".tzst", ".tar"), (".tbz2", ".tar")] {
        if lower.ends_with(short) {
            return format!("{}{long}", &last[..last.len() - short.len()]);
        }
    }
    match lower.rfind('.') {
        Some(dot) if ArchiveFormat::from_name(&lower).is_some_and(ArchiveFormat::is_single) => last[..dot].to_owned(),
        _ => last.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_bzip2_are_unpacked_one_after_the_other() {
        let bzip2 = |bytes: &[u8]| {
            let mut packed = Vec::new();
            bzip2::read::BzEncoder::new(bytes, bzip2::Compression::fast()).read_to_end(&mut packed).unwrap();
            packed
        };
        let unpack = |packed: &[u8]| {
            let mut bytes = Vec::new();
            let memory = Arc::new(MemoryBudget::new(256 << 20, None));
            let input = ArchiveFormat::Bzip2.unpack(Box::new(packed), &memory).unwrap();
            input.unwrap().read_to_end(&mut bytes).map(|_| bytes)
        };
        let (empty, full) = (bzip2(b""), bzip2(b"(;B[aa])"));
        assert_eq!(unpack(&[empty.repeat(10_000), full.clone()].concat()).unwrap(), b"(;B[aa])");
        assert_eq!(unpack(&full.repeat(10)).unwrap(), b"(;B[aa])".repeat(10));
        assert_eq!(unpack(&empty).unwrap(), b"");
        for length in 1..full.len() {
            assert!(unpack(&[&full, &full[..length]].concat()).is_err(), "{length}");
        }
    }

    #[test]
    fn format_suffixes_are_detected_and_removed() {
        assert_eq!(ArchiveFormat::from_name("a/b.TAR.GZ"), Some(ArchiveFormat::Gzip));
        assert_eq!(ArchiveFormat::from_name("a.sgf"), None);
        assert_eq!(ArchiveFormat::from_start(&[0x5F, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]), Some(ArchiveFormat::Zstd));
        for (packed, unpacked) in [("a/b.sgf.gz", "b.sgf"), ("x.tgz", "x.tar"), ("b!.SGF.XZ", "b!.SGF"), ("-", "-")] {
            assert_eq!(unpacked_name(packed), unpacked);
        }
    }
}

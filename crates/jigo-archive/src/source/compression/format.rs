//! Compression and archive formats: detection by name or first bytes, and decoders for single
//! files.

use std::io::{self, Read};
use std::sync::Arc;

use super::lzma::{self, LzmaFile};
use super::xz::HeldXz;
use super::zstd::{ZstdFrames, is_skippable};
use crate::source::budget::memory_budget::{Holding, Memory};

/// A compression or archive format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackFormat {
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
const ENDINGS: [(&str, PackFormat); 17] = [
    (".zip", PackFormat::Zip),
    (".7z", PackFormat::SevenZ),
    (".tar", PackFormat::Tar),
    (".tgz", PackFormat::Gzip),
    (".tar.gz", PackFormat::Gzip),
    (".txz", PackFormat::Xz),
    (".tar.xz", PackFormat::Xz),
    (".tar.lzma", PackFormat::Lzma),
    (".tzst", PackFormat::Zstd),
    (".tar.zst", PackFormat::Zstd),
    (".tbz2", PackFormat::Bzip2),
    (".tar.bz2", PackFormat::Bzip2),
    (".gz", PackFormat::Gzip),
    (".xz", PackFormat::Xz),
    (".lzma", PackFormat::Lzma),
    (".zst", PackFormat::Zstd),
    (".bz2", PackFormat::Bzip2),
];

impl PackFormat {
    /// Returns the format for a file name.
    pub fn of_name(name: &str) -> Option<PackFormat> {
        let lower = name.to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending)).map(|(_, format)| *format)
    }

    /// Returns the format for the first bytes of a file. Detecting tar needs 262 bytes.
    pub fn of_start(start: &[u8]) -> Option<PackFormat> {
        match start {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(PackFormat::Zip),
            [b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C, ..] => Some(PackFormat::SevenZ),
            [0x1F, 0x8B, 8, ..] => Some(PackFormat::Gzip),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(PackFormat::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(PackFormat::Zstd),
            _ if is_skippable(start) => Some(PackFormat::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Some(PackFormat::Bzip2),
            _ if lzma::begins(start) => Some(PackFormat::Lzma),
            _ if start.get(257..262) == Some(b"ustar") => Some(PackFormat::Tar),
            _ => None,
        }
    }

    /// Returns true if the format contains only one file.
    pub fn is_single(self) -> bool {
        !matches!(self, PackFormat::Zip | PackFormat::SevenZ | PackFormat::Tar)
    }

    /// Returns a decoder for a single-file format; `None` for formats with many files. The decoder
    /// reserves `memory` according to its headers.
    ///
    /// # Errors
    /// Fails if the first bytes are not of this format, or if there is too little memory.
    pub(crate) fn unpack<'a>(
        self,
        input: Box<dyn Read + 'a>,
        memory: &Arc<Memory>,
    ) -> io::Result<Option<Box<dyn Read + 'a>>> {
        Ok(Some(match self {
            PackFormat::Gzip => Box::new(flate2::read::MultiGzDecoder::new(input)),
            PackFormat::Xz => Box::new(lzma_rust2::XzReader::new(HeldXz::new(input, memory), true)),
            PackFormat::Lzma => Box::new(LzmaFile::new(input, memory)?),
            PackFormat::Zstd => Box::new(ZstdFrames::new(input, memory)?),
            PackFormat::Bzip2 => {
                let hold = memory.hold(BZIP2_BYTES, "a block of bzip2")?;
                Box::new(Holding::new(bzip2::read::MultiBzDecoder::new(input), hold))
            }
            PackFormat::Zip | PackFormat::SevenZ | PackFormat::Tar => return Ok(None),
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
        Some(dot) if PackFormat::of_name(&lower).is_some_and(PackFormat::is_single) => last[..dot].to_owned(),
        _ => last.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_suffixes_are_detected_and_removed() {
        assert_eq!(PackFormat::of_name("a/b.TAR.GZ"), Some(PackFormat::Gzip));
        assert_eq!(PackFormat::of_name("a.sgf"), None);
        assert_eq!(PackFormat::of_start(&[0x5F, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]), Some(PackFormat::Zstd));
        for (packed, unpacked) in [("a/b.sgf.gz", "b.sgf"), ("x.tgz", "x.tar"), ("b!.SGF.XZ", "b!.SGF"), ("-", "-")] {
            assert_eq!(unpacked_name(packed), unpacked);
        }
    }
}

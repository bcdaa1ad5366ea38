//! Packed files: what they are by name or first bytes, and readers that unpack them.

use std::io::{self, BufRead, BufReader, Read};

use ruzstd::decoding::StreamingDecoder;

/// A way of packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// zip: many files, each packed by itself, listed at the end.
    Zip,
    /// 7z: many files, packed together, listed at the end.
    SevenZ,
    /// tar: many files in a row, not packed.
    Tar,
    /// gzip: one file.
    Gzip,
    /// xz: one file.
    Xz,
    /// Zstandard: one file.
    Zstd,
    /// bzip2: one file.
    Bzip2,
}

/// Endings of names, longest first, with the format; for packed single files it is that of the outer shell.
const ENDINGS: [(&str, Format); 15] = [
    (".zip", Format::Zip),
    (".7z", Format::SevenZ),
    (".tar", Format::Tar),
    (".tgz", Format::Gzip),
    (".tar.gz", Format::Gzip),
    (".txz", Format::Xz),
    (".tar.xz", Format::Xz),
    (".tzst", Format::Zstd),
    (".tar.zst", Format::Zstd),
    (".tbz2", Format::Bzip2),
    (".tar.bz2", Format::Bzip2),
    (".gz", Format::Gzip),
    (".xz", Format::Xz),
    (".zst", Format::Zstd),
    (".bz2", Format::Bzip2),
];

impl Format {
    /// The format that a file's name shows.
    pub fn of_name(name: &str) -> Option<Format> {
        let lower = name.to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending)).map(|(_, format)| *format)
    }

    /// The format that a file's first bytes show; tar needs 262 of them.
    pub fn of_start(start: &[u8]) -> Option<Format> {
        match start {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Format::Zip),
            [b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C, ..] => Some(Format::SevenZ),
            [0x1F, 0x8B, 8, ..] => Some(Format::Gzip),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Format::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Format::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Some(Format::Bzip2),
            _ if start.get(257..262) == Some(b"ustar") => Some(Format::Tar),
            _ => None,
        }
    }

    /// Whether it packs one file only.
    pub fn is_single(self) -> bool {
        matches!(self, Format::Gzip | Format::Xz | Format::Zstd | Format::Bzip2)
    }

    /// The contents of a file packed by itself; `None` for formats that hold many.
    ///
    /// # Errors
    /// When the first bytes are not of this format.
    pub fn unpack<'a>(self, input: Box<dyn Read + 'a>) -> io::Result<Option<Box<dyn Read + 'a>>> {
        Ok(Some(match self {
            Format::Gzip => Box::new(flate2::read::MultiGzDecoder::new(input)),
            Format::Xz => Box::new(lzma_rust2::XzReader::new(input, true)),
            Format::Zstd => Box::new(ZstdFrames::new(input)?),
            Format::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
            Format::Zip | Format::SevenZ | Format::Tar => return Ok(None),
        }))
    }
}

/// What a single packed file is called when it is unpacked: the last part of its name without the ending of the packing.
pub fn unpacked_name(name: &str) -> String {
    let last = name.rsplit(['/', '!']).next().unwrap_or(name);
    let lower = last.to_ascii_lowercase();
    for (short, long) in [(".tgz", ".tar"), (".txz", ".tar"), (".tzst", ".tar"), (".tbz2", ".tar")] {
        if lower.ends_with(short) {
            return format!("{}{long}", &last[..last.len() - short.len()]);
        }
    }
    match lower.rfind('.') {
        Some(dot) if Format::of_name(&lower).is_some_and(Format::is_single) => last[..dot].to_owned(),
        _ => last.to_owned(),
    }
}

/// Methods that members of zips are packed by and single files, too; the others are the zip reader's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZipMethod {
    /// Method 93.
    Zstd,
    /// Method 95.
    Xz,
    /// Method 14.
    Lzma,
}

impl ZipMethod {
    /// The contents of a member of this length and CRC; the CRC is compared.
    ///
    /// # Errors
    /// When the first bytes are not of this method.
    pub fn unpack<'a>(
        self,
        mut input: Box<dyn Read + 'a>,
        length: u64,
        expected: u32,
    ) -> io::Result<Box<dyn Read + 'a>> {
        let input: Box<dyn Read + 'a> = match self {
            ZipMethod::Zstd => Box::new(ZstdFrames::new(input)?),
            ZipMethod::Xz => Box::new(lzma_rust2::XzReader::new(input, true)),
            ZipMethod::Lzma => {
                // Two bytes of version, two of the length of what follows: properties and the size of the dictionary.
                let mut head = [0; 9];
                input.read_exact(&mut head)?;
                let dictionary = u32::from_le_bytes([head[5], head[6], head[7], head[8]]).min(MAX_DICTIONARY);
                Box::new(lzma_rust2::LzmaReader::new_with_props(input, length, head[4], dictionary, None)?)
            }
        };
        Ok(Box::new(Checked { input, crc: flate2::Crc::new(), expected }))
    }
}

/// Largest dictionary of LZMA that is made room for.
const MAX_DICTIONARY: u32 = 64 << 20;

/// A reader that compares the CRC at the end.
struct Checked<R> {
    input: R,
    crc: flate2::Crc,
    expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.crc.update(&buffer[..count]);
        if count == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"));
        }
        Ok(count)
    }
}

/// All frames of a Zstandard file, one after the other; checksums are compared.
struct ZstdFrames<R: Read> {
    frame: Option<StreamingDecoder<BufReader<R>, ruzstd::decoding::FrameDecoder>>,
}

impl<R: Read> ZstdFrames<R> {
    fn new(input: R) -> io::Result<ZstdFrames<R>> {
        Ok(ZstdFrames { frame: Some(StreamingDecoder::new(BufReader::new(input)).map_err(io::Error::other)?) })
    }
}

impl<R: Read> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(frame) = &mut self.frame else { return Ok(0) };
            let count = frame.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let stated = frame.decoder.get_checksum_from_data();
            if stated.is_some() && stated != frame.decoder.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"));
            }
            let Some(frame) = self.frame.take() else { return Ok(0) };
            let mut rest = frame.into_inner();
            if !rest.fill_buf()?.is_empty() {
                self.frame = Some(StreamingDecoder::new(rest).map_err(io::Error::other)?);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_show_the_format_and_lose_its_ending() {
        assert_eq!(Format::of_name("a/b.TAR.GZ"), Some(Format::Gzip));
        assert_eq!(Format::of_name("a.sgf"), None);
        for (packed, unpacked) in [("a/b.sgf.gz", "b.sgf"), ("x.tgz", "x.tar"), ("x.zip!b.SGF.XZ", "b.SGF"), ("-", "-")]
        {
            assert_eq!(unpacked_name(packed), unpacked);
        }
    }
}

//! Compression and archive formats: detection by name or first bytes, and decoders.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use ruzstd::decoding::StreamingDecoder;

use super::archive::lzma::{self, LzmaFile};
use super::archive::memory::{Hold, Memory};
use super::archive::xz::HeldXz;

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
    pub(super) fn unpack<'a>(
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
                Box::new(Holding { input: bzip2::read::MultiBzDecoder::new(input), _hold: hold })
            }
            PackFormat::Zip | PackFormat::SevenZ | PackFormat::Tar => return Ok(None),
        }))
    }
}

/// The memory that a bzip2 decoder needs for the largest block size.
pub(super) const BZIP2_BYTES: u64 = 4 << 20;

/// A decoder with its memory reservation.
struct Holding<R> {
    input: R,
    _hold: Hold,
}

impl<R: Read> Read for Holding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

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

/// The zip compression methods that jigo decodes itself. The zip crate decodes the others.
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
    /// Returns a decoder for a member of this length and CRC. The decoder checks the CRC.
    ///
    /// # Errors
    /// Fails if the first bytes are not of this method, or if there is too little memory.
    pub(super) fn unpack<'a>(
        self,
        mut input: Box<dyn Read + 'a>,
        length: u64,
        expected: u32,
        memory: &Arc<Memory>,
    ) -> io::Result<Box<dyn Read + 'a>> {
        let input: Box<dyn Read + 'a> = match self {
            ZipMethod::Zstd => Box::new(ZstdFrames::new(input, memory)?),
            ZipMethod::Xz => Box::new(lzma_rust2::XzReader::new(HeldXz::new(input, memory), true)),
            ZipMethod::Lzma => {
                // Two bytes of version and two of the length of the following fields: properties
                // and the dictionary size.
                let mut head = [0; 9];
                input.read_exact(&mut head)?;
                let stated = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
                // No match reaches back beyond the start of the member.
                let dictionary = stated.min(u32::try_from(length).unwrap_or(u32::MAX));
                let hold = memory.hold(u64::from(dictionary) + LZMA_BYTES, "a dictionary of LZMA")?;
                let input = BufReader::new(input);
                let input = lzma_rust2::LzmaReader::new_with_props(input, length, head[4], dictionary, None)?;
                Box::new(Holding { input, _hold: hold })
            }
        };
        Ok(Box::new(Checked { input, crc: flate2::Crc::new(), expected }))
    }
}

/// The memory of an LZMA decoder without its dictionary: literal probabilities of two bytes each, 3
/// << 8 for each of up to 4,096 contexts.
pub(super) const LZMA_BYTES: u64 = (6 << 20) + (256 << 10);

/// A reader that checks the CRC at the end.
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

/// The frames of a Zstandard file, one after the other. Checksums are checked.
pub(super) struct ZstdFrames<R: Read> {
    frame: Option<(Frame<R>, Hold)>,
    memory: Arc<Memory>,
}

type Frame<R> = StreamingDecoder<Peeked<BufReader<R>>, ruzstd::decoding::FrameDecoder>;

impl<R: Read> ZstdFrames<R> {
    /// Starts the first frame, whose window must fit into the memory.
    pub(super) fn new(input: R, memory: &Arc<Memory>) -> io::Result<ZstdFrames<R>> {
        let mut frames = ZstdFrames { frame: None, memory: Arc::clone(memory) };
        let mut input = Peeked { head: io::Cursor::default(), rest: BufReader::new(input) };
        // A file without any frame is not Zstandard. A file with only skippable frames is.
        if !skip_frames(&mut input)? || !input.peek()?.is_empty() {
            frames.begin(input)?;
        }
        Ok(frames)
    }

    /// Starts the next frame.
    ///
    /// The decoder's window doubles as it fills, up to the next power of two of the stated size.
    /// Half of that is needed in addition during the last copy.
    fn begin(&mut self, mut input: Peeked<BufReader<R>>) -> io::Result<()> {
        let window = zstd_window(input.peek()?).unwrap_or(0);
        let most = window.checked_next_power_of_two().unwrap_or(u64::MAX);
        let bytes = (most / 2).saturating_mul(3).saturating_add(ZSTD_BYTES);
        let hold = self.memory.hold(bytes, "a window of Zstandard")?;
        let frame = StreamingDecoder::new_with_max_window_size(input, window).map_err(io::Error::other)?;
        self.frame = Some((frame, hold));
        Ok(())
    }
}

impl<R: Read> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some((frame, _)) = &mut self.frame else { return Ok(0) };
            let count = frame.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let stated = frame.decoder.get_checksum_from_data();
            if stated.is_some() && stated != frame.decoder.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"));
            }
            let Some((frame, hold)) = self.frame.take() else { return Ok(0) };
            let mut rest = frame.into_inner();
            drop(hold);
            skip_frames(&mut rest)?;
            if !rest.peek()?.is_empty() {
                self.begin(rest)?;
            }
        }
    }
}

/// Returns true for the start of a skippable frame (RFC 8878, 3.1.2). pzstd writes one before each
/// part.
fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Skips such frames. Returns true if there was at least one.
fn skip_frames<R: Read>(input: &mut Peeked<R>) -> io::Result<bool> {
    let mut skipped = false;
    while let &[_, _, _, _, a, b, c, d, ..] = input.peek()?
        && is_skippable(input.peek()?)
    {
        let length = 8 + u64::from(u32::from_le_bytes([a, b, c, d]));
        let passed = io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        if passed < length {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is cut off"));
        }
        skipped = true;
    }
    Ok(skipped)
}

/// The memory of a Zstandard decoder without its window: input and output blocks of 128 KiB, and
/// tables.
const ZSTD_BYTES: u64 = 1 << 20;
/// The maximum length of a frame header.
const ZSTD_HEADER: usize = 18;

/// Returns the window size in the header of a frame (RFC 8878, 3.1.1.1).
fn zstd_window(header: &[u8]) -> Option<u64> {
    let (descriptor, fields) = header.get(4..)?.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = fields.first()?;
        let base = 1u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // A single segment: the window is the content, whose size follows the dictionary ID.
    let fields = fields.get([0, 1, 2, 4][usize::from(descriptor & 3)]..)?;
    let size = fields.get(..[1, 2, 4, 8][usize::from(descriptor >> 6)])?;
    let number = size.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    Some(if size.len() == 2 { number + 256 } else { number })
}

/// A stream whose first bytes can be read in advance.
struct Peeked<R> {
    head: io::Cursor<Vec<u8>>,
    rest: R,
}

impl<R: Read> Peeked<R> {
    /// Returns the first bytes without consuming them: the length of a header, or fewer at the end.
    fn peek(&mut self) -> io::Result<&[u8]> {
        let at = self.head.position() as usize;
        let mut head = self.head.get_ref()[at..].to_vec();
        let missing = ZSTD_HEADER.saturating_sub(head.len());
        self.rest.by_ref().take(missing as u64).read_to_end(&mut head)?;
        self.head = io::Cursor::new(head);
        Ok(self.head.get_ref())
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.head.read(buffer)? {
            0 => self.rest.read(buffer),
            count => Ok(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_window_equals_the_decoders_window() {
        let magic = [0x28, 0xB5, 0x2F, 0xFD];
        for (fields, window) in [
            (&[0x00, 0x58][..], Some(2 << 20)),
            (&[0x00, 0xFF], Some((1 << 41) + 7 * (1 << 38))),
            (&[0x20, 7], Some(7)),
            (&[0x61, 9, 7, 1], Some(256 + 263)),
            (&[0xE0, 1, 0, 0, 0, 1, 0, 0, 0], Some((1 << 32) + 1)),
            (&[0xE0, 1], None),
            (&[], None),
        ] {
            assert_eq!(zstd_window(&[&magic, fields].concat()), window, "{fields:?}");
        }
        let bytes = b"(;B[aa])".repeat(100_000);
        let packed = ruzstd::encoding::compress_to_vec(bytes.as_slice(), ruzstd::encoding::CompressionLevel::Fastest);
        let packed = packed.repeat(3);
        let unpack = |limit| {
            let memory = Arc::new(Memory::new(limit, None));
            let mut unpacked = Vec::new();
            let frames = ZstdFrames::new(packed.as_slice(), &memory);
            (frames.and_then(|mut frames| frames.read_to_end(&mut unpacked)).map(|_| unpacked), memory.denied())
        };
        assert!(unpack(256 << 20).0.unwrap() == bytes.repeat(3));
        assert!(unpack(1 << 20).1.is_some());
    }

    #[test]
    fn skippable_frames_are_skipped_everywhere() {
        let frame = |text: &[u8]| ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
        let skipped = |number: u8, length: usize| {
            let magic = [0x50 + number, 0x2A, 0x4D, 0x18];
            [&magic, (length as u32).to_le_bytes().as_slice(), &vec![7; length]].concat()
        };
        let unpack = |packed: &[u8]| {
            let mut unpacked = Vec::new();
            let frames = ZstdFrames::new(packed, &Arc::new(Memory::new(256 << 20, None)));
            frames.and_then(|mut frames| frames.read_to_end(&mut unpacked)).map(|_| unpacked)
        };
        let all = [skipped(0, 4), frame(b"one "), skipped(15, 300_000), skipped(3, 0), frame(b"two"), skipped(1, 9)];
        assert_eq!(unpack(&all.concat()).unwrap(), b"one two");
        assert_eq!(PackFormat::of_start(&all.concat()), Some(PackFormat::Zstd));
        assert_eq!(unpack(&skipped(2, 5)).unwrap(), b"");
        assert!(unpack(b"").is_err());
        let cut = [frame(b"one"), skipped(0, 100)].concat();
        assert_eq!(unpack(&cut[..cut.len() - 1]).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert!(unpack(&cut[..cut.len() - 104]).is_err());
    }

    #[test]
    fn format_suffixes_are_detected_and_removed() {
        assert_eq!(PackFormat::of_name("a/b.TAR.GZ"), Some(PackFormat::Gzip));
        assert_eq!(PackFormat::of_name("a.sgf"), None);
        for (packed, unpacked) in [("a/b.sgf.gz", "b.sgf"), ("x.tgz", "x.tar"), ("b!.SGF.XZ", "b!.SGF"), ("-", "-")] {
            assert_eq!(unpacked_name(packed), unpacked);
        }
    }
}

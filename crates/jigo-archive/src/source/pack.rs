//! Packed files: what they are by name or first bytes, and readers that unpack them.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use ruzstd::decoding::StreamingDecoder;

use super::archive::lzma::{self, LzmaFile};
use super::archive::memory::{Hold, Memory};
use super::archive::xz::HeldXz;

/// A way of packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackFormat {
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
    /// LZMA as it was before xz: one file.
    Lzma,
    /// Zstandard: one file.
    Zstd,
    /// bzip2: one file.
    Bzip2,
}

/// Endings of names, longest first, with the format; for packed single files it is that of the outer shell.
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
    /// The format that a file's name shows.
    pub fn of_name(name: &str) -> Option<PackFormat> {
        let lower = name.to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending)).map(|(_, format)| *format)
    }

    /// The format that a file's first bytes show; tar needs 262 of them.
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

    /// Whether it packs one file only.
    pub fn is_single(self) -> bool {
        !matches!(self, PackFormat::Zip | PackFormat::SevenZ | PackFormat::Tar)
    }

    /// The contents of a file packed by itself; `None` for formats that hold many. What its headers make a decoder hold comes out of `memory`.
    ///
    /// # Errors
    /// When the first bytes are not of this format, or there is too little memory.
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

/// What a decoder of bzip2 takes for a block of the largest size.
pub(super) const BZIP2_BYTES: u64 = 4 << 20;

/// A decoder and the memory that it holds.
struct Holding<R> {
    input: R,
    _hold: Hold,
}

impl<R: Read> Read for Holding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

/// What a single packed file is called when it is unpacked: the last part of its path without the ending of the packing.
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
    /// When the first bytes are not of this method, or there is too little memory.
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
                // Two bytes of version, two of the length of what follows: properties and the size of the dictionary.
                let mut head = [0; 9];
                input.read_exact(&mut head)?;
                let stated = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
                // Nothing in it is further back than its beginning.
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

/// What a decoder of LZMA takes beside its dictionary: probabilities of literals, two bytes each, 3 << 8 for each of up to 4,096 contexts.
pub(super) const LZMA_BYTES: u64 = (6 << 20) + (256 << 10);

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
pub(super) struct ZstdFrames<R: Read> {
    frame: Option<(Frame<R>, Hold)>,
    memory: Arc<Memory>,
}

type Frame<R> = StreamingDecoder<Peeked<BufReader<R>>, ruzstd::decoding::FrameDecoder>;

impl<R: Read> ZstdFrames<R> {
    /// Begins with the first frame, whose window has to fit into the memory.
    pub(super) fn new(input: R, memory: &Arc<Memory>) -> io::Result<ZstdFrames<R>> {
        let mut frames = ZstdFrames { frame: None, memory: Arc::clone(memory) };
        let mut input = Peeked { head: io::Cursor::default(), rest: BufReader::new(input) };
        // No frame at all is no Zstandard; some that hold nothing are.
        if !skip_frames(&mut input)? || !input.peek()?.is_empty() {
            frames.begin(input)?;
        }
        Ok(frames)
    }

    /// Begins with the next frame. The decoder's window grows with what is unpacked, by doubling: up to the next power of two of what is stated, and
    /// half of that again while it is copied.
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

/// Whether a frame begins there that decoders pass over (RFC 8878, 3.1.2); pzstd writes one before each part.
fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Passes over such frames; whether there was one.
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

/// What a decoder of Zstandard takes beside its window: blocks of 128 KiB as they come and go, and tables.
const ZSTD_BYTES: u64 = 1 << 20;
/// The longest header of a frame.
const ZSTD_HEADER: usize = 18;

/// The window that the header of a frame states (RFC 8878, 3.1.1.1).
fn zstd_window(header: &[u8]) -> Option<u64> {
    let (descriptor, fields) = header.get(4..)?.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = fields.first()?;
        let base = 1u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // One segment: the window is the content, whose size stands behind the number of a dictionary.
    let fields = fields.get([0, 1, 2, 4][usize::from(descriptor & 3)]..)?;
    let size = fields.get(..[1, 2, 4, 8][usize::from(descriptor >> 6)])?;
    let number = size.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    Some(if size.len() == 2 { number + 256 } else { number })
}

/// A stream of which the first bytes may have been looked at.
struct Peeked<R> {
    head: io::Cursor<Vec<u8>>,
    rest: R,
}

impl<R: Read> Peeked<R> {
    /// The first bytes, as many as a header has, or fewer at the end.
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
    fn the_window_of_a_frame_is_what_the_decoder_makes_room_for() {
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
    fn frames_that_decoders_pass_over_are_passed_over_wherever_they_stand() {
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
    fn names_show_the_format_and_lose_its_ending() {
        assert_eq!(PackFormat::of_name("a/b.TAR.GZ"), Some(PackFormat::Gzip));
        assert_eq!(PackFormat::of_name("a.sgf"), None);
        for (packed, unpacked) in [("a/b.sgf.gz", "b.sgf"), ("x.tgz", "x.tar"), ("b!.SGF.XZ", "b!.SGF"), ("-", "-")] {
            assert_eq!(unpacked_name(packed), unpacked);
        }
    }
}

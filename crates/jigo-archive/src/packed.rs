//! Compressed output: a gzip or Zstandard stream, or files in a zip.
//!
//! Equal input produces equal bytes, at any time.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use zip::write::{SimpleFileOptions, StreamWriter, ZipWriter};
use zip::{CompressionMethod, DateTime};

/// The uncompressed size of a Zstandard frame, which is buffered. Frames follow each other in one
/// file.
const FRAME_BYTES: usize = 4 << 20;

/// The compression of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// No compression.
    None,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
}

/// A stream that compresses the bytes written to it.
pub enum PackedOutput<W: Write> {
    /// See [`Packing::None`].
    Plain(W),
    /// See [`Packing::Gzip`].
    Gzip(GzEncoder<W>),
    /// See [`Packing::Zstd`]: the buffered bytes and the destination.
    Zstd(Vec<u8>, W),
}

impl<W: Write> PackedOutput<W> {
    /// Starts a stream.
    pub fn new(packing: Packing, out: W) -> PackedOutput<W> {
        match packing {
            Packing::None => PackedOutput::Plain(out),
            Packing::Gzip => PackedOutput::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Packing::Zstd => PackedOutput::Zstd(Vec::new(), out),
        }
    }

    /// Writes the buffered bytes and the end of the stream.
    ///
    /// # Errors
    /// Fails if the destination can't be written.
    pub fn finish(self) -> io::Result<W> {
        match self {
            PackedOutput::Plain(out) => Ok(out),
            PackedOutput::Gzip(encoder) => encoder.finish(),
            PackedOutput::Zstd(buffer, mut out) => {
                out.write_all(&compress_to_vec(buffer.as_slice(), CompressionLevel::Fastest))?;
                Ok(out)
            }
        }
    }
}

impl<W: Write> Write for PackedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            PackedOutput::Plain(out) => out.write(bytes),
            PackedOutput::Gzip(encoder) => encoder.write(bytes),
            PackedOutput::Zstd(buffer, out) => {
                let count = bytes.len().min(FRAME_BYTES - buffer.len());
                buffer.extend_from_slice(&bytes[..count]);
                if buffer.len() == FRAME_BYTES {
                    out.write_all(&compress_to_vec(buffer.as_slice(), CompressionLevel::Fastest))?;
                    buffer.clear();
                }
                Ok(count)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            PackedOutput::Plain(out) | PackedOutput::Zstd(_, out) => out.flush(),
            PackedOutput::Gzip(encoder) => encoder.flush(),
        }
    }
}

/// A writer that adds files to a zip.
pub struct ZipFiles<W: Write>(ZipWriter<StreamWriter<W>>);

impl<W: Write> ZipFiles<W> {
    /// Starts a zip.
    pub fn new(out: W) -> ZipFiles<W> {
        ZipFiles(ZipWriter::new_stream(out))
    }

    /// Adds a file. `name` has `/` between folders.
    ///
    /// # Errors
    /// Fails if the destination can't be written or the zip already contains this name.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        // The date of a game's record is unknown, and the time of the run would change the bytes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        self.0.start_file(name, options)?;
        self.0.write_all(bytes)
    }

    /// Writes the central directory.
    ///
    /// # Errors
    /// Fails if the destination can't be written.
    pub fn finish(self) -> io::Result<W> {
        Ok(self.0.finish()?.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn compressed_output_decompresses_to_its_input() {
        let text: Vec<u8> =
            (0..2_000_000_u32).flat_map(|number| (number.wrapping_mul(2_654_435_761) >> 27).to_le_bytes()).collect();
        for packing in [Packing::None, Packing::Gzip, Packing::Zstd] {
            for text in [&text[..], &text[..10], b""] {
                let mut packed = PackedOutput::new(packing, Vec::new());
                packed.write_all(text).unwrap();
                let bytes = packed.finish().unwrap();
                let mut out = Vec::new();
                match packing {
                    Packing::None => out.extend_from_slice(&bytes),
                    Packing::Gzip => drop(flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut out).unwrap()),
                    Packing::Zstd => {
                        let mut rest = &bytes[..];
                        while !rest.is_empty() {
                            let mut frame = ruzstd::decoding::StreamingDecoder::new(&mut rest).unwrap();
                            frame.read_to_end(&mut out).unwrap();
                        }
                    }
                }
                assert!(out == text, "{packing:?} of {} bytes", text.len());
            }
        }
    }
}

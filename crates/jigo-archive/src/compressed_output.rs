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
pub enum Compression {
    /// No compression.
    None,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
}

/// A stream that compresses the bytes written to it.
pub enum CompressedOutput<W: Write> {
    /// See [`Compression::None`].
    Uncompressed(W),
    /// See [`Compression::Gzip`].
    Gzip(GzEncoder<W>),
    /// See [`Compression::Zstd`]: the buffered bytes and the destination.
    Zstd(Vec<u8>, W),
}

impl<W: Write> CompressedOutput<W> {
    /// Starts a stream.
    pub fn new(compression: Compression, out: W) -> CompressedOutput<W> {
        match compression {
            Compression::None => CompressedOutput::Uncompressed(out),
            Compression::Gzip => CompressedOutput::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Compression::Zstd => CompressedOutput::Zstd(Vec::new(), out),
        }
    }

    /// Writes the buffered bytes and the end of the stream.
    ///
    /// # Errors
    /// Fails if the destination can't be written.
    pub fn finish(self) -> io::Result<W> {
        match self {
            CompressedOutput::Uncompressed(out) => Ok(out),
            CompressedOutput::Gzip(encoder) => encoder.finish(),
            CompressedOutput::Zstd(buffer, mut out) => {
                out.write_all(&compress_to_vec(buffer.as_slice(), CompressionLevel::Fastest))?;
                Ok(out)
            }
        }
    }
}

impl<W: Write> Write for CompressedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            CompressedOutput::Uncompressed(out) => out.write(bytes),
            CompressedOutput::Gzip(encoder) => encoder.write(bytes),
            CompressedOutput::Zstd(buffer, out) => {
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
            CompressedOutput::Uncompressed(out) | CompressedOutput::Zstd(_, out) => out.flush(),
            CompressedOutput::Gzip(encoder) => encoder.flush(),
        }
    }
}

/// A writer that adds files to a zip.
pub struct ZipOutput<W: Write>(ZipWriter<StreamWriter<W>>);

impl<W: Write> ZipOutput<W> {
    /// Starts a zip.
    pub fn new(out: W) -> ZipOutput<W> {
        ZipOutput(ZipWriter::new_stream(out))
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
        for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
            for text in [&text[..], &text[..10], b""] {
                let mut compressed = CompressedOutput::new(compression, Vec::new());
                compressed.write_all(text).unwrap();
                let bytes = compressed.finish().unwrap();
                let mut out = Vec::new();
                match compression {
                    Compression::None => out.extend_from_slice(&bytes),
                    Compression::Gzip => drop(flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut out).unwrap()),
                    Compression::Zstd => {
                        let mut rest = &bytes[..];
                        while !rest.is_empty() {
                            let mut frame = ruzstd::decoding::StreamingDecoder::new(&mut rest).unwrap();
                            frame.read_to_end(&mut out).unwrap();
                        }
                    }
                }
                assert!(out == text, "{compression:?} of {} bytes", text.len());
            }
        }
    }
}

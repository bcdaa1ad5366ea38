//! The streams of a bzip2 file.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use bzip2::bufread::BzDecoder;

/// The maximum number of consecutive empty streams. The decoder allocates its tables for each of
/// them.
const MAX_EMPTY_STREAMS: u32 = 64;

/// The streams of a bzip2 file, one after the other, as pbzip2 writes them.
pub(crate) struct Bzip2Streams<R: Read> {
    stream: Option<BzDecoder<BufReader<R>>>,
    /// True if the current stream has returned no bytes.
    is_empty: bool,
    /// The number of consecutive empty streams before the current one.
    empty_streams: u32,
}

impl<R: Read> Bzip2Streams<R> {
    pub(crate) fn new(input: R) -> Bzip2Streams<R> {
        Bzip2Streams { stream: Some(BzDecoder::new(BufReader::new(input))), is_empty: true, empty_streams: 0 }
    }
}

impl<R: Read> Read for Bzip2Streams<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(stream) = &mut self.stream {
            let count = stream.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                self.is_empty = false;
                return Ok(count);
            }
            self.empty_streams = if self.is_empty { self.empty_streams + 1 } else { 0 };
            if self.empty_streams > MAX_EMPTY_STREAMS {
                let reason = format!("more than {MAX_EMPTY_STREAMS} of its streams in a row hold nothing");
                return Err(io::Error::new(ErrorKind::InvalidData, reason));
            }
            let Some(mut rest) = self.stream.take().map(BzDecoder::into_inner) else { break };
            if !rest.fill_buf()?.is_empty() {
                self.stream = Some(BzDecoder::new(rest));
                self.is_empty = true;
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Bzip2Streams::new(packed).read_to_end(&mut bytes).map(|_| bytes)
    }

    #[test]
    fn streams_are_unpacked_one_after_the_other() {
        let (empty, full) = (bzip2(b""), bzip2(b"(;B[aa])"));
        let most = [empty.repeat(MAX_EMPTY_STREAMS as usize), full.clone()].concat();
        assert_eq!(unpack(&most.repeat(10)).unwrap(), b"(;B[aa])".repeat(10));
        assert_eq!(unpack(&empty).unwrap(), b"");
        for length in 1..full.len() {
            assert!(unpack(&[&full, &full[..length]].concat()).is_err(), "{length}");
        }
    }

    #[test]
    fn too_many_consecutive_empty_streams_are_rejected() {
        let error = unpack(&[bzip2(b"(;B[aa])"), bzip2(b"").repeat(10_000)].concat()).unwrap_err();
        assert!(error.to_string().contains("in a row hold nothing"), "{error}");
    }
}

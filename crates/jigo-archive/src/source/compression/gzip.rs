//! The members of a gzip file, with the padding after the last one.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// The members of a gzip file, one after the other. Zeros after a member, which programs for tapes
/// write, are skipped as `gzip` does.
pub(crate) struct GzipMembers<R: Read>(Option<GzDecoder<BufReader<R>>>);

impl<R: Read> GzipMembers<R> {
    pub(crate) fn new(input: R) -> GzipMembers<R> {
        GzipMembers(Some(GzDecoder::new(BufReader::new(input))))
    }
}

impl<R: Read> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.0 else { return Ok(0) };
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let Some(mut rest) = self.0.take().map(GzDecoder::into_inner) else { return Ok(0) };
            while let zeros @ 1.. = rest.fill_buf()?.iter().take_while(|byte| **byte == 0).count() {
                rest.consume(zeros);
            }
            self.0 = if rest.fill_buf()?.is_empty() { None } else { Some(GzDecoder::new(rest)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::GzEncoder;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        GzEncoder::new(bytes, Compression::fast()).read_to_end(&mut packed).unwrap();
        packed
    }

    fn unpack(packed: &[u8]) -> (Vec<u8>, bool) {
        let mut bytes = Vec::new();
        let is_sound = GzipMembers::new(packed).read_to_end(&mut bytes).is_ok();
        (bytes, is_sound)
    }

    #[test]
    fn zeros_after_the_last_member_are_skipped() {
        let members = [gzip(b"(;B"), gzip(b""), gzip(b"[aa])")].concat();
        for zeros in [0, 1, 7, 512, 20_000] {
            let padded = [&members[..], &vec![0; zeros]].concat();
            assert_eq!(unpack(&padded), (b"(;B[aa])".to_vec(), true), "{zeros}");
            for rest in [&b"abc"[..], &[0x1F, 0x8B], b"1234567890123"] {
                let damaged = [&padded[..], rest].concat();
                assert_eq!(unpack(&damaged), (b"(;B[aa])".to_vec(), false), "{zeros} {rest:?}");
            }
        }
        for length in 0..gzip(b"(;B").len() {
            assert!(!unpack(&members[..length]).1, "{length}");
        }
        assert!(!unpack(&[0; 512]).1);
    }
}

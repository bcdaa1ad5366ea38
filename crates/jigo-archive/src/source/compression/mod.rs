//! Compression formats, and decoders whose memory is limited.

pub(crate) mod bzip2_streams;
pub mod format;
pub(crate) mod lzma;
pub(crate) mod xz;
pub(crate) mod zip_method;
pub(crate) mod zstd;

use std::io;

/// The maximum number of consecutive empty streams of a file. The decoder of xz recurses for each
/// of them, and two thousand overflow its stack. The decoder of bzip2 allocates its tables for
/// each.
const MAX_EMPTY_STREAMS: u32 = 64;

fn too_many_empty_streams() -> io::Error {
    let reason = format!("more than {MAX_EMPTY_STREAMS} of its streams in a row hold nothing");
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

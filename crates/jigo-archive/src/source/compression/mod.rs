//! Compression formats, and decoders whose memory is limited.

pub mod format;
pub(crate) mod gzip;
pub(crate) mod lzma;
pub(crate) mod xz;
pub(crate) mod zip_method;
pub(crate) mod zstd;

//! Archives as folders: their members one by one, in the order of the archive.
//!
//! The content of an archive arrives from a separate thread through a short queue. Memory is
//! therefore bounded, and unpacking runs in parallel with the analysis.
//!
//! A small archive, or a few consecutive members of a zip, can instead be unpacked whole by the
//! caller's thread. Several threads can do this at once, each with its own quota. If such a unit
//! reaches a limit, the stream unpacks it again and reports the limit, so both ways give the same
//! result.

mod file_cursor;
mod seven_z;
mod unpack;
mod unpack_nested;
mod unpack_seven_z;
mod unpack_zip;
mod unpacker;
mod zip_directory;
mod zip_members;
mod zip_rewriter;

pub use crate::source::budget::memory_budget::TurnGuard;
pub use unpack::{unpack, unpack_ahead, unpack_whole};
pub use unpacker::{ArchiveInput, BLOCK_BYTES, Event, MAX_NESTING};
pub use zip_directory::{ZipDirectory, ZipSlice};
pub use zip_rewriter::{RewritableZip, ZipRewriter};

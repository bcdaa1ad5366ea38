//! The error of a 7z archive.

use std::io;

/// The reason why a 7z archive, or a folder of it, can't be unpacked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SevenZError {
    /// The archive can't be read, or its packed bytes are damaged, or a dictionary exceeds the
    /// memory budget. In the last case the budget also records the message.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The structure is inconsistent.
    #[error("{0}")]
    Damaged(&'static str),
    /// The compression method is not supported.
    #[error("its method {0:X} is not read")]
    Method(u64),
    /// The archive is encrypted.
    #[error("it needs a password")]
    Encrypted,
    /// The data of the list exceeds the remaining memory budget.
    #[error("its list takes more memory than there may be")]
    Memory,
}

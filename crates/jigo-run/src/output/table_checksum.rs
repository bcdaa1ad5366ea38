//! Checksums of files, and that of a table's file, which lets other programs verify a copy.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The number and the SHA-256 of some bytes.
#[derive(Clone, Default)]
pub struct Checksum {
    hash: Sha256,
    bytes: u64,
}

impl Checksum {
    /// Returns the checksum of an input.
    ///
    /// # Errors
    /// Fails if the input can't be read.
    pub fn of(input: &mut impl Read) -> io::Result<Checksum> {
        let mut checksum = Checksum::default();
        io::copy(input, &mut checksum)?;
        Ok(checksum)
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the SHA-256 in hexadecimal digits, as `sha256sum` prints it.
    pub fn digits(self) -> String {
        self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Write for Checksum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the number of rows, the length in bytes, and the SHA-256.
///
/// # Errors
/// Fails if the file can't be read.
pub fn table_checksum(path: &Path, rows: u64) -> io::Result<Value> {
    let checksum = Checksum::of(&mut File::open(path)?)?;
    Ok(json!({ "rows": rows, "bytes": checksum.bytes, "sha256": checksum.digits() }))
}

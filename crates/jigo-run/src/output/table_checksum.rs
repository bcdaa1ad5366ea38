//! The checksum of a table's file, which lets other programs verify a copy.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Returns the number of rows, the length in bytes, and the SHA-256 in hexadecimal digits, as
/// `sha256sum` prints it.
///
/// # Errors
/// Fails if the file can't be read.
pub fn table_checksum(path: &Path, rows: u64) -> io::Result<Value> {
    let mut file = File::open(path)?;
    let (mut hash, mut bytes) = (Sha256::new(), 0u64);
    let mut block = vec![0; 1 << 18];
    loop {
        match file.read(&mut block)? {
            0 => break,
            read => {
                hash.update(&block[..read]);
                bytes += read as u64;
            }
        }
    }
    let sum: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(json!({ "rows": rows, "bytes": bytes, "sha256": sum }))
}

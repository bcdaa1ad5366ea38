//! Records with a checksum, which are used only if they are intact: a line with a version and a
//! hash of the rest, then JSON.

use std::path::Path;
use std::{fs, io};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::output::regular_file::{self, is_regular_file};
use jigo_archive::pipeline::hash;

/// The moment at which a write is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The system has the bytes. They survive a kill of the program.
    Written,
    /// The bytes are on the disk. They survive a crash of the machine.
    Synced,
}

/// The largest number in a record. No archive reaches such a count, and the sum of two such numbers
/// fits into 64 bits.
const LARGEST: u64 = 1 << 53;

/// Serializes a record. `head` begins the first line and changes with the format.
///
/// # Errors
/// Fails if the record can't be represented in JSON.
pub fn to_bytes(head: &str, record: &impl Serialize) -> io::Result<Vec<u8>> {
    let body = serde_json::to_vec(record)?;
    let mut bytes = format!("{head}{:016x}\n", hash(&body, 0)).into_bytes();
    bytes.extend(body);
    Ok(bytes)
}

/// Parses the result of [`to_bytes`]. Returns `None` for any other content, such as a file damaged
/// by a system crash.
pub fn from_bytes<T: DeserializeOwned>(head: &str, bytes: &[u8]) -> Option<T> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (first, body) = (std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]);
    let has_checksum = first.strip_prefix(head)? == format!("{:016x}", hash(body, 0));
    let is_valid = has_checksum && is_small(&serde_json::from_slice(body).ok()?);
    if is_valid { serde_json::from_slice(body).ok() } else { None }
}

/// Reads a record from a file. Returns `None` if the file is missing or its content is not intact.
///
/// # Errors
/// Fails if the file can't be read.
pub fn read<T: DeserializeOwned>(head: &str, path: &Path) -> io::Result<Option<T>> {
    Ok(if is_regular_file(path)? { from_bytes(head, &fs::read(path)?) } else { None })
}

/// Writes a temporary file and renames it, so that the path refers to the old or the new content at
/// any moment.
///
/// # Errors
/// Fails if the file can't be written or renamed.
pub fn write(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let new = path.with_extension("new");
    let file = regular_file::write(&new, bytes)?;
    if durability == Durability::Synced {
        file.sync_all()?;
    }
    fs::rename(new, path)
}

/// Returns true if no number in a value is too large for a count.
fn is_small(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() <= LARGEST),
        Value::Array(values) => values.iter().all(is_small),
        Value::Object(values) => values.values().all(is_small),
        _ => true,
    }
}

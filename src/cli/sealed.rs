//! Records on the disk that are believed only where they are whole: a line with a version and a hash of what follows, then JSON.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::plain::{self, is_plain};
use jigo_archive::pipeline::hash;

/// The largest number that one holds: far more than any archive has of anything, and no sum of two goes beyond 64 bits.
const LARGEST: u64 = 1 << 53;

/// The bytes of a file; `head` begins its first line and changes with what follows.
///
/// # Errors
/// When the record can't be said in JSON.
pub fn to_bytes(head: &str, record: &impl Serialize) -> io::Result<Vec<u8>> {
    let body = serde_json::to_vec(record)?;
    let mut bytes = format!("{head}{:016x}\n", hash(&body, 0)).into_bytes();
    bytes.extend(body);
    Ok(bytes)
}

/// Reads what [`to_bytes`] gave; `None` for anything else, such as what a crash of the machine left of it.
pub fn from_bytes<T: DeserializeOwned>(head: &str, bytes: &[u8]) -> Option<T> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (first, body) = (std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]);
    let is_whole = first.strip_prefix(head)? == format!("{:016x}", hash(body, 0));
    let is_sound = is_whole && is_small(&serde_json::from_slice(body).ok()?);
    if is_sound { serde_json::from_slice(body).ok() } else { None }
}

/// Reads it from a file; `None` where there is none, or none that is whole.
///
/// # Errors
/// When the file can't be read.
pub fn read<T: DeserializeOwned>(head: &str, path: &Path) -> io::Result<Option<T>> {
    Ok(if is_plain(path)? { from_bytes(head, &fs::read(path)?) } else { None })
}

/// Writes bytes beside their place and moves them there, so that the file is the old one or the new one at any moment.
///
/// # Errors
/// When that fails.
pub fn write(path: &Path, bytes: &[u8], is_synced: bool) -> io::Result<()> {
    let new = path.with_extension("new");
    let file = plain::write(&new, bytes)?;
    if is_synced {
        file.sync_all()?;
    }
    fs::rename(new, path)
}

/// Whether no number in it is too large to be a count.
fn is_small(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() <= LARGEST),
        Value::Array(values) => values.iter().all(is_small),
        Value::Object(values) => values.values().all(is_small),
        _ => true,
    }
}

//! Names of inputs. Other people choose them and every row repeats them, so they are limited in
//! length and always valid text.

use std::borrow::Cow;
use std::path::Path;

use jigo_rules::board::fnv1a;

/// The maximum length of a name in rows, in bytes. Most systems have the same limit for paths.
const NAME_BYTES: usize = 4096;
/// The number of bytes at each end of a longer name that rows show.
const END_BYTES: usize = 2000;

/// Shortens a name for rows.
///
/// A hash replaces the middle of a long name, so that different names stay different. The end
/// remains, because it contains the suffix.
pub fn shorten(name: String) -> String {
    if name.len() <= NAME_BYTES {
        return name;
    }
    let [start, end] = [END_BYTES, name.len() - END_BYTES].map(|offset| name.floor_char_boundary(offset));
    format!("{}…{:016x}…{}", &name[..start], fnv1a(name.as_bytes()), &name[end..])
}

/// Returns a path as text for rows. On systems with byte paths, bytes that are not UTF-8 become
/// `%E9`, so that different names stay different.
#[cfg(unix)]
pub(crate) fn display_name(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut name = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| name.push_str(&format!("%{byte:02X}")));
    }
    name
}

/// Returns a path as text for rows, with forward slashes.
#[cfg(not(unix))]
pub(crate) fn display_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '\\' { name.replace('\\', "/") } else { name.into_owned() }
}

/// Returns the path with this name. If no such file exists, returns the path for which
/// [`display_name`] returns this name, if there is one.
#[cfg(unix)]
pub(crate) fn resolve_path(path: &Path) -> Cow<'_, Path> {
    use std::os::unix::ffi::OsStrExt;
    let name = path.as_os_str().as_bytes();
    if memchr::memchr(b'%', name).is_none() || path.symlink_metadata().is_ok() {
        return Cow::Borrowed(path);
    }
    let bytes = unescape(name);
    let unescaped = Path::new(std::ffi::OsStr::from_bytes(&bytes));
    let exists = display_name(unescaped).as_bytes() == name && unescaped.symlink_metadata().is_ok();
    if exists { Cow::Owned(unescaped.to_owned()) } else { Cow::Borrowed(path) }
}

/// Returns the path with this name.
#[cfg(not(unix))]
pub(crate) fn resolve_path(path: &Path) -> Cow<'_, Path> {
    Cow::Borrowed(path)
}

/// Replaces each `%E9` in a name by the byte.
#[cfg_attr(not(unix), allow(dead_code))]
fn unescape(name: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::with_capacity(name.len()), name);
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.first_chunk::<2>().filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|byte| !byte.is_ascii());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    bytes
}

/// Returns true if a file is the source with this name or inside it. The name of a file in an
/// archive is that of the archive, a `!`, and the path in the archive.
pub fn is_same_or_inside(file: &str, source: &str) -> bool {
    file.strip_prefix(source).is_some_and(|rest| rest.is_empty() || rest.starts_with('!'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_utf8_paths_round_trip_through_names() {
        for (name, bytes) in [
            ("x%FF.sgf", &b"x\xFF.sgf"[..]),
            ("碁%20.sgf", "碁%20.sgf".as_bytes()),
            ("%E7%A2!%C3%C3", b"\xE7\xA2!\xC3\xC3"),
            ("%4%+1%%e9%", b"%4%+1%\xE9%"),
        ] {
            assert_eq!(unescape(name.as_bytes()), bytes, "{name}");
        }
    }

    #[test]
    fn shortened_names_keep_their_ends_and_differ() {
        let longest = "n".repeat(NAME_BYTES);
        assert_eq!(shorten(longest.clone()), longest);
        let names = [("碁", 0), ("碁", 1), ("碁", 2), ("a", 7)].map(|(unit, offset)| {
            let mut name = unit.repeat(9_000 / unit.len());
            // The position is a multiple of the lengths of both units.
            name.insert_str(3_999, &"x".repeat(offset));
            shorten(format!("archive.zip!{name}.sgf"))
        });
        for (offset, name) in names.iter().enumerate() {
            assert!(name.len() <= NAME_BYTES && name.starts_with("archive.zip!") && name.ends_with(".sgf"), "{name}");
            assert!(!names[..offset].contains(name));
        }
    }
}

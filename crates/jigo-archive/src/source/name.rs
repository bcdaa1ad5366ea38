//! Names that strangers give: every row repeats them, so they have a limit, and are text whatever they are made of.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::pack::PackFormat;
use super::{InputFormat, Source, SourceKind};

/// Bytes of a name in rows, at most: as many as a path has on most systems.
const NAME_BYTES: usize = 4096;
/// Bytes that are kept at both ends of a longer one.
const END_BYTES: usize = 2000;

/// A name as rows have it: one that is too long loses its middle, for which a hash stands, so that different names stay different. The end is kept,
/// as it says what a file is.
pub fn shortened(name: String) -> String {
    if name.len() <= NAME_BYTES {
        return name;
    }
    // A character of UTF-8 has four bytes at most, so a boundary is near.
    let boundary = |mut at: usize| {
        while !name.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (boundary(END_BYTES), boundary(name.len() - END_BYTES));
    format!("{}…{:016x}…{}", &name[..start], hash(name.as_bytes()), &name[end..])
}

/// A path as the rows have it. On systems where paths are bytes, those that are no UTF-8 are written as `%E9`, so that different names stay different.
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

/// A path as the rows have it, with forward slashes.
#[cfg(not(unix))]
pub(crate) fn display_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '\\' { name.replace('\\', "/") } else { name.into_owned() }
}

/// The path that a name stands for: where there is no such file, that of which [`display_name`] writes it so.
#[cfg(unix)]
pub(crate) fn path_named(path: &Path) -> Cow<'_, Path> {
    use std::os::unix::ffi::OsStrExt;
    let name = path.as_os_str().as_bytes();
    if memchr::memchr(b'%', name).is_none() || path.symlink_metadata().is_ok() {
        return Cow::Borrowed(path);
    }
    let bytes = unescaped(name);
    let meant = Path::new(std::ffi::OsStr::from_bytes(&bytes));
    let is_meant = display_name(meant).as_bytes() == name && meant.symlink_metadata().is_ok();
    if is_meant { Cow::Owned(meant.to_owned()) } else { Cow::Borrowed(path) }
}

/// The path that a name stands for.
#[cfg(not(unix))]
pub(crate) fn path_named(path: &Path) -> Cow<'_, Path> {
    Cow::Borrowed(path)
}

/// A name with the bytes that stand in it as `%E9`.
#[cfg_attr(not(unix), allow(dead_code))]
fn unescaped(name: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::with_capacity(name.len()), name);
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.first_chunk::<2>().filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|byte| !byte.is_ascii());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &behind[2..] } else { behind };
    }
    bytes
}

/// Whether a file is the source of this name, or in it: what is in an archive is called behind its name and a `!`.
pub fn is_of(file: &str, source: &str) -> bool {
    file.strip_prefix(source).is_some_and(|rest| rest.is_empty() || rest.starts_with('!'))
}

/// Which `!` of a name parts an archive from what is in it: names of files and identifiers of rows may hold one, too.
#[derive(Clone, Debug, Default)]
pub struct Separators {
    /// The names of what may hold files or rows, as hashes, so that a million of them take a few megabytes.
    holders: Arc<HashSet<u64>>,
    /// The names of sources that have such a sign themselves.
    marked: Arc<HashSet<u64>>,
}

impl Separators {
    /// Those in the names of what these sources hold, read in this format.
    pub fn of(sources: &[Source], format: InputFormat) -> Separators {
        let is_holder = |source: &&Source| match source.kind {
            SourceKind::File(..) => format.is_rows(),
            SourceKind::EmptyFolder | SourceKind::Failed(_) => false,
            _ => true,
        };
        let hash = |source: &Source| hash(source.name.as_bytes());
        let marked = sources.iter().filter(|source| source.name.contains('!')).map(hash);
        let holders = sources.iter().filter(is_holder).map(hash);
        Separators { holders: Arc::new(holders.collect()), marked: Arc::new(marked.collect()) }
    }

    /// The name of a file as a path: each `!` behind what holds files is a `/`.
    pub fn path<'f>(&self, file: &'f str) -> Cow<'f, str> {
        if !file.contains('!') || self.marked.contains(&hash(file.as_bytes())) {
            return file.into();
        }
        // Of archives in archives, and in identifiers of rows, nothing is known but names.
        let holds = |name: &str| self.holders.contains(&hash(name.as_bytes())) || PackFormat::of_name(name).is_some();
        let mut path = file.to_owned();
        for (at, _) in file.match_indices('!').filter(|(at, _)| holds(&file[..*at])) {
            path.replace_range(at..=at, "/");
        }
        path.into()
    }
}

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn a_separator_stands_behind_what_holds_files() {
        let path = || PathBuf::from("any");
        let source = |name: &str, kind| Source { name: name.into(), kind, named: true };
        let sources = [
            source("d/Go!.sgf", SourceKind::File(path(), 1)),
            source("a.zip!b.sgf", SourceKind::File(path(), 1)),
            source("d/a", SourceKind::File(path(), 1)),
            source("d/a!b.zip", SourceKind::Archive(path(), 1, PackFormat::Zip)),
            source("packed", SourceKind::Archive(path(), 1, PackFormat::Zip)),
            source("-", SourceKind::Stream(None)),
        ];
        let separators = Separators::of(&sources, InputFormat::Auto);
        for (file, expected) in [
            ("d/Go!.sgf", "d/Go!.sgf"),
            ("d/a!17", "d/a!17"),
            ("d/a!b.zip!c!d.sgf", "d/a!b.zip/c!d.sgf"),
            ("packed!x!.tar.gz!y!z.sgf", "packed/x!.tar.gz/y!z.sgf"),
            ("-!b.sgf", "-/b.sgf"),
            ("wow! a row's", "wow! a row's"),
            ("a row of.zip!b!.sgf", "a row of.zip/b!.sgf"),
            ("a.zip!b.sgf", "a.zip!b.sgf"),
        ] {
            assert_eq!(separators.path(file), expected);
        }
        assert_eq!(Separators::of(&sources, InputFormat::Csv).path("d/a!17"), "d/a/17");
    }

    #[test]
    fn bytes_that_are_no_utf8_stand_in_names_and_come_back() {
        for (name, bytes) in [
            ("x%FF.sgf", &b"x\xFF.sgf"[..]),
            ("碁%20.sgf", "碁%20.sgf".as_bytes()),
            ("%E7%A2!%C3%C3", b"\xE7\xA2!\xC3\xC3"),
            ("%4%+1%%e9%", b"%4%+1%\xE9%"),
        ] {
            assert_eq!(unescaped(name.as_bytes()), bytes, "{name}");
        }
    }

    #[test]
    fn a_name_keeps_its_ends_and_stays_itself() {
        let longest = "n".repeat(NAME_BYTES);
        assert_eq!(shortened(longest.clone()), longest);
        let names = [("碁", 0), ("碁", 1), ("碁", 2), ("a", 7)].map(|(unit, at)| {
            let mut name = unit.repeat(9_000 / unit.len());
            // A multiple of the lengths of both units.
            name.insert_str(3_999, &"x".repeat(at));
            shortened(format!("archive.zip!{name}.sgf"))
        });
        for (at, name) in names.iter().enumerate() {
            assert!(name.len() <= NAME_BYTES && name.starts_with("archive.zip!") && name.ends_with(".sgf"), "{name}");
            assert!(!names[..at].contains(name));
        }
        // The published test vectors of FNV-1a.
        assert_eq!(
            (hash(b""), hash(b"a"), hash(b"foobar")),
            (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8)
        );
    }
}

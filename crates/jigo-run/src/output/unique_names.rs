//! Unique names for output files.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path};

use crate::output::atomic_file::is_temporary_name;

/// The names in use, stored as hashes so that a million names take a few megabytes. If two names
/// have the same hash, one of them gets an unneeded number.
#[derive(Default)]
pub struct UniqueNames {
    /// The next number for each name.
    next: HashMap<u64, u32>,
    folders: HashSet<u64>,
}

impl UniqueNames {
    /// Returns a name that is unique on every system: `name`, or `name` with a number before its
    /// extension. `name` separates folders with `/`.
    pub fn make_unique(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        // A file can't also be a folder.
        if folders(&name).any(|folder| self.next.contains_key(&hash(folder))) {
            name = name.replace('/', "_");
        }
        let mut unique = name.clone();
        while self.next.contains_key(&hash(&unique)) || self.folders.contains(&hash(&unique)) {
            let number = self.next.entry(hash(&name)).or_insert(2);
            unique = numbered(&name, *number);
            *number += 1;
        }
        self.next.insert(hash(&unique), 2);
        self.folders.extend(folders(&unique).map(hash));
        unique
    }
}

/// Returns a path that stays below any folder it is joined to, with `/` between folders.
pub fn relative_path(path: &str) -> String {
    let normal = |part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    };
    let parts: Vec<_> = Path::new(path).components().filter_map(normal).collect();
    match parts.join("/") {
        name if name.is_empty() || name == "-" => "games.sgf".into(),
        name => name,
    }
}

/// The longest file name in bytes on most file systems.
const MAX_NAME_BYTES: usize = 255;
/// The length to which a longer part of a path is shortened, in bytes.
const MAX_PART_BYTES: usize = 200;
/// The longest path below the output folder in bytes. Linux allows 4096 including the folder.
const MAX_PATH_BYTES: usize = 3000;
/// The maximum number of parts of a path. Creating thousands of nested folders takes seconds.
const MAX_PARTS: usize = 100;
/// The longest extension of a shortened name, including its dot.
const MAX_EXTENSION_BYTES: usize = 16;

/// Returns a path that a file can have, with `/` between folders. It contains no NUL, and long
/// parts are shortened. No part is the name of a temporary file. A path that is too long as a whole keeps only its last folders.
pub fn fit_to_file_system(path: &str) -> String {
    let path = path.replace('\0', "_");
    let mut parts: Vec<String> = path.split('/').map(shortened).collect();
    let mut length: usize = parts.iter().map(|part| part.len() + 1).sum();
    while (length > MAX_PATH_BYTES || parts.len() > MAX_PARTS) && parts.len() > 1 {
        length -= parts.remove(0).len() + 1;
    }
    parts.join("/")
}

/// Cuts the stem of a part of a path that is too long, and keeps its extension. A run would remove
/// a file with a temporary name, so such a name gets another first letter.
fn shortened(part: &str) -> String {
    if is_temporary_name(part) {
        return shortened(&part.replacen('.', "_", 1));
    }
    if part.len() <= MAX_NAME_BYTES {
        return part.to_owned();
    }
    let (stem, ending) = match part.rsplit_once('.') {
        Some((stem, ending)) if ending.len() < MAX_EXTENSION_BYTES => (stem, format!(".{ending}")),
        _ => (part, String::new()),
    };
    format!("{}{ending}", &stem[..stem.floor_char_boundary(MAX_PART_BYTES)])
}

/// Returns the folders that contain a file.
fn folders(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('/').map(|(end, _)| &name[..end])
}

/// Adds a number to a name: `a/b.sgf` becomes `a/b-2.sgf`.
fn numbered(name: &str, number: u32) -> String {
    let last = name.rfind('/').map_or(0, |slash| slash + 1);
    let stem = name[last..].rfind('.').map_or(name.len(), |dot| last + dot);
    let number = format!("-{number}");
    let excess = (name.len() - last + number.len()).saturating_sub(MAX_NAME_BYTES);
    let end = name.floor_char_boundary(stem.saturating_sub(excess).max(last));
    format!("{}{number}{}", &name[..end], &name[stem..])
}

/// Returns a hash that ignores letter case, because some systems do.
pub fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.to_lowercase().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_fits_into_a_file_system() {
        assert_eq!(fit_to_file_system("a/b.sgf"), "a/b.sgf");
        assert_eq!(fit_to_file_system("a\0b/\0.sgf"), "a_b/_.sgf");
        assert_eq!(fit_to_file_system("a/.jigo-b.part/.jigo-.part"), "a/_jigo-b.part/_jigo-.part");
        let long = |unit: &str| fit_to_file_system(&format!("x/{}.sgf", unit.repeat(300)));
        assert_eq!(long("a"), format!("x/{}.sgf", "a".repeat(200)));
        assert_eq!(long("碁"), format!("x/{}.sgf", "碁".repeat(66)));
        assert_eq!(fit_to_file_system(&"b".repeat(255)), "b".repeat(255));
        assert_eq!(fit_to_file_system(&format!("a.{}", "b".repeat(300))).len(), 200);
        let deep = fit_to_file_system(&format!("{}a.sgf", "folder/".repeat(2000)));
        assert!(deep.len() <= MAX_PATH_BYTES && deep.ends_with("folder/a.sgf"), "{}", deep.len());
    }

    #[test]
    fn every_name_is_unique() {
        let mut names = UniqueNames::default();
        let unique: Vec<String> = ["a.sgf", "a.sgf", "A.SGF", "a-2.sgf", "x/a.sgf", "x/a.sgf", "x", "a.sgf/b", "v1/b"]
            .iter()
            .map(|name| names.make_unique(name))
            .collect();
        assert_eq!(
            unique,
            ["a.sgf", "a-2.sgf", "A-3.SGF", "a-2-2.sgf", "x/a.sgf", "x/a-2.sgf", "x-2", "a.sgf_b", "v1/b"]
        );
        // A quadratic search would not finish.
        for _ in 0..100_000 {
            names.make_unique("same.sgf");
        }
        assert_eq!(names.make_unique("same.sgf"), "same-100001.sgf");
    }
}

//! Names of files that are each given once.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path};

/// The names that are given, as hashes, so that a million of them take a few megabytes: two names with one hash cost one of them a number.
#[derive(Default)]
pub struct Names {
    /// For each name the number that the next file of that name gets.
    next: HashMap<u64, u32>,
    folders: HashSet<u64>,
}

impl Names {
    /// A name that nobody has, on any system: this one, or with a number before its ending. `name` has `/` between folders.
    pub fn give(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        // What is a file already is no folder.
        if folders(&name).any(|folder| self.next.contains_key(&hash(folder))) {
            name = name.replace('/', "_");
        }
        let mut given = name.clone();
        while self.next.contains_key(&hash(&given)) || self.folders.contains(&hash(&given)) {
            let number = self.next.entry(hash(&name)).or_insert(2);
            given = numbered(&name, *number);
            *number += 1;
        }
        self.next.insert(hash(&given), 2);
        self.folders.extend(folders(&given).map(hash));
        given
    }
}

/// A path as one that lies below any folder it is joined to, with `/` between folders.
pub fn below(path: &str) -> String {
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

/// The folders on the way to a file.
fn folders(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('/').map(|(end, _)| &name[..end])
}

/// `a/b.sgf` as `a/b-2.sgf`.
fn numbered(name: &str, number: u32) -> String {
    let last = name.rfind('/').map_or(0, |slash| slash + 1);
    let stem = name[last..].rfind('.').map_or(name.len(), |dot| last + dot);
    format!("{}-{number}{}", &name[..stem], &name[stem..])
}

/// Names that differ in letter case are one on some systems.
pub fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.to_lowercase().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_once() {
        let mut names = Names::default();
        let given: Vec<String> = ["a.sgf", "a.sgf", "A.SGF", "a-2.sgf", "x/a.sgf", "x/a.sgf", "x", "a.sgf/b", "v1/b"]
            .iter()
            .map(|name| names.give(name))
            .collect();
        assert_eq!(
            given,
            ["a.sgf", "a-2.sgf", "A-3.SGF", "a-2-2.sgf", "x/a.sgf", "x/a-2.sgf", "x-2", "a.sgf_b", "v1/b"]
        );
        // Not quadratic.
        for _ in 0..100_000 {
            names.give("same.sgf");
        }
        assert_eq!(names.give("same.sgf"), "same-100001.sgf");
    }
}

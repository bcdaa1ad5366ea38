//! Skipped files in folders, counted by suffix.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::partial_result::merge_fields;

/// The maximum number of separate suffixes, and of characters per suffix. Other people choose these
/// names.
const MAX_SUFFIXES: usize = 1000;
const MAX_CHARACTERS: usize = 12;
/// The maximum number of suffixes in the summary.
const MAX_LISTED: usize = 12;
/// The suffix that collects all further files.
const OTHERS: &str = "others";

/// The number of files per lower-case suffix. Files without a suffix have an empty one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SkippedFiles(BTreeMap<String, u64>);

merge_fields!(SkippedFiles { 0 });

impl SkippedFiles {
    /// Counts a file.
    pub fn add(&mut self, path: &Path) {
        let suffix = path.extension().map_or_else(String::new, |suffix| suffix.to_string_lossy().to_lowercase());
        let is_short = suffix.chars().all(char::is_alphanumeric) && suffix.chars().count() <= MAX_CHARACTERS;
        let is_separate = is_short && (self.0.len() < MAX_SUFFIXES || self.0.contains_key(&suffix));
        *self.0.entry(if is_separate { suffix } else { OTHERS.into() }).or_default() += 1;
    }

    /// Returns the number of files.
    pub fn files(&self) -> u64 {
        self.0.values().sum()
    }

    /// Returns the counts by suffix.
    pub fn by_suffix(&self) -> &BTreeMap<String, u64> {
        &self.0
    }
}

/// Lists the most frequent suffixes by name: `4 files (.gib 1, .txt 2, no suffix 1)`.
impl fmt::Display for SkippedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = self.files();
        write!(f, "{files} {} (", if files == 1 { "file" } else { "files" })?;
        let mut by_count: Vec<(&str, u64)> = self.0.iter().map(|(suffix, files)| (suffix.as_str(), *files)).collect();
        by_count.sort_by_key(|(suffix, files)| (*suffix == OTHERS, std::cmp::Reverse(*files)));
        let rest: u64 = by_count.iter().skip(MAX_LISTED).map(|(_, files)| files).sum();
        by_count.truncate(MAX_LISTED);
        by_count.sort_by_key(|(suffix, _)| (suffix.is_empty() || *suffix == OTHERS, *suffix));
        let mut descriptions: Vec<String> = by_count
            .iter()
            .map(|(suffix, files)| match *suffix {
                "" => format!("no suffix {files}"),
                OTHERS => format!("{OTHERS} {files}"),
                suffix => format!(".{suffix} {files}"),
            })
            .collect();
        if rest > 0 {
            descriptions.push(format!("and {rest} more"));
        }
        write!(f, "{})", descriptions.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_files_are_listed_by_suffix() {
        let listed = |names: &[&str]| {
            let mut skipped_files = SkippedFiles::default();
            names.iter().for_each(|name| skipped_files.add(Path::new(name)));
            skipped_files.to_string()
        };
        assert_eq!(listed(&["a/b.txt", "c.TXT", "d.gib", "Makefile"]), "4 files (.gib 1, .txt 2, no suffix 1)");
        assert_eq!(listed(&[".gitignore"]), "1 file (no suffix 1)");
        assert_eq!(listed(&["a.b c", "x.\u{1b}[2J", "x.averyveryverylongsuffix"]), "3 files (others 3)");
        let paths: Vec<String> = (0..20).flat_map(|kind| (0..=kind).map(move |_| format!("x.s{kind:02}"))).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let text = listed(&paths);
        assert!(text.starts_with("210 files (.s08 9, .s09 10, ") && text.ends_with(".s19 20, and 36 more)"), "{text}");
    }

    #[test]
    fn number_of_suffixes_is_limited() {
        let mut skipped_files = SkippedFiles::default();
        (0..5000).for_each(|file| skipped_files.add(Path::new(&format!("x.{file}"))));
        assert_eq!((skipped_files.files(), skipped_files.by_suffix().len()), (5000, MAX_SUFFIXES + 1));
    }
}

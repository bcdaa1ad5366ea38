//! The language of comments and documents: line length, first words, and words that have a better
//! one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::files_ending;

/// Words that comments and documents avoid, each with the word to use.
const FORBIDDEN: [(&str, &str); 12] = [
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("mending", "fixing"),
    ("twin", "duplicate"),
    ("twins", "duplicates"),
    ("nobody", "no player, no program"),
    ("whoever", "a noun"),
    ("whatever", "any, all"),
    ("thereof", "of it"),
    ("therein", "in it"),
    ("whereof", "of which"),
];

/// First words of doc comments that do not say what the item does or is.
const FIRST_WORDS: [&str; 4] = ["What", "Whether", "Who", "It."];

/// The longest line of a comment, in characters.
const MAX_COLUMNS: usize = 100;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files() -> Vec<PathBuf> {
    let folders = ["crates", "src", "tests", "python/src", "fit/src", "benches", "fuzz/fuzz_targets"];
    folders.iter().flat_map(|folder| files_ending(&root().join(folder), "rs")).collect()
}

/// Returns the comment of a line that contains nothing else, without its slashes.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']))
}

/// Returns the words of a text outside of code spans.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split('`').step_by(2);
    prose.flat_map(|part| part.split(|c: char| !c.is_alphanumeric())).filter(|word| !word.is_empty())
}

/// Returns a message for each fault of a comment line.
fn faults(line: &str) -> Vec<String> {
    let Some(text) = comment(line) else { return Vec::new() };
    let mut faults = Vec::new();
    if line.chars().count() > MAX_COLUMNS && !text.contains("://") {
        faults.push(format!("more than {MAX_COLUMNS} columns"));
    }
    let is_doc = line.trim_start().starts_with("///") || line.trim_start().starts_with("//!");
    if is_doc && let Some(first) = FIRST_WORDS.iter().find(|first| text.trim_start().split(' ').next() == Some(first)) {
        faults.push(format!("begins with {first}"));
    }
    faults.extend(forbidden(text));
    faults
}

fn forbidden(text: &str) -> Vec<String> {
    let better = |word: &str| FORBIDDEN.iter().find(|(bad, _)| word.eq_ignore_ascii_case(bad));
    words(text).filter_map(better).map(|(bad, good)| format!("{bad}: write {good}")).collect()
}

#[test]
fn comments_follow_the_word_list() {
    let mut found = Vec::new();
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let place = path.strip_prefix(root()).unwrap().display();
            found.extend(faults(line).iter().map(|fault| format!("{place}:{number}: {fault}: {}", line.trim())));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn documents_follow_the_word_list() {
    let mut documents = files_ending(&root().join("docs"), "md");
    documents.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "fit/README.md"].map(|name| root().join(name)));
    let mut found = Vec::new();
    for path in documents {
        let text = fs::read_to_string(&path).unwrap();
        // Every second part is a code block.
        for line in text.split("```").step_by(2).flat_map(str::lines) {
            let place = path.strip_prefix(root()).unwrap().display();
            found.extend(forbidden(line).iter().map(|fault| format!("{place}: {fault}: {line}")));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn faults_of_a_comment_are_found() {
    let long = format!("/// Returns {}", "a".repeat(MAX_COLUMNS));
    for (line, count) in [
        ("/// Returns true if the fix is safe.", 0),
        ("    /// Whether the fix is safe.", 1),
        ("// Nobody mends it.", 2),
        ("/// Calls `mend`.", 0),
        ("let what = 1;", 0),
        (long.as_str(), 1),
    ] {
        assert_eq!(faults(line).len(), count, "{line}");
    }
}

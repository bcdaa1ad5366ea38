//! Every file and every name of the code in CONTRIBUTING.md exists.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use crate::readme::root;
use crate::support::files_ending;

/// Returns the texts in backticks outside code blocks.
fn quoted(document: &str) -> Vec<String> {
    let prose = document.split("```").step_by(2).collect::<String>();
    let is_code = |(index, text): (usize, &str)| (index % 2 == 1).then(|| text.replace('\n', " "));
    prose.split('`').enumerate().filter_map(is_code).collect()
}

/// Returns all source files of the program and its tests, with paths from the root.
fn source_files() -> Vec<PathBuf> {
    ["crates", "src", "tests"].iter().flat_map(|folder| files_ending(&root().join(folder), "rs")).collect()
}

/// Returns true for a name of the code, such as `run_options` or `FlagPaths`. Single words in small
/// letters can be anything.
fn is_code_name(text: &str) -> bool {
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let has_capital = text.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    let has_small = text.bytes().any(|byte| byte.is_ascii_lowercase());
    is_word && has_small && (has_capital || text.contains('_'))
}

#[test]
fn names_and_files_in_contributing_exist() {
    let document = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let files = source_files();
    let texts: String = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let words: HashSet<&str> =
        texts.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let exists = |text: &str| match text.ends_with(".rs") {
        true => root().join(text).exists() || files.iter().any(|file| file.ends_with(text)),
        false if text.starts_with("crates/") || text.starts_with("src/") => root().join(text).exists(),
        false => !is_code_name(text) || words.contains(text),
    };
    let is_template = |text: &String| ["NAME", "CODE", "YourVariant"].iter().any(|name| text.contains(name));
    let missing: Vec<String> =
        quoted(&document).into_iter().filter(|text| !is_template(text) && !exists(text)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(
        is_code_name("run_options") && is_code_name("FlagPaths") && !is_code_name("mod") && !is_code_name("TABLES")
    );
}

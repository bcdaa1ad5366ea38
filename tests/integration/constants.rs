//! Checks that `fit/README.md` documents exactly the constants of the estimates, with their values.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The sources of the estimates without generated weights, relative to the source folder of
/// `jigo-score`.
const ESTIMATE_PATHS: [&str; 3] = ["dead_stones.rs", "evaluation", "playout"];
/// Constants whose values are facts and not choices.
const NOT_CHOSEN: [&str; 11] = [
    "ADDED_FEATURES",
    "BORDER",
    "BOTH",
    "CACHED_ESTIMATES",
    "EMPTY",
    "FIRST_FEATURES",
    "LATER_FEATURES",
    "MARGIN",
    "NONE",
    "ROW",
    "WORDS",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<PathBuf> {
    let score = root().join("crates/jigo-score/src");
    let files = ESTIMATE_PATHS.iter().flat_map(|place| crate::support::files_below(&score.join(place)));
    files.filter(|path| !path.to_str().unwrap().contains("weights_")).collect()
}

/// Returns the constants of a module with their values, each joined to one line.
///
/// Constants inside functions and tests are indented, and therefore skipped.
fn constants(source: &str) -> Vec<(String, String)> {
    let is_constant = |line: &str| {
        line.starts_with("const ")
            || line.starts_with("pub const ")
            || line.starts_with("pub(") && line.contains(") const ")
    };
    let starts = source.lines().scan(0, |offset, line| {
        let start = *offset;
        *offset += line.len() + 1;
        Some((start, line))
    });
    let declared =
        starts.filter(|(_, line)| is_constant(line) && !line.contains("fn ")).map(|(start, _)| &source[start..]);
    let constant = |text: &str| {
        let (_, text) = text.split_once("const ").unwrap();
        let (name, text) = text.split_once(':').unwrap();
        let (_, text) = text.split_once('=').unwrap();
        let value: Vec<&str> = text[..text.find(";\n").unwrap()].split_whitespace().collect();
        (name.to_owned(), value.join(" "))
    };
    declared.map(constant).filter(|(name, _)| !NOT_CHOSEN.contains(&name.as_str())).collect()
}

/// Parses the list of constants and returns their values by file and name.
///
/// Each file has a heading, followed by items such as ``- `NAME` = `value`: origin``.
fn documented_constants(section: &str) -> BTreeMap<(String, String), String> {
    let mut constants = BTreeMap::new();
    for part in section.split("\n### `").skip(1) {
        let (file, list) = part.split_once("`\n").unwrap();
        for item in list.split("\n- `").skip(1) {
            let item = item.split_whitespace().collect::<Vec<_>>().join(" ");
            let (name, rest) = item.split_once("` = `").unwrap_or_else(|| panic!("{item}"));
            let (value, origin) = rest.split_once("`: ").unwrap_or_else(|| panic!("{item}"));
            assert!(origin.len() > 10, "{item}");
            let key = (file.to_owned(), name.to_owned());
            assert!(constants.insert(key, value.to_owned()).is_none(), "duplicate entry: {item}");
        }
    }
    constants
}

#[test]
fn every_estimate_constant_has_a_documented_origin() {
    let mut actual = BTreeMap::new();
    for path in sources() {
        let file = path.strip_prefix(root().join("crates/jigo-score/src")).unwrap().to_str().unwrap().to_owned();
        for (name, value) in constants(&fs::read_to_string(&path).unwrap()) {
            actual.insert((file.clone(), name), value);
        }
    }
    let document = fs::read_to_string(root().join("fit/README.md")).unwrap();
    let (_, section) = document.split_once("\n## Constants\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let documented = documented_constants(section);
    assert!(actual.len() > 40);
    assert_eq!(documented, actual);
}

#[test]
fn constants_finds_multi_line_values_outside_functions() {
    let source = "/// One.\npub(super) const ONE: usize = 1;\nconst TWO: [u8; 2] =\n    [1, 2];\nconst EMPTY: u8 = 0;\nconst fn three() {\n    const FOUR: u8 = 4;\n}\n";
    let found = constants(source);
    assert_eq!(found, [("ONE".into(), "1".into()), ("TWO".into(), "[1, 2]".into())] as [(String, String); 2]);
}

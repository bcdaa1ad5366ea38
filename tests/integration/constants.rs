//! `fit/README.md` documents the origin of every constant of the estimates. Every constant has a
//! row, every row has a constant, and the values equal those of the code.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The paths of the estimates, relative to `jigo-core`'s score folder. The fit produces the
/// weights, and the document covers them as a whole.
const ESTIMATE_PATHS: [&str; 3] = ["dead.rs", "evaluation", "playout"];
/// Constants that name a fact, for which no value was chosen.
const NOT_CHOSEN: [&str; 11] =
    ["ADDED", "BORDER", "BOTH", "EMPTY", "FIRST", "KEPT", "LATER", "MARGIN", "NONE", "ROW", "WORDS"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<PathBuf> {
    let score = root().join("crates/jigo-core/src/score");
    let files = ESTIMATE_PATHS.iter().flat_map(|place| crate::support::files_below(&score.join(place)));
    files.filter(|path| !path.to_str().unwrap().contains("weights_")).collect()
}

/// Returns the constants of a module by name, each with its value on one line. Constants in
/// functions and tests are indented and not included.
fn constants(source: &str) -> Vec<(String, String)> {
    let visible = |line: &str| {
        line.starts_with("const ")
            || line.starts_with("pub const ")
            || line.starts_with("pub(") && line.contains(") const ")
    };
    let starts = source.lines().scan(0, |at, line| {
        let start = *at;
        *at += line.len() + 1;
        Some((start, line))
    });
    let declared = starts.filter(|(_, line)| visible(line) && !line.contains("fn ")).map(|(start, _)| &source[start..]);
    let constant = |text: &str| {
        let (_, text) = text.split_once("const ").unwrap();
        let (name, text) = text.split_once(':').unwrap();
        let (_, text) = text.split_once('=').unwrap();
        let value: Vec<&str> = text[..text.find(";\n").unwrap()].split_whitespace().collect();
        (name.to_owned(), value.join(" "))
    };
    declared.map(constant).filter(|(name, _)| !NOT_CHOSEN.contains(&name.as_str())).collect()
}

#[test]
fn every_estimate_constant_has_a_documented_origin() {
    let mut due = BTreeMap::new();
    for path in sources() {
        let file = path.strip_prefix(root().join("crates/jigo-core/src/score")).unwrap().to_str().unwrap().to_owned();
        for (name, value) in constants(&fs::read_to_string(&path).unwrap()) {
            due.insert((file.clone(), name), value);
        }
    }
    let document = fs::read_to_string(root().join("fit/README.md")).unwrap();
    let (_, section) = document.split_once("\n## Constants\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let mut told = BTreeMap::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [name, file, value, origin] = cells[..] else { panic!("{line}") };
        assert!(origin.len() > 10, "{line}");
        assert!(told.insert((file.to_owned(), name.to_owned()), value.to_owned()).is_none(), "{line} stands twice");
    }
    assert!(due.len() > 40);
    assert_eq!(told, due);
}

#[test]
fn constants_finds_multi_line_values_outside_functions() {
    let source = "/// One.\npub(super) const ONE: usize = 1;\nconst TWO: [u8; 2] =\n    [1, 2];\nconst EMPTY: u8 = 0;\nconst fn three() {\n    const FOUR: u8 = 4;\n}\n";
    let found = constants(source);
    assert_eq!(found, [("ONE".into(), "1".into()), ("TWO".into(), "[1, 2]".into())] as [(String, String); 2]);
}

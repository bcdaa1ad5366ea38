//! `fit/README.md` says of every constant of the estimates how it came about: no constant is without its row, no row without its constant, and the values
//! are those of the code.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the estimates are made, from the folder of `jigo-core`'s score on. Weights are made by the fit and stand there as a whole.
const PLACES: [&str; 3] = ["dead.rs", "evaluation", "playout"];
/// Names for what something is, at which there was nothing to choose.
const NOT_CHOSEN: [&str; 11] =
    ["ADDED", "BORDER", "BOTH", "EMPTY", "FIRST", "KEPT", "LATER", "MARGIN", "NONE", "ROW", "WORDS"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<PathBuf> {
    let score = root().join("crates/jigo-core/src/score");
    let files = PLACES.iter().flat_map(|place| crate::support::files_below(&score.join(place)));
    files.filter(|path| !path.to_str().unwrap().contains("weights_")).collect()
}

/// The constants of a module by their names, each with its value on one line; those within functions and tests are indented.
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
fn every_constant_of_the_estimates_has_its_origin_in_the_documents() {
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
fn constants_are_found_over_several_lines_and_not_within_functions() {
    let source = "/// One.\npub(super) const ONE: usize = 1;\nconst TWO: [u8; 2] =\n    [1, 2];\nconst EMPTY: u8 = 0;\nconst fn three() {\n    const FOUR: u8 = 4;\n}\n";
    let found = constants(source);
    assert_eq!(found, [("ONE".into(), "1".into()), ("TWO".into(), "[1, 2]".into())] as [(String, String); 2]);
}

//! Names of files and types: nouns that a reader can look up, each used once in a crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::layers::SOURCES;
use crate::support::files_ending;

/// Words that say nothing as the whole name of a module or type: pronouns, participles and verbs.
const FORBIDDEN: [&str; 36] = [
    "again",
    "ahead",
    "alone",
    "asked",
    "beside",
    "counted",
    "failing",
    "given",
    "guarded",
    "held",
    "helper",
    "hold",
    "holds",
    "info",
    "kept",
    "known",
    "learned",
    "manager",
    "mend",
    "mended",
    "mending",
    "of",
    "offer",
    "offers",
    "opened",
    "over",
    "plain",
    "quiet",
    "said",
    "sealed",
    "shown",
    "spot",
    "sure",
    "told",
    "unfinished",
    "waiting",
];

/// Returns the name of the type that a line defines.
fn defined_type(line: &str) -> Option<&str> {
    let (start, rest) = line.split_once("struct ").or_else(|| line.split_once("enum ")).or_else(|| {
        let trait_start = line.split_once("trait ");
        trait_start.or_else(|| line.split_once("type ").filter(|_| !line.starts_with(' ')))
    })?;
    let is_definition = start.is_empty() || start.starts_with("pub") && !start.contains(['"', '/']);
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    (is_definition && end > 0).then_some(&rest[..end])
}

/// Returns the types that the files of a crate define outside of unit tests, with their files.
fn types(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files_ending(folder, "rs").into_iter().filter(|path| !path.ends_with("tests.rs")) {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let file = path.strip_prefix(folder).unwrap().display().to_string();
        for name in code.lines().filter_map(defined_type) {
            let files = types.entry(name.to_owned()).or_default();
            // Several systems may each have their own definition in one file.
            if !files.contains(&file) {
                files.push(file.clone());
            }
        }
    }
    types
}

#[test]
fn types_of_a_crate_have_different_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut repeated = Vec::new();
    for folder in SOURCES {
        let types = types(&root.join(folder));
        assert!(types.len() > 2, "{folder} has few types");
        let several = types.into_iter().filter(|(_, files)| files.len() > 1);
        repeated.extend(several.map(|(name, files)| format!("{folder}: {name} in {files:?}")));
    }
    assert!(repeated.is_empty(), "{repeated:#?}");
}

#[test]
fn modules_and_types_have_names_of_things() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in SOURCES {
        let files = files_ending(&root.join(folder), "rs");
        let stems = files.iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
        let names = stems.chain(types(&root.join(folder)).into_keys());
        let is_forbidden = |name: &String| FORBIDDEN.iter().any(|word| name.eq_ignore_ascii_case(word));
        found.extend(names.filter(is_forbidden).map(|name| format!("{folder}: {name}")));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn files_of_a_crate_have_different_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in SOURCES {
        let mut files: BTreeMap<String, u32> = BTreeMap::new();
        for path in files_ending(&root.join(folder), "rs") {
            *files.entry(path.file_name().unwrap().to_string_lossy().into_owned()).or_default() += 1;
        }
        let is_exempt = |name: &str| matches!(name, "mod.rs" | "tests.rs");
        let repeated = files.into_iter().filter(|(name, count)| *count > 1 && !is_exempt(name));
        found.extend(repeated.map(|(name, _)| format!("{folder}: {name} occurs more than once")));
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Constructors are named after their source (`from_text`) or a verb (`parse`).
#[test]
fn no_function_is_called_of() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for path in SOURCES.iter().flat_map(|folder| files_ending(&root.join(folder), "rs")) {
        let text = fs::read_to_string(&path).unwrap();
        let is_of = |line: &str| line.contains("fn of(") || line.contains("fn of<");
        found.extend(text.lines().filter(|line| is_of(line)).map(|line| format!("{}: {line}", path.display())));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn type_definitions_are_recognised() {
    for (line, name) in [
        ("pub struct Game<'a> {", Some("Game")),
        ("pub(super) enum Class {", Some("Class")),
        ("trait Visitor: Sync {", Some("Visitor")),
        ("type Module = Vec<String>;", Some("Module")),
        ("    type Accumulator = Rows;", None),
        ("// A struct of points.", None),
        ("let text = \"struct Game\";", None),
    ] {
        assert_eq!(defined_type(line), name, "{line}");
    }
}

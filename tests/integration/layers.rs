//! Data flows in one direction: a module uses only earlier modules, and each dependency is used in
//! one place.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::files_ending;

/// The source folders. The compiler checks the order between crates; within a crate, the order of
/// `mod` in lib.rs is the order of the data flow.
pub const SOURCES: [&str; 8] = [
    "crates/jigo-rules/src",
    "crates/jigo-diagrams/src",
    "crates/jigo-score/src",
    "crates/jigo-record/src",
    "crates/jigo-core/src",
    "crates/jigo-archive/src",
    "crates/jigo-run/src",
    "src",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &str) -> Vec<PathBuf> {
    let files = files_ending(&root().join(folder), "rs");
    assert!(files.len() > 4, "the sources have moved");
    files
}

fn source_files() -> Vec<PathBuf> {
    SOURCES.iter().flat_map(|folder| rust_files(folder)).collect()
}

/// Returns the path of a file, with forward slashes.
fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/")
}

/// Returns the crate's module that a file belongs to: `rules` for `src/rules/cycle.rs` and `replay`
/// for `src/replay.rs`.
fn module(file: &str) -> &str {
    let (_, inside) = file.split_once("src/").unwrap();
    inside.split('/').next().unwrap().trim_end_matches(".rs")
}

/// Returns the code of a file without comments, so that a name in a sentence does not count as a
/// use.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns every path that follows `crate::` in a file.
fn used_paths(code: &str) -> Vec<&str> {
    let ends_path = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
    code.split("crate::").skip(1).map(|rest| &rest[..rest.find(ends_path).unwrap_or(rest.len())]).collect()
}

/// Returns the modules of a crate in the order of its lib.rs.
fn module_order(folder: &str) -> Vec<String> {
    let library = fs::read_to_string(root().join(folder).join("lib.rs")).unwrap();
    let name = |line: &str| Some(line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')?.to_owned());
    library.lines().filter_map(name).collect()
}

/// Returns the code before the unit tests, which may use later modules.
fn without_tests(code: &str) -> &str {
    code.split("#[cfg(test)]\nmod tests").next().unwrap_or(code)
}

#[test]
fn module_uses_only_earlier_modules() {
    let mut wrong = Vec::new();
    for folder in SOURCES {
        let order = module_order(folder);
        assert!(order.len() > 3, "{folder} has few modules");
        let rank = |module: &str| order.iter().position(|known| known == module);
        for path in rust_files(folder) {
            let file = name(&path);
            let Some(here) = rank(module(&file)) else { continue };
            for used in used_paths(without_tests(&code(&path))) {
                let there = used.split("::").next().unwrap();
                if rank(there).is_some_and(|there| there > here) {
                    wrong.push(format!("{file} uses crate::{used}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the files whose code names a crate.
fn homes(of_crate: &str) -> Vec<String> {
    let names = |code: &str| {
        let used = format!("{of_crate}::");
        code.match_indices(&used).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
        })
    };
    source_files().iter().filter(|path| names(&code(path))).map(|path| name(path)).collect()
}

#[test]
fn every_dependency_has_one_home() {
    assert_eq!(homes("sgf_parse"), ["crates/jigo-record/src/record/property.rs"]);
    assert_eq!(homes("indicatif"), ["src/progress.rs"]);
    assert_eq!(homes("walkdir"), ["crates/jigo-archive/src/source/files/discover.rs"]);
    assert_eq!(homes("resvg"), ["crates/jigo-diagrams/src/png.rs"]);
    assert_eq!(homes("percent_encoding"), ["src/html/links.rs"]);
    for file in homes("maud") {
        assert!(file.starts_with("src/html") || file.starts_with("crates/jigo-diagrams/src"), "{file} names maud");
    }
    assert_eq!(
        homes("tempfile"),
        [
            "crates/jigo-archive/src/duplicates/buckets.rs",
            "crates/jigo-archive/src/duplicates/spool.rs",
            "crates/jigo-archive/src/engine/gtp_engine.rs",
            "crates/jigo-archive/src/records/prefetch.rs",
            "crates/jigo-archive/src/source/archive/seven_z/tests.rs",
            "crates/jigo-archive/src/source/files/temp_copy.rs",
            "crates/jigo-archive/src/visit/tests.rs",
            "crates/jigo-run/src/config/config_file.rs",
            "crates/jigo-run/src/output/atomic_file.rs",
            "crates/jigo-run/src/output/file_lock.rs",
            "crates/jigo-run/src/output/staging_dir.rs",
            "src/commands/fix/backup.rs",
            "src/commands/fix/diff.rs",
        ]
    );
}

#[test]
fn errors_are_typed_below_the_run() {
    for file in homes("anyhow") {
        let is_of_run = file.starts_with("crates/jigo-run/") || file.starts_with("src/");
        assert!(is_of_run || module(&file) == "pipeline", "{file} names anyhow");
    }
}

#[test]
fn crates_below_the_archive_read_no_file_and_start_no_process() {
    let folders = SOURCES.iter().take_while(|folder| !folder.contains("jigo-archive"));
    for path in folders.flat_map(|folder| rust_files(folder)) {
        for outside in ["std::fs", "std::net", "std::process", "std::thread", "std::env"] {
            assert!(!code(&path).contains(outside), "{} names {outside}", name(&path));
        }
    }
}

/// jigo's own `csv` module has the crate's name, and exports two names that the crate does not
/// have.
#[test]
fn csv_is_written_in_one_file_and_read_in_listed_files() {
    let names_type = |code: &str| {
        let is_ours = |rest: &str| rest.starts_with("CsvRows") || rest.starts_with("FORMAT");
        code.split("csv::").skip(1).any(|rest| rest.starts_with(char::is_uppercase) && !is_ours(rest))
    };
    let files = source_files().into_iter().filter(|path| names_type(&code(path)));
    assert_eq!(
        files.map(|path| name(&path)).collect::<Vec<_>>(),
        // Lists of games and players, and indexes are read as CSV.
        [
            "crates/jigo-archive/src/formats/csv.rs",
            "crates/jigo-archive/src/pipeline/game_list.rs",
            "crates/jigo-archive/src/source/header_index.rs",
            "crates/jigo-archive/src/source/players_file.rs",
        ]
    );
}

/// The compiler refuses unsafe code in every crate that inherits the workspace's lints.
#[test]
fn every_crate_takes_the_lints_that_forbid_unsafe_code() {
    let manifest = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    assert!(manifest("Cargo.toml").contains("unsafe_code = \"forbid\""));
    let crates = SOURCES.map(|folder| folder.trim_end_matches("src").to_owned() + "Cargo.toml");
    for path in crates.iter().map(String::as_str).chain(["python/Cargo.toml"]) {
        assert!(manifest(path).contains("[lints]\nworkspace = true"), "{path}");
    }
}

/// Returns the items of a file that follow an attribute, each with its name and its lines.
fn items_under<'a>(code: &'a str, attribute: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut items = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.trim() == attribute) {
        let head = lines[at + 1..].iter().position(|line| !line.trim_start().starts_with("#[")).unwrap() + at + 1;
        let indent = lines[head].len() - lines[head].trim_start().len();
        let is_last = |line: &&str| !line.starts_with(&" ".repeat(indent + 1)) && line.trim_end().ends_with(['}', ';']);
        let end = lines[head..].iter().position(is_last).unwrap() + head;
        let words = lines[head].split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let name = words.skip_while(|word| !["fn", "mod", "struct", "enum", "const", "type"].contains(word)).nth(1);
        items.push((name.unwrap_or(lines[head].trim()), lines[head..=end].to_vec()));
    }
    items
}

/// .ci/run and the workflow compile for Windows, because that needs its standard library.
#[test]
fn item_for_unix_has_a_counterpart_elsewhere() {
    let mut compared = 0;
    for path in source_files() {
        let code = code(&path);
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        let [unix, not_unix, windows, tests, linux] = [
            "#[cfg(unix)]",
            "#[cfg(not(unix))]",
            "#[cfg(windows)]",
            "#[cfg(all(test, unix))]",
            "#[cfg(target_os = \"linux\")]",
        ]
        .map(|attribute| items_under(code, attribute));
        let counterparts: Vec<&str> = not_unix.iter().chain(&windows).map(|(item, _)| *item).collect();
        for (item, _) in &unix {
            assert!(counterparts.contains(item), "{}: {item} exists on unix only", name(&path));
            compared += 1;
        }
        let inside = |system: &str| {
            let items = [&unix, &not_unix, &windows, &tests, &linux].into_iter().flatten();
            items.flat_map(|(_, lines)| lines).filter(|line| line.contains(system)).count()
        };
        for system in ["os::unix", "os::linux", "os::fd", "os::windows"] {
            let everywhere = code.lines().filter(|line| line.contains(system)).count();
            assert_eq!(inside(system), everywhere, "{} uses {system} outside an item for that system", name(&path));
        }
    }
    assert!(compared >= 12, "only {compared} items were compared");
}

#[test]
fn items_under_an_attribute_end_with_their_braces() {
    let code = "#[cfg(unix)]\n#[inline]\npub fn one(\n    a: u8,\n) {\n    x();\n}\nfn two() {}\n    #[cfg(unix)]\n    use std::os::unix;\n";
    let items = items_under(code, "#[cfg(unix)]");
    assert_eq!(
        items.iter().map(|(name, lines)| (*name, lines.len())).collect::<Vec<_>>(),
        [("one", 5), ("use std::os::unix;", 1)]
    );
}

#[test]
fn used_paths_finds_every_path() {
    let code = "use crate::board::{Color, Point};\nlet x = crate::report::Summary::new();";
    assert_eq!(used_paths(code), ["board::", "report::Summary::new"]);
    assert_eq!(module("crates/jigo-core/src/audit/cause.rs"), "audit");
    assert_eq!(module("src/replay.rs"), "replay");
}

/// Returns the types that each file declares with one of the `visible` prefixes, with the files of
/// each.
fn types(files: Vec<PathBuf>, visible: &[&str]) -> BTreeMap<String, Vec<String>> {
    let mut homes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        for line in code(&file).lines() {
            let item = visible.iter().find_map(|start| line.trim_start().strip_prefix(start));
            let mut words = item.unwrap_or_default().split(|c: char| !(c.is_alphanumeric() || c == '_'));
            if matches!(words.next(), Some("struct" | "enum" | "trait"))
                && let Some(type_name) = words.next()
            {
                homes.entry(type_name.to_owned()).or_default().push(name(&file));
            }
        }
    }
    homes
}

/// A name with two meanings must be looked up at each use. Public types are unique in all crates;
/// types that other files see are unique in the crates of one game. Types private to a file may
/// reuse a short name.
#[test]
fn visible_type_names_are_unique() {
    let public = types(source_files(), &["pub "]);
    let below_archive = SOURCES.iter().take_while(|folder| !folder.contains("jigo-archive"));
    let files = below_archive.flat_map(|folder| rust_files(folder)).collect();
    let of_core = types(files, &["pub ", "pub(crate) ", "pub(super) "]);
    for mut homes in [public, of_core] {
        assert!(homes.len() > 200, "{}", homes.len());
        homes.retain(|_, files| files.len() > 1);
        assert!(homes.is_empty(), "{homes:?}");
    }
}

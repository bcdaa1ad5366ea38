//! What jigo is built from: known, licensed, from one registry, and each with a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Licences that a program under MIT or Apache-2.0 may be linked with as it is.
const LICENCES: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "Zlib",
    "Unlicense",
    "CC0-1.0",
    "Unicode-3.0",
    "bzip2-1.0.6",
];

/// Crates that are built in more than one version, because crates that others wrote have not agreed yet: random numbers of the system, unpacking
/// (png still takes the one before), and syntax trees of macros.
const TWICE: [&str; 4] = ["getrandom", "miniz_oxide", "r-efi", "syn"];

/// The packages of the workspace.
const OURS: [&str; 3] = ["jigo", "jigo-core", "jigo-archive"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The manifest of the workspace and those of its members.
const MANIFESTS: [&str; 3] = ["Cargo.toml", "crates/jigo-core/Cargo.toml", "crates/jigo-archive/Cargo.toml"];

/// The names that the sections of dependencies in a manifest begin lines with, ours apart.
fn named_in(manifest: &str) -> BTreeSet<String> {
    let text = read(manifest);
    let mut names = BTreeSet::new();
    let mut is_dependency = false;
    for line in text.lines() {
        if line.starts_with('[') {
            is_dependency = line.ends_with("dependencies]");
            assert!(!line.contains("dependencies."), "{line}: write it as a line of its section");
        } else if let (true, Some((name, _))) = (is_dependency, line.split_once(" = ")) {
            names.insert(name.trim_end_matches(".workspace").to_owned());
        }
    }
    names.into_iter().filter(|name| !OURS.contains(&name.as_str())).collect()
}

fn named_in_manifest() -> BTreeSet<String> {
    MANIFESTS.iter().flat_map(|manifest| named_in(manifest)).collect()
}

/// The cells of a table of docs/dependencies.md, without its head.
fn table(name: &str) -> Vec<Vec<String>> {
    let text = read("docs/dependencies.md");
    let (_, rest) = text.split_once(&format!("<!-- {name} -->")).unwrap();
    let (table, _) = rest.split_once(&format!("<!-- /{name} -->")).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn every_dependency_has_its_reason_in_the_documents() {
    let mut explained = BTreeSet::new();
    for row in table("dependencies") {
        let [names, reason] = &row[..] else { panic!("{row:?}") };
        assert!(reason.len() > 10, "{names}: {reason}");
        for name in names.split(", ") {
            assert!(explained.insert(name.to_owned()), "{name} stands twice");
        }
    }
    assert_eq!(explained, named_in_manifest());
}

/// The packages of Cargo.lock: name, and the lines that belong to it.
fn locked() -> Vec<(String, Vec<String>)> {
    let text = read("Cargo.lock");
    let packages = text.split("[[package]]").skip(1).map(|package| {
        let lines: Vec<String> = package.lines().map(str::to_owned).collect();
        let name = lines.iter().find_map(|line| line.strip_prefix("name = ")).unwrap();
        (name.trim_matches('"').to_owned(), lines)
    });
    packages.collect()
}

#[test]
fn everything_comes_from_the_one_registry_with_its_checksum() {
    let packages = locked();
    assert!(packages.len() > 50);
    for (name, lines) in packages {
        let has = |start: &str| lines.iter().any(|line| line.starts_with(start));
        let is_ours = OURS.contains(&name.as_str());
        assert_eq!(has("source = \"registry+https://github.com/rust-lang/crates.io-index\""), !is_ours, "{name}");
        assert_eq!(has("checksum = "), !is_ours, "{name}");
    }
}

#[test]
fn no_crate_is_built_twice_without_being_known() {
    let mut versions: BTreeMap<String, u32> = BTreeMap::new();
    locked().into_iter().for_each(|(name, _)| *versions.entry(name).or_default() += 1);
    // Windows alone has its crates in two versions.
    let twice = versions.into_iter().filter(|(name, count)| *count > 1 && !name.starts_with("windows"));
    let twice: Vec<String> = twice.map(|(name, _)| name).collect();
    assert_eq!(twice, TWICE);
}

#[test]
fn we_have_no_build_script_and_no_unsafe_code() {
    assert!(read("Cargo.toml").contains("unsafe_code = \"deny\""));
    for manifest in MANIFESTS {
        let (text, folder) = (read(manifest), root().join(manifest).parent().unwrap().to_owned());
        assert!(!folder.join("build.rs").exists(), "{manifest}");
        assert!(!text.lines().any(|line| line.starts_with("build ") || line.starts_with("build=")), "{manifest}");
        assert!(text.contains("[lints]\nworkspace = true"), "{manifest}");
        for entry in walkdir::WalkDir::new(folder.join("src")).into_iter().map(Result::unwrap) {
            if entry.path().extension().is_some_and(|end| end == "rs") {
                let code = fs::read_to_string(entry.path()).unwrap();
                assert!(!code.contains("allow(unsafe_code)"), "{}", entry.path().display());
            }
        }
    }
}

/// Whether one of the alternatives of a licence expression is made of [`LICENCES`].
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    // An expression in parentheses stands for itself: what is joined to it by AND has to be allowed, too.
    if let Some((inner, rest)) = expression.strip_prefix('(').and_then(|rest| rest.split_once(") AND ")) {
        return is_allowed(inner) && is_allowed(rest);
    }
    expression.split(" OR ").any(|one| one.split(" AND ").all(|part| LICENCES.contains(&part.trim())))
}

/// What cargo knows of us and of all that we are built from.
fn metadata() -> serde_json::Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let target = if cfg!(target_arch = "aarch64") { "aarch64" } else { "x86_64" };
    let platform = format!("{target}-unknown-linux-gnu");
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version", "1", "--filter-platform", &platform, "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The features of a dependency that are on, by its entry in Cargo.toml and its own manifest; `std` and `alloc` left out where they are
/// on by default.
fn features(dependency: &serde_json::Value, packages: &[serde_json::Value]) -> BTreeSet<String> {
    let names = |list: &serde_json::Value| -> Vec<String> {
        let names = list.as_array().into_iter().flatten().filter_map(|name| name.as_str());
        names.map(|name| name.trim_start_matches("dep:").to_owned()).collect()
    };
    let mut on: BTreeSet<String> = names(&dependency["features"]).into_iter().collect();
    if dependency["uses_default_features"] == true {
        let package = packages.iter().find(|package| package["name"] == dependency["name"]).unwrap();
        let default = names(&package["features"]["default"]);
        on.extend(default.into_iter().filter(|name| !["std", "alloc"].contains(&name.as_str())));
    }
    on
}

#[test]
fn every_feature_that_is_on_has_its_reason_in_the_documents() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let is_ours = |package: &serde_json::Value| OURS.iter().any(|ours| package["name"] == *ours);
    let ours = packages.iter().filter(|package| is_ours(package));
    let dependencies = ours.flat_map(|package| package["dependencies"].as_array().unwrap());
    let mut on = BTreeMap::new();
    for dependency in dependencies.filter(|one| one["kind"].is_null() && !is_ours(one)) {
        let features: Vec<String> = features(dependency, packages).into_iter().collect();
        if !features.is_empty() {
            on.insert(dependency["name"].as_str().unwrap().to_owned(), features.join(", "));
        }
    }
    let mut explained = BTreeMap::new();
    for row in table("features") {
        let [name, features, reason] = &row[..] else { panic!("{row:?}") };
        assert!(reason.len() > 10, "{name}: {reason}");
        explained.insert(name.clone(), features.clone());
    }
    assert_eq!(explained, on);
}

#[test]
fn every_licence_is_one_that_we_know() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50);
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence), "{} is under {licence}", package["name"]);
    }
}

#[test]
fn a_licence_expression_is_read_as_spdx_says() {
    for allowed in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(GPL-3.0 OR MIT) AND Unicode-3.0", "Apache-2.0 AND MIT"]
    {
        assert!(is_allowed(allowed), "{allowed}");
    }
    for refused in ["none", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-3.0", "LGPL-2.1 OR MPL-2.0"] {
        assert!(!is_allowed(refused), "{refused}");
    }
}

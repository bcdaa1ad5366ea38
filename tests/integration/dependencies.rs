//! docs/dependencies.md has a reason for every crate that jigo is built from and for every enabled
//! feature. cargo deny checks licences, sources and versions, see `deny.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Returns the items of a list of docs/dependencies.md: the text before the colon, and the reason.
fn list(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/dependencies.md");
    let document = fs::read_to_string(path).unwrap();
    let (_, rest) = document.split_once(&format!("<!-- {name} -->")).unwrap();
    let (list, _) = rest.split_once(&format!("<!-- /{name} -->")).unwrap();
    let items = list.split("\n- ").skip(1).map(|item| item.split_whitespace().collect::<Vec<_>>().join(" "));
    items
        .map(|item| item.split_once(": ").map(|(names, reason)| (names.to_owned(), reason.to_owned())).unwrap())
        .collect()
}

/// Returns cargo's metadata of the workspace's packages and of all their dependencies.
pub fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version", "1", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Returns the dependencies of the workspace's packages, without each other.
fn dependencies(packages: &[Value]) -> Vec<&Value> {
    let ours = packages.iter().filter(|package| package["source"].is_null());
    let all = ours.flat_map(|package| package["dependencies"].as_array().unwrap());
    all.filter(|dependency| dependency["path"].is_null()).collect()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

#[test]
fn every_dependency_has_a_documented_reason() {
    let mut explained = BTreeSet::new();
    for (names, reason) in list("dependencies") {
        assert!(reason.len() > 10, "{names}: {reason}");
        for name in names.split(", ") {
            assert!(explained.insert(name.to_owned()), "{name} is listed twice");
        }
    }
    let packages = packages();
    let named: BTreeSet<String> = dependencies(&packages).into_iter().map(|one| name(one).to_owned()).collect();
    assert_eq!(explained, named);
}

/// Returns the enabled features of a dependency, from its entry in Cargo.toml and from its
/// manifest. `std` and `alloc` are omitted if they are on by default.
fn features(dependency: &Value, packages: &[Value]) -> BTreeSet<String> {
    let names = |list: &Value| -> Vec<String> {
        let names = list.as_array().into_iter().flatten().filter_map(Value::as_str);
        names.map(|name| name.trim_start_matches("dep:").to_owned()).collect()
    };
    let mut enabled: BTreeSet<String> = names(&dependency["features"]).into_iter().collect();
    if dependency["uses_default_features"] == true {
        let package = packages.iter().find(|package| name(package) == name(dependency)).unwrap();
        let default = names(&package["features"]["default"]);
        enabled.extend(default.into_iter().filter(|name| !["std", "alloc"].contains(&name.as_str())));
    }
    enabled
}

#[test]
fn every_enabled_feature_has_a_documented_reason() {
    let packages = packages();
    let mut enabled: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for dependency in dependencies(&packages).into_iter().filter(|one| one["kind"].is_null()) {
        enabled.entry(name(dependency).to_owned()).or_default().extend(features(dependency, &packages));
    }
    let enabled: BTreeMap<String, String> = enabled
        .into_iter()
        .filter(|(_, features)| !features.is_empty())
        .map(|(name, features)| (name, features.into_iter().collect::<Vec<_>>().join(", ")))
        .collect();
    let mut explained = BTreeMap::new();
    for (head, reason) in list("features") {
        let (name, features) = head.trim_end_matches(')').split_once(" (").unwrap();
        assert!(reason.len() > 10, "{name}: {reason}");
        explained.insert(name.to_owned(), features.to_owned());
    }
    assert_eq!(explained, enabled);
}

/// Returns the names of the crates that a package is built from, with or without its default
/// features.
fn built_from(package: &str, features: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let words = ["tree", "--locked", "--edges", "normal", "--target", "all", "--prefix", "none", "--format", "{p}"];
    let mut command = Command::new(cargo);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(words).args(["--package", package]).args(features);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Other programs set options as keyword arguments. Only the command line needs clap.
#[test]
fn rows_for_other_programs_are_built_without_clap() {
    let command_crates = ["clap", "clap_builder", "indicatif", "jigo"];
    for (package, features) in [("jigo-run", [].as_slice()), ("jigo-python", &["--no-default-features"])] {
        let crates = built_from(package, features);
        assert!(crates.contains("jigo-archive") && crates.contains("arrow-array"), "{package}: {crates:?}");
        for name in command_crates {
            assert!(!crates.contains(name), "{package} is built from {name}");
        }
    }
    let wheel = built_from("jigo-python", &[]);
    assert!(command_crates.iter().all(|name| wheel.contains(*name)), "the wheel contains the command: {wheel:?}");
}

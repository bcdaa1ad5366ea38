//! SARIF output follows the OASIS schema, and a finding keeps its identity between runs.
//!
//! Two checks: the types that serde-sarif generates from the schema, and Python's jsonschema with
//! the schema file from that crate's sources.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::dependencies::packages;
use crate::support::cli::{CLEAN, Folder, ILLEGAL};
use crate::support::python;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");

/// Returns the SARIF of a run.
fn sarif(folder: &Folder, arguments: &str) -> Value {
    serde_json::from_str(&folder.run(&format!("check --format sarif {arguments}")).out).unwrap()
}

/// Returns faulty files, each a copy with one change. The flag tells whether the types detect it;
/// they know no patterns or bounds.
fn faulty_files(sound: &Value) -> Vec<(Value, bool)> {
    let changes: [(&str, Value, bool); 9] = [
        ("/version", json!("2.0.0"), false),
        ("/runs", Value::Null, true),
        ("/runs/0/tool/driver/name", Value::Null, true),
        ("/runs/0/results/0/level", json!("severe"), false),
        ("/runs/0/results/0/ruleIndex", json!("first"), true),
        ("/runs/0/results/0/ruleIndex", json!(-2), false),
        ("/runs/0/results/0/message", json!({ "words": "no text" }), false),
        ("/runs/0/results/0/locations", json!("here"), true),
        ("/runs/0/results/0/partialFingerprints", json!({ "jigoFinding/v1": 7 }), true),
    ];
    let changed = |(place, value, is_type_error): (&str, Value, bool)| {
        let mut file = sound.clone();
        *file.pointer_mut(place).unwrap_or_else(|| panic!("there is no {place}")) = value;
        (file, is_type_error)
    };
    changes.into_iter().map(changed).collect()
}

#[test]
fn output_matches_schema_types_and_faulty_files_do_not() {
    let sound = sarif(&Folder::new(), &format!("--rules all --variations all {FIXTURES}"));
    let read: serde_sarif::sarif::Sarif = serde_json::from_value(sound.clone()).unwrap();
    let results = read.runs[0].results.as_ref().unwrap();
    assert_eq!(results.len(), sound["runs"][0]["results"].as_array().unwrap().len());
    assert!(results.len() > 100);
    for (file, is_type_error) in faulty_files(&sound) {
        let read = serde_json::from_value::<serde_sarif::sarif::Sarif>(file.clone());
        assert!(!is_type_error || read.is_err(), "{}", file["runs"][0]["results"][0]);
    }
}

/// Returns the path of the OASIS schema in the sources of serde-sarif.
fn schema() -> String {
    let packages = packages();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    package["manifest_path"].as_str().unwrap().replace("Cargo.toml", "src/schema.json")
}

#[test]
fn output_matches_oasis_schema_and_faulty_files_do_not() {
    let Some(python) = python::path() else { return };
    let folder = Folder::with_games();
    let sound = sarif(&folder, &format!("--rules all --variations all {FIXTURES}"));
    folder.file("fixtures.sarif", sound.to_string());
    folder.file("nothing.sarif", sarif(&folder, "clean.sgf").to_string());
    folder.file("damaged.zip", "PK\x03\x04").file("a b.sgf", "(;SZ[9];B[ee]\n;W[ee]").file("notes.sgf", "no game");
    folder.file("outside.sarif", sarif(&folder, "--results --duplicates .").to_string());
    for (number, (file, _)) in faulty_files(&sound).into_iter().enumerate() {
        folder.file(&format!("broken-{number}.sarif"), file.to_string());
    }
    let script = "import json, sys, jsonschema\n\
                  schema = json.load(open(sys.argv[1], encoding='utf-8'))\n\
                  kind = jsonschema.validators.validator_for(schema)\n\
                  kind.check_schema(schema)\n\
                  judge = kind(schema)\n\
                  for name in sys.argv[2:]:\n\
                  \x20   found = next(judge.iter_errors(json.load(open(name, encoding='utf-8'))), None)\n\
                  \x20   print(name, 'sound' if found is None else 'broken: ' + found.message[:100])";
    let schema = schema();
    let names = folder.list().into_iter().filter(|name| name.ends_with(".sarif")).collect::<Vec<_>>();
    let mut arguments = vec!["-c", script, &schema];
    arguments.extend(names.iter().map(String::as_str));
    let printed = python::run(&python, &arguments, folder.path());
    assert_eq!(printed.lines().count(), 12, "{printed}");
    for line in printed.lines() {
        assert_eq!(line.starts_with("broken-"), !line.ends_with(" sound"), "{line}");
    }
}

/// Returns the fingerprints of results with their codes and lines. A repeated finding appears
/// twice.
fn fingerprints(sarif: &Value) -> BTreeMap<String, Vec<(String, Option<u64>)>> {
    let mut fingerprints: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let names = &result["partialFingerprints"];
        let number = names["jigoFinding/v1"].as_str().unwrap();
        let count = fingerprints.get(number).map_or(1, |same| same.len() + 1);
        assert_eq!((number.len(), &names["primaryLocationLineHash"]), (16, &json!(format!("{number}:{count}"))));
        let line = result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64();
        fingerprints.entry(number.into()).or_default().push((result["ruleId"].as_str().unwrap().into(), line));
    }
    fingerprints
}

#[test]
fn finding_keeps_fingerprint_if_its_game_moves() {
    let folder = Folder::new();
    let games = format!("{ILLEGAL}\n(;SZ[9]RE[B+R];B[aa];W[aa];B[aa])\nwords\n");
    folder.file("games.sgf", &games);
    let before = fingerprints(&sarif(&folder, "games.sgf"));
    assert!(before.len() > 4 && before.values().all(|same| same.len() == 1), "{before:?}");
    // Another game precedes them, and a header is fixed.
    folder.file("games.sgf", format!("{CLEAN}\n\n{}", games.replace("RE[B+R];B[aa]", "RE[B+R]PB[Somebody];B[aa]")));
    let moved = fingerprints(&sarif(&folder, "games.sgf"));
    assert_eq!(before.keys().collect::<Vec<_>>(), moved.keys().collect::<Vec<_>>());
    for (number, changed) in &before {
        let (original, new) = (&changed[0], &moved[number][0]);
        assert_eq!((&original.0, original.1.map(|line| line + 2)), (&new.0, new.1));
    }
    // The same finding in another file has another fingerprint.
    folder.file("other.sgf", &games);
    assert!(fingerprints(&sarif(&folder, "other.sgf")).keys().all(|number| !before.contains_key(number)));
}

#[test]
fn sarif_names_rule_and_location_of_every_finding() {
    let folder = Folder::with_games();
    folder.file("a b.sgf", "\n(;SZ[9]RE[?];B[aa]\n;W[aa])");
    let sarif: serde_json::Value = serde_json::from_str(&folder.run("check --format sarif .").out).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    assert!(run["tool"]["driver"]["informationUri"].as_str().unwrap().starts_with("https://"));
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    let csv = folder.run("check .");
    assert_eq!(results.len(), csv.rows().len());
    for (result, (code, severity)) in results.iter().zip(csv.column("code").iter().zip(csv.column("severity"))) {
        assert_eq!(result["ruleId"], **code);
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], **code);
        assert_eq!(result["level"], if severity == "info" { "note" } else { &severity });
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
    }
    let occupied = results.iter().find(|result| result["ruleId"] == "P001").unwrap();
    let place = &occupied["locations"][0];
    assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "./a%20b.sgf");
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 3);
    assert_eq!(place["logicalLocations"][0]["name"], "game 1 turn 2");
    let nothing: serde_json::Value = serde_json::from_str(&folder.run("check --format sarif clean.sgf").out).unwrap();
    assert_eq!(nothing["runs"][0]["results"], serde_json::json!([]));
}

/// Two results with the same fingerprint would look like one finding to a reader.
#[test]
fn findings_of_repeated_games_have_distinct_fingerprints() {
    let folder = Folder::new();
    folder.file("games.sgf", ILLEGAL.repeat(300));
    let found = fingerprints(&sarif(&folder, "games.sgf"));
    assert!(!found.is_empty() && found.values().all(|same| same.len() == 300), "{found:?}");
}

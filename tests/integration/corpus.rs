//! A report on an archive of games with a manifest from another program.

use std::collections::{BTreeMap, BTreeSet};

use assert_cmd::Command;

use crate::support::manifest::{Row, games_by_file, is_utf16, manifest, rows};
use crate::support::{corpus, has_real_games};

#[test]
fn report_accounts_for_every_game_of_the_manifest() {
    let folder = corpus();
    let out = tempfile::tempdir().unwrap();
    let run = Command::cargo_bin("jigo").unwrap().arg("report").arg(&folder).arg("--out").arg(out.path()).assert();
    run.code(1);
    let games = rows(&out.path().join("games.csv"));
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for game in &games {
        let count = counts.entry(game["file"].clone()).or_default();
        *count += 1;
        assert_eq!(game["game"], count.to_string(), "{}", game["file"]);
    }
    let manifest = manifest(&folder);
    for (file, expected) in games_by_file(&manifest) {
        // The program that wrote the manifest can't read UTF-16.
        if is_utf16(file) {
            continue;
        }
        let path = folder.join(file).to_string_lossy().into_owned();
        assert_eq!(counts.remove(&path).unwrap_or(0), expected.len() as u64, "games of {file}");
    }
    counts.retain(|file, _| !is_utf16(file));
    assert!(counts.is_empty(), "games that are not in the manifest: {counts:?}");
    let summary = std::fs::read_to_string(out.path().join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let count = |name: &str| summary["games"][name].as_u64().unwrap();
    let not_go = if has_real_games() { 2 } else { 0 };
    assert_eq!((count("found"), count("unreadable")), (games.len() as u64, not_go));
    assert_eq!(count("found"), count("replayed") + count("stopped") + count("unreadable"));
    let not_games: Vec<Row> =
        rows(&out.path().join("findings.csv")).into_iter().filter(|row| row["name"] == "no-game").collect();
    let without_games: BTreeSet<&str> = manifest
        .iter()
        .filter(|row| row["game_index"].is_empty() && !is_utf16(&row["file"]))
        .map(|row| row["file"].as_str())
        .collect();
    assert_eq!(not_games.len(), without_games.len());
    for row in &not_games {
        assert!(without_games.iter().any(|file| row["file"].ends_with(file)), "{}", row["file"]);
    }
}

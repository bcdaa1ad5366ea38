//! An archive of real games with a manifest from other programs.
//!
//! Reads the folder `JIGO_CORPUS`, and is skipped without it. `manifest.csv` has a row for each
//! game, counted from 0 in its file, and a row without a game index for each file without games.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::agreement::{assert_replay_agrees, settings};
use crate::support::{corpus, komi_in_points, read_games};
use assert_cmd::Command;
use jigo_core::replay::{ReplayOptions, Replayer};
use jigo_record::finding::Code;
use jigo_record::{Reading, Unreadable};
use jigo_rules::select::{Choice, select};
use rayon::prelude::*;

type Row = BTreeMap<String, String>;

fn rows(path: &Path) -> Vec<Row> {
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn manifest(folder: &Path) -> Vec<Row> {
    let rows = rows(&folder.join("manifest.csv"));
    assert_eq!(rows.len(), 11_010);
    rows
}

/// Returns the manifest's rows of games by file, in the order of the games.
fn games_by_file(manifest: &[Row]) -> BTreeMap<&str, Vec<&Row>> {
    let mut files: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in manifest {
        let games = files.entry(&row["file"]).or_default();
        if !row["game_index"].is_empty() {
            assert_eq!(row["game_index"], games.len().to_string(), "{}", row["file"]);
            games.push(row);
        }
    }
    files
}

fn readings(folder: &Path, file: &str) -> Vec<Reading> {
    read_games(&folder.join(file))
}

/// Returns true if the game is Go. Two games of the corpus are not Go and are not replayed.
fn is_go(reading: &Reading) -> bool {
    reading.unreadable != Some(Unreadable::NotGo)
}

#[test]
fn report_accounts_for_every_game_of_the_manifest() {
    let Some(folder) = corpus() else { return };
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
    assert_eq!((count("found"), count("unreadable")), (games.len() as u64, 2));
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

#[test]
fn records_match_the_manifest() {
    let Some(folder) = corpus() else { return };
    let manifest = manifest(&folder);
    games_by_file(&manifest).into_par_iter().for_each(|(file, expected)| {
        let readings = readings(&folder, file);
        if is_utf16(file) {
            return;
        }
        assert_eq!(readings.len(), expected.len(), "games of {file}");
        for (reading, row) in readings.iter().zip(expected) {
            assert_record_agrees(reading, row, &format!("{file} game {}", row["game_index"]));
        }
    });
}

fn assert_record_agrees(reading: &Reading, row: &Row, name: &str) {
    let header = &reading.record.header;
    assert_eq!(header.date, row["date"], "date of {name}");
    assert_eq!(header.rules, row["ru"], "rules of {name}");
    assert_eq!(header.komi.map(|komi| f64::from(komi.0) / 2.0), komi_in_points(&row["komi"]), "komi of {name}");
    // The manifest has 0 for collections without a handicap. It also copies HA[7.5], which is not a
    // number of stones.
    let recorded: Option<u32> = row["handicap"].parse().ok();
    assert!(header.handicap == recorded || (header.handicap, recorded) == (None, Some(0)), "handicap of {name}");
    if !is_go(reading) {
        return;
    }
    if let Ok(side) = row["size"].parse::<u8>() {
        assert_eq!((header.size.width(), header.size.height()), (side, side), "size of {name}");
    }
    let mut findings = Vec::new();
    let tally = Replayer::default().replay(&reading.record, &[], ReplayOptions::default(), &mut findings);
    assert_eq!(tally.turns.to_string(), row["nmoves"], "turns of {name}");
}

fn is_utf16(file: &str) -> bool {
    file.contains("encoding-utf16")
}

/// Returns the first turn of each kind of event in a game, under the manifest's names.
fn first_events(replayer: &mut Replayer, reading: &Reading) -> BTreeMap<&'static str, u32> {
    let Choice::Fixed(rules) = select("repetition=psk,suicide=forbid").unwrap().remove(0) else {
        unreachable!("axes make a fixed ruleset")
    };
    let mut findings = Vec::new();
    replayer.replay(&reading.record, &[rules], ReplayOptions::default(), &mut findings);
    let mut first = BTreeMap::new();
    for finding in findings {
        let kind = match finding.code {
            Code::Occupied => "occ",
            Code::Ko => "ko",
            Code::Superko => "psk",
            Code::WrongColor => "wrong",
            Code::SuicidePlay => "suicide",
            Code::OffBoard => "off-board",
            Code::UnreadableTurn => "unreadable",
            _ => continue,
        };
        first.entry(kind).or_insert(finding.place.turn.unwrap());
    }
    first
}

/// Returns the manifest's events of a game. A pass in the middle and a turn count that differs from
/// the server's are not events.
fn recorded_events(row: &Row) -> BTreeMap<&str, u32> {
    let events = row["oddities"].split_whitespace().filter_map(|event| event.split_once('@'));
    events.map(|(kind, turn)| (kind, turn.parse().unwrap())).collect()
}

#[test]
fn odd_games_have_the_illegal_turns_of_the_manifest() {
    let Some(folder) = corpus() else { return };
    let manifest = manifest(&folder);
    let file = "collections/odd-games.sgf";
    let expected = &games_by_file(&manifest)[file];
    let readings = readings(&folder, file);
    assert_eq!(readings.len(), expected.len());
    let mut replayer = Replayer::default();
    let mut superkos = 0;
    for (reading, row) in readings.iter().zip(expected) {
        let recorded = recorded_events(row);
        superkos += usize::from(recorded.contains_key("psk"));
        assert_eq!(first_events(&mut replayer, reading), recorded, "game {}", row["game_index"]);
    }
    assert!(superkos > 60, "the manifest has few superkos: {superkos}");
}

#[test]
fn corpus_verdicts_equal_reference_under_every_setting() {
    let Some(folder) = corpus() else { return };
    let manifest = manifest(&folder);
    let settings = settings();
    let compared: usize = games_by_file(&manifest)
        .into_par_iter()
        .map_init(Replayer::default, |replayer, (file, _)| {
            let readings = readings(&folder, file);
            let games = readings.iter().enumerate().filter(|(_, reading)| is_go(reading));
            games.fold(0, |compared, (game, reading)| {
                let name = || format!("{file} game {game}");
                assert_replay_agrees(replayer, &reading.record, ReplayOptions::default(), &settings, name);
                compared + 1
            })
        })
        .sum();
    assert_eq!(compared, 11_006 + 2, "the two games in UTF-16 are not in the manifest");
}

//! Games of an archive against their manifest, which another program wrote: header, turns, and the
//! first turn of each fault.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::agreement::{assert_replay_agrees, settings};
use crate::support::manifest::{Row, games_by_file, is_utf16, manifest};
use crate::support::{corpus, has_real_games, komi_in_points, read_games};
use jigo_core::replay::{ReplayOptions, Replayer};
use jigo_record::finding::Code;
use jigo_record::{Reading, Unreadable};
use jigo_rules::select::{Choice, select};
use rayon::prelude::*;

fn readings(folder: &Path, file: &str) -> Vec<Reading> {
    read_games(&folder.join(file))
}

/// Returns true if the game is Go. Two games of the corpus are not Go and are not replayed.
fn is_go(reading: &Reading) -> bool {
    reading.unreadable != Some(Unreadable::NotGo)
}

#[test]
fn records_match_the_manifest() {
    let folder = corpus();
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
    // The manifest has the values of the root only. jigo adds those of later nodes, which only test
    // files of other programs have.
    let is_added = |column: &str| name.starts_with("edge/") && row[column].is_empty();
    assert!(header.date == row["date"] || is_added("date"), "date of {name}");
    assert!(header.rules == row["ru"] || is_added("ru"), "rules of {name}");
    let komi = header.komi.map(|komi| f64::from(komi.0) / 2.0);
    assert!(komi == komi_in_points(&row["komi"]) || is_added("komi"), "komi of {name}");
    // The manifest has 0 for collections without a handicap. It also copies HA[7.5], which is not a
    // number of stones.
    let recorded: Option<u32> = row["handicap"].parse().ok();
    let is_same = header.handicap == recorded || is_added("handicap");
    assert!(is_same || (header.handicap, recorded) == (None, Some(0)), "handicap of {name}");
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
    let folder = corpus();
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
    let fewest = if has_real_games() { 60 } else { 2 };
    assert!(superkos >= fewest, "the manifest has few superkos: {superkos}");
}

#[test]
fn corpus_verdicts_equal_reference_under_every_setting() {
    let folder = corpus();
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
    // The manifest lacks the two games in UTF-16, and two of its games are not Go.
    let games = games_by_file(&manifest).values().map(Vec::len).sum::<usize>();
    assert_eq!(compared, if has_real_games() { 11_006 + 2 } else { games });
}

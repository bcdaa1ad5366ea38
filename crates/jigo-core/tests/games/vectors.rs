//! The referee against recorded verdicts: every turn of the test sequences and of random games,
//! under 21 settings.
//!
//! Reads the folder `JIGO_VECTORS`, or else `tests/vectors`.

use std::collections::BTreeMap;

use crate::support::agreement::settings;
use crate::support::{read_games, vectors};
use jigo_core::replay::{ReplayOptions, Replayer};
use jigo_record::finding::Code;
use jigo_rules::Referee;
use jigo_rules::board::{Color, Point, Turn, diagram};
use serde_json::Value;

/// Returns the values of a file with one JSON value a line.
fn json_lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn is_suicide(reason: &str) -> bool {
    reason.starts_with("suicide")
}

#[test]
fn random_game_turns_get_recorded_verdicts() {
    let folder = vectors();
    let settings = settings();
    let expected = json_lines(&folder.join("random.jsonl"));
    let games = read_games(&folder.join("random.sgf"));
    assert!(games.len() == expected.len() && games.len() > 10);
    let mut replayer = Replayer::default();
    for (reading, expected) in games.iter().zip(&expected) {
        let mut findings = Vec::new();
        let tally = replayer.replay(&reading.record, &settings, ReplayOptions::default(), &mut findings);
        let mut verdicts: BTreeMap<&str, Vec<(u64, bool)>> = BTreeMap::new();
        for finding in &findings {
            if matches!(finding.code, Code::Ko | Code::Superko | Code::SuicidePlay) {
                for setting in finding.rules.split(';') {
                    let turn = u64::from(finding.place.turn.unwrap());
                    verdicts.entry(setting).or_default().push((turn, finding.code == Code::SuicidePlay));
                }
            }
        }
        let recorded = expected["illegal"].as_object().unwrap();
        for setting in &settings {
            let name = setting.name.as_ref();
            let recorded: Vec<(u64, bool)> = recorded.get(name).map_or(Vec::new(), |turns| {
                let turns = turns.as_array().unwrap().iter();
                turns.map(|turn| (turn[0].as_u64().unwrap(), is_suicide(turn[1].as_str().unwrap()))).collect()
            });
            assert_eq!(verdicts.remove(name).unwrap_or_default(), recorded, "game {} {name}", expected["game"]);
        }
        let position = replayer.position();
        let rows = expected["final"].as_str().unwrap().replace('/', "\n");
        assert_eq!(position, &diagram::read(&rows).unwrap(), "game {}", expected["game"]);
        let pair = |name: &str| [0, 1].map(|index| expected[name][index].as_u64().unwrap() as u32);
        assert_eq!(tally.passes, pair("passes"));
        // Black's captures are the stones that White lost to Black's plays, plus White's own
        // suicides.
        assert_eq!([tally.lost[1], tally.lost[0]], pair("captured_by"), "game {}", expected["game"]);
    }
}

/// Sets up the stones of a case.
fn setup(case: &Value, referee: &mut Referee) {
    let Some(rows) = case["setup"].as_str() else { return };
    let (width, height) = (case["w"].as_u64().unwrap() as usize, case["h"].as_u64().unwrap() as usize);
    let flat: Vec<char> = rows.chars().filter(|c| !c.is_whitespace() && *c != '/').collect();
    assert_eq!(flat.len(), width * height);
    let text: String = flat.chunks(width).flat_map(|row| row.iter().copied().chain(['\n'])).collect();
    let position = diagram::read(&text).unwrap();
    let stones: Vec<_> = position.size().iter().map(|point| (point, position.stone(point))).collect();
    // The vectors read setup literally: no player is credited with the initial position.
    referee.set_up(stones, None);
}

fn color(value: &Value) -> Color {
    if value.as_u64() == Some(1) { Color::Black } else { Color::White }
}

#[test]
fn test_sequence_turns_get_recorded_verdicts() {
    let text = std::fs::read_to_string(vectors().join("repetition_vectors.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(!cases.is_empty());
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let side = |key: &str| case[key].as_u64().unwrap() as u8;
        let size = jigo_rules::board::BoardSize::new(side("w"), side("h")).unwrap();
        let mut referee = Referee::new(size);
        setup(case, &mut referee);
        let turns = case["moves"].as_array().unwrap().iter().zip(case["colors"].as_array().unwrap());
        for (number, (index, mover)) in turns.enumerate() {
            let mover = color(mover);
            let turn = match index.as_str().unwrap() {
                "pass" => Turn::pass(mover),
                a1 => Turn::play(mover, Point::from_a1(a1, size).unwrap()),
            };
            let facts = referee.make_turn(turn, number as u32 + 1);
            for setting in settings() {
                let expected =
                    case["illegal"][number].get(setting.name.as_ref()).map(|reason| reason.as_str().unwrap());
                let fault = facts.violation(&setting.axes);
                assert_eq!(fault.is_some(), expected.is_some(), "{name} turn {} {}", number + 1, setting.name);
                if let (Some(fault), Some(reason)) = (fault, expected) {
                    assert_eq!(
                        fault == jigo_rules::RuleViolation::Suicide,
                        is_suicide(reason),
                        "{name} turn {}",
                        number + 1
                    );
                }
            }
        }
    }
}

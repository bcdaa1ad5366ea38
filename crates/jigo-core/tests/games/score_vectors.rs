//! Every ruleset's count against the recorded margins of the score vectors, with the ruleset's own
//! komi.
//!
//! Reads the folder `JIGO_VECTORS`, or else `tests/vectors`.

use crate::support::{read_bytes, vectors};
use jigo_core::replay::{ReplayOptions, Replayer};

use jigo_rules::select::{Choice, select};
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::count::{Counts, NoScore, score};
use serde_json::Value;

/// The vectors' ruleset names with the equivalent `--rules` texts.
const RULESETS: [(&str, &str); 21] = [
    ("seed000", "concise"),
    ("seed001-terr", "detailed-territory"),
    ("seed001-area", "detailed-area"),
    ("seed002", "whats-go"),
    ("seed003", "quick-reference"),
    ("seed004-area", "essentials"),
    ("seed004-terr", "essentials-territory"),
    ("aga", "aga"),
    ("aga-terr", "aga,scoring=pass-stones"),
    ("bga", "bga"),
    ("french", "french"),
    ("chinese", "chinese"),
    ("japanese", "japanese"),
    ("korean", "korean"),
    ("nz", "nz"),
    ("tromp-taylor", "tromp-taylor"),
    ("ing", "ing"),
    ("igs", "igs"),
    ("group-tax", "stone"),
    ("button", "button"),
    ("wmsg2008", "wmsg"),
];

fn ruleset(text: &str) -> Ruleset {
    match select(text).unwrap().remove(0) {
        Choice::Fixed(ruleset) => ruleset,
        Choice::Recorded => unreachable!("no preset is called recorded"),
    }
}

#[test]
fn every_ruleset_counts_the_score_vectors_as_recorded() {
    let text = std::fs::read_to_string(vectors().join("score_vectors.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(!cases.is_empty());
    let mut replayer = Replayer::default();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let reading = read_bytes(case["sgf"].as_str().unwrap().as_bytes()).remove(0);
        let tally = replayer.replay(&reading.record, &[], ReplayOptions::default(), &mut Vec::new());
        let counts = Counts::from_position(replayer.position(), &[]);
        assert!(counts.identity_holds(&tally), "{name}");
        let pair = |key: &str| [0, 1].map(|side| case["raw"][key][side].as_u64().unwrap() as u32);
        assert_eq!([0, 1].map(|side| counts.stones[side] + counts.territory[side]), pair("area"), "{name}");
        assert_eq!(counts.territory, pair("terr"), "{name}");
        assert_eq!(counts.territory_outside_seki, pair("terr_noseki"), "{name}");
        // In the vectors an open dame hides every group that touches it; jigo counts it as filled.
        if pair("groups") != [0, 0] {
            assert_eq!(counts.groups, pair("groups"), "{name}");
        }
        let margins = case["margin"].as_object().unwrap();
        assert_eq!(margins.len(), RULESETS.len());
        for (key, rules) in RULESETS {
            let expected = HalfPoints((margins[key].as_f64().unwrap() * 2.0) as i32);
            match score(&counts, &tally, &ruleset(rules).axes, None) {
                Ok(counted) => assert_eq!(counted.black_minus_white(), expected, "{name} under {rules}"),
                // The vectors omit the button if no pass is recorded. jigo then gives no number.
                Err(NoScore::ButtonUnknown) => {
                    assert_eq!((rules, case["raw"]["first_pass"].is_null()), ("button", true), "{name}");
                    let without_button = score(&counts, &tally, &ruleset("button,button=none").axes, None).unwrap();
                    assert_eq!(without_button.black_minus_white(), expected, "{name} without the button");
                }
                Err(NoScore::FirstPasserUnknown) => {
                    assert_eq!((rules, case["raw"]["first_pass"].is_null()), ("wmsg", true), "{name}");
                }
                Err(reason) => panic!("{name} under {rules}: {}", reason.text()),
            }
        }
    }
}

//! The arithmetic of scores, so that both players can check them.

use jigo_core::analysis::{CountedEnding, GameReport, Unscored};
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::{Score, ScorePart};
use serde_json::{Map, Value, json};

/// The columns of the numbers of both players.
const PAIR_WIDTH: usize = 13;
/// The columns of the names of parts.
const NAME_WIDTH: usize = 9;

/// Returns the parts of every score as a table with the rulesets side by side, in blocks of at most
/// `width` columns.
pub fn table(report: &GameReport, width: usize) -> Vec<String> {
    let scores: Vec<(&Ruleset, &Score)> =
        report.scores.iter().filter_map(|(ruleset, score)| Some((ruleset, score.as_ref().ok()?))).collect();
    let widest = scores.iter().map(|(ruleset, _)| ruleset.name.chars().count()).max().unwrap_or(0);
    let column = widest.max(PAIR_WIDTH) + 2;
    let per_block = (width.saturating_sub(NAME_WIDTH) / column).max(1);
    let mut lines = Vec::new();
    for block in scores.chunks(per_block) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(block_lines(block, column));
    }
    lines
}

fn block_lines(scores: &[(&Ruleset, &Score)], column: usize) -> Vec<String> {
    let line = |name: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!("{cell:>column$}")).collect();
        format!("{name:<NAME_WIDTH$}{cells}").trim_end().to_owned()
    };
    let pair = |pair: [HalfPoints; 2]| {
        if pair == [HalfPoints::ZERO; 2] {
            return String::new();
        }
        let [black, white] = pair.map(|points| points.to_string());
        format!("{black:>6} {white:>6}")
    };
    let mut lines = vec![
        line("", &mut scores.iter().map(|(ruleset, _)| ruleset.name.to_string())),
        line("", &mut scores.iter().map(|_| format!("{:>6} {:>6}", "Black", "White"))),
    ];
    for (name, part) in ScorePart::NAMES {
        if scores.iter().any(|(_, score)| score.parts.part(part) != [HalfPoints::ZERO; 2]) {
            lines.push(line(name, &mut scores.iter().map(|(_, score)| pair(score.parts.part(part)))));
        }
    }
    let totals = |score: &Score| format!("{:>6} {:>6}", score.black.to_string(), score.white.to_string());
    lines.push(line("points", &mut scores.iter().map(|(_, score)| totals(score))));
    lines.push(line("result", &mut scores.iter().map(|(_, score)| score.result_text())));
    lines
}

/// Returns every score with its parts as JSON.
pub fn json(report: &GameReport, ending: Option<&CountedEnding>) -> Value {
    let score_value = |(ruleset, score): &(Ruleset, Result<Score, Unscored>)| match score {
        Err(unscored) => json!({"ruleset": ruleset.name, "reason": unscored.reason()}),
        Ok(score) => json!({
            "ruleset": ruleset.name,
            "scoring": ruleset.axes.scoring.name(),
            "black": player(score, 0),
            "white": player(score, 1),
            "black_minus_white": number(score.black_minus_white()),
            "result": score.result_text(),
            "confidence": ending.and_then(|ending| ending.confidence(ruleset)).map(thousandths),
        }),
    };
    report.scores.iter().map(score_value).collect()
}

fn player(score: &Score, side: usize) -> Value {
    let parts = ScorePart::NAMES.iter().map(|(name, part)| ((*name).to_owned(), number(score.parts.part(*part)[side])));
    let mut parts: Map<String, Value> = parts.collect();
    parts.insert("points".into(), number([score.black, score.white][side]));
    Value::Object(parts)
}

fn number(points: HalfPoints) -> Value {
    if points.0 % 2 == 0 { json!(points.0 / 2) } else { json!(f64::from(points.0) / 2.0) }
}

/// Rounds a probability as the tables do.
fn thousandths(probability: f32) -> f64 {
    (f64::from(probability) * 1000.0).round_ties_even() / 1000.0
}

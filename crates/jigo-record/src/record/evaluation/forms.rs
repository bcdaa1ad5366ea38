//! The forms of evaluations. Every form has its own view of the numbers; these follow the code that writes them:
//!
//! - Sabaki (`src/modules/sabaki.js` of SabakiHQ/Sabaki): SBKV is Black's win rate in percent, and
//!   SBKS is Black's lead. Ogatak (`src/modules/node.js` and `query.js` of rooklift/ogatak): SBKV as
//!   well, and OGSC is Black's lead.
//! - Lizzie (`formatNodeData` in `rules/SGFParser.java` of featurecat/lizzie): LZ has Lizzie's
//!   version, the win rate in percent of the player who took the turn, and the visits, which are 0
//!   without an analysis. The next line lists moves with the lead of the next player; as in Lizzie,
//!   their mean weighted by visits is the lead. LizzieYzy (the same file of yzyray/lizzieyzy) writes
//!   the engine's name and, after the visits, the lead of the next player. LZOP is about the first
//!   position, LZ2 and LZOP2 are of a second engine.
//! - KaTrain (`analysis_dumps` in `core/game_node.py` of sanderland/katrain, and `core/engine.py`):
//!   the third value of KT is JSON, compressed by gzip and written in base64. `root` has Black's win
//!   rate and lead.
//! - KataGo (`WriteSgf::writeSgf` in `cpp/dataio/sgf.cpp` of lightvector/KataGo, and
//!   `extractValueTargets` in `program/play.cpp`): comments of matches and self-play, such as
//!   `0.61 0.39 0.00 2.5 v=800`, have White's chances to win, to lose and to have no result, White's
//!   expected margin, and the visits of the search before the turn. If a later search replaced the
//!   numbers, `rv=` has its visits.

use std::io::Read as _;

use base64::engine::general_purpose::STANDARD;
use base64::read::DecoderReader;
use flate2::read::GzDecoder;
use serde::Deserialize;

use super::{Evaluation, EvaluationForm};
use crate::record::game_details::simple_text;
use jigo_rules::board::Color;

/// The maximum number of unpacked bytes for each byte of KT. Real analyses need about 10.
const MAX_RATIO: usize = 64;
/// The maximum number of unpacked bytes of KT.
const MAX_UNPACKED: usize = 16 << 20;
/// The maximum lead of a player in points. A board has at most 2,704 points, and each can be worth
/// two.
const MAX_LEAD: f64 = 10_000.0;
/// The maximum number of bytes in a comment of KataGo. Other comments are not examined.
const MAX_COMMENT: usize = 256;

/// The part of KaTrain's analysis that is read.
#[derive(Deserialize)]
struct KaTrainAnalysis {
    root: KaTrainRoot,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KaTrainRoot {
    winrate: f64,
    score_lead: Option<f64>,
    visits: Option<u64>,
}

/// Returns true if a property contains an evaluation.
pub(crate) fn is_evaluation(name: &[u8]) -> bool {
    form(name).is_some()
}

/// Returns the reason why an evaluation can't be read; `None` for other properties, too.
pub(crate) fn fault(name: &[u8], values: &[&[u8]]) -> Option<&'static str> {
    read(name, values, Color::Black)?.err()
}

fn form(name: &[u8]) -> Option<EvaluationForm> {
    match name {
        b"SBKV" | b"SBKS" | b"OGSC" => Some(EvaluationForm::Sabaki),
        b"LZ" | b"LZOP" => Some(EvaluationForm::Lizzie),
        b"LZ2" | b"LZOP2" => Some(EvaluationForm::SecondLizzie),
        b"KT" => Some(EvaluationForm::KaTrain),
        _ => None,
    }
}

/// Reads a property after a turn of `mover`. Returns `None` for other properties, and an empty
/// result if the program had not analysed the position.
pub(super) fn read(name: &[u8], values: &[&[u8]], mover: Color) -> Option<Result<Option<Evaluation>, &'static str>> {
    let form = form(name)?;
    let value = values.get(if form == EvaluationForm::KaTrain { 2 } else { 0 }).copied().unwrap_or_default();
    let text = simple_text(value, value.len());
    let evaluation = Evaluation::new(form);
    Some(match form {
        EvaluationForm::KaTrain => katrain(&text, evaluation).map(Some),
        EvaluationForm::Lizzie | EvaluationForm::SecondLizzie => {
            lizzie(value, mover, evaluation).ok_or("is not a name, a percentage, a number of visits, and leads")
        }
        _ if name == b"SBKV" => match percentage(&text) {
            None => Err("is not a number from 0 to 100"),
            black_winrate => Ok(Some(Evaluation { black_winrate, ..evaluation })),
        },
        _ => match text.parse().ok().and_then(lead) {
            None => Err("is not a number of points"),
            black_lead => Ok(Some(Evaluation { black_lead, ..evaluation })),
        },
    })
}

/// Reads LZ. Returns `None` for an unreadable value, and an empty result without visits.
fn lizzie(value: &[u8], mover: Color, evaluation: Evaluation) -> Option<Option<Evaluation>> {
    let text = simple_text(value, value.len());
    let words: Vec<&str> = text.split_whitespace().collect();
    // The name may be empty or have blanks. Some versions write numbers with a comma.
    let name_words = usize::from(!value.starts_with(b" "));
    let mut pairs = words.windows(2).skip(name_words);
    let numbers = name_words + pairs.position(|pair| number(pair[0]).is_some() && visits(pair[1]).is_some())?;
    let (winrate, visits) = (percentage(&words[numbers].replace(',', "."))?, visits(words[numbers + 1])?);
    if visits == 0 {
        return Some(None);
    }
    let next_lead = match words.get(numbers + 2) {
        None => None,
        Some(&"move") => mean_lead(&words[numbers + 2..])?,
        Some(word) => Some(lead(number(word)?)?),
    };
    let engine = words[..numbers].join(" ");
    let is_version = engine.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_black = mover == Color::Black;
    Some(Some(Evaluation {
        black_winrate: Some(if is_black { winrate } else { 10_000 - winrate }),
        black_lead: next_lead.map(|lead| if is_black { -lead } else { lead }),
        visits: Some(visits),
        engine: if is_version { String::new() } else { engine },
        ..evaluation
    }))
}

/// Returns the mean of `scoreMean` in Lizzie's list of moves, weighted by their visits; an empty
/// result without leads, and `None` for an unreadable one.
fn mean_lead(words: &[&str]) -> Option<Option<i64>> {
    let (mut visits, mut all_visits, mut sum) = (0.0, 0.0, 0.0);
    for pair in words.windows(2) {
        match pair[0] {
            "visits" => visits = number(pair[1])?,
            "scoreMean" => {
                all_visits += visits;
                sum += visits * number(pair[1])?;
            }
            _ => {}
        }
    }
    if all_visits == 0.0 { Some(None) } else { lead(sum / all_visits).map(Some) }
}

/// Reads the third value of KT.
fn katrain(text: &str, evaluation: Evaluation) -> Result<Evaluation, &'static str> {
    let packed: String = text.split_whitespace().collect();
    let limit = packed.len().saturating_mul(MAX_RATIO).min(MAX_UNPACKED);
    let (mut json, decoder) = (Vec::new(), GzDecoder::new(DecoderReader::new(packed.as_bytes(), &STANDARD)));
    let unpacked = decoder.take(limit as u64 + 1).read_to_end(&mut json);
    let length = unpacked.map_err(|_| "has no third value in base64 and gzip")?;
    if length > limit {
        return Err("unpacks to more than 64 times its length or 16 MiB");
    }
    let analysis: KaTrainAnalysis = serde_json::from_slice(&json).map_err(|_| "has no win rate in its JSON")?;
    let KaTrainRoot { winrate, score_lead, visits } = analysis.root;
    let black_winrate = Some(scaled(winrate, 0.0, 1.0).ok_or("has a win rate that is not from 0 to 1")?);
    let black_lead = score_lead.map(|points| lead(points).ok_or("has a lead that is not a number of points"));
    Ok(Evaluation { black_winrate, black_lead: black_lead.transpose()?, visits, ..evaluation })
}

/// Reads a comment of KataGo. Other comments are no evaluations, and have no fault.
pub(super) fn katago(name: &[u8], values: &[&[u8]]) -> Option<Result<Option<Evaluation>, &'static str>> {
    let value = values.first().filter(|value| name == b"C" && value.len() <= MAX_COMMENT)?;
    let text = std::str::from_utf8(value).ok()?;
    let words: Vec<&str> = text.strip_prefix("Pass for ko ").unwrap_or(text).split_whitespace().collect();
    let [win, loss, no_result, score, visits, rest @ ..] = &words[..] else { return None };
    let [win, loss, no_result] = [win, loss, no_result].map(|word| scaled(word.parse().ok()?, 0.0, 1.0));
    let (win, loss, no_result) = (win?, loss?, no_result?);
    // Each of the three is rounded to hundredths.
    if !(9_800..=10_200).contains(&(win + loss + no_result)) {
        return None;
    }
    let visits = visits.strip_prefix("v=")?;
    let visits = rest.first().and_then(|word| word.strip_prefix("rv=")).unwrap_or(visits);
    Some(Ok(Some(Evaluation {
        black_winrate: Some((10_000 + loss - win) / 2),
        black_lead: Some(-lead(score.parse().ok()?)?),
        visits: Some(visits.parse().ok()?),
        ..Evaluation::new(EvaluationForm::KataGo)
    })))
}

/// Parses a number with a point or a comma.
fn number(word: &str) -> Option<f64> {
    word.replace(',', ".").parse().ok()
}

/// Parses a number of visits as Lizzie writes it, such as 950, 1.3k or 2.5m. 950.0 is another
/// number.
fn visits(word: &str) -> Option<u64> {
    let (digits, factor) = match word.strip_suffix(['k', 'm']) {
        Some(digits) => (digits, if word.ends_with('k') { 1e3 } else { 1e6 }),
        None if word.bytes().all(|byte| byte.is_ascii_digit()) => (word, 1.0),
        None => return None,
    };
    let visits = number(digits)? * factor;
    (0.0..1e15).contains(&visits).then(|| visits.round() as u64)
}

/// Parses a percentage, in ten-thousandths of the whole.
fn percentage(text: &str) -> Option<i64> {
    // Division by 100 before rounding would turn 0.015 into 1.4999999999999998 ten-thousandths.
    let rounded = (text.parse::<f64>().ok()? * 100.0).round_ties_even();
    (0.0..=10_000.0).contains(&rounded).then_some(rounded as i64)
}

/// Returns a number of points in ten-thousandths.
fn lead(points: f64) -> Option<i64> {
    scaled(points, -MAX_LEAD, MAX_LEAD)
}

/// Returns a number in ten-thousandths if it is within these bounds after rounding.
fn scaled(number: f64, min: f64, max: f64) -> Option<i64> {
    let rounded = (number * 10_000.0).round_ties_even();
    (min * 10_000.0..=max * 10_000.0).contains(&rounded).then_some(rounded as i64)
}

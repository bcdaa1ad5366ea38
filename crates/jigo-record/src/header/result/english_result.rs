//! Parser for results in English sentences.

use super::{RecordedResult, ResultKind};
use crate::header::amount;
use jigo_rules::board::Color;

/// Parses a sentence in small letters such as `black wins by 2.5`, `w by 0.5 points`, `white
/// resigned` or `black lost on time`.
pub(crate) fn parse(text: &str) -> Option<RecordedResult> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (name, words) = words.split_first()?;
    let player = match *name {
        "black" | "b" => Color::Black,
        "white" | "w" => Color::White,
        _ => return None,
    };
    let (verb, rest) = match words {
        ["by", ..] => ("wins", words),
        [verb, rest @ ..] => (*verb, rest),
        [] => return None,
    };
    let kind = match rest {
        [] => ResultKind::Win,
        ["by", "resignation" | "resign"] => ResultKind::Resignation,
        ["by" | "on", "time"] | ["by", "timeout"] => ResultKind::Time,
        ["by", "forfeit"] => ResultKind::Forfeit,
        ["by", amount @ ..] if matches!(verb, "wins" | "won") => {
            let amount = amount::parse(&amount.join(" ")).filter(|amount| amount.quarters > 0)?;
            return Some(RecordedResult::by_quarters(player, amount.quarters));
        }
        _ => return None,
    };
    match (verb, kind) {
        ("wins" | "won", kind) => Some(RecordedResult::new(kind, Some(player))),
        ("resigns" | "resigned", ResultKind::Win) => {
            Some(RecordedResult::new(ResultKind::Resignation, Some(player.opponent())))
        }
        ("loses" | "lost", kind) => Some(RecordedResult::new(kind, Some(player.opponent()))),
        _ => None,
    }
}

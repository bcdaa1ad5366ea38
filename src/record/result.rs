//! RE text to a stated result.

use crate::board::Color;
use crate::rules::HalfPoints;

/// How a record says that the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultKind {
    /// No RE.
    Missing,
    /// `?`: the result is not known.
    Unknown,
    /// `Void`: no result.
    Void,
    /// Equal count.
    Draw,
    /// A winner with a margin.
    Score,
    /// A winner without a margin.
    Win,
    /// The loser resigned.
    Resignation,
    /// The loser overstepped the time.
    Time,
    /// The loser forfeited.
    Forfeit,
    /// In no known form.
    Unreadable,
}

impl ResultKind {
    /// The name in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            ResultKind::Missing => "missing",
            ResultKind::Unknown => "unknown",
            ResultKind::Void => "void",
            ResultKind::Draw => "draw",
            ResultKind::Score => "score",
            ResultKind::Win => "win",
            ResultKind::Resignation => "resignation",
            ResultKind::Time => "time",
            ResultKind::Forfeit => "forfeit",
            ResultKind::Unreadable => "unreadable",
        }
    }
}

/// What RE says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedResult {
    /// How the game ended.
    pub kind: ResultKind,
    /// Who won, where somebody did.
    pub winner: Option<Color>,
    /// Black minus White, where a margin is stated.
    pub black_minus_white: Option<HalfPoints>,
}

impl StatedResult {
    const fn of(kind: ResultKind, winner: Option<Color>) -> StatedResult {
        StatedResult { kind, winner, black_minus_white: None }
    }

    /// No RE.
    pub const fn missing() -> StatedResult {
        StatedResult::of(ResultKind::Missing, None)
    }

    /// Reads RE's text: the forms of FF[4], and the ones seen besides with the same meaning.
    pub fn parse(text: &str) -> StatedResult {
        let text = text.trim();
        let lower = text.to_lowercase();
        match lower.as_str() {
            "" => return StatedResult::missing(),
            "?" => return StatedResult::of(ResultKind::Unknown, None),
            "void" => return StatedResult::of(ResultKind::Void, None),
            "0" | "draw" | "d" | "jigo" => {
                return StatedResult {
                    black_minus_white: Some(HalfPoints::ZERO),
                    ..StatedResult::of(ResultKind::Draw, None)
                };
            }
            _ => {}
        }
        let (winner, rest) = match lower.split_at_checked(1) {
            Some(("b", rest)) => (Color::Black, rest),
            Some(("w", rest)) => (Color::White, rest),
            _ => return StatedResult::of(ResultKind::Unreadable, None),
        };
        let reason = match rest.trim().strip_prefix('+') {
            Some(reason) => reason.trim(),
            None if rest.trim().is_empty() => "",
            None => return StatedResult::of(ResultKind::Unreadable, None),
        };
        let kind = match reason {
            "" => ResultKind::Win,
            "r" | "resign" | "resigns" | "resignation" => ResultKind::Resignation,
            "t" | "time" => ResultKind::Time,
            "f" | "forfeit" => ResultKind::Forfeit,
            number => return score(winner, number),
        };
        StatedResult::of(kind, Some(winner))
    }
}

fn score(winner: Color, number: &str) -> StatedResult {
    match HalfPoints::parse(number) {
        Ok(margin) if margin > HalfPoints::ZERO => StatedResult {
            kind: ResultKind::Score,
            winner: Some(winner),
            black_minus_white: Some(if winner == Color::Black { margin } else { -margin }),
        },
        // A winner by nothing contradicts itself: who won is said twice over, by how much is not.
        Ok(HalfPoints::ZERO) => StatedResult::of(ResultKind::Win, Some(winner)),
        _ => StatedResult::of(ResultKind::Unreadable, Some(winner)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResultKind::*;

    #[test]
    fn the_forms_of_ff4_are_read() {
        let cases = [
            ("B+3.5", Score, Some(Color::Black), Some(7)),
            ("W+12", Score, Some(Color::White), Some(-24)),
            ("w+0.50", Score, Some(Color::White), Some(-1)),
            ("B+R", Resignation, Some(Color::Black), None),
            ("W+Resign", Resignation, Some(Color::White), None),
            ("B+Time", Time, Some(Color::Black), None),
            ("W+F", Forfeit, Some(Color::White), None),
            ("B+", Win, Some(Color::Black), None),
            ("W", Win, Some(Color::White), None),
            ("0", Draw, None, Some(0)),
            ("Jigo", Draw, None, Some(0)),
            ("draw", Draw, None, Some(0)),
            ("Void", Void, None, None),
            ("?", Unknown, None, None),
            (" ", Missing, None, None),
        ];
        for (text, kind, winner, halves) in cases {
            let black_minus_white = halves.map(HalfPoints);
            assert_eq!(StatedResult::parse(text), StatedResult { kind, winner, black_minus_white }, "{text}");
        }
    }

    #[test]
    fn a_win_by_nothing_states_no_margin_and_words_are_not_results() {
        assert_eq!(StatedResult::parse("B+0.0"), StatedResult::of(Win, Some(Color::Black)));
        for text in ["Black wins", "B-3", "+3", "B+-3", "3.5", "白"] {
            assert_eq!(StatedResult::parse(text).kind, Unreadable, "{text}");
        }
    }
}

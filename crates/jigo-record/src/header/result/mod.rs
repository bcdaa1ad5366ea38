//! The recorded result, as a value.

pub(crate) mod english_result;
pub(crate) mod result_words;
pub(crate) mod result_parser;

use jigo_rules::board::Color;
use jigo_rules::{HalfPoints, format_margin};

jigo_rules::named! {
    /// The way in which the game ended, according to the record.
    #[derive(Default)]
    pub enum ResultKind {
        /// RE is missing.
        #[default]
        Missing = "missing",
        /// `?`: an unknown result.
        Unknown = "unknown",
        /// `Void`: no result.
        Void = "void",
        /// A draw.
        Draw = "draw",
        /// A winner with a margin.
        Score = "score",
        /// A winner without a margin.
        Win = "win",
        /// The loser resigned.
        Resignation = "resignation",
        /// The loser ran out of time.
        Time = "time",
        /// The loser forfeited.
        Forfeit = "forfeit",
        /// RE has no known form.
        Unreadable = "unreadable",
    }
}

/// The difference between a result and the forms of FF\[4\].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultOddity {
    /// A winner with a margin of 0.
    ZeroMargin,
    /// A margin in Chinese zi. One zi equals two points, and the stored margin is in points.
    Zi,
    /// A winner or a draw with a reason outside FF\[4\] (`W+J`, `B+AW`, `B+IllegalTurn`).
    UnknownReason,
}

/// The recorded result. By default, it is that of a record without RE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordedResult {
    /// The way in which the game ended.
    pub kind: ResultKind,
    /// The winner, if any.
    pub winner: Option<Color>,
    /// The recorded margin, Black minus White.
    pub black_minus_white: Option<HalfPoints>,
    /// The difference from the forms of FF\[4\].
    pub oddity: Option<ResultOddity>,
}

impl RecordedResult {
    pub(crate) const fn new(kind: ResultKind, winner: Option<Color>) -> RecordedResult {
        RecordedResult { kind, winner, black_minus_white: None, oddity: None }
    }

    /// Returns a draw.
    pub(crate) const fn draw() -> RecordedResult {
        RecordedResult { black_minus_white: Some(HalfPoints::ZERO), ..RecordedResult::new(ResultKind::Draw, None) }
    }

    /// Returns a win by this number of quarter points or, for odd numbers, quarter zi.
    pub(crate) fn by_quarters(winner: Color, quarters: i32) -> RecordedResult {
        let is_zi = quarters % 2 != 0;
        let margin = HalfPoints(if is_zi { quarters } else { quarters / 2 });
        if margin <= HalfPoints::ZERO {
            let oddity = Some(ResultOddity::ZeroMargin);
            return RecordedResult { oddity, ..RecordedResult::new(ResultKind::Win, Some(winner)) };
        }
        RecordedResult {
            black_minus_white: Some(if winner == Color::Black { margin } else { -margin }),
            oddity: is_zi.then_some(ResultOddity::Zi),
            ..RecordedResult::new(ResultKind::Score, Some(winner))
        }
    }

    /// Returns a winner with a reason that no count can confirm.
    pub(super) const fn with_unknown_reason(kind: ResultKind, winner: Color) -> RecordedResult {
        RecordedResult { oddity: Some(ResultOddity::UnknownReason), ..RecordedResult::new(kind, Some(winner)) }
    }

    /// Returns the result in the form of FF\[4\]; `None` if it is missing or unreadable.
    pub fn text(&self) -> Option<String> {
        let win_text = |reason: &str| self.winner.map(|winner| format!("{}+{reason}", winner.letter()));
        match self.kind {
            ResultKind::Score => self.black_minus_white.map(format_margin),
            ResultKind::Draw => Some("0".into()),
            ResultKind::Resignation => win_text("R"),
            ResultKind::Time => win_text("T"),
            ResultKind::Forfeit => win_text("F"),
            ResultKind::Win => win_text(""),
            ResultKind::Void => Some("Void".into()),
            ResultKind::Unknown => Some("?".into()),
            _ => None,
        }
    }
}

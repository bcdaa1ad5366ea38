//! Parser for results in Chinese, Japanese, Korean and English words.

use super::amount::{self, is_number_character, number, split_at_unit};
use super::result::{RecordedResult, ResultKind};
use jigo_rules::board::Color;

/// Words for the way in which a game ended, in the order of the search.
const KINDS: [(ResultKind, &[&str]); 4] = [
    (ResultKind::Void, &["無勝負", "无胜负", "無効", "무효"]),
    (ResultKind::Draw, &["持碁", "ジゴ", "和棋", "平局", "和局", "무승부", "빅"]),
    (ResultKind::Resignation, &["中盘", "中盤", "中押", "投了", "投子", "认输", "認輸", "불계"]),
    (ResultKind::Time, &["超时", "超時", "時間切", "切れ負", "시간"]),
];

/// Parses a result such as 黑胜3/4子, 白中盘胜, 黒半目勝ち, 白3目半勝 or 흑불계승. Returns `None` without a player and
/// an ending.
///
/// One 子 (zi) equals two points; 目, 点 and 집 are points; 半 and 반 are half a point.
pub(crate) fn parse(text: &str) -> Option<RecordedResult> {
    let has_any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let kind = KINDS.iter().find(|(_, words)| has_any(words)).map(|(kind, _)| *kind);
    match kind {
        Some(ResultKind::Draw) => return Some(RecordedResult::draw()),
        Some(ResultKind::Void) => return Some(RecordedResult::new(ResultKind::Void, None)),
        _ => {}
    }
    let player = if has_any(&["黑", "黒", "흑"]) {
        Color::Black
    } else if has_any(&["白", "백"]) {
        Color::White
    } else {
        return None;
    };
    let winner = match (has_any(&["胜", "勝", "승"]), has_any(&["负", "負", "패", "敗", "败", "认输", "認輸"]))
    {
        (true, _) => player,
        (false, true) => player.opponent(),
        (false, false) => return None,
    };
    match kind {
        Some(kind) => Some(RecordedResult::new(kind, Some(winner))),
        None => Some(margin(text).map_or(RecordedResult::new(ResultKind::Win, Some(winner)), |quarters| {
            RecordedResult::by_quarters(winner, quarters)
        })),
    }
}

/// Parses a sentence in small letters such as `black wins by 2.5`, `w by 0.5 points`, `white
/// resigned` or `black lost on time`.
pub(crate) fn parse_english(text: &str) -> Option<RecordedResult> {
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

/// Returns the number before 子, 目, 点 or 집, in quarter points. Handicap stones (让二子, 二子局) are
/// skipped.
fn margin(text: &str) -> Option<i32> {
    let (before, unit, suffix) = split_at_unit(text)?;
    let start = before.char_indices().rev().take_while(|(_, c)| is_number_character(*c)).last();
    let (prefix, digits) = before.split_at(start.map_or(before.len(), |(index, _)| index));
    if suffix.starts_with('局') || prefix.trim_end().ends_with(['让', '讓', '受']) {
        return margin(suffix);
    }
    let half = suffix.contains(['半', '반']);
    let quarters = number(digits)? + if half { 2 } else { 0 };
    Some(if unit == '子' { quarters * 2 } else { quarters })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResultKind::*;
    use jigo_rules::HalfPoints;

    #[test]
    fn words_of_three_languages_are_read() {
        let (black, white) = (Some(Color::Black), Some(Color::White));
        let cases = [
            ("黑胜3/4子", Score, black, Some(3)),
            ("黑胜1又3/4子", Score, black, Some(7)),
            ("白胜2.75子", Score, white, Some(-11)),
            ("白胜 1¼子", Score, white, Some(-5)),
            ("黑胜一又四分之三子", Score, black, Some(7)),
            ("白勝四分之三子", Score, white, Some(-3)),
            ("黑胜七目半", Score, black, Some(15)),
            ("黒十二目勝ち", Score, black, Some(24)),
            ("让二子，黑胜三子", Score, black, Some(12)),
            ("二子局白3目勝", Score, white, Some(-6)),
            ("黑胜让子", Win, black, None),
            ("白中盘胜", Resignation, white, None),
            ("黑认输", Resignation, white, None),
            ("黑超时负", Time, white, None),
            ("黑胜", Win, black, None),
            ("和棋", Draw, None, Some(0)),
            ("黒中押し勝ち", Resignation, black, None),
            ("白半目勝ち", Score, white, Some(-1)),
            ("黒3目半勝ち", Score, black, Some(7)),
            ("白時間切れ負け", Time, black, None),
            ("持碁", Draw, None, Some(0)),
            ("無勝負", Void, None, None),
            ("흑불계승", Resignation, black, None),
            ("백 2집반승", Score, white, Some(-5)),
        ];
        for (text, kind, winner, halves) in cases {
            let result = parse(text).unwrap();
            let expected = (kind, winner, halves.map(HalfPoints));
            assert_eq!((result.kind, result.winner, result.black_minus_white), expected, "{text}");
        }
    }

    #[test]
    fn words_without_a_player_or_an_ending_are_no_result() {
        for text in ["", "胜", "黑", "nonsense", "3子"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

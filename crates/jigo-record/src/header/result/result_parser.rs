//! Parser for RE.

use super::{RecordedResult, ResultKind, ResultOddity, english_result, result_words};
use crate::header::amount;
use jigo_rules::board::Color;

impl RecordedResult {
    /// Parses RE: the forms of FF\[4\], other known forms, and Chinese, Japanese and Korean words.
    ///
    /// Any words may follow the result in parentheses.
    pub fn parse(text: &str) -> RecordedResult {
        RecordedResult::parse_with(text, |_| false)
    }

    /// Parses RE like [`RecordedResult::parse`], in a dialect in which margins below a tenth of a
    /// point are codes for an end of unrecorded kind, since no count gives them.
    pub fn parse_coded(text: &str) -> RecordedResult {
        RecordedResult::parse_with(text, is_coded)
    }

    fn parse_with(text: &str, is_code: fn(&str) -> bool) -> RecordedResult {
        let parsed = RecordedResult::parse_whole(text, is_code);
        if parsed.kind != ResultKind::Unreadable {
            return parsed;
        }
        before_parenthesis(text).map_or(parsed, |result| RecordedResult::parse_whole(result, is_code))
    }

    fn parse_whole(text: &str, is_code: fn(&str) -> bool) -> RecordedResult {
        let text = sentence(text);
        let lower = text.to_lowercase();
        match lower.as_str() {
            "" => return RecordedResult::default(),
            "?" => return RecordedResult::new(ResultKind::Unknown, None),
            "void" => return RecordedResult::new(ResultKind::Void, None),
            word if is_no_result(word) => return RecordedResult::new(ResultKind::Void, None),
            "0" | "draw" | "d" | "jigo" => return RecordedResult::draw(),
            "d+j" => return RecordedResult { oddity: Some(ResultOddity::UnknownReason), ..RecordedResult::draw() },
            _ => {}
        }
        match winner_and_reason(&lower) {
            Some((winner, margin)) if is_code(margin) => RecordedResult::with_unknown_reason(ResultKind::Win, winner),
            Some((winner, reason)) => parse_win(winner, reason),
            None => match lower.as_str() {
                "b" => RecordedResult::new(ResultKind::Win, Some(Color::Black)),
                "w" => RecordedResult::new(ResultKind::Win, Some(Color::White)),
                _ => {
                    let words = || result_words::parse(text).map(|words| words.result);
                    english_result::parse(&lower)
                        .or_else(words)
                        .unwrap_or(RecordedResult::new(ResultKind::Unreadable, None))
                }
            },
        }
    }
}

/// Returns true for words, in small letters, about a game without a result or a suspended one, which
/// FF\[4\] writes as `Void`.
fn is_no_result(text: &str) -> bool {
    is_suspended(text) || matches!(text, "no result" | "noresult" | "no-result")
}

/// Returns true for words, in small letters, about a game that its players did not finish.
fn is_suspended(text: &str) -> bool {
    let text = ["game ", "play ", "left "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    #[rustfmt::skip]
    let is_word = matches!(
        text,
        "unfinished" | "not finished" | "incomplete" | "suspended" | "adjourned" | "in progress"
            | "打挂" | "打掛" | "打掛け" | "打ち掛け" | "未完" | "未终局" | "未終局" | "中断" | "中斷" | "미완"
    );
    is_word
}

/// Names of the players in results, in small letters: English, German, French, Spanish, Italian,
/// Portuguese, Dutch, Russian and Swedish.
///
/// `b` is always Black, as in FF\[4\], although French and Spanish use it for White.
const PLAYERS: [(Color, &[&str]); 4] = [
    (Color::Black, &["black", "schwarz", "b", "s", "noir", "noirs", "n", "negro", "negras", "nero"]),
    (Color::Black, &["preto", "pretas", "zwart", "z", "чёрные", "черные", "svart"]),
    (Color::White, &["white", "weiß", "weiss", "w", "blanc", "blancs", "blanco", "blancas", "bianco"]),
    (Color::White, &["branco", "brancas", "wit", "белые", "vit"]),
];

/// Returns the player with this name.
fn player(name: &str) -> Option<Color> {
    PLAYERS.iter().find(|(_, names)| names.contains(&name)).map(|(color, _)| *color)
}

/// Splits a result in small letters, such as `b+r` or `schwarz + 3,5`, into its winner and the text
/// after the plus sign.
fn winner_and_reason(lower: &str) -> Option<(Color, &str)> {
    let (name, reason) = lower.split_once('+')?;
    Some((player(name.trim_end())?, reason.trim()))
}

/// Returns true if a text has a form of FF\[4\], ignoring blanks around it.
pub(crate) fn is_ff4(text: &str) -> bool {
    let text = text.trim();
    let is_number = |number: &str| {
        let (points, part) = number.split_once('.').unwrap_or((number, "0"));
        [points, part].iter().all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match text.strip_prefix("B+").or_else(|| text.strip_prefix("W+")) {
        Some(reason) => matches!(reason, "" | "R" | "Resign" | "T" | "Time" | "F" | "Forfeit") || is_number(reason),
        None => matches!(text, "" | "0" | "Draw" | "Void" | "?"),
    }
}

/// Returns true if a text has more words than those of its result: words in parentheses that have
/// no effect on it, as in `B+3.5 (moves beyond 250 not known)`, or any others, as in `黑胜2子 有争议`.
/// `Unfinished` also says more than `Void`.
pub fn has_remark(text: &str) -> bool {
    let lower = text.to_lowercase();
    if is_suspended(sentence(&lower)) {
        return true;
    }
    let may_be_in_words = winner_and_reason(&lower).is_none() && english_result::parse(lower.trim()).is_none();
    may_be_in_words && result_words::parse(text).is_some_and(|words| words.has_remark)
        || before_parenthesis(text).is_some_and(|result| RecordedResult::parse(result) == RecordedResult::parse(text))
}

/// Returns a text without blanks around it and punctuation at its end.
fn sentence(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '!', '。']).trim_end()
}

/// Returns the part before the parentheses, brackets or braces at the end of a text.
fn before_parenthesis(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_closed = text.ends_with([')', '）', '}', ']', '】', '〕']);
    let index = text.find(['(', '（', '{', '[', '【', '〔']).filter(|index| *index > 0 && is_closed)?;
    Some(&text[..index])
}

/// Returns true for `0.02` and similar codes.
fn is_coded(margin: &str) -> bool {
    let digits = margin.trim().strip_prefix("0.0").unwrap_or_default();
    digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.bytes().any(|byte| byte != b'0')
}

/// Parses the text after the plus sign of a win.
fn parse_win(winner: Color, reason: &str) -> RecordedResult {
    let kind = match reason {
        "" => ResultKind::Win,
        "r" | "res" | "res." | "resign" | "resigns" | "resigned" | "resignation" => ResultKind::Resignation,
        "aufgabe" | "abandon" | "abandono" | "abbandono" | "opgave" | "сдача" => ResultKind::Resignation,
        "t" | "time" | "timeout" | "time-out" | "time out" => ResultKind::Time,
        "zeit" | "temps" | "tiempo" | "tempo" | "tijd" | "время" => ResultKind::Time,
        "f" | "forfeit" | "forfeits" | "forfeited" | "forfeiture" | "default" | "walkover" => ResultKind::Forfeit,
        // On CGOS and other servers: the loser violated a rule or disconnected.
        "illegal" | "illegal move" | "offline" | "disconnect" | "disconnected" | "disconnection" => {
            return RecordedResult::with_unknown_reason(ResultKind::Forfeit, winner);
        }
        _ => {
            return match amount::parse(reason) {
                Some(amount) if amount.quarters >= 0 => RecordedResult::by_quarters(winner, amount.quarters),
                None if is_worded_reason(reason) => RecordedResult::with_unknown_reason(ResultKind::Win, winner),
                _ => RecordedResult::new(ResultKind::Unreadable, Some(winner)),
            };
        }
    };
    RecordedResult::new(kind, Some(winner))
}

/// Returns true for a reason in letters, which leaves no doubt about the winner. A digit may belong
/// to an unreadable margin, and a second player may be the real winner.
fn is_worded_reason(reason: &str) -> bool {
    let is_word = |c: char| c.is_alphabetic() || matches!(c, ' ' | '.' | '-' | '\'');
    let names_player = reason.split_whitespace().any(|word| player(word).is_some());
    let is_open = |word: &str| matches!(word, "draw" | "jigo" | "tie" | "void" | "score" | "unknown");
    reason.chars().all(is_word) && !names_player && !reason.split_whitespace().any(is_open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResultKind::*;
    use jigo_rules::HalfPoints;

    #[test]
    fn each_result_has_one_normal_form() {
        for (text, form) in [
            ("b+r", "B+R"),
            ("White wins by 2.5", "W+2.5"),
            ("white wins by 3 points", "W+3"),
            ("Black resigned", "W+R"),
            ("black wins by resignation", "B+R"),
            ("White won on time", "W+T"),
            ("Black lost on time", "W+T"),
            ("Black wins", "B+"),
            ("黑中盘胜", "B+R"),
            ("B+3.5 points", "B+3.5"),
            ("W+3.5 pts", "W+3.5"),
            ("Black +3.5", "B+3.5"),
            ("White+R", "W+R"),
            ("W by 0.5", "W+0.5"),
            ("White wins by 5 1/2", "W+5.5"),
            ("black by resignation", "B+R"),
            ("B+1/2", "B+0.5"),
            ("B+½", "B+0.5"),
            ("B+3子", "B+6"),
            ("B+Res", "B+R"),
            ("B+R (illegal move)", "B+R"),
            ("W+3.5（白超时）", "W+3.5"),
            ("黑胜（中盘）", "B+R"),
            ("B+3.5 (moves beyond 250 not known)", "B+3.5"),
            ("jigo", "0"),
            ("void", "Void"),
            ("No Result", "Void"),
            ("Unfinished", "Void"),
            ("Game suspended.", "Void"),
            ("打挂", "Void"),
            ("W+R {White's last move is not recorded}", "W+R"),
            ("B+3.5 [disputed]", "B+3.5"),
            ("黑不战胜", "B+F"),
            ("白不戦敗", "B+F"),
            ("흑부전승", "B+F"),
            ("白弃权", "B+F"),
            ("B+Walkover", "B+F"),
            ("White resigns.", "B+R"),
            ("Black wins by 2.5.", "B+2.5"),
            ("黑中盘胜。", "B+R"),
            ("B+Resigned", "B+R"),
            ("B+Timeout", "B+T"),
            ("W+Time out", "W+T"),
            ("S+3,5", "B+3.5"),
            ("s + 12", "B+12"),
            ("W+3,5", "W+3.5"),
            ("Schwarz+Aufgabe", "B+R"),
            ("Weiß + Zeit", "W+T"),
            ("N+3,5", "B+3.5"),
            ("n+abandon", "B+R"),
            ("Noir + 12", "B+12"),
            ("Blanc+Temps", "W+T"),
            ("BLANCAS+0,5", "W+0.5"),
            ("Nero+Abbandono", "B+R"),
            ("Zwart+opgave", "B+R"),
            ("Чёрные+3.5", "B+3.5"),
        ] {
            let result = RecordedResult::parse(text);
            assert_eq!(result.text().as_deref(), Some(form), "{text}");
            assert!(!is_ff4(text) && is_ff4(form), "{text}");
            let reparsed = RecordedResult::parse(form);
            assert_eq!(
                (reparsed.kind, reparsed.winner, reparsed.black_minus_white),
                (result.kind, result.winner, result.black_minus_white)
            );
        }
        for text in [
            "Black",
            "black by two",
            "(B+R)",
            "B+3.5 (",
            "B+3.5 or so",
            "B+3.25 points",
            "black is ahead",
            "White wins the match",
            "Black wins by two",
            "by resignation",
            "b resigned x",
            "S",
            "Schwarz",
            "B+W",
            "W+black resigns",
        ] {
            assert_ne!(RecordedResult::parse(text).kind, ResultKind::Score, "{text}");
            assert_ne!(RecordedResult::parse(text).kind, ResultKind::Resignation, "{text}");
        }
    }

    #[test]
    fn unread_text_becomes_the_remark() {
        for (text, is_expected) in [
            ("B+R (illegal move)", true),
            ("0 (triple ko)", true),
            ("W+R {by phone}", true),
            ("Unfinished", true),
            ("打挂", true),
            ("No result", false),
            ("黑不战胜", false),
            ("黑中盘胜（白超时）", true),
            ("黑胜（中盘）", false),
            ("白中盘胜 167手", true),
            ("白番半目勝 コミ五目半", true),
            ("白番半目勝。", false),
            ("B+3子", false),
            ("black wins by 3", false),
            ("B+R", false),
            ("(B+R)", false),
        ] {
            assert_eq!(has_remark(text), is_expected, "{text}");
        }
    }

    #[test]
    fn ff4_results_are_parsed() {
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
            let expected = RecordedResult { black_minus_white, ..RecordedResult::new(kind, winner) };
            assert_eq!(RecordedResult::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn odd_forms_are_read_and_marked() {
        let cases = [
            ("B+0.0", Win, None, ResultOddity::ZeroMargin),
            ("W+1.25", Score, Some(-5), ResultOddity::Zi),
            ("B+2.75", Score, Some(11), ResultOddity::Zi),
            ("B+AW", Win, None, ResultOddity::UnknownReason),
            ("W+J", Win, None, ResultOddity::UnknownReason),
            ("D+J", Draw, Some(0), ResultOddity::UnknownReason),
            ("B+Illegal", Forfeit, None, ResultOddity::UnknownReason),
            ("W+Offline", Forfeit, None, ResultOddity::UnknownReason),
            ("B+Disconnected", Forfeit, None, ResultOddity::UnknownReason),
            ("W+Adjudication", Win, None, ResultOddity::UnknownReason),
            ("White+Cheating.", Win, None, ResultOddity::UnknownReason),
        ];
        for (text, kind, halves, oddity) in cases {
            let result = RecordedResult::parse(text);
            assert_eq!((result.kind, result.oddity), (kind, Some(oddity)), "{text}");
            assert_eq!(result.black_minus_white, halves.map(HalfPoints), "{text}");
        }
    }

    #[test]
    fn margins_used_as_codes_are_wins_in_known_dialects() {
        for text in ["W+0.02", "w+ 0.03"] {
            let result = RecordedResult::parse_coded(text);
            assert_eq!((result.kind, result.winner), (Win, Some(Color::White)), "{text}");
            assert_eq!((result.black_minus_white, result.oddity), (None, Some(ResultOddity::UnknownReason)));
        }
        for text in ["B+0.0", "B+0.5", "B+0.05x", "B+1.0"] {
            assert_eq!(RecordedResult::parse_coded(text), RecordedResult::parse(text), "{text}");
        }
    }

    #[test]
    fn sentences_and_sentinels_are_no_results() {
        for text in [
            "both win",
            "B-3",
            "+3",
            "B+-3",
            "3.5",
            "W+0.02",
            "later",
            "B+3 or R",
            "B+?",
            "B+R, W+R",
            "B+white won",
            "B+Jigo",
        ] {
            assert_eq!(RecordedResult::parse(text).kind, Unreadable, "{text}");
        }
    }
}

//! Parser for results in Chinese, Japanese and Korean words.

use super::{RecordedResult, ResultKind};
use crate::header::amount::{is_number_character, number, split_unit};
use jigo_rules::board::Color;

/// The meaning of a part of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Player(Color),
    Win,
    Loss,
    Kind(ResultKind),
    /// A margin in quarter points.
    Margin(i32),
    /// A particle or punctuation between the others.
    Filler,
    /// Anything else, including handicaps and komi.
    Other,
}

use Word::{Filler, Kind, Loss, Player};

/// The known words and their meanings. Words that begin with another one come before it.
const WORDS: [(&[&str], &[Word]); 15] = [
    (&["無勝負", "无胜负", "無効", "무효"], &[Kind(ResultKind::Void)]),
    (&["持碁", "ジゴ", "和棋", "平局", "和局", "무승부", "빅"], &[Kind(ResultKind::Draw)]),
    (&["认输", "認輸"], &[Kind(ResultKind::Resignation), Loss]),
    (&["中盘", "中盤", "中押", "投了", "投子", "불계"], &[Kind(ResultKind::Resignation)]),
    (&["切れ負"], &[Kind(ResultKind::Time), Loss]),
    (&["弃权", "棄權", "棄権"], &[Kind(ResultKind::Forfeit), Loss]),
    (&["不战", "不戰", "不戦", "反则", "反則", "부전", "기권", "반칙"], &[Kind(ResultKind::Forfeit)]),
    (&["超时", "超時", "時間切", "시간"], &[Kind(ResultKind::Time)]),
    (&["黑", "黒", "흑"], &[Player(Color::Black)]),
    (&["白", "백"], &[Player(Color::White)]),
    (&["胜", "勝", "승"], &[Word::Win]),
    (&["负", "負", "패", "敗", "败"], &[Loss]),
    (&["番", "方", "棋", "利", "以"], &[Filler]),
    (&["ち", "け", "し", "り", "れ", "の", "は", "が", "で", "に"], &[Filler]),
    (&["，", "、", ",", "。", ".", ":", "：", "!", "！", "(", ")", "（", "）", "・"], &[Filler]),
];

/// Words before a number that is not a margin: handicap stones and komi.
const BEFORE_OTHER_NUMBERS: [&str; 9] = ["让", "讓", "受", "贴", "貼", "コミ", "込み", "덤", "先"];

/// A result in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordedResult {
    /// The result.
    pub result: RecordedResult,
    /// True if the text has more words than those of the result, such as a komi, a second result or
    /// `有争议` (disputed).
    pub has_remark: bool,
}

/// Parses a result such as 黑胜3/4子, 白中盘胜, 黒半目勝ち, 白3目半勝 or 흑불계승.
///
/// One 子 (zi) equals two points; 目, 点 and 집 are points; 半 and 반 are half a point. Returns `None`
/// without a player and an ending, and for texts with different winners or margins.
pub(crate) fn parse(text: &str) -> Option<WordedResult> {
    let words = words(text);
    let kinds: Vec<ResultKind> =
        words.iter().filter_map(|word| if let Kind(kind) = word { Some(*kind) } else { None }).collect();
    let has_remark = has_remark(&words, &kinds);
    let has_verb = words.iter().any(|word| matches!(word, Word::Win | Loss));
    if let Some(kind) = kinds.iter().find(|kind| matches!(kind, ResultKind::Void | ResultKind::Draw)) {
        let result = if *kind == ResultKind::Draw { RecordedResult::draw() } else { RecordedResult::new(*kind, None) };
        return (!has_verb && kinds.iter().all(|other| other == kind)).then_some(WordedResult { result, has_remark });
    }
    let winner = winner(&words)?;
    let is_resignation = kinds.contains(&ResultKind::Resignation);
    let result = match kinds.first() {
        Some(_) if is_resignation => RecordedResult::new(ResultKind::Resignation, Some(winner)),
        Some(kind) => RecordedResult::new(*kind, Some(winner)),
        None => match margin(&words)? {
            Some(quarters) => RecordedResult::by_quarters(winner, quarters),
            None => RecordedResult::new(ResultKind::Win, Some(winner)),
        },
    };
    Some(WordedResult { result, has_remark })
}

/// Returns true if not every word is a part of one result.
fn has_remark(words: &[Word], kinds: &[ResultKind]) -> bool {
    let count = |is_counted: fn(&Word) -> bool| words.iter().filter(|word| is_counted(word)).count();
    let players = count(|word| matches!(word, Player(_)));
    let verbs = count(|word| matches!(word, Word::Win | Loss));
    let margins = count(|word| matches!(word, Word::Margin(_)));
    let has_player_of_draw = verbs == 0 && players > 0;
    words.contains(&Word::Other)
        || players > 1
        || verbs > 1
        || has_player_of_draw
        || margins + usize::from(!kinds.is_empty()) > 1
        || kinds.windows(2).any(|pair| pair[0] != pair[1])
}

/// Returns the winner if all words for a win or loss agree. Each belongs to the player before it,
/// or to the only player.
fn winner(words: &[Word]) -> Option<Color> {
    let player = |word: &Word| if let Player(color) = word { Some(*color) } else { None };
    let first = words.iter().find_map(player)?;
    let is_only_player = words.iter().filter_map(player).all(|color| color == first);
    let mut winner = None;
    for (index, word) in words.iter().enumerate().filter(|(_, word)| matches!(word, Word::Win | Loss)) {
        let subject = words[..index].iter().rev().find_map(player).or(is_only_player.then_some(first))?;
        let wins = if *word == Word::Win { subject } else { subject.opponent() };
        if winner.is_some_and(|winner| winner != wins) {
            return None;
        }
        winner = Some(wins);
    }
    winner
}

/// Returns the margin: the only one, or of several the only one next to a word for a win or loss.
/// The outer `None` means that the margin is ambiguous.
fn margin(words: &[Word]) -> Option<Option<i32>> {
    let words: Vec<Word> = words.iter().copied().filter(|word| *word != Filler).collect();
    let is_verb = |index: Option<usize>| {
        index.and_then(|index| words.get(index)).is_some_and(|word| matches!(word, Word::Win | Loss))
    };
    let all = || {
        words
            .iter()
            .enumerate()
            .filter_map(|(index, word)| if let Word::Margin(quarters) = word { Some((index, *quarters)) } else { None })
    };
    let margins_next_to_verb = || all().filter(|(index, _)| is_verb(index.checked_sub(1)) || is_verb(Some(index + 1)));
    let single =
        |margins: Vec<(usize, i32)>| if let [(_, quarters)] = margins.as_slice() { Some(*quarters) } else { None };
    if all().next().is_none() {
        return Some(None);
    }
    single(all().collect()).or_else(|| single(margins_next_to_verb().collect())).map(Some)
}

/// Divides a text into words.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let known_word = WORDS.iter().find_map(|(names, meanings)| {
            let name = names.iter().find(|name| rest.starts_with(**name))?;
            Some((name.len(), *meanings))
        });
        let length = if let Some((length, meanings)) = known_word {
            words.extend_from_slice(meanings);
            length
        } else if let Some((length, quarters)) = leading_number(rest) {
            let before = text[..text.len() - rest.len()].trim_end();
            let is_other_number =
                BEFORE_OTHER_NUMBERS.iter().any(|word| before.ends_with(word)) || rest[length..].starts_with('局');
            words.push(quarters.filter(|_| !is_other_number).map_or(Word::Other, Word::Margin));
            length
        } else {
            words.push(Word::Other);
            first.len_utf8()
        };
        rest = rest[length..].trim_start();
    }
    words
}

/// Returns the length of a number at the start of a text with its unit, and its quarter points if
/// it is a number of points. A half after the unit belongs to it.
fn leading_number(text: &str) -> Option<(usize, Option<i32>)> {
    let length = text.find(|c| !is_number_character(c) && c != ' ').unwrap_or(text.len());
    let (amount, after) = text.split_at(length);
    if amount.is_empty() {
        return None;
    }
    let Some((unit, suffix)) = split_unit(after) else { return Some((length, None)) };
    let half = suffix.trim_start().strip_prefix(['半', '반']);
    // A half after the unit completes whole points only.
    let quarters = number(amount.trim_end()).filter(|quarters| half.is_none() || quarters % 4 == 0);
    let quarters =
        quarters.map(|quarters| (quarters + if half.is_some() { 2 } else { 0 }) * if unit == '子' { 2 } else { 1 });
    Some((text.len() - half.unwrap_or(suffix).len(), quarters))
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
            let result = parse(text).unwrap().result;
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

    #[test]
    fn unexplained_words_are_a_remark() {
        let (black, white) = (Some(Color::Black), Some(Color::White));
        for (text, kind, winner, halves) in [
            ("白番半目勝 コミ五目半", Score, white, Some(-1)),
            ("黒半目勝 コミ4目半", Score, black, Some(1)),
            ("コミ六目半 黒3目半勝", Score, black, Some(7)),
            ("黑贴3又3/4子胜1/4子", Score, black, Some(1)),
            ("백 3집반승 덤6집반", Score, white, Some(-7)),
            ("黑胜2子 有争议", Score, black, Some(8)),
            ("白中盘胜 167手", Resignation, white, None),
            ("白中盘胜 本谱未完", Resignation, white, None),
            ("흑 불계승 123수", Resignation, black, None),
            ("白超时负 改判黑胜", Time, black, None),
            ("让二子，黑胜三子", Score, black, Some(12)),
            ("黑中盘胜3目", Resignation, black, None),
            ("白胜黑负", Win, white, None),
            ("白勝黒3目", Score, white, Some(-6)),
            ("黑中盘胜?", Resignation, black, None),
            ("黑不胜", Win, black, None),
            ("白 持碁", Draw, None, Some(0)),
        ] {
            let WordedResult { result, has_remark } = parse(text).unwrap();
            assert_eq!((result.kind, result.winner), (kind, winner), "{text}");
            assert_eq!((result.black_minus_white, has_remark), (halves.map(HalfPoints), true), "{text}");
        }
        for text in [
            "黑胜 1 3/4子",
            "白番半目勝ち",
            "白方以3目半胜",
            "黒の中押し勝ち",
            "白時間切れ負け",
            "黑中盘胜（投了）",
            "백 2집 반 승",
            "黑胜，3子。",
            "持碁",
        ] {
            assert!(!parse(text).unwrap().has_remark, "{text}");
        }
    }

    #[test]
    fn contradicting_words_are_no_result() {
        for text in [
            "白中押勝 持碁",
            "ジゴ 黒勝",
            "白胜 黑胜",
            "黑负 黑胜",
            "無勝負 黒勝ち",
            "黑胜2子 白负3子",
            "黑3子白2子胜负",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

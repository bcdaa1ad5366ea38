//! Conversion of records in other formats to SGF, with a map from SGF bytes to the original bytes.
//!
//! Thanks to the conversion, all code that reads SGF also reads the other formats. Format readers
//! receive UTF-8 text line by line. An unreadable line is skipped, and omitted content is reported
//! once.

use crate::finding::{Code, Finding, Place, excerpt};
use crate::formats::decode::SourceMap;
use crate::sgf::tokens::escape::{push_property, push_value};
use crate::{RecordedResult, ResultKind, Unreadable};
use jigo_rules::board::{BoardSize, Color};

/// A record converted to SGF.
#[derive(Clone, Debug, Default)]
pub struct ConvertedRecord {
    /// One SGF game in UTF-8.
    pub text: Vec<u8>,
    /// The map from bytes of the SGF to bytes of the record.
    pub source_map: SourceMap,
    /// Findings about unreadable or unusual parts. Their places are bytes of the record.
    pub findings: Vec<Finding>,
    /// The reason why nothing of the record can be read.
    pub unreadable: Option<Unreadable>,
    /// The facts of a board without a game that SGF can't express.
    pub bare_board: Option<BareBoard>,
    /// The lines that are neither turns nor fields.
    pub skipped_lines: Vec<SkippedLine>,
}

/// The facts of a board without a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BareBoard {
    /// The numbers of stones that Black and White have lost. `None` if the text does not give one.
    pub lost: [Option<u32>; 2],
    /// The number of handicap stones.
    pub handicap: u32,
    /// The names of the dead stones, if they are given.
    pub dead: Option<String>,
    /// The player of the next turn.
    pub next: Color,
}

/// A line of a record that is neither a turn nor a field.
#[derive(Clone, Copy, Debug)]
pub struct SkippedLine {
    /// The byte of the record at which the line begins.
    pub offset: usize,
    /// The use that the reader makes of the line.
    pub line_use: LineUse,
}

/// The use of a line that is neither a turn nor a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineUse {
    /// The line is left out.
    None,
    /// The line is a part of a comment.
    Comment,
}

/// Column and row from 0 at the upper left, as the record claims. They may be off the board.
pub(crate) type Xy = (u32, u32);

/// Writes the SGF of a record: first the header properties in any order, then setup and turns.
#[derive(Default)]
pub(crate) struct SgfWriter {
    sgf: ConvertedRecord,
    /// Descriptions of omitted content, each once.
    omitted: Vec<String>,
    /// The first byte of omitted content.
    omitted_offset: usize,
}

/// The number of findings of one kind that are listed individually.
const MAX_LISTED: usize = 20;
/// The maximum number of characters in a finding's detail, which quotes untrusted text.
const MAX_DETAIL_CHARS: usize = 300;

impl SgfWriter {
    /// Begins a record of Go on a square board. Without a readable size, the board is 19x19;
    /// `field` is the text of the size and its offset, if the record states one.
    pub(crate) fn for_board(size: Option<BoardSize>, field: Option<(&str, usize)>) -> SgfWriter {
        let mut writer = SgfWriter::with_room(4 << 10);
        writer.property("GM", "1");
        writer.property("SZ", &size.unwrap_or(BoardSize::standard()).width().to_string());
        if let (None, Some((text, offset))) = (size, field) {
            writer.unreadable_line(offset, text, "no size of a board; 19x19 is assumed");
        }
        writer
    }

    /// Begins an empty record and reserves memory for `bytes` bytes of SGF.
    pub(crate) fn with_room(bytes: usize) -> SgfWriter {
        let mut writer = SgfWriter::default();
        writer.sgf.text.reserve(bytes);
        writer.sgf.text.push(b'(');
        writer.node(0);
        writer
    }

    /// Begins a node whose origin is the line at `source`.
    pub(crate) fn node(&mut self, source: usize) {
        self.declare_source(source);
        self.sgf.text.push(b';');
    }

    /// Declares that the following output comes from `source`.
    fn declare_source(&mut self, source: usize) {
        self.sgf.source_map.push(self.sgf.text.len(), source);
    }

    /// Writes a property with one value unless the value is blank.
    pub(crate) fn property(&mut self, name: &str, value: &str) {
        push_property(&mut self.sgf.text, name, value);
    }

    /// Writes another value of the previous property.
    pub(crate) fn value(&mut self, value: &str) {
        push_value(&mut self.sgf.text, value);
    }

    /// Writes setup stones at points given by column and row from 0.
    pub(crate) fn stones(&mut self, color: Color, points: &[(u32, u32)]) {
        let points: Vec<String> = points.iter().filter_map(|(x, y)| letters(*x, *y)).collect();
        let Some((first, rest)) = points.split_first() else { return };
        self.property(if color == Color::Black { "AB" } else { "AW" }, first);
        rest.iter().for_each(|point| self.value(point));
    }

    /// Writes the number of handicap stones and the stones on their usual points. `turns` are the
    /// points of the turns.
    pub(crate) fn handicap(&mut self, offset: usize, stones: u32, turns: impl IntoIterator<Item = Xy>) {
        self.property("HA", &stones.to_string());
        let points = handicap(stones, UPPER_LEFT, turns);
        self.stones(Color::Black, points);
        if points.is_empty() && stones > 1 {
            self.note(Code::HandicapStones, offset, format!("the places of {stones} stones are unknown"));
        }
    }

    /// Writes a turn as a node: a point by column and row from 0, or a pass. Returns false if no
    /// pair of letters can name the point.
    pub(crate) fn turn(&mut self, source: usize, color: Color, point: Option<(u32, u32)>) -> bool {
        let value = match point {
            None => String::new(),
            Some((x, y)) => match letters(x, y) {
                Some(letters) => letters,
                None => return false,
            },
        };
        self.node(source);
        self.sgf.text.extend_from_slice(color.letter().as_bytes());
        self.value(&value);
        true
    }

    /// Writes labels of points in the current node.
    pub(crate) fn labels(&mut self, labels: &[((u32, u32), String)]) {
        let texts = labels.iter().filter_map(|((x, y), label)| Some((letters(*x, *y)?, label)));
        for (index, (point, label)) in texts.enumerate() {
            if index == 0 {
                self.push_sgf(b"LB");
            }
            self.value(&format!("{point}:{label}"));
        }
    }

    /// Copies SGF bytes that the record contains from `source` on.
    pub(crate) fn copy_sgf(&mut self, source: usize, sgf: &[u8]) {
        self.declare_source(source);
        self.sgf.text.extend_from_slice(sgf);
        self.declare_source(source + sgf.len());
    }

    /// Writes SGF bytes that the record does not contain.
    pub(crate) fn push_sgf(&mut self, sgf: &[u8]) {
        self.sgf.text.extend_from_slice(sgf);
    }

    /// Adds a finding. After the first [`MAX_LISTED`] of a kind, one more represents all others.
    pub(crate) fn note(&mut self, code: Code, offset: usize, detail: impl Into<String>) {
        let count = self.sgf.findings.iter().filter(|finding| finding.code == code).count();
        if count > MAX_LISTED {
            return;
        }
        let mut detail: String = if count == MAX_LISTED { "this and others behind it".into() } else { detail.into() };
        if let Some((end, _)) = detail.char_indices().nth(MAX_DETAIL_CHARS) {
            detail.truncate(end);
        }
        self.sgf.findings.push(Finding::new(code, Place::byte(offset), detail));
    }

    /// Reports an unreadable line.
    pub(crate) fn unreadable_line(&mut self, offset: usize, line: &str, reason: &str) {
        let excerpt = if line.is_empty() { "an empty value".into() } else { format!("{:?}", excerpt(line.as_bytes())) };
        self.note(Code::UnreadableLine, offset, format!("{excerpt}: {reason}"));
    }

    /// Records that the line at `offset` is neither a turn nor a field.
    pub(crate) fn skip_line(&mut self, offset: usize, line_use: LineUse) {
        self.sgf.skipped_lines.push(SkippedLine { offset, line_use });
    }

    /// Reports content that SGF can't express, or whose meaning is unknown.
    pub(crate) fn report_omission(&mut self, offset: usize, name: impl Into<String>) {
        let name = name.into();
        if self.omitted.is_empty() {
            self.omitted_offset = offset;
        }
        if !self.omitted.contains(&name) && self.omitted.len() < MAX_LISTED {
            self.omitted.push(name);
        }
    }

    pub(crate) fn encrypted(&mut self, offset: usize, detail: String) {
        self.note(Code::EncryptedRecord, offset, detail);
        self.sgf.unreadable = Some(Unreadable::Encrypted);
    }

    /// Finishes a board of which a row can't be read.
    pub(crate) fn end_unreadable(self) -> ConvertedRecord {
        ConvertedRecord { unreadable: Some(Unreadable::Position), ..self.end() }
    }

    /// Finishes the record.
    pub(crate) fn end(mut self) -> ConvertedRecord {
        self.sgf.text.push(b')');
        if !self.omitted.is_empty() {
            let detail = self.omitted.join("; ");
            self.note(Code::LeftOut, self.omitted_offset, detail);
        }
        self.sgf
    }
}

/// Returns a point as a pair of SGF letters.
fn letters(x: u32, y: u32) -> Option<String> {
    let letter = |value: u32| -> Option<char> {
        let value = u8::try_from(value).ok().filter(|value| *value < 52)?;
        Some(char::from(if value < 26 { b'a' + value } else { b'A' + value - 26 }))
    };
    Some(format!("{}{}", letter(x)?, letter(y)?))
}

/// Returns the lines of a text with their offsets.
///
/// Lines end with `\n`, `\r\n` or `\r`. Line ends, trailing blanks and a byte order mark are
/// removed, and empty lines are skipped.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let mut offset = 0;
    let lines = text.split(['\n', '\r']).map(move |line| {
        let start = offset;
        offset += line.len() + 1;
        let bare = line.trim_start_matches('\u{FEFF}');
        (
            start + line.len() - bare.len(),
            bare.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '\0' | '\x1A')),
        )
    });
    lines.filter(|(_, line)| !line.is_empty())
}

/// Returns the usual points of handicap stones on East Asian servers for 19x19, by column and row
/// from 0.
///
/// Only 2 to 9 stones have fixed points. The third of three stones differs: Tygem uses the upper
/// left corner, IGS the lower right one, and converters disagree about others. Since no one plays
/// on an occupied point, the first turn on one of these two points shows that the stone is on the
/// other.
pub(crate) fn handicap(stones: u32, third: Xy, turns: impl IntoIterator<Item = Xy>) -> &'static [Xy] {
    const ALL: [Xy; 9] = [(15, 3), (3, 15), UPPER_LEFT, LOWER_RIGHT, (3, 9), (15, 9), (9, 3), (9, 15), (9, 9)];
    match stones {
        3 => match turns.into_iter().find(|point| matches!(*point, UPPER_LEFT | LOWER_RIGHT)) {
            Some(UPPER_LEFT) => &[(15, 3), (3, 15), LOWER_RIGHT],
            None if third == LOWER_RIGHT => &[(15, 3), (3, 15), LOWER_RIGHT],
            _ => &ALL[..3],
        },
        2 | 4 | 6 | 8 => &ALL[..stones as usize],
        5 => &[(15, 3), (3, 15), UPPER_LEFT, LOWER_RIGHT, (9, 9)],
        7 => &[(15, 3), (3, 15), UPPER_LEFT, LOWER_RIGHT, (3, 9), (15, 9), (9, 9)],
        9 => &ALL,
        _ => &[],
    }
}

/// D16, the third handicap stone on Tygem.
const UPPER_LEFT: Xy = (3, 3);
/// Q4, the third handicap stone on IGS.
pub(crate) const LOWER_RIGHT: Xy = (15, 15);

/// Words for colours and for the way in which games end, in English, Chinese, Japanese, Korean and
/// Thai.
const BLACK: [&str; 5] = ["black", "黑", "黒", "흑", "ดำ"];
const WHITE: [&str; 4] = ["white", "白", "백", "ขาว"];
const LOSES: [&str; 7] = ["los", "负", "負", "敗", "败", "패", "แพ้"];
const RESIGNS: [&str; 10] = ["resi", "中盘", "中盤", "中押", "投了", "投子", "认输", "認輸", "불계", "ยอมแพ้"];
const TIME: [&str; 8] = ["time", "超时", "超時", "时间", "時間", "切れ", "시간", "เวลา"];
const DRAW: [&str; 9] = ["draw", "jigo", "持碁", "ジゴ", "和棋", "和局", "平局", "무승부", "빅"];
const UNFINISHED: [&str; 4] = ["progress", "진행", "进行", "進行"];

/// Parses a result sentence such as `Black wins by 6.5 >> White(50):Black(63)`, `白5.5目勝ち!` or
/// `232手完、黒2目半勝ち`.
///
/// Only the text before `>>` is used: the first colour, the way in which it won or lost, and the
/// number that does not count turns. Here 子 means points, as the counts after `>>` show. Returns
/// `None` without a colour.
pub(crate) fn parse_sentence(text: &str) -> Option<RecordedResult> {
    let lower = text.split(">>").next().unwrap_or_default().to_lowercase();
    let has_any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has_any(&UNFINISHED) {
        return Some(RecordedResult::new(ResultKind::Unknown, None));
    }
    let first = |words: &[&str]| words.iter().filter_map(|word| lower.find(word)).min();
    let player = match (first(&BLACK), first(&WHITE)) {
        (Some(black), Some(white)) if white < black => Color::White,
        (Some(_), _) => Color::Black,
        (None, Some(_)) => Color::White,
        (None, None) => return has_any(&DRAW).then(RecordedResult::draw),
    };
    if has_any(&DRAW) {
        return Some(RecordedResult::draw());
    }
    // 認輸 and ยอมแพ้ refer to the player who resigns.
    let loses = has_any(&LOSES) || has_any(&["认输", "認輸"]);
    let winner = if loses { player.opponent() } else { player };
    if has_any(&RESIGNS) {
        return Some(RecordedResult::new(ResultKind::Resignation, Some(winner)));
    }
    if has_any(&TIME) {
        return Some(RecordedResult::new(ResultKind::Time, Some(winner)));
    }
    Some(match half_points(&lower) {
        Some(halves) => RecordedResult::by_quarters(winner, halves.saturating_mul(2)),
        None => RecordedResult::new(ResultKind::Win, Some(winner)),
    })
}

/// Returns the first number that does not count turns (手, 수), in half points.
///
/// A 半 or 반 after it adds half a point; without a number it means half a point.
fn half_points(text: &str) -> Option<i32> {
    let is_half = |rest: &str| rest.trim_start_matches(['目', '집', '子', ' ']).starts_with(['半', '반']);
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end =
            rest[start..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(rest.len(), |length| start + length);
        let suffix = &rest[end..];
        if !suffix.trim_start().starts_with(['手', '수']) {
            let (integer, fraction) = rest[start..end].split_once('.').unwrap_or((&rest[start..end], ""));
            let halves: i32 = integer.parse::<i32>().ok()?.checked_mul(2)?;
            return match fraction.trim_end_matches('0') {
                "" => Some(halves + i32::from(is_half(suffix))),
                "5" => Some(halves + 1),
                _ => None,
            };
        }
        rest = suffix;
    }
    text.contains(['半', '반']).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitter::{Piece, split};

    #[test]
    fn comment_that_ends_within_a_game_starts_none() {
        let mut writer = SgfWriter::for_board(None, None);
        writer.property("C", "cut off: (;GM[1");
        writer.turn(0, Color::Black, Some((3, 3)));
        let mut games = Vec::new();
        split(&writer.end().text, true, |piece| games.extend(matches!(piece, Piece::Game(..)).then_some(piece)));
        assert_eq!(games.len(), 1, "{games:?}");
    }

    #[test]
    fn sentences_of_servers_are_results() {
        for (text, expected) in [
            ("Black wins by 0.5!", "B+0.5"),
            ("White wins by  resign!", "W+R"),
            ("White Win by Resign!", "W+R"),
            ("Black Win 6.5 >> White(50):Black(63)", "B+6.5"),
            ("White loses on time", "B+T"),
            ("White 19Win  >> White(83):Black(64)", "W+19"),
            ("Black wins by 1win >> White(58):Black(59)", "B+1"),
            ("Progressing!", "?"),
            ("흑 1.5집 승", "B+1.5"),
            ("백 불계승", "W+R"),
            ("흑 시간승", "B+T"),
            ("흑 반집승", "B+0.5"),
            ("白5.5目勝ち!", "W+5.5"),
            ("黒中押し勝ち!", "B+R"),
            ("197手完、黒中押し勝ち", "B+R"),
            ("232手完、黒2目半勝ち", "B+2.5"),
            ("白時間切れ勝ち！", "W+T"),
            ("白棋12子 >> 白方(94):黑方(82)", "W+12"),
            ("黑认输", "W+R"),
            ("ดำชนะด้วยแต้ม!7.5 >> ขาว(63):ดำ(77)", "B+7.5"),
            ("Black wins", "B+"),
            ("무승부", "0"),
        ] {
            assert_eq!(parse_sentence(text).and_then(|result| result.text()).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "see you", "12 points"] {
            assert_eq!(parse_sentence(text), None, "{text}");
        }
    }

    #[test]
    fn lines_end_in_any_way_and_have_their_offsets() {
        let text = "\u{FEFF}one\r\ntwo \r\rthree\n\n four\0";
        let lines: Vec<_> = lines(text).collect();
        assert_eq!(lines, [(3, "one"), (8, "two"), (14, "three"), (21, " four")]);
        assert!(lines.iter().all(|(offset, line)| text[*offset..].starts_with(line)));
    }

    #[test]
    fn positions_map_back_to_lines_and_unchanged_text() {
        let mut writer = SgfWriter::for_board(None, None);
        writer.property("PB", "a]b\\");
        let header = writer.sgf.text.len();
        writer.copy_sgf(7, b";B[dd];W[pp]");
        assert!(writer.turn(40, Color::Black, Some((26, 0))));
        assert!(!writer.turn(50, Color::Black, Some((52, 0))));
        let sgf = writer.end();
        assert_eq!(String::from_utf8_lossy(&sgf.text), "(;GM[1]SZ[19]PB[a\\]b\\\\];B[dd];W[pp];B[Aa])");
        assert_eq!(
            [0, 1, header - 1, header, header + 6, header + 12].map(|offset| sgf.source_map.source(offset)),
            [0, 0, 0, 7, 13, 40]
        );
    }

    #[test]
    fn handicap_has_the_named_number_of_points() {
        for stones in 2..=9 {
            let mut points = handicap(stones, UPPER_LEFT, []).to_vec();
            points.sort_unstable();
            points.dedup();
            assert_eq!(points.len(), stones as usize);
        }
        assert!(handicap(1, UPPER_LEFT, []).is_empty() && handicap(10, UPPER_LEFT, []).is_empty());
    }

    #[test]
    fn third_handicap_stone_avoids_the_first_plays() {
        let third = |usual, turns: &[(u32, u32)]| handicap(3, usual, turns.iter().copied())[2];
        assert_eq!(third(UPPER_LEFT, &[(2, 2)]), (3, 3));
        assert_eq!(third(UPPER_LEFT, &[(2, 2), (3, 3), (15, 15)]), (15, 15));
        assert_eq!(third(LOWER_RIGHT, &[(15, 15)]), (3, 3));
    }
}

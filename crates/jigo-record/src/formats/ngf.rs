//! NGF: records of Cyberoro and WBaduk.
//!
//! ```text
//! Rated game                       line 1
//! 19                               line 2
//! ...                              up to line 12, then the turns
//! PMABBREER                        a turn
//! ```
//!
//! A turn consists of `PM`, its number in letters (AA is 0), its colour, column and row from B on,
//! and row and column again. The point AA is a pass.
//!
//! | line | in the GI form | SGF | meaning |
//! |---|---|---|---|
//! | 1 | 1 | EV | kind of game, or the event |
//! | 2 | 7 | SZ | |
//! | 3, 4 | 2, 3 | PW WR, PB BR | White first; the rank is the last word |
//! | 5 | – | PC | the server's address |
//! | 6 | 8 | HA | number of stones, which `rewrite.rs` places |
//! | 7 | 9 | – | 0 in all known records |
//! | 8 | 10 | KM | a whole number; without handicap, half a point is added |
//! | 9 | 6 | DT | `20180704 [09:31]`, `2006-9-5` |
//! | 10 | – | – | minutes of unknown meaning |
//! | 11 | – | RE | a sentence in the player's language; 子 are points |
//! | 12 | 11 | – | number of turns without passes |
//! | – | – | RU | Korean, as on the server |
//!
//! The GI form is used for professional games. Each line of its header begins with `GI`. Texts of
//! the form `IDB[211] text[EndTxt]` follow the turns; they are comments on the turn with that
//! number. The order of the players is not documented. White first is assumed, as in the other
//! form.
//!
//! Sources: Sensei's Library, *NGF*; ngf2sgf by A. E. Brouwer; xyz2sgf; Sabaki's converter with its
//! records; John Collins, quoted by Brouwer, for the half point.

use crate::sgf::encoding::byte_order_mark::without_mark;
use std::collections::BTreeMap;

use super::Row;
use crate::finding::Code;
use crate::formats::rewrite::{ConvertedRecord, SgfWriter, Xy, lines, parse_sentence};
use crate::splitter::{LineFormat, LineKind};
use crate::{Date, Rank};
use jigo_rules::board::{BoardSize, Color};

/// The division of a file into games. The first lines of a header begin a game if turns or a
/// complete header come before them. Turns without a header also begin a game.
const LINES: LineFormat =
    LineFormat { line: line_kind, is_last: |line| line.len() == TURN_LENGTH && is_turn_line(line), ..LineFormat::NONE };

/// The format.
pub(super) const ROW: Row = Row {
    name: "ngf",
    suffixes: &["ngf"],
    is_start,
    begins_record,
    lines: LINES,
    reader: Some(|text, _| rewrite(text)),
};

/// The length of a turn.
const TURN_LENGTH: usize = "PMABBERRE".len();

/// The state among the turns of a game. Greater states count the lines of the header.
const AMONG_TURNS: u8 = LineFormat::IN_GAME;

fn line_kind(line: &[u8], next: &[u8], state: &mut u8) -> LineKind {
    let is_turn = is_turn_line(line);
    let is_in_header = (1..HEADER).contains(&usize::from(state.saturating_sub(AMONG_TURNS)));
    let (next_state, kind) = match *state {
        0 if is_turn => (AMONG_TURNS, LineKind::Begins),
        _ if is_turn => (AMONG_TURNS, LineKind::Inside),
        _ if !is_in_header && begins_header(line, next) => (AMONG_TURNS + 1, LineKind::Begins),
        0 => (0, LineKind::Outside),
        AMONG_TURNS => (AMONG_TURNS, LineKind::Inside),
        lines => (lines.saturating_add(1), LineKind::Inside),
    };
    *state = next_state;
    kind
}

/// Returns true for a turn, which no other format writes like this.
pub(super) fn is_turn_line(line: &[u8]) -> bool {
    line.starts_with(b"PM") && turn(&String::from_utf8_lossy(line)).is_some()
}

/// Returns true if these are the first two lines of a header: a name and a size, or two lines with
/// `GI`.
///
/// Other lines of a header are also numbers, but none of them follows a name.
fn begins_header(line: &[u8], next: &[u8]) -> bool {
    let is_size = |text: &[u8]| {
        std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse::<u8>().ok())
            .is_some_and(|size| (2..=52).contains(&size))
    };
    let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    (line.starts_with(b"GI") && next.starts_with(b"GI"))
        || (is_size(next) && !is_number(line) && !line.starts_with(b"GI"))
}

/// Returns true if a text begins like an NGF file: with a header up to the date, or with turns.
fn is_start(start: &[u8]) -> bool {
    let start = without_mark(start);
    let end = line_end(start);
    let lines: Vec<&[u8]> = start.split(|byte| *byte == end).map(<[u8]>::trim_ascii).take(HEADER).collect();
    let is_number = |index: usize| {
        lines.get(index).is_some_and(|line| !line.is_empty() && line.len() <= 4 && line.iter().all(u8::is_ascii_digit))
    };
    let has_gi = lines.len() > 6 && lines.iter().take(6).all(|line| line.starts_with(b"GI"));
    let is_plain = lines.len() > 7 && begins_header(lines[0], lines[1]) && [5, 6, 7].into_iter().all(is_number);
    has_gi || is_plain || lines.iter().take(2).filter(|line| is_turn_line(line)).count() == 2
}

/// Returns true if a text begins with a header and a turn, or with two turns.
///
/// A column of numbers also looks like the beginning of a header, but it has no turns.
fn begins_record(text: &[u8]) -> bool {
    let end = line_end(text);
    let mut lines = text.split(|byte| *byte == end).map(<[u8]>::trim_ascii);
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    let are_turns = is_turn_line(first) && is_turn_line(second);
    let mut has_turn = || lines.by_ref().take(HEADER + 2).any(is_turn_line);
    are_turns || (begins_header(first, second) && is_start(text) && has_turn())
}

/// Returns the character that ends lines: `\n` or, in a text without it, `\r`. Only one does, since
/// line numbers identify the header fields.
fn line_end(text: &[u8]) -> u8 {
    if text.contains(&b'\n') { b'\n' } else { b'\r' }
}

/// Converts an NGF record to SGF.
fn rewrite(text: &str) -> ConvertedRecord {
    let record = NgfRecord::from_text(text);
    let mut writer = record.header();
    record.turns(text, &mut writer);
    writer.end()
}

/// A field of the header. Its number is that of its line in the form without `GI`, from 0.
#[derive(Clone, Copy)]
enum Field {
    Event,
    Size,
    White,
    Black,
    Place,
    Handicap,
    Unknown,
    Komi,
    Date,
    Minutes,
    Result,
    Turns,
}

/// The line of each field in the GI form, from 0. That of a field which the form lacks is after the
/// last one.
const GI_LINES: [usize; HEADER] = [0, 6, 1, 2, HEADER, 7, 8, 9, 5, HEADER, HEADER, 10];

struct NgfRecord<'a> {
    is_gi_form: bool,
    /// The lines of the header without `GI`, including empty lines.
    header: Vec<(usize, &'a str)>,
    turns: Vec<(usize, &'a str)>,
    /// The comments by the number of their turn.
    comments: BTreeMap<u32, String>,
}

/// The maximum number of header lines.
const HEADER: usize = 12;

impl<'a> NgfRecord<'a> {
    fn from_text(text: &'a str) -> NgfRecord<'a> {
        let mut record =
            NgfRecord { is_gi_form: false, header: Vec::new(), turns: Vec::new(), comments: BTreeMap::new() };
        let mut open: Option<(u32, String)> = None;
        for (offset, line) in all_lines(text) {
            let continued = open.take().map(|(turn, comment)| (turn, comment, line));
            let begun = || comment(line).map(|(turn, rest)| (turn, String::new(), rest));
            if let Some((turn, mut comment, text)) = continued.or_else(begun) {
                match text.split_once("[EndTxt]") {
                    Some((last, rest)) => {
                        comment.push_str(last);
                        record.comments.insert(turn, comment);
                        record.push_rest(offset, rest);
                    }
                    None => {
                        comment.push_str(text);
                        comment.push('\n');
                        open = Some((turn, comment));
                    }
                }
            } else if line.starts_with("PM") && (!record.turns.is_empty() || turn(line).is_some()) {
                record.turns.push((offset, line));
            } else if record.turns.is_empty() && record.header.len() < HEADER {
                let trimmed = line.strip_prefix("GI");
                record.is_gi_form |= record.header.is_empty() && trimmed.is_some();
                record.header.push((offset, trimmed.unwrap_or(line)));
            } else if !line.is_empty() && !line.starts_with("GI") {
                record.turns.push((offset, line));
            }
        }
        record.comments.extend(open);
        record
    }

    /// Adds the text after a comment, which is unreadable unless it is a turn.
    fn push_rest(&mut self, offset: usize, rest: &'a str) {
        if !rest.trim().is_empty() {
            self.turns.push((offset, rest.trim()));
        }
    }

    /// Returns a field of the header, with the offset of its line. A missing field is empty.
    fn field(&self, field: Field) -> (&'a str, usize) {
        let index = if self.is_gi_form { GI_LINES[field as usize] } else { field as usize };
        self.header.get(index).map_or(("", 0), |(offset, line)| (line.trim(), *offset))
    }

    fn number(&self, field: Field) -> Option<i32> {
        self.field(field).0.parse().ok().filter(|number: &i32| number.abs() < 10_000)
    }

    fn header(&self) -> SgfWriter {
        let size = self.number(Field::Size).and_then(|size| BoardSize::square(u8::try_from(size).ok()?));
        let mut writer = SgfWriter::for_board(size, Some(self.field(Field::Size)));
        self.players(&mut writer);
        let stones = self.handicap(&mut writer);
        self.komi(stones, &mut writer);
        writer.property("EV", self.field(Field::Event).0);
        if let Some(date) = date(self.field(Field::Date).0) {
            writer.property("DT", &date.iso());
        }
        writer.property("PC", self.field(Field::Place).0);
        writer.property("RU", "Korean");
        let (result, _) = self.field(Field::Result);
        writer.property(
            "RE",
            &parse_sentence(result).map_or(result.to_owned(), |result| result.text().unwrap_or_default()),
        );
        let (minutes, offset) = self.field(Field::Minutes);
        if !matches!(minutes, "" | "0") {
            writer.report_omission(offset, format!("{minutes} minutes of the clock, of unknown kind"));
        }
        let (unknown, offset) = self.field(Field::Unknown);
        if !matches!(unknown, "" | "0") {
            writer.report_omission(offset, format!("{unknown:?}, of no known meaning"));
        }
        if let Some(comment) = self.comments.get(&0) {
            writer.property("C", comment);
        }
        writer
    }

    fn players(&self, writer: &mut SgfWriter) {
        for (field, name, rank) in [(Field::Black, "PB", "BR"), (Field::White, "PW", "WR")] {
            let (player, _) = self.field(field);
            let (player, grade) = match player.rsplit_once(char::is_whitespace) {
                Some((name, grade)) if Rank::parse(grade).is_some() => (name.trim(), grade),
                _ => (player, ""),
            };
            writer.property(name, player);
            writer.property(rank, grade);
        }
    }

    fn handicap(&self, writer: &mut SgfWriter) -> i32 {
        let (text, offset) = self.field(Field::Handicap);
        let Some(stones) = self.number(Field::Handicap) else {
            if !text.is_empty() {
                writer.note(Code::UnreadableHandicap, offset, format!("{text:?}"));
            }
            return 0;
        };
        if stones > 0 {
            let played = self.turns.iter().filter_map(|(_, line)| turn(line)?.1);
            writer.handicap(offset, stones.unsigned_abs(), played);
        }
        stones
    }

    /// Writes komi: a whole number without the half point of even games.
    fn komi(&self, stones: i32, writer: &mut SgfWriter) {
        let (text, offset) = self.field(Field::Komi);
        match self.number(Field::Komi) {
            Some(komi) if stones == 0 && komi >= 0 => writer.property("KM", &format!("{komi}.5")),
            Some(komi) => writer.property("KM", &komi.to_string()),
            None if text.is_empty() => {}
            // Some records include the half point.
            None if text.bytes().all(|byte| b"+-.0123456789".contains(&byte)) && text.parse::<f32>().is_ok() => {
                writer.property("KM", text)
            }
            None => writer.note(Code::UnreadableKomi, offset, format!("{text:?}")),
        }
    }

    fn turns(&self, text: &str, writer: &mut SgfWriter) {
        let (mut number, mut passes) = (0, 0);
        for (offset, line) in &self.turns {
            let Some((color, point, declared_number)) = turn(line) else {
                writer.unreadable_line(*offset, line, "no turn");
                continue;
            };
            if !writer.turn(*offset, color, point) {
                writer.unreadable_line(*offset, line, "no board has this point");
                continue;
            }
            if line.trim_end().len() > TURN_LENGTH {
                writer.unreadable_line(*offset, line, "more than a turn");
            }
            number += 1;
            passes += u32::from(point.is_none());
            // Two letters can count to 675.
            if number < 676 && declared_number != number {
                writer.note(Code::TurnNumbers, *offset, format!("turn {number} has the number {declared_number}"));
                number = declared_number;
            }
            if let Some(comment) = self.comments.get(&number) {
                writer.property("C", comment);
            }
        }
        let (recorded_count, offset) = self.field(Field::Turns);
        // Some records also count passes, or an announced turn that was never made.
        match recorded_count.parse::<u32>() {
            Ok(recorded_count) if recorded_count > number => {
                let detail = format!("{recorded_count} turns are to be there, {number} are");
                writer.note(Code::TurnNumbers, if number == 0 { offset } else { text.len() }, detail);
            }
            Ok(recorded_count) if recorded_count > 0 && recorded_count + passes < number => {
                writer.note(Code::TurnNumbers, offset, format!("{recorded_count} turns are to be there, {number} are"));
            }
            _ => {}
        }
    }
}

/// Returns all lines with their offsets, including empty ones, since line numbers identify the
/// header fields.
fn all_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = lines(text).next().map_or(text.len(), |(offset, _)| offset);
    let mut offset = start;
    text[start..].split(char::from(line_end(text.as_bytes()))).map(move |line| {
        let line_start = offset;
        offset += line.len() + 1;
        (line_start, line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '\0' | '\x1A')))
    })
}

/// Parses `PMABBREER` into colour, point (`None` for a pass) and number.
fn turn(line: &str) -> Option<(Color, Option<Xy>, u32)> {
    let &[b'P', b'M', tens @ b'A'..=b'Z', ones @ b'A'..=b'Z', letter, column, row, ..] = line.as_bytes() else {
        return None;
    };
    let color = Color::BOTH.into_iter().find(|color| color.letter().as_bytes() == [letter])?;
    let number = u32::from(tens - b'A') * 26 + u32::from(ones - b'A');
    match (column, row) {
        (b'A', b'A') => Some((color, None, number)),
        (b'B'..=b'Z', b'B'..=b'Z') => Some((color, Some((u32::from(column - b'B'), u32::from(row - b'B'))), number)),
        _ => None,
    }
}

/// Parses the number of the turn and the start of the text from `IDB[211] text`.
fn comment(line: &str) -> Option<(u32, &str)> {
    let (number, text) = line.strip_prefix("IDB[")?.split_once(']')?;
    Some((number.trim().parse().ok()?, text.trim_start()))
}

/// Parses `20180704 [09:31]`, or a date with separators.
fn date(text: &str) -> Option<Date> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        8 => Date::find(&format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..8])),
        _ => Date::find(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_may_end_with_carriage_returns() {
        let text = "Rated game\n19\norchid 3D\nbamboo 9D\n\n0\n0\n6\n20180704\n20\n\n2\nPMABBEQQE\nPMACWQEEQ\n";
        let expected = rewrite(text).text;
        assert!(expected.ends_with(b";B[dp];W[pd])"), "{}", String::from_utf8_lossy(&expected));
        for line_end in ["\r", "\r\n"] {
            let text = text.replace('\n', line_end);
            assert_eq!(rewrite(&text).text, expected, "{line_end:?}");
            assert!(is_start(text.as_bytes()) && begins_record(text.as_bytes()), "{line_end:?}");
        }
    }
}

//! GIB: records of Tygem and of the servers that use its software (eweiqi, TOM).
//!
//! ```text
//! \HS                              the header begins
//! \[GAMEBLACKNAME=ito (3D)\]       a field
//! \HE                              the header ends
//! \GS                              the game begins
//! 2 1 0                            unknown
//! 50 0 &4                          number of the last turn, counted from 2
//! INI 0 1 3 &4                     handicap stones; a comment may follow &4
//! STO 0 2 2 15 15                  number, colour (1 is Black), column and row
//! SKI 0 3                          a pass; the colour follows from the turn before it
//! \GE                              the game ends
//! ```
//!
//! | field | SGF | meaning |
//! |---|---|---|
//! | GAMEBLACKNAME, GAMEWHITENAME | PB BR, PW WR | name with the rank in parentheses |
//! | BLV of BUSERINFO, WLV of WUSERINFO; L, N of GAMETAG | BR, WR | level, if there is no rank |
//! | GRLT, ZIPSU of GAMEINFOMAIN; W, Z of GAMETAG | RE | kind of result and margin |
//! | GAMERESULT | RE | words in the player's language, used if the numbers give no result |
//! | GONGJE; G of GAMETAG | KM | tenths of points |
//! | DUM; D of GAMETAG | – | points in handicap games, omitted because their sign is unknown |
//! | C of GAMETAG, GDATE, GAMEDATE | DT | the first that is a date |
//! | GTIME of GAMEINFOMAIN | TM, OT | seconds, seconds of a period, periods |
//! | GAMENAME, GAMEPLACE, GAMECOMMENT | EV, PC, GC | |
//! | text after `&4` in `INI` | C | |
//! | – | RU | Korean, as on the server; none for TOM, whose rules have changed |
//!
//! - STO: columns and rows count from 0 at the upper left.
//! - Levels: 0 to 17 are 18k to 1k, 18 to 26 are 1d to 9d, higher ones are professional dan.
//! - GRLT: 0 and 1 mean that Black or White won by ZIPSU tenths of points. 3 and 4 mean by
//!   resignation, 7 and 8 on time. Other values are not used.
//!
//! Sources: Sensei's Library, *GIB*; the converters gib2sgf by A. E. Brouwer, xyz2sgf, and
//! Sabaki's, which agree unless noted; for the levels the source of qGo, whose author observed the
//! server. None of them knows `REM` and `IDX`. `rewrite.rs` places handicap stones.

use super::Row;
use crate::finding::Code;
use crate::formats::rewrite::{ConvertedRecord, LineUse, SgfWriter, lines};
use crate::sgf::encoding::byte_order_mark::without_mark;
use crate::splitter::{LineFormat, LineKind};
use jigo_rules::board::{BoardSize, Color};

mod fields;

use fields::GibFields;

/// The division of a file into games. A header begins one even without `\HS`, and so does a `\GS`
/// without a header.
const LINES: LineFormat = LineFormat { line: line_kind, is_last, ..LineFormat::NONE };

/// The format.
pub(super) const ROW: Row = Row {
    name: "gib",
    suffixes: &["gib"],
    is_start,
    begins_record,
    lines: LINES,
    reader: Some(|text, _| rewrite(text)),
};

/// States within a game: in its header, after its header, and among its turns.
const IN_HEADER: u8 = LineFormat::IN_GAME;
const AFTER_HEADER: u8 = 2;
const AMONG_TURNS: u8 = 3;

fn line_kind(line: &[u8], _: &[u8], state: &mut u8) -> LineKind {
    let before = *state;
    let (next_state, kind) = match line {
        b"\\HS" => (IN_HEADER, LineKind::Begins),
        b"\\HE" if before == IN_HEADER => (AFTER_HEADER, LineKind::Inside),
        b"\\GS" if matches!(before, IN_HEADER | AFTER_HEADER) => (AMONG_TURNS, LineKind::Inside),
        b"\\GS" => (AMONG_TURNS, LineKind::Begins),
        b"\\GE" if before != 0 => (before, LineKind::Ends),
        [b'\\', b'[', ..] if before != IN_HEADER => (IN_HEADER, LineKind::Begins),
        [b'S' | b'I' | b'R', ..] if before == 0 && command(&String::from_utf8_lossy(line)).is_some() => {
            (AMONG_TURNS, LineKind::Begins)
        }
        _ if before == 0 => (0, LineKind::Outside),
        _ => (before, LineKind::Inside),
    };
    *state = next_state;
    kind
}

/// Returns true if a record may end with this line.
fn is_last(line: &[u8]) -> bool {
    line == b"\\GE" || command(&String::from_utf8_lossy(line)).is_some()
}

/// Returns true if no other format has such a line.
pub(super) fn is_sign(line: &[u8]) -> bool {
    line_kind(line, b"", &mut 0) == LineKind::Begins
}

/// Returns true if a text begins like a GIB file.
fn is_start(start: &[u8]) -> bool {
    let start = without_mark(start).trim_ascii_start();
    start.starts_with(b"\\HS") || start.starts_with(b"\\[GIBOKIND=") || start.starts_with(b"\\[GAME")
}

/// Returns true if a text begins with two lines of a header or of turns.
fn begins_record(text: &[u8]) -> bool {
    let is_field = |line: &[u8]| {
        let name = line.strip_prefix(b"\\[").unwrap_or_default();
        let letters = name.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        letters > 2 && name.get(letters) == Some(&b'=')
    };
    let is_command = |line: &[u8]| line.starts_with(b"INI ") || command(&String::from_utf8_lossy(line)).is_some();
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let mut lines = lines.by_ref().filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return false };
    let mut is_next = |is_match: &dyn Fn(&[u8]) -> bool| lines.next().is_some_and(is_match);
    match first {
        b"\\HS" => is_next(&|line| is_field(line) || matches!(line, b"\\HE" | b"\\GS")),
        b"\\GS" => is_next(&|line| is_command(line) || line[0].is_ascii_digit()),
        [b'\\', ..] => is_field(first) && is_next(&|line| is_field(line) || line == b"\\HE"),
        [b'S', ..] => is_command(first) && is_next(&is_command),
        _ => false,
    }
}

/// Converts a GIB record to SGF.
fn rewrite(text: &str) -> ConvertedRecord {
    let fields = GibFields::from_text(text);
    let moves = GibMoves::from_text(text);
    let mut writer = SgfWriter::for_board(Some(BoardSize::standard()), None);
    fields.write(&mut writer);
    moves.write(text, &mut writer);
    writer.end()
}

/// The lines between `\GS` and `\GE`.
struct GibMoves<'a> {
    lines: Vec<(usize, &'a str)>,
    /// The offsets of lines before `\GS` that begin no field, but may continue one.
    before: Vec<usize>,
    has_begun: bool,
    has_ended: bool,
}

impl<'a> GibMoves<'a> {
    fn from_text(text: &'a str) -> GibMoves<'a> {
        let mut moves = GibMoves { lines: Vec::new(), before: Vec::new(), has_begun: false, has_ended: false };
        for (offset, line) in lines(text) {
            match line.trim_start() {
                "\\GS" => moves.has_begun = true,
                "\\GE" if moves.has_begun => {
                    moves.has_ended = true;
                    break;
                }
                line if moves.has_begun => moves.lines.push((offset, line)),
                line if line.starts_with('\\') => {}
                _ => moves.before.push(offset),
            }
        }
        moves
    }

    fn write(&self, text: &str, writer: &mut SgfWriter) {
        let mut turns = TurnWriter { next: Color::Black, number: None, last: 1 };
        for (offset, line) in &self.lines {
            if let Some((stones, comment)) = ini(line) {
                self.setup(stones, *offset, writer);
                writer.property("C", comment);
                if stones > 1 {
                    turns.next = Color::White;
                }
                break;
            }
        }
        self.lines.iter().for_each(|(offset, line)| turns.line(*offset, line, writer));
        self.before.iter().for_each(|offset| writer.skip_line(*offset, LineUse::Comment));
        if !self.has_ended {
            let problem = if self.has_begun { "there is no \\GE" } else { "there is no \\GS" };
            writer.note(Code::UnclosedGame, text.len(), problem);
        }
        if let Some((move_count, offset)) = turns.number.filter(|(move_count, _)| *move_count != turns.last) {
            writer.note(
                Code::TurnNumbers,
                offset,
                format!("the last turn is to have the number {move_count} and has {}", turns.last),
            );
        }
    }

    fn setup(&self, stones: u32, offset: usize, writer: &mut SgfWriter) {
        let played = self.lines.iter().filter_map(|(_, line)| match command(line)? {
            Command::Play(_, _, point) => Some(point),
            _ => None,
        });
        if stones > 0 {
            writer.handicap(offset, stones, played);
        }
    }
}

/// Parses `INI 0 1 3 &4comment` into the number of handicap stones and the comment.
fn ini(line: &str) -> Option<(u32, &str)> {
    let rest = line.strip_prefix("INI")?;
    let stones = rest.split_ascii_whitespace().nth(2)?.parse().ok()?;
    Some((stones, rest.split_once("&4").map_or("", |(_, comment)| comment)))
}

/// The command of a line.
enum Command {
    Play(u32, Color, (u32, u32)),
    Pass(u32),
}

fn command(line: &str) -> Option<Command> {
    let mut words = line.split_ascii_whitespace();
    let word = words.next()?;
    let mut numbers = words.map_while(|word| word.parse::<u32>().ok());
    let _always_zero = numbers.next()?;
    let turn = numbers.next()?;
    match word {
        "SKI" => Some(Command::Pass(turn)),
        "STO" => {
            let color = *Color::BOTH.get((numbers.next()? as usize).wrapping_sub(1))?;
            Some(Command::Play(turn, color, (numbers.next()?, numbers.next()?)))
        }
        _ => None,
    }
}

/// Writes turns in the order of their lines.
struct TurnWriter {
    /// The player of the next turn.
    next: Color,
    /// The declared number of the last turn, and its offset.
    number: Option<(u32, usize)>,
    /// The number of the last turn.
    last: u32,
}

impl TurnWriter {
    fn line(&mut self, offset: usize, line: &str, writer: &mut SgfWriter) {
        match command(line) {
            Some(Command::Play(number, color, point)) => {
                if !writer.turn(offset, color, Some(point)) {
                    return writer.unreadable_line(offset, line, "no board has this point");
                }
                self.record_turn(offset, number, color, writer);
            }
            Some(Command::Pass(number)) => {
                let color = self.next;
                writer.turn(offset, color, None);
                self.record_turn(offset, number, color, writer);
            }
            None if line.starts_with("INI") && ini(line).is_some() => {}
            None if line.starts_with("STO") || line.starts_with("SKI") || line.starts_with("INI") => {
                writer.unreadable_line(offset, line, "no turn");
            }
            None => self.other_line(offset, line, writer),
        }
    }

    fn record_turn(&mut self, offset: usize, number: u32, color: Color, writer: &mut SgfWriter) {
        if number != self.last + 1 && number != self.last {
            writer.note(Code::TurnNumbers, offset, format!("{} is followed by {number}", self.last));
        }
        (self.last, self.next) = (number, color.opponent());
    }

    /// Handles the two lines of numbers before INI, and unknown commands.
    fn other_line(&mut self, offset: usize, line: &str, writer: &mut SgfWriter) {
        let numbers: Vec<&str> = line.split_ascii_whitespace().collect();
        match numbers[..] {
            [last, "0", _] if line.contains('&') => self.number = last.parse().ok().map(|last| (last, offset)),
            _ if line.starts_with(|c: char| c.is_ascii_digit()) => writer.skip_line(offset, LineUse::None),
            [command @ ("REM" | "IDX"), ..] => {
                writer.report_omission(offset, format!("{command}, of no known meaning"))
            }
            _ => writer.unreadable_line(offset, line, "no known command"),
        }
    }
}

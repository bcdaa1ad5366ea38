//! GIB: records of Tygem and of the servers that use its software (eweiqi, TOM).
//!
//! ```text
//! \HS                              the header begins
//! \[GAMEBLACKNAME=ito (3D)\]       a field
//! \HE                              it ends
//! \GS                              the game begins
//! 2 1 0                            of no known meaning
//! 50 0 &4                          the number of the last turn, which counts from 2
//! INI 0 1 3 &4                     handicap stones; behind &4 may stand a comment
//! STO 0 2 2 15 15                  number, colour (1 is Black), column and row from 0 at the upper left
//! SKI 0 3                          a pass; whose it is follows from the turn before it
//! \GE                              it ends
//! ```
//!
//! | field | SGF | what is known of it |
//! |---|---|---|
//! | GAMEBLACKNAME, GAMEWHITENAME | PB BR, PW WR | the rank stands in parentheses behind the name |
//! | BLV, WLV of BUSERINFO, WUSERINFO; L, N of GAMETAG | BR, WR | where the name has no rank: up to 17 is 18 less kyu, up to 26 is dan from 18 on, above professional dan |
//! | GRLT, ZIPSU of GAMEINFOMAIN; W, Z of GAMETAG | RE | 0 and 1: Black and White by tenths of points; 3 and 4: by resignation; 7 and 8: on time; others are none of them |
//! | GAMERESULT | RE | words of the player's language, where the numbers say nothing |
//! | GONGJE; G of GAMETAG | KM | in tenths |
//! | DUM; D of GAMETAG | – | points of handicap games; whether White gets or gives them is not known, so they are left out |
//! | C of GAMETAG, GDATE, GAMEDATE | DT | the first that is a date |
//! | GTIME of GAMEINFOMAIN | TM, OT | seconds, seconds of a period, periods |
//! | GAMENAME, GAMEPLACE, GAMECOMMENT | EV, PC, GC | |
//! | `INI`, behind `&4` | C | |
//! | – | RU | Korean, as the server plays; nothing for TOM, whose rules have changed |
//!
//! Sources: Sensei's Library, *GIB*; the converters gib2sgf of A. E. Brouwer, xyz2sgf, and Sabaki's, which agree but where said; the levels from the source of qGo,
//! whose author watched the server; `REM` and `IDX` are known to none of them. Handicap stones as in `rewrite.rs`.

use std::ops::Range;

use crate::board::Color;
use crate::finding::Code;
use crate::record::rewrite::{Rewriting, Rewritten, Third, handicap, lines, sentence};
use crate::record::{Date, ResultKind, StatedResult, result_words};
use crate::rules::HalfPoints;
use crate::sgf::{LineFormat, LineKind};

/// How a file is cut into games: a header begins one, also where its `\HS` is lost, and so does a `\GS` without a header.
pub(super) const FORMAT: LineFormat = LineFormat { name: "gib", line: line_kind, label: |_| None };

/// States of a game: in its header, behind it, among its turns.
const IN_HEADER: u8 = 1;
const BEHIND_HEADER: u8 = 2;
const AMONG_TURNS: u8 = 3;

fn line_kind(line: &[u8], _: &[u8], state: &mut u8) -> LineKind {
    let before = *state;
    let (now, kind) = match line {
        b"\\HS" => (IN_HEADER, LineKind::Begins),
        b"\\HE" if before == IN_HEADER => (BEHIND_HEADER, LineKind::Inside),
        b"\\GS" if matches!(before, IN_HEADER | BEHIND_HEADER) => (AMONG_TURNS, LineKind::Inside),
        b"\\GS" => (AMONG_TURNS, LineKind::Begins),
        b"\\GE" if before != 0 => (before, LineKind::Ends),
        [b'\\', b'[', ..] if before != IN_HEADER => (IN_HEADER, LineKind::Begins),
        [b'S' | b'I' | b'R', ..] if before == 0 && turn(&String::from_utf8_lossy(line)).is_some() => {
            (AMONG_TURNS, LineKind::Begins)
        }
        _ if before == 0 => (0, LineKind::Outside),
        _ => (before, LineKind::Inside),
    };
    *state = now;
    kind
}

/// Whether a text begins as a file of GIB does.
pub(super) fn is_start(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    start.starts_with(b"\\HS") || start.starts_with(b"\\[GIBOKIND=") || start.starts_with(b"\\[GAME")
}

/// A GIB record as SGF.
pub(super) fn rewrite(text: &str) -> Rewritten {
    let header = Header::of(text);
    let moves = Moves::of(text);
    let mut writing = Rewriting::new(19);
    header.write(&mut writing);
    moves.write(text, &mut writing);
    writing.end()
}

/// The fields of the header, as they stand.
#[derive(Default)]
struct Header<'a> {
    /// Name, value and the byte of its line. A value can go over the end of its line.
    fields: Vec<(&'a str, &'a str, usize)>,
}

impl<'a> Header<'a> {
    fn of(text: &'a str) -> Header<'a> {
        let mut fields = Vec::new();
        let mut open: Option<Range<usize>> = None;
        let mut push = |range: Range<usize>| {
            if let Some((name, value)) = text[range.clone()].split_once('=') {
                fields.push((name.trim(), value, range.start - 2));
            }
        };
        for (at, line) in lines(text) {
            if line.starts_with("\\[") || line.starts_with("\\H") || line.starts_with("\\G") {
                open.take().into_iter().for_each(&mut push);
            }
            if line == "\\GS" {
                break;
            }
            let start =
                if line.starts_with("\\[") { at + 2 } else { open.as_ref().map_or(usize::MAX, |open| open.start) };
            if start == usize::MAX {
                continue;
            }
            match line.strip_suffix("\\]") {
                Some(bare) => {
                    open = None;
                    push(start..(at + bare.len()).max(start));
                }
                None => open = Some(start..at + line.len()),
            }
        }
        open.into_iter().for_each(push);
        Header { fields }
    }

    /// A field of its own line.
    fn field(&self, name: &str) -> Option<(&'a str, usize)> {
        let found = self.fields.iter().find(|(known, value, _)| *known == name && !value.trim().is_empty());
        found.map(|(_, value, at)| (value.trim(), *at))
    }

    /// A part of a line of parts, such as `GRLT` of `GRLT:3,ZIPSU:0`, or `W` of `W3,Z0`.
    fn part(&self, line: &str, name: &str) -> Option<(&'a str, usize)> {
        let (parts, at) = self.field(line)?;
        let is_tag = line == "GAMETAG";
        let value = parts.split(',').find_map(|part| {
            let value = part.trim().strip_prefix(name)?;
            if is_tag && name.len() == 1 && !value.starts_with(':') { Some(value) } else { value.strip_prefix(':') }
        })?;
        let value = value.trim();
        (!value.is_empty()).then_some((value, at))
    }

    /// The first of several that is there.
    fn first(&self, places: &[(&str, &str)]) -> Option<(&'a str, usize)> {
        places.iter().find_map(|(line, part)| if part.is_empty() { self.field(line) } else { self.part(line, part) })
    }

    fn write(&self, writing: &mut Rewriting) {
        self.player(writing, ["GAMEBLACKNAME", "GAMEBLACKNICK", "BUSERINFO", "BID", "BLV"], ["PB", "BR"], "N");
        self.player(writing, ["GAMEWHITENAME", "GAMEWHITENICK", "WUSERINFO", "WID", "WLV"], ["PW", "WR"], "L");
        self.komi(writing);
        let result = self.result(writing);
        writing.property("RE", &result);
        self.date(writing);
        let place = self.first(&[("GAMEPLACE", ""), ("GAMEINFOSUB", "GPLC")]).map_or("", |(place, _)| place);
        // The rules of TOM changed with its komi.
        if !place.to_lowercase().starts_with("tom") {
            writing.property("RU", "Korean");
        }
        for (property, places) in [
            ("EV", [("GAMENAME", ""), ("GAMEINFOSUB", "GNAME")]),
            ("GC", [("GAMECOMMENT", ""), ("GAMEINFOSUB", "GCMT")]),
        ] {
            writing.property(property, self.first(&places).map_or("", |(text, _)| text));
        }
        writing.property("PC", place);
        self.clock(writing);
    }

    fn player(&self, writing: &mut Rewriting, from: [&str; 5], [name_of, rank_of]: [&str; 2], tag: &str) {
        let [full, nick, user, id, level] = from;
        let name = self.first(&[(full, ""), (nick, ""), (user, id)]).map_or("", |(name, _)| name);
        let (name, rank) = match name.strip_suffix([')', '）']).and_then(|bare| bare.rsplit_once(['(', '（'])) {
            Some((name, rank)) if !name.trim().is_empty() => (name.trim(), rank.trim().to_owned()),
            _ => (name, String::new()),
        };
        writing.property(name_of, name);
        let level = || self.first(&[(user, level), ("GAMETAG", tag)]).and_then(|(level, _)| rank_of_level(level));
        let rank = if rank.is_empty() { level().unwrap_or_default() } else { rank };
        writing.property(rank_of, &rank);
    }

    fn komi(&self, writing: &mut Rewriting) {
        let komi = self.first(&[("GAMEINFOMAIN", "GONGJE"), ("GAMETAG", "G"), ("GAMEGONGJE", "")]);
        match komi.map(|(text, at)| (text.parse::<i32>(), text, at)) {
            Some((Ok(tenths), ..)) if tenths.abs() < 10_000 => writing.property("KM", &tenths_text(tenths)),
            Some((_, text, at)) => writing.note(Code::UnreadableKomi, at, format!("GONGJE {text}")),
            None => {}
        }
        let dum = self.first(&[("GAMEINFOMAIN", "DUM"), ("GAMETAG", "D"), ("GAMEDUM", "")]);
        if let Some((dum, at)) = dum.filter(|(dum, _)| *dum != "0") {
            writing.leave_out(at, format!("DUM {dum}, which may be points for White or for Black: komi is without it"));
        }
    }

    fn result(&self, writing: &mut Rewriting) -> String {
        let (kind, at) = self.first(&[("GAMEINFOMAIN", "GRLT"), ("GAMETAG", "W")]).unwrap_or(("", 0));
        let tenths = self.first(&[("GAMEINFOMAIN", "ZIPSU"), ("GAMETAG", "Z"), ("GAMEZIPSU", "")]);
        let tenths =
            tenths.and_then(|(text, _)| text.parse::<i32>().ok()).filter(|tenths| (1..10_000).contains(tenths));
        let by_number = match (kind, tenths) {
            ("0", Some(tenths)) => Some(format!("B+{}", tenths_text(tenths))),
            ("1", Some(tenths)) => Some(format!("W+{}", tenths_text(tenths))),
            ("3", _) => Some("B+R".into()),
            ("4", _) => Some("W+R".into()),
            ("7", _) => Some("B+T".into()),
            ("8", _) => Some("W+T".into()),
            _ => None,
        };
        let words = self.field("GAMERESULT");
        let in_words = words.and_then(|(text, _)| stated_in_words(text));
        match (by_number, words, in_words) {
            (Some(numbers), Some((text, at)), Some(words)) => {
                let winner = words.winner.map(Color::letter);
                if winner.is_some_and(|winner| !numbers.starts_with(winner)) {
                    writing.note(
                        Code::UnreadableResult,
                        at,
                        format!("GRLT says {numbers}, GAMERESULT {text:?}: the first is read"),
                    );
                }
                numbers
            }
            (Some(numbers), ..) => numbers,
            (None, _, Some(words)) => words.text().unwrap_or_default(),
            (None, Some((text, _)), None) => text.to_owned(),
            (None, None, None) => {
                // 255 is a game without an end, and 0 without a margin is what is there before anything is known.
                if !matches!(kind, "" | "0" | "1" | "255") {
                    writing.leave_out(at, format!("GRLT {kind}, of no known meaning"));
                }
                String::new()
            }
        }
    }

    fn date(&self, writing: &mut Rewriting) {
        for place in [("GAMETAG", "C"), ("GAMEINFOSUB", "GDATE"), ("GAMEDATE", "")] {
            let Some((text, _)) = self.first(&[place]) else { continue };
            // Colons, and blanks where a figure is missing: 2016:03:26:17:29, 2016- 3-26-17-29-25.
            if let Some(date) = Date::find(&text.replace(':', "-").replace("- ", "-")) {
                writing.property("DT", &date.iso());
                return;
            }
        }
    }

    /// `1200-30-3`: seconds, seconds of a period, periods.
    fn clock(&self, writing: &mut Rewriting) {
        let Some((text, at)) = self.first(&[("GAMEINFOMAIN", "GTIME")]) else { return };
        let numbers: Option<Vec<u32>> = text.split('-').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[main, period, periods]) => {
                writing.property("TM", &main.to_string());
                if period > 0 && periods > 0 {
                    writing.property("OT", &format!("{periods}x{period} byo-yomi"));
                }
            }
            _ => writing.leave_out(at, format!("GTIME {text}")),
        }
    }
}

/// Words are those of the player's country, in which 子 are zi; others are English.
fn stated_in_words(text: &str) -> Option<StatedResult> {
    result_words::parse(text).or_else(|| sentence(text)).filter(|result| result.kind != ResultKind::Unreadable)
}

/// `65` is 6.5.
fn tenths_text(tenths: i32) -> String {
    match tenths % 5 {
        0 => HalfPoints(tenths / 5).to_string(),
        _ => format!("{}.{}", tenths / 10, (tenths % 10).abs()),
    }
}

/// The rank that the server keeps as a number.
fn rank_of_level(level: &str) -> Option<String> {
    Some(match level.parse::<i32>().ok()? {
        level @ 0..=17 => format!("{}k", 18 - level),
        level @ 18..=26 => format!("{}d", level - 17),
        level @ 27..=35 => format!("{}p", level - 26),
        _ => return None,
    })
}

/// The lines between `\GS` and `\GE`.
struct Moves<'a> {
    lines: Vec<(usize, &'a str)>,
    is_begun: bool,
    is_ended: bool,
}

impl<'a> Moves<'a> {
    fn of(text: &'a str) -> Moves<'a> {
        let mut moves = Moves { lines: Vec::new(), is_begun: false, is_ended: false };
        for (at, line) in lines(text) {
            match line.trim_start() {
                "\\GS" => moves.is_begun = true,
                "\\GE" if moves.is_begun => {
                    moves.is_ended = true;
                    break;
                }
                line if moves.is_begun => moves.lines.push((at, line)),
                _ => {}
            }
        }
        moves
    }

    fn write(&self, text: &str, writing: &mut Rewriting) {
        let mut turns = Turns { next: Color::Black, number: None, last: 1 };
        for (at, line) in &self.lines {
            if let Some((stones, comment)) = ini(line) {
                self.setup(stones, *at, writing);
                writing.property("C", comment);
                if stones > 1 {
                    turns.next = Color::White;
                }
                break;
            }
        }
        self.lines.iter().for_each(|(at, line)| turns.line(*at, line, writing));
        if !self.is_ended {
            let what = if self.is_begun { "there is no \\GE" } else { "there is no \\GS" };
            writing.note(Code::UnclosedGame, text.len(), what);
        }
        if let Some((stated, at)) = turns.number.filter(|(stated, _)| *stated != turns.last) {
            writing.note(
                Code::TurnNumbers,
                at,
                format!("the last turn is to have the number {stated} and has {}", turns.last),
            );
        }
    }

    fn setup(&self, stones: u32, at: usize, writing: &mut Rewriting) {
        let played = self.lines.iter().filter_map(|(_, line)| match turn(line)? {
            Turn::Play(_, _, point) => Some(point),
            _ => None,
        });
        match (stones, handicap(stones, Third::UpperLeft, played)) {
            (0, _) => {}
            (_, points) => {
                writing.property("HA", &stones.to_string());
                writing.stones(Color::Black, points);
                if points.is_empty() && stones > 1 {
                    writing.note(Code::HandicapStones, at, format!("nobody says where {stones} stones are"));
                }
            }
        }
    }
}

/// The handicap of `INI 0 1 3 &4comment`, and the comment.
fn ini(line: &str) -> Option<(u32, &str)> {
    let rest = line.strip_prefix("INI")?;
    let stones = rest.split_ascii_whitespace().nth(2)?.parse().ok()?;
    Some((stones, rest.split_once("&4").map_or("", |(_, comment)| comment)))
}

/// What a line does.
enum Turn {
    Play(u32, Color, (u32, u32)),
    Pass(u32),
}

fn turn(line: &str) -> Option<Turn> {
    let mut words = line.split_ascii_whitespace();
    let command = words.next()?;
    let mut numbers = words.map_while(|word| word.parse::<u32>().ok());
    let _always_zero = numbers.next()?;
    let turn = numbers.next()?;
    match command {
        "SKI" => Some(Turn::Pass(turn)),
        "STO" => {
            let color = match numbers.next()? {
                1 => Color::Black,
                2 => Color::White,
                _ => return None,
            };
            Some(Turn::Play(turn, color, (numbers.next()?, numbers.next()?)))
        }
        _ => None,
    }
}

/// Writes turns in the order of their lines.
struct Turns {
    /// Whose turn is next.
    next: Color,
    /// The number that the last turn is to have, and the byte where it stands.
    number: Option<(u32, usize)>,
    /// The number of the last turn.
    last: u32,
}

impl Turns {
    fn line(&mut self, at: usize, line: &str, writing: &mut Rewriting) {
        match turn(line) {
            Some(Turn::Play(number, color, point)) => {
                if !writing.turn(at, color, Some(point)) {
                    return writing.unreadable_line(at, line, "no board has this point");
                }
                self.taken(at, number, color, writing);
            }
            Some(Turn::Pass(number)) => {
                let color = self.next;
                writing.turn(at, color, None);
                self.taken(at, number, color, writing);
            }
            None if line.starts_with("INI") && ini(line).is_some() => {}
            None if line.starts_with("STO") || line.starts_with("SKI") || line.starts_with("INI") => {
                writing.unreadable_line(at, line, "no turn");
            }
            None => self.other(at, line, writing),
        }
    }

    fn taken(&mut self, at: usize, number: u32, color: Color, writing: &mut Rewriting) {
        if number != self.last + 1 && number != self.last {
            writing.note(Code::TurnNumbers, at, format!("{} is followed by {number}", self.last));
        }
        (self.last, self.next) = (number, color.opponent());
    }

    /// The two lines of numbers before INI, and commands that nobody knows.
    fn other(&mut self, at: usize, line: &str, writing: &mut Rewriting) {
        let numbers: Vec<&str> = line.split_ascii_whitespace().collect();
        match numbers[..] {
            [last, "0", _] if line.contains('&') => self.number = last.parse().ok().map(|last| (last, at)),
            _ if line.starts_with(|c: char| c.is_ascii_digit()) => {}
            [command @ ("REM" | "IDX"), ..] => writing.leave_out(at, format!("{command}, of no known meaning")),
            _ => writing.unreadable_line(at, line, "no known command"),
        }
    }
}

//! UGF and UGI: records of PANDA-EGG, the program of Pandanet (IGS), and of Japanese newspapers.
//!
//! ```text
//! [Header]
//! Hdcp=0,6.50                      fields
//! [Data]
//! QP,B1,1,0                        point, colour and player, number (0 is setup), seconds
//! [Figure]
//! .Text,41                         a comment on turn 41, up to .EndText; .#,6,16,A is a label
//! .Fig,45,1,1,19,19,...            a diagram, up to .EndFig
//! [ReviewNode]
//! NODE,2,1,17,16                   number of the node, colour (1 is Black), column and row from 1
//!   VARIATION,                     another way to go on from the node before it, up to VARIATIONEND,
//! [ReviewComment]
//! .Comment,19                      a comment on the node of that number, up to the next one
//! ```
//!
//! Columns are letters from A on, I among them. Rows are too, from the lower edge where CoordinateType is IGS, from the upper one otherwise. A point outside the board, such as
//! `YA` or 20,20, is a pass.
//!
//! | field | SGF | what is known of it |
//! |---|---|---|
//! | Lang | – | the charset; SJIS where it is missing |
//! | Crypt | – | a second part other than PLAIN_UGF_FILE: encrypted, and nothing of the game can be read |
//! | Title | EV | parts, joined |
//! | Place, Copyright, Writer, Commentator, Comment | PC, CP, AP, AN, GC | |
//! | Date | DT | the first of begin, its time, end, its time: they are in different time zones |
//! | Rule | RU | JPN is Japanese, CH and CHN are Chinese |
//! | Size | SZ | |
//! | Hdcp | HA, KM | stones and komi; the stones stand in `[Data]` with the number 0, as in `rewrite.rs` where they do not |
//! | Ptime | TM | kind, minutes and two more numbers a player; the minutes, where both have as many |
//! | Winner | RE | B or W with points, C (resigned), T or F; D a draw; N no result; O both lost; A, P unfinished; E unknown |
//! | PlayerB, PlayerB2, PlayerW, PlayerW2 | PB BR, PW WR | name, rank, and others such as addresses, which are left out |
//! | seconds of a turn | – | what was used, by conjecture; SGF has what is left |
//!
//! Sources: A. E. Brouwer, *The UGF format*, and his converter ugi2sgf; Sensei's Library, *UGF*; xyz2sgf, and Sabaki's converter with its records (for ReviewNode, which no
//! converter reads). No specification is known.

use std::collections::BTreeMap;

use crate::board::{BoardSize, Color};
use crate::finding::Code;
use crate::record::rewrite::{Rewriting, Rewritten, Third, handicap, lines};
use crate::record::{Date, Rank};
use crate::rules::HalfPoints;
use crate::sgf::charset::encoding_named;
use crate::sgf::{LineFormat, LineKind};

mod review;

use review::Review;

/// How a file is cut into games: `[Header]` begins one, with comments before it, and so do other sections without a header.
pub(super) const FORMAT: LineFormat = LineFormat { name: "ugf", line: line_kind, label: charset };

/// States of a game: in comments before it, and in it.
const IN_COMMENTS: u8 = 1;
const IN_GAME: u8 = 2;

fn line_kind(line: &[u8], _: &[u8], state: &mut u8) -> LineKind {
    let is_section = |name: &str| {
        line.strip_prefix(b"[")
            .and_then(|line| line.strip_suffix(b"]"))
            .is_some_and(|line| line.eq_ignore_ascii_case(name.as_bytes()))
    };
    let (now, kind) = match *state {
        IN_COMMENTS if is_section("Header") => (IN_GAME, LineKind::Inside),
        IN_COMMENTS if line[0] == b'#' => (IN_COMMENTS, LineKind::Inside),
        IN_GAME if !is_section("Header") => (IN_GAME, LineKind::Inside),
        _ if is_section("Header") || SECTIONS.iter().any(|name| is_section(name)) => (IN_GAME, LineKind::Begins),
        0 if line[0] == b'#' => (IN_COMMENTS, LineKind::Begins),
        _ => (0, LineKind::Outside),
    };
    *state = now;
    kind
}

/// The charset that Lang names.
fn charset(game: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let header = &game[..game.len().min(4096)];
    let mut lines = header.split(|byte| matches!(byte, b'\n' | b'\r'));
    let name = lines.find_map(|line| line.trim_ascii().strip_prefix(b"Lang="))?;
    encoding_named(name)
}

/// Whether a text begins as a file of UGF does.
pub(super) fn is_start(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let mut lines = start
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && line[0] != b'#');
    lines.next().is_some_and(|line| line.eq_ignore_ascii_case(b"[Header]"))
        && lines.next().is_some_and(|line| line.contains(&b'='))
}

/// A UGF record as SGF.
pub(super) fn rewrite(text: &str) -> Rewritten {
    let record = Record::of(text);
    let size = record.field("Size").and_then(|(size, _)| BoardSize::square(size.parse().ok()?));
    let mut writing = Rewriting::new(size.map_or(19, |size| u32::from(size.width())));
    let board = Board { size: size.unwrap_or(BoardSize::standard()), from_below: record.is_from_below() };
    if let (None, Some((size, at))) = (size, record.field("Size")) {
        writing.unreadable_line(at, size, "no size of a board; 19x19 is assumed");
    }
    if let Some((crypt, at)) = record.encryption() {
        writing.encrypted(at, format!("Crypt={crypt}"));
        return writing.end();
    }
    record.header(&mut writing);
    record.game(text, board, &mut writing);
    writing.end()
}

/// The lines of each section, without its name.
#[derive(Default)]
struct Record<'a> {
    header: Vec<(usize, &'a str)>,
    data: Vec<(usize, &'a str)>,
    figure: Vec<(usize, &'a str)>,
    review: Vec<(usize, &'a str)>,
    comments: Vec<(usize, &'a str)>,
    has_data: bool,
    /// Sections that are passed over.
    others: Vec<(usize, &'a str)>,
}

impl<'a> Record<'a> {
    fn of(text: &'a str) -> Record<'a> {
        let (mut record, mut nowhere) = (Record::default(), Vec::new());
        let mut section = "";
        for (at, line) in lines(text) {
            if let Some(name) = line.trim_start().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
                record.has_data |= is("Data", section);
                if !SECTIONS.iter().any(|known| is(known, section)) {
                    record.others.push((at, section));
                }
                continue;
            }
            let lines = match section {
                _ if is("Header", section) => &mut record.header,
                _ if is("Data", section) => &mut record.data,
                _ if is("Figure", section) => &mut record.figure,
                _ if is("ReviewNode", section) => &mut record.review,
                _ if is("ReviewComment", section) => &mut record.comments,
                _ => &mut nowhere,
            };
            lines.push((at, line));
        }
        record
    }

    fn field(&self, name: &str) -> Option<(&'a str, usize)> {
        self.header.iter().find_map(|(at, line)| {
            let (known, value) = line.split_once('=')?;
            (is(name, known.trim()) && !value.trim().is_empty()).then_some((value.trim(), *at))
        })
    }

    fn text(&self, name: &str) -> &'a str {
        self.field(name).map_or("", |(text, _)| text)
    }

    fn is_from_below(&self) -> bool {
        is("IGS", self.text("CoordinateType"))
    }

    /// What Crypt says, where it does not say that the record is plain.
    fn encryption(&self) -> Option<(&'a str, usize)> {
        let (crypt, at) = self.field("Crypt")?;
        let mut parts = crypt.split(',').map(str::trim);
        let (number, word) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let is_plain = is("PLAIN_UGF_FILE", word) || (number == "0" && word.is_empty());
        (!is_plain).then_some((crypt, at))
    }

    fn header(&self, writing: &mut Rewriting) {
        for (names, name, rank) in [
            (["PlayerB", "BMemb1", "PlayerB2", "BMemb2"], "PB", "BR"),
            (["PlayerW", "WMemb1", "PlayerW2", "WMemb2"], "PW", "WR"),
        ] {
            self.player(names, name, rank, writing);
        }
        self.handicap_and_komi(writing);
        if let Some((winner, at)) = self.field("Winner") {
            match result(winner) {
                Some(result) => writing.property("RE", &result),
                None => {
                    writing.property("RE", winner);
                    writing.note(Code::UnreadableResult, at, format!("Winner={winner}"));
                }
            }
        }
        let rule = self.text("Rule");
        let rule = match rule.to_ascii_uppercase().as_str() {
            "JPN" => "Japanese",
            "CH" | "CHN" => "Chinese",
            _ => rule,
        };
        writing.property("RU", rule);
        if let Some(date) = Date::find(self.text("Date")) {
            writing.property("DT", &date.iso());
        }
        let title: Vec<&str> = self.text("Title").split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        writing.property("EV", &title.join(", "));
        for (name, property) in
            [("Place", "PC"), ("Copyright", "CP"), ("Writer", "AP"), ("Commentator", "AN"), ("Comment", "GC")]
        {
            writing.property(property, self.text(name));
        }
        self.clock(writing);
        for (at, section) in &self.others {
            writing.leave_out(*at, format!("section {section}"));
        }
    }

    /// One player with the rank, or two of a pair with their ranks in the name.
    fn player(&self, names: [&str; 4], name: &str, rank: &str, writing: &mut Rewriting) {
        let players = names.iter().filter_map(|name| self.field(name)).map(|(value, at)| {
            let mut parts = value.split(',').map(str::trim);
            let (name, rank) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            if parts.any(|part| !part.is_empty() && part != "0") {
                writing.leave_out(at, "what stands behind names and ranks");
            }
            (name, rank)
        });
        match players.collect::<Vec<_>>()[..] {
            [] => {}
            [(player, grade)] => {
                writing.property(name, player);
                if grade != "0" {
                    writing.property(rank, grade);
                }
            }
            ref pair => {
                let shown = pair.iter().map(|(player, grade)| match Rank::parse(grade) {
                    Some(grade) => format!("{player} {grade}"),
                    None => (*player).to_owned(),
                });
                writing.property(name, &shown.collect::<Vec<_>>().join(" & "));
            }
        }
    }

    fn stones(&self) -> u32 {
        self.text("Hdcp").split(',').next().and_then(|stones| stones.trim().parse().ok()).unwrap_or(0)
    }

    fn handicap_and_komi(&self, writing: &mut Rewriting) {
        let Some((text, at)) = self.field("Hdcp") else { return };
        let (stones, komi) = text.split_once(',').unwrap_or((text, ""));
        match stones.trim() {
            "" | "0" => {}
            stones if stones.parse::<u32>().is_ok() => writing.property("HA", stones),
            stones => writing.note(Code::UnreadableHandicap, at, format!("Hdcp={stones}")),
        }
        // 6.50, and once 0,50.
        let komi = komi.trim().replace(',', ".");
        match HalfPoints::parse(&komi) {
            Ok(komi) => writing.property("KM", &komi.to_string()),
            Err(_) if komi.is_empty() => {}
            Err(error) => writing.note(Code::UnreadableKomi, at, format!("Hdcp={text} {error}")),
        }
    }

    /// `J;240;0;0,J;240;0;0,0,0`.
    fn clock(&self, writing: &mut Rewriting) {
        let Some((text, at)) = self.field("Ptime") else { return };
        let players: Vec<Vec<&str>> = text.split(',').map(|player| player.split(';').collect()).collect();
        let minutes = |player: usize| {
            players.get(player)?.get(1)?.trim().parse::<u32>().ok().filter(|minutes| *minutes < 100_000)
        };
        match (minutes(0), minutes(1)) {
            (Some(black), Some(white)) if black == white && black > 0 => {
                writing.property("TM", &(black * 60).to_string())
            }
            (Some(black), Some(white)) if black != white => writing.leave_out(at, "times that differ"),
            _ => {}
        }
        let others = players.iter().take(2).flat_map(|player| player.iter().skip(2));
        if others.into_iter().any(|part| !matches!(part.trim(), "" | "0")) {
            writing.leave_out(at, format!("overtime of {text}"));
        }
    }

    fn game(&self, text: &str, board: Board, writing: &mut Rewriting) {
        let mut notes = self.figure(board, writing);
        let mut turns = Vec::new();
        let (mut setup, mut has_seconds) = ([Vec::new(), Vec::new()], false);
        for (at, line) in &self.data {
            match data(line) {
                Some(Data { point, color, number, seconds }) => {
                    has_seconds |= seconds;
                    let color = color.unwrap_or(if turns.len() % 2 == 0 { Color::Black } else { Color::White });
                    match board.point(point) {
                        Some(point) if number == 0 => setup[color.index()].push(point),
                        point => turns.push(Turn { at: *at, color, point, number }),
                    }
                }
                // Seen once behind the turns of a record.
                None if line.trim_start().starts_with('.') => writing.leave_out(*at, "texts among turns"),
                None => writing.unreadable_line(*at, line, "no turn"),
            }
        }
        self.setup(&setup, &turns, *self.data.first().map_or(&0, |(at, _)| at), writing);
        if !self.has_data {
            writing.note(Code::UnclosedGame, text.len(), "there is no [Data]");
        }
        if has_seconds {
            writing.leave_out(self.data[0].0, "seconds that turns took");
        }
        let review = Review::of(&self.review, &self.comments, board);
        if review.is_of(&turns) {
            return review.write(notes, writing);
        }
        if let Some((at, _)) = self.review.first() {
            writing.leave_out(*at, "a review of other turns");
        }
        if let Some(note) = notes.remove(&0) {
            note.write(writing);
        }
        let mut last = 0;
        for turn in turns {
            if turn.number != last + 1 {
                writing.note(Code::TurnNumbers, turn.at, format!("{last} is followed by {}", turn.number));
            }
            last = turn.number;
            turn.write(writing);
            if let Some(note) = notes.remove(&turn.number) {
                note.write(writing);
            }
        }
    }

    /// Stones with the number 0; those of the handicap where none are there and White begins.
    fn setup(&self, setup: &[Vec<(u32, u32)>; 2], turns: &[Turn], at: usize, writing: &mut Rewriting) {
        let stones = self.stones();
        let is_missing = setup.iter().all(Vec::is_empty) && stones > 1;
        if is_missing && turns.first().is_some_and(|turn| turn.color == Color::White) {
            let played = turns.iter().filter_map(|turn| turn.point);
            let points = handicap(stones, Third::LowerRight, played);
            writing.stones(Color::Black, points);
            let detail = format!(
                "{stones} stones are not in [Data]: {}",
                if points.is_empty() { "nobody says where they are" } else { "the usual points are taken" }
            );
            writing.note(Code::HandicapStones, at, detail);
        }
        Color::BOTH.into_iter().for_each(|color| writing.stones(color, &setup[color.index()]));
    }

    /// Comments and labels by the number of their turn.
    fn figure(&self, board: Board, writing: &mut Rewriting) -> BTreeMap<u32, Note> {
        let mut notes: BTreeMap<u32, Note> = BTreeMap::new();
        let (mut open, mut in_diagram) = (None, false);
        for (at, line) in &self.figure {
            let bare = line.trim_start();
            if in_diagram {
                in_diagram = !bare.starts_with(".EndFig");
            } else if bare.starts_with(".EndText") {
                open = None;
            } else if let Some(rest) = bare.strip_prefix(".Text") {
                open = rest.trim_start_matches(',').split(',').next().and_then(|turn| turn.trim().parse().ok());
                if open.is_none() {
                    writing.unreadable_line(*at, line, "no turn for this text");
                }
            } else if bare.starts_with(".Fig") {
                (open, in_diagram) = (None, true);
                writing.leave_out(*at, "diagrams");
            } else if let Some(turn) = open {
                let note = notes.entry(turn).or_default();
                match label(bare, board) {
                    Some(label) => note.labels.push(label),
                    None => note.line(line),
                }
            } else {
                writing.unreadable_line(*at, line, "no text and no diagram");
            }
        }
        notes
    }
}

/// Sections that are read, or say nothing of the game.
const SECTIONS: [&str; 7] = ["Header", "Data", "Figure", "ReviewNode", "ReviewComment", "Remote", "End"];

fn is(name: &str, text: &str) -> bool {
    name.eq_ignore_ascii_case(text)
}

/// How points are written.
#[derive(Clone, Copy)]
struct Board {
    size: BoardSize,
    from_below: bool,
}

impl Board {
    /// A point by column and row from 1, as column and row from 0 at the upper left; `None` outside the board, where passes are.
    fn point(self, (column, row): (u32, u32)) -> Option<(u32, u32)> {
        let (width, height) = (u32::from(self.size.width()), u32::from(self.size.height()));
        if column == 0 || column > width || row == 0 || row > height {
            return None;
        }
        Some((column - 1, if self.from_below { height - row } else { row - 1 }))
    }
}

/// A comment and labels.
#[derive(Default)]
struct Note {
    comment: String,
    labels: Vec<((u32, u32), String)>,
}

impl Note {
    fn line(&mut self, line: &str) {
        if !self.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(line);
    }

    fn write(&self, writing: &mut Rewriting) {
        writing.property("C", &self.comment);
        writing.labels(&self.labels);
    }
}

/// `.#,6,16,A`.
fn label(line: &str, board: Board) -> Option<((u32, u32), String)> {
    let mut parts = line.strip_prefix(".#,")?.splitn(3, ',');
    let column = parts.next()?.trim().parse().ok()?;
    let row = parts.next()?.trim().parse().ok()?;
    Some((board.point((column, row))?, parts.next()?.trim().to_owned()))
}

/// A turn with its line.
struct Turn {
    at: usize,
    color: Color,
    point: Option<(u32, u32)>,
    number: u32,
}

impl Turn {
    fn write(&self, writing: &mut Rewriting) {
        // A board has at most 52 columns and rows, which letters name.
        writing.turn(self.at, self.color, self.point);
    }
}

/// A line of `[Data]`.
struct Data {
    /// Column and row from 1.
    point: (u32, u32),
    /// None of `MK`, which some passes have.
    color: Option<Color>,
    number: u32,
    seconds: bool,
}

fn data(line: &str) -> Option<Data> {
    let mut parts = line.split(',').map(str::trim);
    let &[column @ b'A'..=b'Z', row @ b'A'..=b'Z'] = parts.next()?.as_bytes() else { return None };
    let color = match parts.next()? {
        "MK" => None,
        color if color.starts_with('B') => Some(Color::Black),
        color if color.starts_with('W') => Some(Color::White),
        _ => return None,
    };
    let number = parts.next()?.parse().ok()?;
    let seconds = parts.next().is_some_and(|seconds| seconds != "0" && !seconds.is_empty());
    Some(Data { point: (u32::from(column - b'A') + 1, u32::from(row - b'A') + 1), color, number, seconds })
}

/// `B,7.50` as RE has it.
fn result(winner: &str) -> Option<String> {
    let (who, how) = winner.split_once(',').unwrap_or((winner, ""));
    let (who, how) = (who.trim().to_ascii_uppercase(), how.trim().to_ascii_uppercase());
    let how = match how.as_str() {
        "" => String::new(),
        how if how.starts_with('C') => "R".into(),
        how if how.starts_with('T') => "T".into(),
        how if how.starts_with('F') => "F".into(),
        number => HalfPoints::parse(number).ok().filter(|margin| margin.0 >= 0).map(|margin| margin.to_string())?,
    };
    Some(match who.as_str() {
        "B" | "W" => format!("{who}+{how}"),
        "D" => "0".into(),
        "N" | "N1" | "O" => "Void".into(),
        "A" | "P" | "E" => "?".into(),
        _ => return None,
    })
}

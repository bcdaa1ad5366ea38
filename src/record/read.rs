//! Game text to record.
//!
//! A node that is nothing but a turn, a clock and a comment is decoded in place. Every other node goes through sgf-parse by
//! itself, so one that it refuses costs nothing but itself, and no tree is ever built.

use std::collections::HashSet;
use std::ops::Range;

use super::komi::KomiText;
use super::nodes::{self, Damage, MainLine, Node, State};
use super::property::{self, Property};
use super::{Coordinates, GameRecord, MarkedTerritory, Oddity, ResultKind, Setup, StatedResult, Step, StepKind};
use crate::board::{BoardSize, Color, Point};
use crate::finding::{Code, Finding, Place};
use crate::input::decode::{self, Decoded};
use crate::input::{GameText, split::Close};
use crate::rules::HalfPoints;

/// A record with what was found while reading it.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// What could be read.
    pub record: GameRecord,
    /// What could not, and what is odd.
    pub findings: Vec<Finding>,
    /// Why there is no game to replay.
    pub unreadable: Option<Unreadable>,
    /// Damage that hides the rest of the main line.
    pub cut_short: bool,
}

/// Why a game can't be replayed at all. The finding of the same cause gives the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// GM names another game.
    NotGo,
    /// There is no board of this size.
    BoardSize,
    /// It is larger than the limit.
    Oversized,
}

impl Reading {
    /// Decodes a game and reads its main line. Findings name bytes of the source, steps those of the decoded text.
    pub fn of(text: &GameText) -> Reading {
        let decoded = Decoded::new(text.bytes, text.charset);
        let mut reading = Reading::decoded(text, &decoded.text);
        for finding in &mut reading.findings {
            finding.place.at = decoded.source(finding.place.at);
        }
        let mut findings = decode::findings(text, &decoded);
        findings.append(&mut reading.findings);
        Reading { findings, ..reading }
    }

    /// Reads the main line of a game whose text is `bytes`. All bytes are those of the text.
    pub fn decoded(text: &GameText, bytes: &[u8]) -> Reading {
        let mut reader = Reader::new(bytes);
        reader.ending(text.close);
        if reader.reading.unreadable.is_none() {
            reader.read();
        }
        reader.reading
    }
}

/// Reads nodes, one after the other, into a record.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    pub(super) reading: Reading,
    in_root: bool,
    /// Nodes without any property, and the first of them.
    empty_nodes: (usize, usize),
}

impl<'a> Reader<'a> {
    /// A reader before the root.
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, reading: Reading::default(), in_root: true, empty_nodes: (0, 0) }
    }

    fn note(&mut self, code: Code, at: usize, detail: impl Into<String>) {
        self.reading.findings.push(Finding::new(code, Place::byte(at), detail));
    }

    /// What is said of how the game begins and ends.
    fn ending(&mut self, close: Close) {
        let length = self.bytes.len();
        match close {
            Close::Parenthesis => {}
            Close::Missing => self.note(Code::UnclosedGame, length, "no closing parenthesis"),
            Close::Fused => self.note(Code::FusedGames, length, "the next game begins here"),
            Close::Oversized => {
                self.note(Code::OversizedGame, 0, format!("not closed within {length} bytes"));
                self.reading.unreadable = Some(Unreadable::Oversized);
            }
        }
        if self.bytes.first() == Some(&b';') {
            self.note(Code::MissingOpening, 0, "the root has no ( before it");
        } else if nodes::lost_semicolon(self.bytes) {
            self.note(Code::MissingSemicolon, 1, "the root has no ; before its first property");
        }
    }

    fn read(&mut self) {
        let mut nodes = MainLine::new(self.bytes);
        for node in nodes.by_ref() {
            self.read_node(node);
            if self.is_at_end() {
                break;
            }
        }
        if let Some(at) = nodes.extra_parenthesis {
            self.note(Code::ExtraParenthesis, at, "the main line goes on behind this )");
        }
        if let (count @ 1.., at) = self.empty_nodes {
            self.note(Code::EmptyNodes, at, format!("{count} nodes of the main line; this is the first"));
        }
        let is_turn = |step: &Step| matches!(step.what, StepKind::Turn(..));
        if self.reading.unreadable.is_none() && !self.reading.record.steps.iter().any(is_turn) {
            self.note(Code::NoTurns, 0, "no B and no W on the main line");
        }
    }

    /// Nothing behind this can be read.
    pub(super) fn is_at_end(&self) -> bool {
        self.reading.unreadable.is_some() || self.reading.cut_short
    }

    /// Adds what a node says.
    pub(super) fn read_node(&mut self, node: Node) {
        match node {
            Node::Turn { at, color, value } => {
                if self.in_root {
                    self.header(Vec::new(), at);
                    self.note(Code::TurnInRoot, at, "the first turn is in the root");
                }
                let coordinates = self.coordinates(&self.bytes[value], at);
                self.turn(at, color, coordinates);
            }
            Node::Other { at, body, state } => self.node(at, body, state),
        }
        self.in_root = false;
    }

    fn turn(&mut self, at: usize, color: Color, coordinates: Coordinates) {
        self.reading.record.steps.push(Step { at, what: StepKind::Turn(color, coordinates) });
        self.reading.record.territory = None;
    }

    /// A node that needs sgf-parse. Setup comes before turns, whatever the order they are written in.
    fn node(&mut self, at: usize, body: Range<usize>, state: State) {
        if !self.in_root && self.bytes[body.clone()].trim_ascii().is_empty() {
            let (count, first) = self.empty_nodes;
            self.empty_nodes = (count + 1, if count == 0 { at } else { first });
            return;
        }
        let properties = match state {
            State::Sound => match property::parse(&self.bytes[body.clone()]) {
                Ok(properties) => properties,
                Err(_) => self.parse_each(body, false),
            },
            State::Odd => self.parse_each(body, false),
            State::Open => {
                self.note(Code::UnclosedValue, at, "the last property of this node has no closing bracket");
                self.reading.cut_short = true;
                self.parse_each(body, true)
            }
        };
        let rest = if self.in_root { self.header(properties, at) } else { properties };
        if self.reading.unreadable.is_none() {
            self.stones_and_turns(rest, at);
        }
    }

    /// Parses every property of a node by itself, so that a damaged one is lost alone; `open` leaves the last one out.
    fn parse_each(&mut self, body: Range<usize>, open: bool) -> Vec<Property> {
        let (mut properties, damage) = nodes::properties(self.bytes, body);
        if open {
            properties.pop();
        }
        for (at, damage) in damage {
            let (code, detail) = match damage {
                Damage::UnescapedBracket => (Code::UnescapedBracket, "this value has a ] in its text"),
                Damage::MissingBracket => {
                    (Code::UnclosedValue, "this value ends where the next property or node begins")
                }
                Damage::Backslash => {
                    (Code::BackslashAtEnd, "the bracket closes the value, though a backslash stands before it")
                }
            };
            self.note(code, at, detail);
        }
        let mut parsed = Vec::new();
        for property in &properties {
            match property::parse(&nodes::rebuilt(self.bytes, property)) {
                Ok(mut one) if !property.values.is_empty() => parsed.append(&mut one),
                outcome => {
                    let text = String::from_utf8_lossy(&self.bytes[property.whole.clone()]);
                    let shown: String = text.chars().take(40).collect();
                    let why = outcome.err().unwrap_or_else(|| "no value".into());
                    self.note(Code::UnreadableNode, property.whole.start, format!("{shown:?}: {why}"));
                }
            }
        }
        parsed
    }

    /// Takes the header's properties out and returns the others.
    fn header(&mut self, properties: Vec<Property>, at: usize) -> Vec<Property> {
        let mut seen = HashSet::new();
        let mut rest = Vec::new();
        let mut size = None;
        for property in properties {
            let Property::Header(name, value) = property else {
                rest.push(property);
                continue;
            };
            if !seen.insert(name) {
                self.note(
                    Code::RepeatedProperty,
                    at,
                    format!("{name}[{value}] is not used: {name} stands there before"),
                );
                continue;
            }
            match name {
                "GM" if value.trim() != "1" => {
                    self.note(Code::NotGo, at, format!("GM[{value}]"));
                    self.reading.unreadable = Some(Unreadable::NotGo);
                }
                "SZ" => size = Some(value),
                _ => self.header_value(name, value, at),
            }
        }
        if !seen.contains("GM") {
            self.note(Code::MissingGame, at, "Go is assumed");
        }
        if self.reading.unreadable.is_none() {
            self.board_size(size, at);
        }
        rest
    }

    fn board_size(&mut self, text: Option<String>, at: usize) {
        let Some(text) = text else {
            self.note(Code::MissingBoardSize, at, "19x19 is assumed");
            return;
        };
        match parse_size(&text) {
            Some((size, usual)) => {
                self.reading.record.header.size = size;
                if !usual {
                    let detail = format!("SZ[{text}] is read as {}x{}", size.width(), size.height());
                    self.note(Code::BoardSizeForm, at, detail);
                }
            }
            None => {
                self.note(Code::BoardSize, at, format!("SZ[{text}]"));
                self.reading.unreadable = Some(Unreadable::BoardSize);
            }
        }
    }

    fn header_value(&mut self, name: &str, mut value: String, at: usize) {
        if value.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            self.note(Code::ControlCharacters, at, format!("{name} is read without them"));
            value.retain(|c| !c.is_control() || c.is_whitespace());
        }
        if !value.is_ascii() && value.chars().any(|c| matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)) {
            self.note(Code::PrivateCharacters, at, format!("{name} has some"));
        }
        let header = &mut self.reading.record.header;
        match name {
            "KM" => self.komi(value.trim(), at),
            "HA" => match value.trim().parse() {
                Ok(stones) => header.handicap = Some(stones),
                Err(_) if value.trim().is_empty() => {}
                Err(_) if HalfPoints::parse(value.trim()).is_ok() => {
                    self.note(Code::HandicapIsKomi, at, format!("HA[{value}]"));
                }
                Err(_) => self.note(Code::UnreadableHandicap, at, format!("HA[{value}]")),
            },
            "RE" => {
                header.result = StatedResult::parse(&value);
                header.result_text = value;
                self.result(at);
            }
            "RU" => header.rules = value,
            "PB" => header.black = value,
            "PW" => header.white = value,
            "BR" => header.black_rank = value,
            "WR" => header.white_rank = value,
            "EV" => header.event = value,
            "DT" => header.date = value,
            "PC" => header.place = value,
            "AP" => header.application = value,
            "SO" => header.source = value,
            _ => {}
        }
    }

    fn komi(&mut self, text: &str, at: usize) {
        match KomiText::parse(text) {
            Ok(read) => {
                self.reading.record.header.komi = Some(read.komi);
                for code in read.codes {
                    self.reading.record.header.komi_is_chinese |= code != Code::KomiComma;
                    self.note(code, at, format!("KM[{text}] is read as {}", read.komi));
                }
            }
            Err(_) if text.is_empty() => {}
            Err(error) => self.note(Code::UnreadableKomi, at, format!("KM[{text}] {error}")),
        }
    }

    /// Says how RE differs from the forms of FF[4].
    fn result(&mut self, at: usize) {
        let header = &self.reading.record.header;
        let (code, reading) = match (header.result.kind, header.result.oddity) {
            (ResultKind::Unreadable, _) => (Code::UnreadableResult, String::new()),
            (_, Some(Oddity::ZeroMargin)) => (Code::ZeroMargin, " is read as a win without a margin".into()),
            (_, Some(Oddity::UnknownReason)) => {
                (Code::ResultReason, format!(" is read as a {}", header.result.kind.name()))
            }
            (_, Some(Oddity::Zi)) => {
                let margin = header.result.black_minus_white.unwrap_or_default();
                (Code::ResultZi, format!(" is read as {margin} points, Black minus White"))
            }
            (ResultKind::Win, None) => (Code::MissingMargin, String::new()),
            _ => return,
        };
        let detail = format!("RE[{}]{reading}", header.result_text);
        self.note(code, at, detail);
    }

    fn stones_and_turns(&mut self, properties: Vec<Property>, at: usize) {
        let in_root = self.in_root;
        let mut setup = Setup::default();
        let mut territory: Option<MarkedTerritory> = None;
        let mut turns = Vec::new();
        for property in properties {
            match property {
                Property::Turn(color, point) => {
                    turns.push((color, point.map_or(Coordinates::Pass, |point| self.placed(point, at))))
                }
                Property::BadTurn(color, values) => {
                    if values.len() > 1 {
                        let detail = format!("{} has {} values: the first is played", color.letter(), values.len());
                        self.note(Code::SeveralTurns, at, detail);
                    }
                    let value = values.first().map_or("", |value| value);
                    turns.push((color, self.coordinates(value.as_bytes(), at)));
                }
                Property::Stones(stone, points) => setup.stones.extend(points.into_iter().map(|point| (point, stone))),
                Property::ToPlay(color) => setup.to_play = Some(color),
                Property::Territory(Color::Black, points) => territory.get_or_insert_default().black = points,
                Property::Territory(Color::White, points) => territory.get_or_insert_default().white = points,
                Property::Bad(name, value) => {
                    self.note(Code::UnreadableProperty, at, format!("{name}[{value}] is left out"));
                }
                Property::Header(..) => {}
            }
        }
        setup.stones.sort_by_key(|(point, _)| *point);
        self.repeated_setup(&mut setup, at);
        if in_root && !turns.is_empty() {
            self.note(Code::TurnInRoot, at, "the first turn is in the root");
        }
        if turns.len() > 1 || (!turns.is_empty() && !setup.stones.is_empty()) {
            self.note(Code::SeveralTurns, at, format!("{} turns and {} setup stones", turns.len(), setup.stones.len()));
        }
        if !setup.stones.is_empty() || setup.to_play.is_some() {
            self.reading.record.steps.push(Step { at, what: StepKind::Setup(Box::new(setup)) });
        }
        for (color, coordinates) in turns {
            self.turn(at, color, coordinates);
        }
        if territory.is_some() {
            self.reading.record.territory = territory;
        }
    }

    /// Points named more than once: by the same property it is one stone, by several the last in the order AB, AW, AE of the text holds.
    fn repeated_setup(&mut self, setup: &mut Setup, at: usize) {
        let named = setup.stones.len();
        setup.stones.dedup();
        let first_twice = setup.stones.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0);
        if named > setup.stones.len() || first_twice.is_some() {
            let detail = match first_twice {
                Some(point) => format!("{point} is set up in two ways"),
                None => "a point is set up twice".into(),
            };
            self.note(Code::RepeatedSetup, at, detail);
        }
    }

    /// The value of a turn: a pair of letters, or nothing for a pass.
    #[inline]
    fn coordinates(&mut self, value: &[u8], at: usize) -> Coordinates {
        match *value {
            [] => Coordinates::Pass,
            [column, row] => match Point::from_sgf(column, row) {
                Some(point) => self.placed(point, at),
                None => self.unusual(value, at),
            },
            _ => self.unusual(value, at),
        }
    }

    /// Coordinates in other clothes: blanks around or between them, `pass`, and those that players use, such as `Q16`.
    #[cold]
    fn unusual(&mut self, value: &[u8], at: usize) -> Coordinates {
        let size = self.reading.record.header.size;
        let bare: Vec<u8> = value.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let text = String::from_utf8_lossy(&bare);
        let read = match bare.as_slice() {
            b"" => Coordinates::Pass,
            _ if text.eq_ignore_ascii_case("pass") => Coordinates::Pass,
            &[column, row] if Point::from_sgf(column, row).is_some() => {
                Point::from_sgf(column, row).map_or(Coordinates::Pass, |point| place(point, size))
            }
            _ => match Point::from_a1(&text, size) {
                Some(point) => Coordinates::Play(point),
                None => return unreadable(value),
            },
        };
        if !value.is_empty() {
            let shown = String::from_utf8_lossy(value);
            let meaning = match &read {
                Coordinates::Play(point) | Coordinates::OffBoard(point) => point.to_string(),
                _ => "a pass".into(),
            };
            self.note(Code::OddCoordinates, at, format!("{shown:?} is read as {meaning}"));
        }
        read
    }

    /// A point of the board, or a pass; capital letters, which are points of boards larger than 26, stand for small ones elsewhere.
    #[inline]
    fn placed(&mut self, point: Point, at: usize) -> Coordinates {
        let size = self.reading.record.header.size;
        match place(point, size) {
            Coordinates::OffBoard(point) => self.capital(point, at),
            placed => placed,
        }
    }

    #[cold]
    fn capital(&mut self, point: Point, at: usize) -> Coordinates {
        let size = self.reading.record.header.size;
        let small = Point::new(point.x() % 26, point.y() % 26);
        if size.width() > 26 || size.height() > 26 || !size.contains(small) {
            return Coordinates::OffBoard(point);
        }
        self.note(Code::OddCoordinates, at, format!("{point} is read as {small}"));
        Coordinates::Play(small)
    }
}

#[cold]
fn unreadable(value: &[u8]) -> Coordinates {
    Coordinates::Unreadable(String::from_utf8_lossy(value).chars().take(40).collect::<String>().into())
}

/// FF[3] wrote a pass as `tt`, which is a point only on boards larger than 19x19.
#[inline]
fn place(point: Point, size: BoardSize) -> Coordinates {
    if size.contains(point) {
        Coordinates::Play(point)
    } else if (point.x(), point.y()) == (19, 19) && size.width() <= 19 && size.height() <= 19 {
        Coordinates::Pass
    } else {
        Coordinates::OffBoard(point)
    }
}

/// A size, and whether it is written as FF[4] wants it; a letter is the coordinate of the last line.
fn parse_size(text: &str) -> Option<(BoardSize, bool)> {
    let text = text.trim();
    if let &[letter] = text.as_bytes()
        && let Some(corner) = Point::from_sgf(letter, letter)
    {
        return Some((BoardSize::new(corner.x() + 1, corner.y() + 1)?, false));
    }
    let (width, height) = text.split_once([':', 'x', 'X', '*', ',']).unwrap_or((text, text));
    let usual = !text.contains(['x', 'X', '*', ',']);
    Some((BoardSize::new(width.trim().parse().ok()?, height.trim().parse().ok()?)?, usual))
}

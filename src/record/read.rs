//! Game text to record.
//!
//! A node that is nothing but a turn, a clock and a comment is decoded in place. Every other node goes through sgf-parse by
//! itself, so one that it refuses costs nothing but itself, and no tree is ever built.

use std::collections::HashSet;
use std::ops::Range;

use super::komi::KomiText;
use super::nodes::{self, MainLine, Node};
use super::property::{self, Property};
use super::{Coordinates, GameRecord, MarkedTerritory, Oddity, ResultKind, Setup, StatedResult, Step, StepKind};
use crate::board::{BoardSize, Color, Point};
use crate::finding::{Code, Finding, Place};
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
    /// Reads the main line of a game.
    pub fn of(text: &GameText) -> Reading {
        let mut reader = Reader::new(text.bytes);
        match text.close {
            Close::Parenthesis => {}
            Close::Missing => reader.note(Code::UnclosedGame, text.bytes.len(), "no closing parenthesis"),
            Close::Oversized => {
                reader.note(Code::OversizedGame, 0, format!("not closed within {} bytes", text.bytes.len()));
                reader.reading.unreadable = Some(Unreadable::Oversized);
                return reader.reading;
            }
        }
        if let Err(error) = std::str::from_utf8(text.bytes) {
            reader.note(Code::NotUtf8, error.valid_up_to(), "the first byte that is not UTF-8 is here");
        }
        reader.read();
        reader.reading
    }
}

/// Reads nodes, one after the other, into a record.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    pub(super) reading: Reading,
    in_root: bool,
}

impl<'a> Reader<'a> {
    /// A reader before the root.
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, reading: Reading::default(), in_root: true }
    }

    fn note(&mut self, code: Code, at: usize, detail: impl Into<String>) {
        self.reading.findings.push(Finding::new(code, Place::byte(at), detail));
    }

    fn read(&mut self) {
        for node in MainLine::new(self.bytes) {
            self.read_node(node);
            if self.is_at_end() {
                return;
            }
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
                }
                let coordinates = coordinates(&self.bytes[value], self.reading.record.header.size);
                self.turn(at, color, coordinates);
            }
            Node::Other { at, body, open } => self.node(at, body, open),
        }
        self.in_root = false;
    }

    fn turn(&mut self, at: usize, color: Color, coordinates: Coordinates) {
        self.reading.record.steps.push(Step { at, what: StepKind::Turn(color, coordinates) });
        self.reading.record.territory = None;
    }

    /// A node that needs sgf-parse. Setup comes before turns, whatever the order they are written in.
    fn node(&mut self, at: usize, body: Range<usize>, open: bool) {
        let properties = if open {
            self.note(Code::UnclosedValue, at, "the last property of this node has no closing bracket");
            self.reading.cut_short = true;
            let mut whole = nodes::properties(self.bytes, body);
            whole.pop();
            self.parse_each(&whole)
        } else {
            match property::parse(&self.bytes[body.clone()]) {
                Ok(properties) => properties,
                Err(_) => self.parse_each(&nodes::properties(self.bytes, body)),
            }
        };
        let rest = if self.in_root { self.header(properties, at) } else { properties };
        if self.reading.unreadable.is_none() {
            self.stones_and_turns(rest, at);
        }
    }

    /// Parses every property of a node by itself, so that a damaged one is lost alone.
    fn parse_each(&mut self, properties: &[nodes::Property]) -> Vec<Property> {
        let mut parsed = Vec::new();
        for property in properties {
            match property::parse(&self.bytes[property.whole.clone()]) {
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
            Some(size) => self.reading.record.header.size = size,
            None => {
                self.note(Code::BoardSize, at, format!("SZ[{text}]"));
                self.reading.unreadable = Some(Unreadable::BoardSize);
            }
        }
    }

    fn header_value(&mut self, name: &str, value: String, at: usize) {
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
        let size = self.reading.record.header.size;
        let mut setup = Setup::default();
        let mut territory: Option<MarkedTerritory> = None;
        let mut turns = Vec::new();
        for property in properties {
            match property {
                Property::Turn(color, point) => {
                    turns.push((color, point.map_or(Coordinates::Pass, |point| place(point, size))))
                }
                Property::BadTurn(color, values) => {
                    if values.len() > 1 {
                        let detail = format!("{} has {} values: the first is played", color.letter(), values.len());
                        self.note(Code::SeveralTurns, at, detail);
                    }
                    turns.push((color, coordinates(values.first().map_or("", |value| value).as_bytes(), size)));
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
        setup.stones.dedup();
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
}

/// The value of a turn: a pair of letters, or nothing for a pass.
#[inline]
fn coordinates(value: &[u8], size: BoardSize) -> Coordinates {
    match *value.trim_ascii() {
        [] => Coordinates::Pass,
        [column, row] => match Point::from_sgf(column, row) {
            Some(point) => place(point, size),
            None => unreadable(value),
        },
        _ => unreadable(value),
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

fn parse_size(text: &str) -> Option<BoardSize> {
    let (width, height) = text.trim().split_once([':', 'x', 'X']).unwrap_or((text, text));
    BoardSize::new(width.trim().parse().ok()?, height.trim().parse().ok()?)
}

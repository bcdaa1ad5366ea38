//! Game text to record.
//!
//! A node that is nothing but a turn, a clock and a comment is decoded in place. Every other node goes through sgf-parse by
//! itself, so one that it refuses costs nothing but itself, and no tree is ever built.

use std::borrow::Cow;
use std::ops::Range;

use super::kinds::decoded;
use super::nodes::{self, Damage, MainLine, Node, NodeState};
use super::property::{self, Property};
use super::{Coordinates, DialectChoice, GameRecord, MarkedTerritory, Setup, Step, StepKind};
use crate::board::{Color, Point};
use crate::finding::{Code, Finding, Place};
use crate::sgf::decode::{self, Decoded};
use crate::sgf::lexis::{Lexis, capitals, is_small};
use crate::sgf::resync::Patience;
use crate::sgf::split::Close;
use crate::sgf::turns::{RUN, Runs, TURN};
use crate::sgf::{GameText, Limits};

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
    /// It is encrypted.
    Encrypted,
}

impl Reading {
    /// Decodes a game and reads its main line, within the usual limits. Findings name bytes of the source, steps those of the decoded text.
    pub fn of(text: &GameText) -> Reading {
        Reading::within(text, DialectChoice::Auto, Limits::default())
    }

    /// The same in a dialect and within other limits.
    pub fn within(text: &GameText, dialect: DialectChoice, limits: Limits) -> Reading {
        let decoded = decoded(text);
        let mut reading = Reading::default();
        reading.read(text, &decoded.text, dialect, limits);
        reading.note_encrypted(&decoded);
        for finding in &mut reading.findings {
            finding.place.at = decoded.source(finding.place.at);
        }
        let mut findings = decode::findings(text, &decoded);
        findings.append(&mut reading.findings);
        Reading { findings, ..reading }
    }

    /// Of an encrypted record nothing is read.
    pub fn note_encrypted(&mut self, decoded: &Decoded) {
        if decoded.is_encrypted {
            self.findings.clear();
            self.unreadable = Some(Unreadable::Encrypted);
        }
    }

    /// Reads the main line of a game whose text is `bytes`, in the memory of the game before. All bytes are those of the text.
    pub fn read(&mut self, text: &GameText, bytes: &[u8], dialect: DialectChoice, limits: Limits) {
        self.read_part(text.close, bytes, (dialect, limits), false);
    }

    /// Reads the header and nothing behind it: no turns, and no damage but that of the root.
    pub fn read_header(&mut self, text: &GameText, bytes: &[u8], dialect: DialectChoice, limits: Limits) {
        self.read_part(text.close, bytes, (dialect, limits), true);
    }

    fn read_part(&mut self, close: Close, bytes: &[u8], (dialect, limits): (DialectChoice, Limits), header_only: bool) {
        self.record.clear();
        self.findings.clear();
        (self.unreadable, self.cut_short) = (None, false);
        let patience = Patience::with(bytes.len());
        let mut reader = Reader { dialect, ..Reader::new(bytes, &patience, limits, self) };
        reader.ending(close);
        if header_only && reader.reading.unreadable.is_none() {
            reader.read_root();
        } else if reader.reading.unreadable.is_none() {
            let excess = excess_node(reader.lexis(), limits.nodes);
            reader.bytes = &bytes[..excess.unwrap_or(bytes.len())];
            reader.read();
            if let Some(at) = excess {
                reader.note(
                    Code::TooManyNodes,
                    at,
                    format!("the main line has more than --max-nodes {}", limits.nodes),
                );
                reader.reading.cut_short = true;
            }
        }
    }
}

/// The first node of the main line beyond `limit`. A text with fewer bytes than that has none, so that almost no text is looked at.
fn excess_node(lexis: Lexis, limit: u64) -> Option<usize> {
    let limit = usize::try_from(limit).ok().filter(|limit| *limit < lexis.bytes.len())?;
    MainLine::from(lexis, 0).nth(limit).map(|node| node.at())
}

/// Reads nodes, one after the other, into a record.
pub(crate) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    patience: &'a Patience,
    pub(crate) reading: &'a mut Reading,
    /// Which dialect to read the root in.
    pub(crate) dialect: DialectChoice,
    pub(crate) in_root: bool,
    /// Nodes without any property, and the first of them.
    empty_nodes: (usize, usize),
    /// Byte of the first identifier with small letters.
    long_name: Option<usize>,
    pub(super) limits: Limits,
    /// Points that the game may still name.
    points_left: u64,
}

impl<'a> Reader<'a> {
    /// A reader before the root.
    pub(crate) fn new(bytes: &'a [u8], patience: &'a Patience, limits: Limits, reading: &'a mut Reading) -> Reader<'a> {
        let (dialect, points_left) = (DialectChoice::Auto, limits.points);
        Reader {
            bytes,
            patience,
            reading,
            dialect,
            in_root: true,
            empty_nodes: (0, 0),
            long_name: None,
            limits,
            points_left,
        }
    }

    pub(crate) fn lexis(&self) -> Lexis<'a> {
        Lexis { patience: Some(self.patience), ..Lexis::utf8(self.bytes) }
    }

    /// Adds a finding; the first one beyond the limit ends the reading instead.
    pub(super) fn note(&mut self, code: Code, at: usize, detail: impl Into<String>) {
        let findings = &mut self.reading.findings;
        if (findings.len() as u64) < self.limits.findings {
            findings.push(Finding::new(code, Place::byte(at), detail));
        } else if !self.reading.cut_short {
            let detail = format!("more than --max-findings {}: the replay ends here", self.limits.findings);
            findings.push(Finding::new(Code::TooManyFindings, Place::byte(at), detail));
            self.reading.cut_short = true;
        }
    }

    /// What is said of how the game begins and ends.
    fn ending(&mut self, close: Close) {
        let length = self.bytes.len();
        match close {
            Close::Parenthesis => {}
            Close::Missing => self.note(Code::UnclosedGame, length, "no closing parenthesis"),
            Close::Fused => self.note(Code::FusedGames, length, "the next game begins here"),
            Close::Oversized => {
                self.note(Code::OversizedGame, 0, format!("larger than --max-game {}", self.limits.game()));
                self.reading.unreadable = Some(Unreadable::Oversized);
            }
        }
        if self.bytes.first() == Some(&b';') {
            self.note(Code::MissingOpening, 0, "the root has no ( before it");
        } else if nodes::lost_semicolon(self.bytes).is_some() {
            self.note(Code::MissingSemicolon, 1, "the root has no ; before its first property");
        }
    }

    /// Reads the root alone.
    fn read_root(&mut self) {
        if self.plain_root().is_none()
            && let Some(root) = MainLine::from(self.lexis(), 0).next()
        {
            self.read_node(root);
        }
    }

    fn read(&mut self) {
        let mut nodes = match self.plain_root() {
            Some(end) => MainLine::in_tree(self.lexis(), end),
            None => MainLine::from(self.lexis(), 0),
        };
        loop {
            if !self.in_root {
                self.bare_turns(&mut nodes);
            }
            let Some(node) = nodes.next() else { break };
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
    pub(crate) fn is_at_end(&self) -> bool {
        self.reading.unreadable.is_some() || self.reading.cut_short
    }

    /// Adds what a node says.
    pub(crate) fn read_node(&mut self, node: Node) {
        match node {
            Node::Turn { at, color, value } => {
                if self.in_root {
                    self.header(&[], at);
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
        self.reading.record.steps.push(Step { at: at as u32, what: StepKind::Turn(color, coordinates) });
        self.reading.record.territory = None;
    }

    /// Decodes the bare turns that come next, with points that need no second look. Most of an archive is such turns.
    fn bare_turns(&mut self, nodes: &mut MainLine) {
        let record = &mut self.reading.record;
        let (columns, rows) = (record.header.size.width(), record.header.size.height());
        let step = |at: usize, color, [x, y]: [u8; 2]| {
            // Small letters stand for less than 32, which spares a check.
            let what = StepKind::Turn(color, Coordinates::Play(Point::new(x % 32, y % 32)));
            Step { at: at as u32, what }
        };
        let first = record.steps.len();
        let runs = Runs::on_board(columns, rows);
        loop {
            while let Some((at, points)) = nodes.run_of_turns(&runs) {
                let turns: [Step; RUN] =
                    std::array::from_fn(|turn| step(at + turn * TURN, Color::BOTH[turn % 2], points[turn]));
                record.steps.extend_from_slice(&turns);
            }
            let Some((at, color, letters)) = nodes.bare_turn() else { break };
            let [x, y] = letters.map(|letter| letter.wrapping_sub(b'a'));
            if x >= columns.min(26) || y >= rows.min(26) {
                break;
            }
            nodes.pass_bare_turn();
            record.steps.push(step(at, color, [x, y]));
        }
        if record.steps.len() > first {
            record.territory = None;
        }
    }

    /// A node that needs sgf-parse. Setup comes before turns, whatever the order they are written in.
    fn node(&mut self, at: usize, body: Range<usize>, state: NodeState) {
        if !self.in_root && self.bytes[body.clone()].trim_ascii().is_empty() {
            let (count, first) = self.empty_nodes;
            self.empty_nodes = (count + 1, if count == 0 { at } else { first });
            return;
        }
        let Some(left) = self.points_left.checked_sub(property::points(&self.bytes[body.clone()])) else {
            let limit = self.limits.points;
            self.note(
                Code::TooManyPoints,
                at,
                format!("setup and markup up to this node name more than --max-points {limit}"),
            );
            self.reading.cut_short = true;
            return;
        };
        self.points_left = left;
        let has_small_name = self.long_name(body.clone());
        let properties = match state {
            NodeState::Sound if has_small_name => self.parse_each(body.clone(), false),
            NodeState::Sound if body.len() as u64 > self.limits.property => self.parse_each(body.clone(), false),
            NodeState::Sound => match property::parse(&self.bytes[body.clone()]) {
                // With a GM of another game sgf-parse gives nothing else of a node; behind the root it means nothing.
                Ok(properties) if self.in_root || !matches!(properties[..], [Property::Header("GM", _)]) => properties,
                _ => self.parse_each(body.clone(), false),
            },
            NodeState::Odd => self.parse_each(body.clone(), false),
            NodeState::Open => {
                self.note(Code::UnclosedValue, at, "the last property of this node has no closing bracket");
                self.reading.cut_short = true;
                self.parse_each(body.clone(), true)
            }
        };
        if self.in_root {
            let values = properties.iter().filter_map(|property| match property {
                Property::Header(name, value) => Some((*name, Cow::from(value))),
                _ => None,
            });
            self.header(&values.collect::<Vec<_>>(), at);
        }
        if state == NodeState::Sound {
            self.repeated(body.clone());
        }
        if self.reading.unreadable.is_none() {
            let is_setup = |property: &Property| matches!(property, Property::Stones(..));
            let sets_up_twice = properties.iter().any(is_setup) && self.sets_up_twice(body);
            self.stones_and_turns(properties, at, sets_up_twice);
        }
    }

    /// Notes the first identifier with small letters; whether one of the node's has no others.
    fn long_name(&mut self, body: Range<usize>) -> bool {
        if self.long_name.is_none() {
            let Some(name) = nodes::name_where(self.bytes, body.clone(), nodes::is_long_name) else { return false };
            let shown: String = String::from_utf8_lossy(&self.bytes[name.clone()]).chars().take(40).collect();
            let short = String::from_utf8_lossy(&capitals(shown.as_bytes())).into_owned();
            self.note(Code::LongName, name.start, format!("{shown} is read as {short}"));
            self.long_name = Some(name.start);
        }
        nodes::name_where(self.bytes, body, is_small).is_some()
    }

    /// Parses every property of a node by itself, so that a damaged one is lost alone; `open` leaves the last one out.
    fn parse_each(&mut self, body: Range<usize>, open: bool) -> Vec<Property> {
        let (mut properties, damage) = nodes::properties(&self.lexis(), body);
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
            if property.whole.len() as u64 > self.limits.property {
                let name = String::from_utf8_lossy(&self.bytes[property.identifier.clone()]);
                let shown: String = name.chars().take(40).collect();
                let detail = format!("{shown} is left out: longer than --max-property {}", self.limits.property);
                self.note(Code::LongProperty, property.whole.start, detail);
                continue;
            }
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

    fn stones_and_turns(&mut self, properties: Vec<Property>, at: usize, sets_up_twice: bool) {
        let in_root = self.in_root;
        let mut setup = Setup::default();
        let mut territory: Option<MarkedTerritory> = None;
        let is_counted = properties.contains(&Property::Counted);
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
                Property::Stones(stone, points) => {
                    setup.stones.extend(self.listed(points, at).into_iter().map(|point| (point, stone)));
                }
                Property::ToPlay(color) => setup.to_play = setup.to_play.or(Some(color)),
                Property::Territory(color, points) => {
                    let territory = territory.get_or_insert_default();
                    let marked = if color == Color::Black { &mut territory.black } else { &mut territory.white };
                    marked.extend(self.listed(points, at));
                    marked.sort();
                    marked.dedup();
                }
                // They mean nothing here, but other programs draw them.
                Property::Marks(points) => drop(self.listed(points, at)),
                Property::OddRectangle(name, value, usual) => {
                    self.note(Code::RectangleForm, at, format!("{name}[{value}] is read as {name}[{usual}]"));
                }
                Property::Bad(name, value) => {
                    self.note(Code::UnreadableProperty, at, format!("{name}[{value}] is left out"));
                }
                Property::Header(..) | Property::Counted => {}
            }
        }
        setup.stones.sort_by_key(|(point, _)| *point);
        self.repeated_setup(&mut setup, at, sets_up_twice);
        if in_root && !turns.is_empty() {
            self.note(Code::TurnInRoot, at, "the first turn is in the root");
        }
        if turns.len() > 1 || (!turns.is_empty() && !setup.stones.is_empty()) {
            self.note(Code::SeveralTurns, at, format!("{} turns and {} setup stones", turns.len(), setup.stones.len()));
        }
        if !setup.stones.is_empty() || setup.to_play.is_some() {
            self.reading.record.push_setup(at as u32, setup);
        }
        for (color, coordinates) in turns {
            self.turn(at, color, coordinates);
        }
        // What the record itself marks is evidence, and what jigo made of it is not.
        if let Some(territory) = territory
            && !(is_counted && self.reading.record.territory.is_some())
        {
            self.reading.record.territory = Some(MarkedTerritory { is_counted, ..territory });
        }
    }

    /// Points named more than once: by the same property it is one stone, by several the last in the order AB, AW, AE of the text holds.
    fn repeated_setup(&mut self, setup: &mut Setup, at: usize, sets_up_twice: bool) {
        let named = setup.stones.len();
        setup.stones.dedup();
        let first_twice = setup.stones.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0);
        if sets_up_twice || named > setup.stones.len() || first_twice.is_some() {
            let detail = match first_twice {
                Some(point) => format!("{point} is set up in two ways"),
                None => "a point is set up twice".into(),
            };
            self.note(Code::RepeatedSetup, at, detail);
            // The last stone that is named stands; counted once, or area and territory would miss each other.
            setup.stones.dedup_by(|next, kept| {
                next.0 == kept.0 && {
                    kept.1 = next.1;
                    true
                }
            });
        }
    }
}

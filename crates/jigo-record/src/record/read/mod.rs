//! Reader from game text to record.
//!
//! A node with only a turn, clock and comment is decoded in place. sgf-parse parses every other
//! node separately, so a rejected node costs only itself, and no tree is built.

mod node;
mod later_header;
#[cfg(test)]
mod tests;

use super::checked_nodes::NodeSpan;
use super::misplaced_nodes::{Misplacement, misplaced_nodes};
use super::nodes::{self, MainLine, Node, NodeState, Tape};
use super::reader::{Reader, Reading, Unreadable};
use crate::finding::Code;
use crate::formats::decode::{self, Decoded};
use crate::formats::decoded;
use crate::sgf::Limits;
use crate::sgf::tokens::lexer::Lexer;
use crate::sgf::tokens::lexer::ScanBudget;
use crate::sgf::tokens::turns::{Runs, TURN};
use crate::splitter::{Close, GameText};
use crate::{Coordinates, DialectChoice, Severity, Step, StepKind};
use jigo_rules::board::{Color, Point};

/// The part of a game to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadPart {
    Header,
    MainLine,
}

/// The detail of a [`Code::MissingSemicolon`] outside the root.
const MISSING_SEMICOLON: &str = "a variation has no ; before its first property";

impl Reading {
    /// Decodes a game and reads its main line with the default limits.
    ///
    /// Findings refer to bytes of the source, and steps to bytes of the decoded text.
    pub fn from_text(text: &GameText) -> Reading {
        Reading::with_limits(text, DialectChoice::Auto, Limits::default())
    }

    /// Decodes a game and reads its main line with a dialect and with other limits.
    pub fn with_limits(text: &GameText, dialect: DialectChoice, limits: Limits) -> Reading {
        let decoded = decoded(text);
        let mut reading = Reading::default();
        reading.read(text, &decoded.text, dialect, limits);
        reading.note_unreadable(&decoded);
        for finding in &mut reading.findings {
            finding.place.offset = decoded.source(finding.place.offset);
        }
        let mut findings = decode::findings(text, &decoded);
        findings.append(&mut reading.findings);
        Reading { findings, ..reading }
    }

    /// Marks a record as unreadable whose text could not be decoded.
    pub fn note_unreadable(&mut self, decoded: &Decoded) {
        if decoded.unreadable.is_some() {
            self.findings.clear();
            self.unreadable = decoded.unreadable;
        }
    }

    /// Reads the main line of a game with the text `bytes`, and reuses the memory of the previous
    /// game. All offsets refer to the text.
    pub fn read(&mut self, text: &GameText, bytes: &[u8], dialect: DialectChoice, limits: Limits) {
        self.read_part(text.close, bytes, dialect, limits, ReadPart::MainLine);
    }

    /// Reads only the header. Turns and later damage are ignored.
    pub fn read_header(&mut self, text: &GameText, bytes: &[u8], dialect: DialectChoice, limits: Limits) {
        self.read_part(text.close, bytes, dialect, limits, ReadPart::Header);
    }

    fn read_part(&mut self, close: Close, bytes: &[u8], dialect: DialectChoice, limits: Limits, part: ReadPart) {
        self.record.clear();
        self.findings.clear();
        self.nodes.clear();
        (self.unreadable, self.is_truncated) = (None, false);
        let scan_budget = ScanBudget::for_text(bytes.len());
        let mut reader = Reader { dialect, reads_headers: true, ..Reader::new(bytes, &scan_budget, limits, self) };
        reader.ending(close);
        if part == ReadPart::Header && reader.reading.unreadable.is_none() {
            reader.read_root();
        } else if reader.reading.unreadable.is_none() {
            let excess = excess_node(reader.lexer(), limits.nodes);
            reader.bytes = &bytes[..excess.unwrap_or(bytes.len())];
            reader.read();
            if let Some(offset) = excess {
                reader.note(
                    Code::TooManyNodes,
                    offset,
                    format!("the main line has more than --max nodes={}", limits.nodes),
                );
                reader.reading.is_truncated = true;
            }
        }
    }
}

/// Returns the first node of the main line beyond `limit`. A text shorter than `limit` bytes has no
/// such node, so nearly all texts need no search.
fn excess_node(lexer: Lexer, limit: u64) -> Option<usize> {
    let limit = usize::try_from(limit).ok().filter(|limit| *limit < lexer.bytes.len())?;
    MainLine::from(lexer, 0).nth(limit).map(|node| node.offset())
}

impl Reader<'_> {
    /// Reports unusual beginnings and ends of the game.
    fn ending(&mut self, close: Close) {
        let length = self.bytes.len();
        match close {
            Close::Parenthesis => {}
            Close::Missing => self.note(Code::UnclosedGame, length, "no closing parenthesis"),
            Close::Fused => self.note(Code::FusedGames, length, "the next game begins here"),
            Close::Oversized => {
                self.note(Code::OversizedGame, 0, format!("larger than --max game={}", self.limits.game()));
                self.reading.unreadable = Some(Unreadable::Oversized);
            }
        }
        if self.bytes.first() == Some(&b';') {
            self.note(Code::MissingOpening, 0, "the root has no ( before it");
        } else if nodes::missing_semicolon(self.bytes).is_some() {
            self.note(Code::MissingSemicolon, 1, "the root has no ; before its first property");
        } else if let Some(stray_bytes) = nodes::bytes_before_root(self.bytes) {
            let excerpt = String::from_utf8_lossy(&self.bytes[stray_bytes.clone()]);
            self.note(Code::BytesBeforeRoot, stray_bytes.start, format!("{excerpt:?} between the ( and its ;"));
        }
    }

    /// Reads only the root and other headers before the first turn.
    fn read_root(&mut self) {
        let nodes = match self.read_standard_root() {
            Some(end) => MainLine::in_tree(self.lexer(), end),
            None => {
                let mut nodes = MainLine::from(self.lexer(), 0);
                nodes.next().into_iter().for_each(|root| self.read_node(root));
                nodes
            }
        };
        if !self.is_at_end() {
            self.read_early_headers(nodes);
        }
    }

    fn read(&mut self) {
        let mut nodes = match self.read_standard_root() {
            Some(end) => MainLine::in_tree(self.lexer(), end),
            None => MainLine::from(self.lexer(), 0),
        };
        loop {
            if !self.in_root {
                self.read_bare_turns(nodes.tape());
            }
            let Some(node) = nodes.next() else { break };
            if !self.in_root && self.bytes[node.offset()] != b';' {
                self.note(Code::MissingSemicolon, node.offset(), MISSING_SEMICOLON);
            }
            self.read_node(node);
            if self.is_at_end() {
                break;
            }
        }
        for &offset in &nodes.stray_texts {
            self.stray_text(offset, nodes::stray_text_end(&self.lexer(), offset));
        }
        self.reading.nodes.end = nodes.position();
        if !self.is_at_end() {
            self.note_misplaced_nodes(&mut nodes);
        }
        self.note_doubtful_values(&nodes.tape().doubtful_values);
        self.reading.nodes.branches.append(&mut nodes.branches);
        if let Some(offset) = nodes.extra_parenthesis {
            self.note(Code::ExtraParenthesis, offset, "the main line goes on behind this )");
            self.setup_after_end(offset);
        }
        if let (count @ 1.., offset) = self.empty_nodes {
            self.note(Code::EmptyNodes, offset, format!("{count} nodes of the main line; this is the first"));
        }
        let is_turn = |step: &Step| matches!(step.kind, StepKind::Turn(..));
        if self.reading.unreadable.is_none() && !self.reading.record.steps.iter().any(is_turn) {
            self.note(Code::NoTurns, 0, "no B and no W on the main line");
        }
    }

    /// Reports values that may lack their bracket, although the game follows the grammar.
    fn note_doubtful_values(&mut self, offsets: &[usize]) {
        for &offset in offsets {
            self.note(Code::UnclosedValue, offset, "a property within this value: its bracket may be missing");
            let note = self.reading.findings.last_mut().filter(|finding| finding.code == Code::UnclosedValue);
            note.into_iter().for_each(|finding| finding.severity = Severity::Info);
        }
    }

    /// Reports properties off the main line in places that SGF forbids.
    fn note_misplaced_nodes(&mut self, nodes: &mut MainLine) {
        if let Some(offset) = nodes.empty_variation {
            self.note(Code::EmptyNodes, offset, "a variation without nodes; the main line goes on in the next one");
        }
        if let (count @ 1.., offset) = nodes.diagrams {
            let detail = format!("{count} diagrams that begin again at turn 1 are not read; this is the first");
            self.note(Code::EmptyNodes, offset, detail);
        }
        let found = misplaced_nodes(nodes.tape());
        let mut after_variation = found.iter().filter(|(_, kind)| *kind == Misplacement::AfterVariation);
        // They are read, so one row for the game is enough.
        if let Some((offset, _)) = after_variation.next() {
            let detail = match after_variation.count() {
                0 => "after a variation; read as another variation".to_owned(),
                more => format!("after a variation, as are {more} other nodes; each is read as another variation"),
            };
            self.note(Code::MisplacedNode, *offset, detail);
        }
        let later_names = std::mem::take(&mut self.later_names);
        for (offset, kind) in found {
            match kind {
                Misplacement::WithoutSemicolon => self.note(Code::MissingSemicolon, offset, MISSING_SEMICOLON),
                Misplacement::AfterVariation => {}
                Misplacement::Header(body) => {
                    self.begins_other_game(offset, body, &later_names);
                }
                Misplacement::Damage(body, state) => self.note_damage(offset, body, state),
                Misplacement::Value => self.note(Code::MisplacedNode, offset, "a value without a property"),
                Misplacement::StrayText => self.stray_text(offset, nodes::stray_text_end(&self.lexer(), offset)),
            }
        }
    }

    /// Adds the content of a node.
    pub(crate) fn read_node(&mut self, node: Node) {
        match node {
            Node::Turn { offset, color, value, odd_clock } => {
                if let Some(body) = odd_clock {
                    self.reading.nodes.spans.push(NodeSpan { offset, body, is_root: self.in_root });
                }
                if self.in_root {
                    self.header(&[], offset);
                    self.note(Code::TurnInRoot, offset, "the first turn is in the root");
                }
                let coordinates = self.coordinates(&self.bytes[value], offset);
                self.turn(offset, color, coordinates);
            }
            Node::Other { offset, body, state } => {
                if state == NodeState::Sound {
                    let (body, is_root) = (body.clone(), self.in_root);
                    self.reading.nodes.spans.push(NodeSpan { offset, body, is_root });
                }
                self.node(offset, body, state);
            }
        }
        self.in_root = false;
    }

    /// Decodes the next bare turns with ordinary points. They make up most of an archive.
    fn read_bare_turns(&mut self, tape: &mut Tape) {
        let record = &mut self.reading.record;
        let (columns, rows) = (record.header.size.width(), record.header.size.height());
        let step = |offset: usize, color, [x, y]: [u8; 2]| {
            // Small letters give values below 32, so the modulo is always exact and replaces a
            // range check.
            let kind = StepKind::Turn(color, Coordinates::Play(Point::new(x % 32, y % 32)));
            Step { offset: offset as u32, kind }
        };
        let first = record.steps.len();
        let runs = Runs::on_board(columns, rows);
        loop {
            while let Some((offset, points)) = tape.run_of_turns(&runs) {
                let turns = points.iter().enumerate();
                record
                    .steps
                    .extend(turns.map(|(turn, point)| step(offset + turn * TURN, Color::BOTH[turn % 2], *point)));
            }
            let Some((offset, color, letters)) = tape.bare_turn() else { break };
            let [x, y] = letters.map(|letter| letter.wrapping_sub(b'a'));
            if x >= columns.min(26) || y >= rows.min(26) {
                break;
            }
            tape.pass_bare_turn();
            record.steps.push(step(offset, color, [x, y]));
        }
        if record.steps.len() > first {
            record.territory = None;
        }
    }
}

//! The reader's state: the position in a game and the record so far.

use std::collections::HashSet;

use super::checked_nodes::CheckedNodes;
use crate::finding::{Code, Finding, Place, excerpt};
use crate::sgf::Limits;
use crate::sgf::tokens::lexer::{Lexer, ScanBudget};
use crate::{Coordinates, DialectChoice, GameRecord, Step, StepKind};
use jigo_rules::board::Color;

/// A record and the findings of its reader.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The readable part of the record.
    pub record: GameRecord,
    /// Findings about unreadable and unusual parts.
    pub findings: Vec<Finding>,
    /// The reason why the game can't be replayed.
    pub unreadable: Option<Unreadable>,
    /// True if damage hides the rest of the main line.
    pub is_truncated: bool,
    /// The nodes that [`conformance`](crate::conformance) checks.
    pub(crate) nodes: CheckedNodes,
}

/// The reason why a game can't be replayed at all. A finding with the same cause gives the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// GM names another game.
    NotGo,
    /// The board size is invalid.
    BoardSize,
    /// The game is larger than the limit.
    Oversized,
    /// The record is encrypted.
    Encrypted,
    /// A row of a board can't be read.
    Position,
}

/// Reads nodes one after the other into a record.
pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
    pub(super) scan_budget: &'a ScanBudget,
    pub(crate) reading: &'a mut Reading,
    /// The dialect for the root.
    pub(crate) dialect: DialectChoice,
    pub(crate) in_root: bool,
    /// True if headers in later nodes are read.
    pub(super) reads_headers: bool,
    /// The header properties that later nodes of the main line add.
    pub(super) later_names: Vec<&'static str>,
    /// The number of nodes without properties, and the offset of the first.
    pub(super) empty_nodes: (usize, usize),
    /// The offset of the first identifier with small letters.
    pub(super) long_name: Option<usize>,
    /// The reported names that cannot be names of properties.
    pub(super) odd_names: HashSet<Vec<u8>>,
    pub(crate) limits: Limits,
    /// The number of points that the game may still name.
    pub(super) remaining_points: u64,
}

impl<'a> Reader<'a> {
    /// Returns a reader before the root.
    pub(crate) fn new(
        bytes: &'a [u8],
        scan_budget: &'a ScanBudget,
        limits: Limits,
        reading: &'a mut Reading,
    ) -> Reader<'a> {
        let (dialect, remaining_points) = (DialectChoice::Auto, limits.points);
        Reader {
            bytes,
            scan_budget,
            reading,
            dialect,
            in_root: true,
            reads_headers: false,
            later_names: Vec::new(),
            empty_nodes: (0, 0),
            long_name: None,
            odd_names: HashSet::new(),
            limits,
            remaining_points,
        }
    }

    pub(crate) fn lexer(&self) -> Lexer<'a> {
        Lexer { scan_budget: Some(self.scan_budget), ..Lexer::utf8(self.bytes) }
    }

    /// Adds a finding. The first finding beyond the limit ends the reading.
    pub(crate) fn note(&mut self, code: Code, offset: usize, detail: impl Into<String>) {
        let findings = &mut self.reading.findings;
        if (findings.len() as u64) < self.limits.findings {
            findings.push(Finding::new(code, Place::byte(offset), detail));
        } else if !self.reading.is_truncated {
            let detail = format!("more than --max findings={}: the replay ends here", self.limits.findings);
            findings.push(Finding::new(Code::TooManyFindings, Place::byte(offset), detail));
            self.reading.is_truncated = true;
        }
    }

    /// Returns true if nothing after this point can be read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.reading.unreadable.is_some() || self.reading.is_truncated
    }

    /// Reports text that is not a property.
    pub(super) fn stray_text(&mut self, offset: usize, end: usize) {
        let text = excerpt(&self.bytes[offset..end]);
        self.note(Code::UnreadableNode, offset, format!("{text:?} belongs to no property"));
    }

    pub(super) fn turn(&mut self, offset: usize, color: Color, coordinates: Coordinates) {
        self.reading.record.steps.push(Step { offset: offset as u32, kind: StepKind::Turn(color, coordinates) });
        self.reading.record.territory = None;
    }
}

//! The effect of every turn and setup, for training programs.

use jigo_record::record::clock::Clock;
use jigo_record::sgf::tokens::lexer::{Lexer, ScanBudget};
use jigo_record::{Coordinates, GameRecord, Step, StepKind};
use jigo_rules::Tally;
use jigo_rules::board::{Color, Point, Position, PositionHash};

jigo_rules::named! {
    /// The kind of a [`TurnEffects`].
    pub enum TurnKind {
        /// A play: a stone put on a point.
        Play = "play",
        /// A pass.
        Pass = "pass",
        /// A turn off the board or without a readable point. It has no effect.
        Skipped = "skipped",
        /// A stone that setup put on a point or removed.
        Setup = "setup",
    }
}

/// A turn as the replay made it, or a stone of setup.
///
/// Applied in order, they reproduce every position of the game: first the play or setup changes its
/// point, then the `removed` points become empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnEffects {
    /// The kind of turn.
    pub kind: TurnKind,
    /// The turn's number: B and W properties counted from 1. For setup, the number of the turn
    /// before it, or 0.
    pub number: u32,
    /// The colour of the turn or stone; `None` for setup that removes a stone.
    pub color: Option<Color>,
    /// The point; `None` for a pass or an unreadable point.
    pub point: Option<Point>,
    /// The number of opponent stones that the turn removed.
    pub captures: u32,
    /// The number of the player's stones that the turn removed.
    pub suicide: u32,
    /// The removed points, sorted. For suicide they include the played point.
    pub removed: Vec<Point>,
    /// The lower half of the hash of the position afterwards; for setup, after its whole node.
    pub hash: u64,
    /// True if the turn had an effect and every judging ruleset allows it.
    pub is_legal: bool,
    /// The time left on the player's clock.
    pub clock: Clock,
}

/// Records the turns of a replay.
pub(super) struct Tracer<'a> {
    text: &'a [u8],
    scan_budget: ScanBudget,
    record: &'a GameRecord,
    /// The last node whose clocks were read, and both players' clocks in it. A node may have
    /// thousands of turns.
    clocks: (usize, [Clock; 2]),
    tally_before: Tally,
    /// The stones before the next step, row by row.
    board: Vec<Option<Color>>,
    /// The hash of these stones. A position would compute its hash from all its stones, which takes
    /// longer than the rest of a turn.
    hash: PositionHash,
    turns: &'a mut Vec<TurnEffects>,
}

impl<'a> Tracer<'a> {
    /// Returns a tracer for a game before its first step.
    pub(super) fn new(text: &'a [u8], record: &'a GameRecord, turns: &'a mut Vec<TurnEffects>) -> Tracer<'a> {
        Tracer {
            text,
            scan_budget: ScanBudget::for_text(text.len()),
            record,
            clocks: (usize::MAX, Default::default()),
            tally_before: Tally::default(),
            board: vec![None; record.header.size.points()],
            hash: PositionHash::default(),
            turns,
        }
    }

    /// Records a step after the replay made it.
    pub(super) fn observe(&mut self, step: &Step, tally: &Tally, position: &Position) {
        match step.kind {
            StepKind::Turn(color, coordinates) => self.turn(color, coordinates, step.offset as usize, tally, position),
            StepKind::Setup(setup) => self.setup(setup, tally, position),
        }
        debug_assert_eq!(self.hash, position.hash(), "the traced board differs from the position");
        self.tally_before.clone_from(tally);
    }

    fn turn(&mut self, color: Color, coordinates: Coordinates, offset: usize, tally: &Tally, position: &Position) {
        if self.clocks.0 != offset {
            let lexer = Lexer { scan_budget: Some(&self.scan_budget), ..Lexer::utf8(self.text) };
            self.clocks = (offset, Clock::from_node(lexer, offset));
        }
        let newly_lost = |color: Color| tally.lost[color.index()] - self.tally_before.lost[color.index()];
        let (captures, suicide) = (newly_lost(color.opponent()), newly_lost(color));
        let (kind, point) = match coordinates {
            Coordinates::Play(point) => (TurnKind::Play, Some(point)),
            Coordinates::OffBoard(point) => (TurnKind::Skipped, Some(point)),
            Coordinates::Pass => (TurnKind::Pass, None),
            Coordinates::Unreadable(_) => (TurnKind::Skipped, None),
        };
        let removed = match point {
            Some(point) if kind == TurnKind::Play => self.place_stone(point, color, captures + suicide > 0, position),
            _ => Vec::new(),
        };
        self.turns.push(TurnEffects {
            kind,
            number: tally.turns,
            color: Some(color),
            point,
            captures,
            suicide,
            removed,
            hash: self.hash.0 as u64,
            is_legal: tally.illegal == self.tally_before.illegal,
            clock: self.clocks.1[color.index()],
        });
    }

    /// Records the stones that a setup changes.
    fn setup(&mut self, setup: u32, tally: &Tally, position: &Position) {
        let first = self.turns.len();
        for &(point, stone) in &self.record.setup(setup).stones {
            if !position.size().contains(point) || self.stone_at(point) == stone {
                continue;
            }
            self.set(point, stone);
            self.turns.push(TurnEffects {
                kind: TurnKind::Setup,
                number: tally.turns,
                color: stone,
                point: Some(point),
                captures: 0,
                suicide: 0,
                removed: Vec::new(),
                hash: 0,
                is_legal: true,
                clock: Clock::default(),
            });
        }
        // All stones of a node have the hash after its last stone.
        self.turns[first..].iter_mut().for_each(|turn| turn.hash = self.hash.0 as u64);
    }

    /// Puts a stone on the traced board and removes the stones that `position` no longer has. Only
    /// chains connected to the point can be missing.
    fn place_stone(&mut self, point: Point, color: Color, removes_stones: bool, position: &Position) -> Vec<Point> {
        self.set(point, Some(color));
        if !removes_stones {
            return Vec::new();
        }
        let mut removed = Vec::new();
        let mut next: Vec<Point> = position.neighbours(point).chain([point]).collect();
        while let Some(point) = next.pop() {
            if self.stone_at(point).is_some() && position.stone(point).is_none() {
                self.set(point, None);
                removed.push(point);
                next.extend(position.neighbours(point));
            }
        }
        removed.sort_unstable();
        removed
    }

    fn stone_at(&self, point: Point) -> Option<Color> {
        self.board[self.record.header.size.index(point)]
    }

    fn set(&mut self, point: Point, stone: Option<Color>) {
        let index = self.record.header.size.index(point);
        let replaced = std::mem::replace(&mut self.board[index], stone);
        replaced.into_iter().chain(stone).for_each(|color| self.hash.toggle(color, point));
    }
}

//! What every turn and setup did, for those who train on games.

use jigo_record::record::clock::Clock;
use jigo_record::sgf::lexer::Lexis;
use jigo_record::sgf::recovery::Patience;
use jigo_record::{Coordinates, GameRecord, Step, StepKind};
use jigo_rules::Tally;
use jigo_rules::board::{Color, Point, Position};

/// What a [`TurnTaken`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    /// A stone put on a point.
    Play,
    /// A pass.
    Pass,
    /// A turn off the board, or that can't be read: nothing was done.
    Skipped,
    /// A stone that setup put on a point, or took off one.
    Setup,
}

impl TurnKind {
    /// All of them with their words in tables.
    pub const NAMED: [(&str, TurnKind); 4] = [
        ("play", TurnKind::Play),
        ("pass", TurnKind::Pass),
        ("skipped", TurnKind::Skipped),
        ("setup", TurnKind::Setup),
    ];

    /// The word in tables.
    pub fn name(self) -> &'static str {
        TurnKind::NAMED.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// A turn as the replay made it, or a stone of setup. One after the other they make every position of the game: what a play or setup puts on its
/// point stands there, and then what is removed does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnTaken {
    /// What it is.
    pub kind: TurnKind,
    /// B and W properties counted from 1; of setup, the turn that it follows, 0 before the first.
    pub number: u32,
    /// Whose turn or stone; `None` for setup that takes a stone off.
    pub color: Option<Color>,
    /// Where; `None` for a pass and for what is no point.
    pub point: Option<Point>,
    /// Stones of the opponent that it took off.
    pub captures: u32,
    /// Stones of its own colour that it took off.
    pub suicide: u32,
    /// The points of these, sorted; of a suicide, the play's own among them.
    pub removed: Vec<Point>,
    /// The lower half of the hash of the position after it; of setup, after all of its node.
    pub hash: u64,
    /// Whether every ruleset judged by allows it, and it could be made.
    pub is_legal: bool,
    /// What was left on the clock.
    pub clock: Clock,
}

/// Watches a replay and keeps its turns.
pub(super) struct Tracer<'a> {
    text: &'a [u8],
    patience: Patience,
    record: &'a GameRecord,
    /// The latest node that was looked at for clocks, and both players' clocks in it: a node may have thousands of turns.
    clocks: (usize, [Clock; 2]),
    before: Tally,
    /// The stones before the next step, row by row.
    board: Vec<Option<Color>>,
    turns: &'a mut Vec<TurnTaken>,
}

impl<'a> Tracer<'a> {
    /// Nothing seen yet of a game's text.
    pub(super) fn new(text: &'a [u8], record: &'a GameRecord, turns: &'a mut Vec<TurnTaken>) -> Tracer<'a> {
        Tracer {
            text,
            patience: Patience::with(text.len()),
            record,
            clocks: (usize::MAX, Default::default()),
            before: Tally::default(),
            board: vec![None; record.header.size.points()],
            turns,
        }
    }

    /// Sees a step that was made, and what it led to.
    pub(super) fn see(&mut self, step: &Step, tally: &Tally, position: &Position) {
        match step.what {
            StepKind::Turn(color, coordinates) => self.turn((color, coordinates), step.at as usize, tally, position),
            StepKind::Setup(setup) => self.setup(setup, tally, position),
        }
        self.before.clone_from(tally);
    }

    fn turn(&mut self, (color, coordinates): (Color, Coordinates), at: usize, tally: &Tally, position: &Position) {
        if self.clocks.0 != at {
            let lexis = Lexis { patience: Some(&self.patience), ..Lexis::utf8(self.text) };
            self.clocks = (at, Clock::of(lexis, at));
        }
        let lost = |color: Color| tally.lost[color.index()] - self.before.lost[color.index()];
        let (captures, suicide) = (lost(color.opponent()), lost(color));
        let (kind, point) = match coordinates {
            Coordinates::Play(point) => (TurnKind::Play, Some(point)),
            Coordinates::OffBoard(point) => (TurnKind::Skipped, Some(point)),
            Coordinates::Pass => (TurnKind::Pass, None),
            Coordinates::Unreadable(_) => (TurnKind::Skipped, None),
        };
        let removed = match point {
            Some(point) if kind == TurnKind::Play => self.put(point, color, captures + suicide > 0, position),
            _ => Vec::new(),
        };
        self.turns.push(TurnTaken {
            kind,
            number: tally.turns,
            color: Some(color),
            point,
            captures,
            suicide,
            removed,
            hash: position.hash().0 as u64,
            is_legal: tally.illegal == self.before.illegal,
            clock: self.clocks.1[color.index()],
        });
    }

    /// The stones that a setup changes.
    fn setup(&mut self, setup: u32, tally: &Tally, position: &Position) {
        // Once for all of its stones: it may be counted over the whole board.
        let hash = position.hash().0 as u64;
        for &(point, stone) in &self.record.setup(setup).stones {
            if !position.size().contains(point) || self.at(point) == stone {
                continue;
            }
            self.set(point, stone);
            self.turns.push(TurnTaken {
                kind: TurnKind::Setup,
                number: tally.turns,
                color: stone,
                point: Some(point),
                captures: 0,
                suicide: 0,
                removed: Vec::new(),
                hash,
                is_legal: true,
                clock: Clock::default(),
            });
        }
    }

    /// Puts a stone on the board before and takes off what is gone from `position`: chains that hang together with the point.
    fn put(&mut self, point: Point, color: Color, takes: bool, position: &Position) -> Vec<Point> {
        self.set(point, Some(color));
        if !takes {
            return Vec::new();
        }
        let mut removed = Vec::new();
        let mut next: Vec<Point> = position.neighbours(point).chain([point]).collect();
        while let Some(point) = next.pop() {
            if self.at(point).is_some() && position.stone(point).is_none() {
                self.set(point, None);
                removed.push(point);
                next.extend(position.neighbours(point));
            }
        }
        removed.sort_unstable();
        removed
    }

    fn place(&self, point: Point) -> usize {
        usize::from(point.y()) * usize::from(self.record.header.size.width()) + usize::from(point.x())
    }

    fn at(&self, point: Point) -> Option<Color> {
        self.board[self.place(point)]
    }

    fn set(&mut self, point: Point, stone: Option<Color>) {
        let place = self.place(point);
        self.board[place] = stone;
    }
}

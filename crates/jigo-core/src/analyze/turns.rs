//! What every turn did, for those who train on games.

use crate::board::{Color, Point, Position};
use crate::record::clock::Clock;
use crate::record::{Coordinates, Step, StepKind};
use crate::replay::Tally;
use crate::sgf::lexis::{Lexis, Patience};

/// A turn as the replay made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnTaken {
    /// B and W properties counted from 1.
    pub number: u32,
    /// Whose turn.
    pub color: Color,
    /// Where; `None` for a pass and for what is no point.
    pub point: Option<Point>,
    /// Whether it is a pass.
    pub is_pass: bool,
    /// Stones of the opponent that it took off.
    pub captures: u32,
    /// Stones of its own colour that it took off.
    pub suicide: u32,
    /// The lower half of the hash of the position after it.
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
    /// The latest node that was looked at for clocks, and both players' clocks in it: a node may have thousands of turns.
    clocks: (usize, [Clock; 2]),
    before: Tally,
    turns: &'a mut Vec<TurnTaken>,
}

impl<'a> Tracer<'a> {
    /// Nothing seen yet of a game's text.
    pub fn new(text: &'a [u8], turns: &'a mut Vec<TurnTaken>) -> Tracer<'a> {
        Tracer {
            text,
            patience: Patience::with(text.len()),
            clocks: (usize::MAX, Default::default()),
            before: Tally::default(),
            turns,
        }
    }

    /// Sees a step that was made, and what it led to.
    pub fn see(&mut self, step: &Step, tally: &Tally, position: &Position) {
        if let StepKind::Turn(color, coordinates) = &step.what {
            let at = step.at as usize;
            if self.clocks.0 != at {
                let lexis = Lexis { patience: Some(&self.patience), ..Lexis::utf8(self.text) };
                self.clocks = (at, Clock::of(lexis, at));
            }
            let lost = |color: Color| tally.lost[color.index()] - self.before.lost[color.index()];
            self.turns.push(TurnTaken {
                number: tally.turns,
                color: *color,
                point: match coordinates {
                    Coordinates::Play(point) | Coordinates::OffBoard(point) => Some(*point),
                    Coordinates::Pass | Coordinates::Unreadable(_) => None,
                },
                is_pass: matches!(coordinates, Coordinates::Pass),
                captures: lost(color.opponent()),
                suicide: lost(*color),
                hash: position.hash().0 as u64,
                is_legal: tally.illegal == self.before.illegal,
                clock: self.clocks.1[color.index()],
            });
        }
        self.before.clone_from(tally);
    }
}

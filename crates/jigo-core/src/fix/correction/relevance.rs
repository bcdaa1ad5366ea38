//! A test whether another point for a turn can affect a later fault.
//!
//! With another point, the rest of the record stays the same up to the first play that captures
//! other stones, since only captures spread a change over the board. A capture can change in three
//! cases:
//!
//! - The turn's stone belonged to a captured chain, or touched one.
//! - A chain had one liberty besides the played one, and the new stone takes it.
//! - The last liberty of the new stone's chain is played.
//!
//! In all other cases the fault remains, and no replay is needed.

use super::typo::{Turn, Violation};
use jigo_record::Coordinates;
use jigo_rules::board::{BoardSize, Color, Point, Position};

/// The turns at which points mattered, for the turns of a record up to its fault.
pub(super) struct Relevance {
    size: BoardSize,
    /// For each turn, whether it captured stones.
    captures: Vec<bool>,
    /// For each point, the last turn, from 1, that captured a stone there or next to it.
    stones: Vec<u32>,
    /// For each point, the last turn, from 1, that would capture other stones if a stone were
    /// there.
    liberties: Vec<u32>,
}

impl Relevance {
    pub(super) fn new(size: BoardSize) -> Relevance {
        let (stones, liberties) = (vec![0; size.points()], vec![0; size.points()]);
        Relevance { size, captures: Vec::new(), stones, liberties }
    }
    /// Records the position before the next turn.
    pub(super) fn before(&mut self, position: &Position, turn: Turn) {
        let (color, target) = turn;
        self.captures.push(false);
        let Coordinates::Play(point) = target else { return };
        if position.stone(point).is_some() {
            return;
        }
        let turn = self.captures.len() as u32;
        let enemies =
            position.neighbours(point).filter(|neighbour| position.stone(*neighbour) == Some(color.opponent()));
        for enemy in enemies {
            if let [first, second] = position.liberties(enemy, 3)[..] {
                let remaining = self.size.index(if first == point { second } else { first });
                self.liberties[remaining] = turn;
            }
        }
    }

    /// Records the position after the turn, and the captured stones.
    pub(super) fn after(&mut self, position: &Position, target: Coordinates, captured: &[Point]) {
        let Coordinates::Play(point) = target else { return };
        let turn = self.captures.len() as u32;
        let is_empty = |point: &Point| position.stone(*point).is_none();
        for closed in position.neighbours(point).filter(is_empty) {
            if !position.neighbours(closed).any(|neighbour| is_empty(&neighbour)) {
                let closed = self.size.index(closed);
                self.liberties[closed] = turn;
            }
        }
        if let Some(last) = self.captures.last_mut() {
            *last = !captured.is_empty();
        }
        for stone in captured.iter().flat_map(|stone| position.neighbours(*stone).chain([*stone])) {
            let stone = self.size.index(stone);
            self.stones[stone] = turn;
        }
    }

    /// Returns false if no replay is needed, because the fault at the end remains with another
    /// point for the turn at `index` (from 0). If it returns true, only a replay can decide.
    pub(super) fn can_fix(
        &self,
        index: usize,
        turn: Turn,
        to: Point,
        fault: (Violation, Turn),
        before: &Position,
    ) -> bool {
        let last = self.captures.len() - 1;
        let (Coordinates::Play(recorded_point), true) = (turn.1, index < last) else { return true };
        match fault {
            (Violation::OffBoard, _) => return false,
            (Violation::Occupied, (_, Coordinates::Play(point))) if point == recorded_point => return true,
            (Violation::Ko, _) if index + 1 == last => return true,
            // The table does not track the liberties that a stone adds to a chain or takes from it.
            (Violation::Suicide, _) => return true,
            _ => {}
        }
        let is_later = |turn: u32| turn as usize > index + 1;
        self.captures[index]
            || is_later(self.stones[self.size.index(recorded_point)])
            || is_later(self.liberties[self.size.index(to)])
            || captures(before, turn.0, to)
    }
}

/// Returns true if a play captures stones.
fn captures(position: &Position, color: Color, point: Point) -> bool {
    let mut neighbours = position.neighbours(point);
    neighbours.any(|neighbour| {
        position.stone(neighbour) == Some(color.opponent()) && position.liberties(neighbour, 2).len() == 1
    })
}

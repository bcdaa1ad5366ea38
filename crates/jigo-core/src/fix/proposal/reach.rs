//! Which points of a turn can matter to a fault behind it.
//!
//! With another point, a record goes on as it was up to the first play that captures something else, since only captures carry on what stands
//! elsewhere. That is so where a stone was captured that the turn's stone belonged to or touched; where a chain had one liberty beside the one
//! that was played, and the new stone takes it; and where the new stone's own last liberty is played. What can be neither leaves a fault where it is, and need not be
//! replayed.

use super::trial::Broken;
use super::{Spot, TurnOf};
use jigo_rules::board::{BoardSize, Color, Point, Position};

/// What mattered when, for the turns of a record up to its fault.
pub(super) struct Reach {
    size: BoardSize,
    /// Whether turns captured something.
    captures: Vec<bool>,
    /// By points, the last turn, from 1, before which a stone there was captured or touched one that was.
    stones: Vec<u32>,
    /// By points, the last turn, from 1, that would capture something else with a stone there.
    liberties: Vec<u32>,
}

impl Reach {
    pub(super) fn new(size: BoardSize) -> Reach {
        let (stones, liberties) = (vec![0; size.points()], vec![0; size.points()]);
        Reach { size, captures: Vec::new(), stones, liberties }
    }

    fn index(&self, point: Point) -> usize {
        usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())
    }

    /// Looks at the position before the next turn.
    pub(super) fn before(&mut self, position: &Position, (color, spot): TurnOf) {
        self.captures.push(false);
        let Spot::On(point) = spot else { return };
        if position.stone(point).is_some() {
            return;
        }
        let turn = self.captures.len() as u32;
        let enemies =
            position.neighbours(point).filter(|neighbour| position.stone(*neighbour) == Some(color.opponent()));
        for enemy in enemies {
            if let [one, other] = liberties(position, enemy, 3)[..] {
                let second = self.index(if one == point { other } else { one });
                self.liberties[second] = turn;
            }
        }
    }

    /// Looks at the position after the turn, and at what it captured.
    pub(super) fn after(&mut self, position: &Position, spot: Spot, captured: &[Point]) {
        let Spot::On(point) = spot else { return };
        let turn = self.captures.len() as u32;
        let is_empty = |point: &Point| position.stone(*point).is_none();
        for closed in position.neighbours(point).filter(is_empty) {
            if !position.neighbours(closed).any(|neighbour| is_empty(&neighbour)) {
                let closed = self.index(closed);
                self.liberties[closed] = turn;
            }
        }
        if let Some(last) = self.captures.last_mut() {
            *last = !captured.is_empty();
        }
        for stone in captured.iter().flat_map(|stone| position.neighbours(*stone).chain([*stone])) {
            let stone = self.index(stone);
            self.stones[stone] = turn;
        }
    }

    /// Whether another point of the turn at `index`, from 0, can take away the fault that ends the record. Where this says no, none does; where it
    /// says yes, a replay has to show it.
    pub(super) fn can_mend(
        &self,
        (index, turn): (usize, TurnOf),
        to: Point,
        fault: (Broken, TurnOf),
        before: &Position,
    ) -> bool {
        let last = self.captures.len() - 1;
        let (Spot::On(from), true) = (turn.1, index < last) else { return true };
        match fault {
            (Broken::Nowhere, _) => return false,
            (Broken::Occupied, (_, Spot::On(point))) if point == from => return true,
            (Broken::Ko, _) if index + 1 == last => return true,
            // What a stone takes from a chain that would have no liberty, or gives to it, is not kept.
            (Broken::Suicide, _) => return true,
            _ => {}
        }
        let is_behind = |turn: u32| turn as usize > index + 1;
        self.captures[index]
            || is_behind(self.stones[self.index(from)])
            || is_behind(self.liberties[self.index(to)])
            || captures(before, turn.0, to)
    }
}

/// Whether a play captures something.
fn captures(position: &Position, color: Color, point: Point) -> bool {
    let mut neighbours = position.neighbours(point);
    neighbours.any(|neighbour| {
        position.stone(neighbour) == Some(color.opponent()) && liberties(position, neighbour, 2).len() == 1
    })
}

/// Liberties of the chain at a point, up to so many.
pub(super) fn liberties(position: &Position, point: Point, most: usize) -> Vec<Point> {
    let mut found: Vec<Point> = Vec::new();
    for stone in position.chain(point) {
        for neighbour in position.neighbours(stone) {
            if position.stone(neighbour).is_none() && !found.contains(&neighbour) {
                found.push(neighbour);
                if found.len() == most {
                    return found;
                }
            }
        }
    }
    found
}

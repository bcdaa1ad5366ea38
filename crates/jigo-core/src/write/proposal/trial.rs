//! A record replayed with a slip undone.

use super::{Slip, Spot, TurnOf, turns_of};
use crate::board::{BoardSize, Color, Point, Position};
use crate::record::{GameRecord, StepKind};

/// Turns between two positions that are kept, to begin replays from.
const KEPT_EVERY: usize = 8;

/// A record with positions on its way, up to the first turn that breaks a rule.
pub(super) struct Trial {
    pub size: BoardSize,
    pub turns: Vec<TurnOf>,
    /// The first turn, from 0, that is out of order, nowhere, on a stone, a suicide, or takes a ko back at once.
    pub fault: Option<usize>,
    /// How many turns Black may take before White's first.
    handicap: usize,
    /// The positions before turns 0, [`KEPT_EVERY`] and so on.
    kept: Vec<State>,
}

/// A position with what the next turn has to know of the last.
#[derive(Clone)]
pub(super) struct State {
    pub position: Position,
    last: Option<Color>,
    only_black: usize,
    /// The last play took one stone here, and stands there.
    ko: Option<(Point, Point)>,
    removed: Vec<Point>,
}

impl State {
    /// Takes a turn; says how many stones it captured, or that it breaks a rule.
    pub fn take(&mut self, (color, spot): TurnOf, handicap: usize) -> Option<u32> {
        let is_opening = color == Color::Black && self.only_black > 0 && self.only_black < handicap;
        if self.last == Some(color) && !is_opening {
            return None;
        }
        let is_still_opening = color == Color::Black && (self.last.is_none() || self.only_black > 0);
        self.only_black = if is_still_opening { self.only_black + 1 } else { 0 };
        self.last = Some(color);
        let ko = self.ko.take();
        let point = match spot {
            Spot::On(point) => point,
            Spot::Pass => return Some(0),
            Spot::Nowhere => return None,
        };
        if self.position.stone(point).is_some() {
            return None;
        }
        self.removed.clear();
        let played = self.position.play(color, point, &mut self.removed);
        if played.suicide > 0 {
            return None;
        }
        if let [taken] = *self.removed.as_slice() {
            if ko == Some((point, taken)) {
                return None;
            }
            self.ko = Some((taken, point));
        }
        Some(played.captured)
    }
}

impl Trial {
    /// `None` where the record sets stones up between turns, or its turns are on no board.
    pub fn new(record: &GameRecord) -> Option<Trial> {
        let turns = turns_of(record)?;
        let size = record.header.size;
        let mut position = Position::new(size);
        for step in &record.steps {
            let StepKind::Setup(setup) = step.what else { break };
            let stones = record.setup(setup).stones.iter().copied().filter(|(point, _)| size.contains(*point));
            position.place(stones);
        }
        let handicap = record.header.handicap.unwrap_or(0) as usize;
        let mut state = State { position, last: None, only_black: 0, ko: None, removed: Vec::new() };
        let (mut kept, mut fault) = (Vec::new(), None);
        for (index, turn) in turns.iter().enumerate() {
            if index.is_multiple_of(KEPT_EVERY) {
                kept.push(state.clone());
            }
            if state.take(*turn, handicap).is_none() {
                fault = Some(index);
                break;
            }
        }
        Some(Trial { size, turns, fault, handicap, kept })
    }

    /// The position before the turn of this number, from 0, which is not behind the fault.
    pub fn before(&self, turn: usize) -> State {
        let from = (turn / KEPT_EVERY).min(self.kept.len() - 1);
        let mut state = self.kept[from].clone();
        for turn in &self.turns[from * KEPT_EVERY..turn] {
            state.take(*turn, self.handicap);
        }
        state
    }

    /// Whether the record is legal from the first turn to the last if the slip is undone.
    pub fn is_legal(&self, slip: Slip) -> bool {
        let Some(first) = first_changed(slip) else { return false };
        let mut state = self.before(first);
        undone(&self.turns, slip, first).all(|turn| state.take(turn, self.handicap).is_some())
    }

    /// What the turns from `first` on take, each, with the slip undone; up to `most` of them.
    pub fn taken(&self, slip: Slip, most: usize) -> (State, Vec<(TurnOf, u32)>) {
        let first = first_changed(slip).unwrap_or_default();
        let before = self.before(first);
        let mut state = before.clone();
        let turns = undone(&self.turns, slip, first).take(most);
        let taken = turns.map_while(|turn| state.take(turn, self.handicap).map(|count| (turn, count))).collect();
        (before, taken)
    }
}

/// The first turn, from 0, that is another one with the slip undone.
pub(super) fn first_changed(slip: Slip) -> Option<usize> {
    (slip.turn() as usize).checked_sub(1)
}

/// The turns from `first` on with the slip undone.
fn undone(turns: &[TurnOf], slip: Slip, first: usize) -> impl Iterator<Item = TurnOf> + '_ {
    let here = turns.get(first).copied();
    let next = turns.get(first + 1).copied();
    let put = |turn: Option<TurnOf>, spot: Spot| turn.map(|(color, _)| (color, spot));
    let (begin, behind): ([Option<TurnOf>; 2], usize) = match slip {
        Slip::Point { to, .. } => ([put(here, Spot::On(to)), None], 1),
        Slip::Swapped { .. } => match (here, next) {
            // Nodes in the wrong order; where their colours are in order, the points are not.
            (Some((color, spot)), Some((next_color, next_spot))) => {
                let is_in_order = first == 0 || turns[first - 1].0 != color;
                let (one, other) = if is_in_order { (color, next_color) } else { (next_color, color) };
                ([Some((one, next_spot)), Some((other, spot))], 2)
            }
            _ => ([here, None], 1),
        },
        Slip::Missing { point, .. } => {
            let spot = point.map_or(Spot::Pass, Spot::On);
            ([here.map(|(color, _)| (color.opponent(), spot)), None], 0)
        }
        Slip::Extra { .. } => ([None, None], 1),
        Slip::Color { .. } => ([here.map(|(color, spot)| (color.opponent(), spot)), None], 1),
    };
    begin.into_iter().flatten().chain(turns[(first + behind).min(turns.len())..].iter().copied())
}

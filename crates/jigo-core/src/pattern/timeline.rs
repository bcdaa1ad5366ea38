//! The positions of a game as a list of changes.

use jigo_record::{Coordinates, GameRecord, Step, StepKind};
use jigo_rules::board::{Color, Point, Position};
use jigo_rules::{History, HistoryEntry, Tally};

/// A point whose content changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointChange {
    /// The point.
    pub point: Point,
    /// The content before.
    pub before: Option<Color>,
    /// The content afterwards.
    pub after: Option<Color>,
}

/// A position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GamePosition {
    /// The number of the last turn, 0 for the initial position.
    pub turn: u32,
    /// The end of the changes that lead to this position.
    pub changes_end: u32,
    /// True if setup leads to this position.
    pub is_setup: bool,
}

/// The last turn of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MatchEnd {
    /// The number of the turn.
    pub turn: u32,
    /// True if setup changes the position after this turn.
    pub is_by_setup: bool,
}

impl MatchEnd {
    /// Returns the end of a match that `position` no longer satisfies.
    pub(super) fn before(position: &GamePosition) -> MatchEnd {
        let turn = if position.is_setup { position.turn } else { position.turn.saturating_sub(1) };
        MatchEnd { turn, is_by_setup: position.is_setup }
    }
}

/// The positions of a game in order. The first one is the initial position after its setup.
#[derive(Default)]
pub(super) struct Timeline {
    changes: Vec<PointChange>,
    /// The positions in order.
    pub(super) positions: Vec<GamePosition>,
    /// The number of setup steps before the first turn.
    leading_setups: usize,
    /// The index of the step of each turn, if setup lies between turns.
    turn_steps: Vec<u32>,
    /// The last turn that the replay made or skipped.
    pub(super) last_turn: u32,
    /// The position before the changes of the last observed position.
    position_before: Option<Position>,
}

impl Timeline {
    /// Returns the number of setup steps before the first turn, or `None` if there are others.
    pub(super) fn leading_setups(record: &GameRecord) -> Option<usize> {
        if record.setups.is_empty() {
            return Some(0);
        }
        let is_setup = |step: &Step| matches!(step.kind, StepKind::Setup(_));
        let leading = record.steps.iter().take_while(|step| is_setup(step)).count();
        (!record.steps[leading..].iter().any(is_setup)).then_some(leading)
    }

    /// Reads the positions of a game that has no setup after its first turn.
    pub(super) fn read_history(
        &mut self,
        record: &GameRecord,
        leading_setups: usize,
        history: &History,
        tally: &Tally,
    ) {
        self.clear(tally);
        self.leading_setups = leading_setups;
        if leading_setups > 0 {
            self.add_initial_stones(record);
        }
        self.end_position(0, true);
        for (index, entry) in history.entries().iter().enumerate().skip(1) {
            if let (Some(point), Some(color)) = (entry.point, entry.left_by) {
                self.add_play(point, color, entry, history.removed_stones(index));
            }
            self.end_position(entry.turn, false);
        }
    }

    /// Adds the changes of a play, each point once. Suicide removes the played stone as well.
    fn add_play(&mut self, point: Point, color: Color, entry: &HistoryEntry, removed: &[Point]) {
        let is_suicide = entry.lost[color.index()] > 0;
        let after = if is_suicide { None } else { Some(color) };
        if entry.replaced != after {
            self.changes.push(PointChange { point, before: entry.replaced, after });
        }
        let lost = Some(if is_suicide { color } else { color.opponent() });
        let others = removed.iter().filter(|removed| **removed != point);
        self.changes.extend(others.map(|&point| PointChange { point, before: lost, after: None }));
    }

    /// Adds the stones of the initial setup.
    fn add_initial_stones(&mut self, record: &GameRecord) {
        let size = record.header.size;
        let mut position = Position::new(size);
        for step in &record.steps[..self.leading_setups] {
            if let StepKind::Setup(setup) = step.kind {
                let stones = &record.setup(setup).stones;
                position.place(stones.iter().copied().filter(|(point, _)| size.contains(*point)));
            }
        }
        self.add_differences(&Position::new(size), &position);
    }

    /// Starts a timeline that [`Timeline::observe`] fills.
    pub(super) fn start(&mut self, record: &GameRecord) {
        self.clear(&Tally::default());
        let turns = record.steps.iter().enumerate().filter(|(_, step)| matches!(step.kind, StepKind::Turn(..)));
        self.turn_steps = turns.map(|(index, _)| index as u32).collect();
        if record.steps.first().is_none_or(|step| matches!(step.kind, StepKind::Turn(..))) {
            self.end_position(0, true);
        }
    }

    /// Adds the position after a step of any game. `before` is the position before it.
    pub(super) fn observe(&mut self, step: &Step, tally: &Tally, before: &mut Position, after: &Position) {
        let is_setup = matches!(step.kind, StepKind::Setup(_));
        // Consecutive setups lead to one position, and a later one may undo an earlier one.
        if is_setup && self.positions.last().is_some_and(|last| last.is_setup) {
            self.positions.pop();
            self.changes.truncate(self.positions.last().map_or(0, |last| last.changes_end as usize));
        } else {
            self.position_before = Some(before.clone());
        }
        before.clone_from(after);
        if let Some(start) = self.position_before.take() {
            self.add_differences(&start, after);
            self.position_before = Some(start);
        }
        self.end_position(tally.turns, is_setup);
    }

    /// Ends a timeline with the counts of the replay.
    pub(super) fn close(&mut self, tally: &Tally) {
        self.last_turn = last_turn(tally);
    }

    fn clear(&mut self, tally: &Tally) {
        self.changes.clear();
        self.positions.clear();
        self.turn_steps.clear();
        (self.leading_setups, self.last_turn) = (0, last_turn(tally));
    }

    fn add_differences(&mut self, before: &Position, after: &Position) {
        for point in after.size().iter() {
            let (before, after) = (before.stone(point), after.stone(point));
            if before != after {
                self.changes.push(PointChange { point, before, after });
            }
        }
    }

    fn end_position(&mut self, turn: u32, is_setup: bool) {
        self.positions.push(GamePosition { turn, changes_end: self.changes.len() as u32, is_setup });
    }

    /// Returns the changes that lead to a position from the one before it.
    #[inline]
    pub(super) fn changes(&self, index: usize) -> &[PointChange] {
        let start = index.checked_sub(1).map_or(0, |previous| self.positions[previous].changes_end);
        &self.changes[start as usize..self.positions[index].changes_end as usize]
    }

    /// Returns the player and the place of a turn, if the record contains it.
    pub(super) fn turn(&self, record: &GameRecord, number: u32) -> Option<(Color, Coordinates)> {
        let index = number.checked_sub(1)? as usize;
        let step = match self.turn_steps.get(index) {
            Some(step) => *step as usize,
            None if self.turn_steps.is_empty() => self.leading_setups + index,
            None => return None,
        };
        record.steps.get(step)?.turn()
    }
}

/// Returns the last turn that a replay has made or skipped.
fn last_turn(tally: &Tally) -> u32 {
    tally.stopped_at.map_or(tally.turns, |turn| turn.saturating_sub(1))
}

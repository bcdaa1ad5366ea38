//! Replay of a record with one typing error reversed.

use super::relevance::Relevance;
use super::typo::{Turn, Typo, Violation, point_of, turns_in};
use jigo_record::{Coordinates, GameRecord, StepKind};
use jigo_rules::board::{BoardSize, Color, Mark, Picture, Point, Position};

/// The number of turns between two stored positions. A replay starts at the last stored position
/// before the changed turn.
const SNAPSHOT_INTERVAL: usize = 8;
/// The number of lines that are drawn around the points of a correction.
const MARGIN: u8 = 3;

/// A record with stored positions, up to the first turn that breaks a rule.
pub(super) struct Trial {
    pub size: BoardSize,
    pub turns: Vec<Turn>,
    /// The first faulty turn, from 0: out of order, without a point on the board, on a stone, a
    /// suicide, or an immediate recapture of a ko.
    pub fault: Option<usize>,
    /// The kind of fault.
    violation: Option<Violation>,
    relevance: Relevance,
    /// The positions before turns 0, [`SNAPSHOT_INTERVAL`] and so on.
    snapshots: Vec<State>,
}

/// A position with the facts about earlier turns that the rules need.
#[derive(Clone)]
pub(super) struct State {
    pub position: Position,
    last: Option<Color>,
    /// The number of turns left that give the handicap, in any order.
    handicap_turns: u32,
    /// If the last play captured one stone: the captured point and the played point.
    ko: Option<(Point, Point)>,
    captured: Vec<Point>,
}

impl State {
    /// Makes a turn. Returns the number of captured stones, or the rule that the turn breaks.
    pub(super) fn make_turn(&mut self, turn: Turn) -> Result<u32, Violation> {
        let (color, target) = turn;
        if self.last == Some(color) && self.handicap_turns == 0 {
            return Err(Violation::Color);
        }
        self.handicap_turns = self.handicap_turns.saturating_sub(1);
        self.last = Some(color);
        let ko = self.ko.take();
        let point = match target {
            Coordinates::Play(point) => point,
            Coordinates::Pass => return Ok(0),
            Coordinates::OffBoard(_) | Coordinates::Unreadable(_) => return Err(Violation::OffBoard),
        };
        if self.position.stone(point).is_some() {
            return Err(Violation::Occupied);
        }
        self.captured.clear();
        let played = self.position.play(color, point, &mut self.captured);
        if played.suicide > 0 {
            return Err(Violation::Suicide);
        }
        if let [captured] = *self.captured.as_slice() {
            if ko == Some((point, captured)) {
                return Err(Violation::Ko);
            }
            self.ko = Some((captured, point));
        }
        Ok(played.captured)
    }
}

impl Trial {
    /// Returns `None` if the record sets up stones between turns.
    pub(super) fn new(record: &GameRecord) -> Option<Trial> {
        let turns = turns_in(record)?;
        let size = record.header.size;
        let mut position = Position::new(size);
        for step in &record.steps {
            let StepKind::Setup(setup) = step.kind else { break };
            let stones = record.setup(setup).stones.iter().copied().filter(|(point, _)| size.contains(*point));
            position.place(stones);
        }
        let handicap_turns = record.handicap().turns;
        let mut state = State { position, last: None, handicap_turns, ko: None, captured: Vec::new() };
        let (mut snapshots, mut fault, mut violation, mut relevance) = (Vec::new(), None, None, Relevance::new(size));
        for (index, turn) in turns.iter().enumerate() {
            if index.is_multiple_of(SNAPSHOT_INTERVAL) {
                snapshots.push(state.clone());
            }
            relevance.before(&state.position, *turn);
            let outcome = state.make_turn(*turn);
            if matches!(outcome, Ok(1..) | Err(Violation::Ko)) {
                relevance.after(&state.position, turn.1, &state.captured);
            } else if outcome.is_ok() {
                relevance.after(&state.position, turn.1, &[]);
            }
            if let Err(violation_found) = outcome {
                (fault, violation) = (Some(index), Some(violation_found));
                break;
            }
        }
        Some(Trial { size, turns, fault, violation, relevance, snapshots })
    }

    /// Returns the position before a turn (from 0), which must not be after the fault.
    pub(super) fn before(&self, turn: usize) -> State {
        let snapshot_index = (turn / SNAPSHOT_INTERVAL).min(self.snapshots.len() - 1);
        let mut state = self.snapshots[snapshot_index].clone();
        for turn in &self.turns[snapshot_index * SNAPSHOT_INTERVAL..turn] {
            // The constructor has already made these turns without a fault.
            let _ = state.make_turn(*turn);
        }
        state
    }

    /// Returns false if the correction certainly leaves the fault, which is true for most
    /// candidates.
    ///
    /// `before` is the position before the first changed turn.
    pub(super) fn can_be_legal(&self, typo: Typo, before: &State) -> bool {
        let (Typo::Point { turn, to }, Some(fault), Some(violation)) = (typo, self.fault, self.violation) else {
            return true;
        };
        let index = turn as usize - 1;
        let is_free = before.position.stone(to).is_none();
        is_free
            && self.relevance.can_fix(index, self.turns[index], to, (violation, self.turns[fault]), &before.position)
    }

    /// Returns true if the record is legal from the first turn to the last with this correction.
    ///
    /// `remaining_turns` is the number of turns that may still be replayed.
    pub(super) fn is_legal(&self, typo: Typo, before: &State, remaining_turns: &mut usize) -> bool {
        let Some(first) = first_changed_turn(typo) else { return false };
        let mut state = before.clone();
        corrected_turns(&self.turns, typo, first).all(|turn| {
            *remaining_turns = remaining_turns.saturating_sub(1);
            *remaining_turns > 0 && state.make_turn(turn).is_ok()
        })
    }

    /// Returns the position before the first changed turn, and the next turns with the stones that
    /// each captures, at most `max_turns` of them.
    pub(super) fn replay(&self, typo: Typo, max_turns: usize) -> (State, Vec<(Turn, u32)>) {
        let first = first_changed_turn(typo).unwrap_or_default();
        let before = self.before(first);
        let mut state = before.clone();
        let turns = corrected_turns(&self.turns, typo, first).take(max_turns);
        let captured = turns.map_while(|turn| state.make_turn(turn).ok().map(|count| (turn, count))).collect();
        (before, captured)
    }

    /// Draws the board around the corrected turn, after it. The turn is marked as the last one, and
    /// the recorded point of a wrong turn as a finding.
    pub(super) fn picture(&self, typo: Typo) -> Picture {
        let first = first_changed_turn(typo).unwrap_or_default();
        let mut state = self.before(first);
        let (corrected_count, is_wrong) = match typo {
            Typo::Extra { .. } => (0, true),
            Typo::Point { .. } => (1, true),
            Typo::Missing { .. } | Typo::Color { .. } => (1, false),
            Typo::Swapped { .. } => (2, false),
        };
        let recorded = point_of(self.turns.get(first)).filter(|_| is_wrong);
        let mut points: Vec<Point> = Vec::new();
        for turn in corrected_turns(&self.turns, typo, first).take(corrected_count) {
            // A listed correction is legal.
            let _ = state.make_turn(turn);
            points.extend(point_of(Some(&turn)));
        }
        let mut picture = Picture::from_position(&state.position);
        points.last().into_iter().for_each(|point| picture.mark(*point, Mark::Last));
        recorded.into_iter().for_each(|point| picture.mark(point, Mark::Finding));
        points.extend(recorded);
        picture.crop(&points, MARGIN);
        picture
    }
}

/// Returns the first turn, from 0, that the correction changes.
pub(super) fn first_changed_turn(typo: Typo) -> Option<usize> {
    (typo.turn() as usize).checked_sub(1)
}

/// Returns the turns from `first` on with the typing error reversed.
fn corrected_turns(turns: &[Turn], typo: Typo, first: usize) -> impl Iterator<Item = Turn> + '_ {
    let here = turns.get(first).copied();
    let next = turns.get(first + 1).copied();
    let with_target = |turn: Option<Turn>, target: Coordinates| turn.map(|(color, _)| (color, target));
    let (changed, skipped): ([Option<Turn>; 2], usize) = match typo {
        Typo::Point { to, .. } => ([with_target(here, Coordinates::Play(to)), None], 1),
        Typo::Swapped { .. } => match (here, next) {
            // If the colours alternate, only the points are exchanged; otherwise the whole nodes.
            (Some((color, target)), Some((next_color, next_target))) => {
                let is_in_order = first == 0 || turns[first - 1].0 != color;
                let (first_color, second_color) = if is_in_order { (color, next_color) } else { (next_color, color) };
                ([Some((first_color, next_target)), Some((second_color, target))], 2)
            }
            _ => ([here, None], 1),
        },
        Typo::Missing { point, .. } => {
            let target = point.map_or(Coordinates::Pass, Coordinates::Play);
            ([here.map(|(color, _)| (color.opponent(), target)), None], 0)
        }
        Typo::Extra { .. } => ([None, None], 1),
        Typo::Color { .. } => ([here.map(|(color, target)| (color.opponent(), target)), None], 1),
    };
    changed.into_iter().flatten().chain(turns[(first + skipped).min(turns.len())..].iter().copied())
}

#[cfg(test)]
mod tests {
    use super::super::candidates::stages;
    use super::*;
    use jigo_rules::board::hash::split_mix;

    /// Returns a legal game on a small board whose last turn breaks a rule.
    fn with_fault(seed: &mut u64) -> Option<Trial> {
        let mut below = |below: usize| (split_mix(seed) >> 20) as usize % below;
        let size = BoardSize::new(3 + below(5) as u8, 3 + below(4) as u8)?;
        let position = Position::new(size);
        let mut record = GameRecord::default();
        record.header.size = size;
        let points: Vec<Point> = size.iter().collect();
        let mut state = State { position, last: None, handicap_turns: 0, ko: None, captured: Vec::new() };
        let (mut color, turn_count) = (Color::Black, 5 + below(60));
        let mut made_turns = 0;
        for _ in 0..400 {
            let random = points[below(points.len())];
            let ko = state.ko.filter(|_| made_turns >= 5 && below(4) == 0).map(|(point, _)| point);
            let turn = (color, Coordinates::Play(ko.unwrap_or(random)));
            let mut next = state.clone();
            let outcome = next.make_turn(turn);
            let is_legal = outcome.is_ok();
            if is_legal && made_turns < turn_count {
                state = next;
            } else if is_legal || (made_turns < turn_count && outcome != Err(Violation::Ko)) {
                continue;
            }
            made_turns += 1;
            let Coordinates::Play(point) = turn.1 else { continue };
            let step_kind = StepKind::Turn(color, Coordinates::Play(point));
            record.steps.push(jigo_record::Step { offset: made_turns as u32, kind: step_kind });
            color = color.opponent();
            if !is_legal {
                return Trial::new(&record);
            }
        }
        None
    }

    #[test]
    fn rejected_candidates_leave_the_fault() {
        let (mut seed, mut rejected, mut legal) = (3, 0, 0);
        let mut faults = Vec::new();
        for _ in 0..3000 {
            let Some(trial) = with_fault(&mut seed) else { continue };
            let Some(fault) = trial.fault else { panic!("it has a fault") };
            faults.extend(trial.violation);
            for typo in stages(&trial, fault).into_iter().flatten() {
                let before = trial.before(typo.turn() as usize - 1);
                let is_legal = trial.is_legal(typo, &before, &mut usize::MAX.clone());
                let can_be = trial.can_be_legal(typo, &before);
                assert!(can_be || !is_legal, "{typo:?} {:?} {:?} {:?}", trial.size, trial.violation, trial.turns);
                legal += u32::from(is_legal);
                rejected += u32::from(!can_be);
            }
        }
        for kind in [Violation::Occupied, Violation::Ko, Violation::Suicide] {
            assert!(faults.iter().filter(|found| **found == kind).count() > 20, "{kind:?}");
        }
        assert!(legal > 10_000 && rejected > 100_000, "{legal} {rejected}");
    }
}

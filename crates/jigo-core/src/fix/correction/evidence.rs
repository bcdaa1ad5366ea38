//! Evidence for a correction.

use super::trial::Trial;
use super::typo::{Correction, Turn, Typo, point_of};
use jigo_record::Coordinates;
use jigo_rules::board::{Color, Point, Position};

/// The number of turns after the typing error that are examined.
const EXAMINED_TURNS: usize = 400;
/// The turns near which a turn is usually played, counted from it, with the weight of each.
const AROUND: [(isize, f32); 4] = [(-2, 1.0), (-1, 1.0), (1, 1.3), (2, 0.6)];
/// The weight of a wrong turn that is also the fault. A wrong stone often remains until its own
/// point, or the point where it belongs, is played on.
const AT_FAULT: f32 = -0.4;

/// Returns a correction with its evidence.
pub(super) fn weigh(trial: &Trial, fault: usize, typo: Typo) -> Correction {
    let mut correction = Correction { typo, evidence: Vec::new(), weight: 0.0, picture: None };
    match typo {
        Typo::Point { turn, to } => add_point_evidence(trial, fault, turn as usize - 1, to, &mut correction),
        Typo::Swapped { turn } => {
            let index = turn as usize - 1;
            let swaps_nodes = index > 0 && trial.turns[index].0 == trial.turns[index - 1].0;
            correction.add(if swaps_nodes { 4.0 } else { -3.0 }, "the colours are in order then");
        }
        Typo::Extra { turn } => {
            let index = turn as usize - 1;
            let is_equal = |other: Option<&Turn>| other == Some(&trial.turns[index]);
            let is_repeated =
                (index > 0 && is_equal(trial.turns.get(index - 1))) || is_equal(trial.turns.get(index + 1));
            if is_repeated {
                correction.add(6.0, "the same turn is next to it");
            }
            // Of two equal turns, the second is removed.
            correction.weight -= if index == fault { 0.0 } else { 0.5 };
        }
        Typo::Missing { point, .. } => {
            correction.add(2.0, "the colours are in order then");
            if let Some(point) = point {
                add_nearness(trial, typo, point, &mut correction);
            }
        }
        Typo::Color { .. } => correction.add(1.0, "the colours are in order then"),
    }
    correction
}

impl Correction {
    fn add(&mut self, weight: f32, reason: &'static str) {
        self.weight += weight;
        self.evidence.push(reason);
    }
}

/// Returns the log probability that a play has this distance from an earlier one. Most plays are
/// adjacent or near.
fn nearness(distance: u8) -> f32 {
    match distance {
        0 | 1 => 0.0,
        2 => -0.2,
        3 => -0.6,
        4 => -1.1,
        5..=6 => -1.6,
        7..=9 => -2.2,
        _ => -2.8,
    }
}

/// Returns the number of steps along lines from one point to another.
fn distance(first: Point, second: Point) -> u8 {
    first.x().abs_diff(second.x()) + first.y().abs_diff(second.y())
}

/// Collects the evidence for another point than the recorded one.
fn add_point_evidence(trial: &Trial, fault: usize, index: usize, to: Point, correction: &mut Correction) {
    let recorded = point_of(trial.turns.get(index));
    let typo = Typo::Point { turn: index as u32 + 1, to };
    let (before, replayed) = trial.replay(typo, EXAMINED_TURNS);
    let color = trial.turns[index].0;
    if let Some((weight, reason)) = recorded.map(|recorded| typo_log_probability(recorded, to)) {
        correction.add(weight, reason);
    }
    let neighbour = |offset: isize| point_of(trial.turns.get(index.checked_add_signed(offset)?));
    let neighbours: Vec<(Point, f32)> =
        AROUND.into_iter().filter_map(|(offset, weight)| Some((neighbour(offset)?, weight))).collect();
    let nearness_sum =
        |point: Point| neighbours.iter().map(|(other, weight)| weight * nearness(distance(point, *other))).sum::<f32>();
    let closer = nearness_sum(to) - recorded.map_or(-4.0, nearness_sum);
    correction.weight += closer;
    if closer > 0.5 {
        correction.evidence.push("the turns before and behind it are nearer");
    }
    add_shape_evidence(&before.position, color, to, recorded, correction);
    if replayed.first().is_some_and(|(_, captured)| *captured > 0) {
        correction.add(1.5, "it captures");
    }
    if index == fault {
        correction.weight += AT_FAULT;
        return;
    }
    if replayed.iter().skip(1).any(|((_, target), _)| *target == Coordinates::Play(to)) {
        correction.add(0.8, "the stone there is replayed later, and the point played on");
    }
}

/// Returns the log probability of the typing error itself, and its kind. Neighbouring points are
/// confused more often than mirror images, and points on a line more often than diagonal ones.
fn typo_log_probability(recorded: Point, to: Point) -> (f32, &'static str) {
    let is_diagonal = recorded.x() != to.x() && recorded.y() != to.y();
    match distance(recorded, to) {
        0 | 1 => (0.0, "it is the next point"),
        2 if is_diagonal => (-2.0, "it is a diagonal point"),
        _ if !is_diagonal => (-1.0, "one letter differs"),
        _ if (recorded.x(), recorded.y()) == (to.y(), to.x()) => (-0.7, "the letters are swapped"),
        _ => (-0.7, "it is the mirrored point"),
    }
}

/// Adds evidence from the surrounding stones: a rescue, an atari, a filled own eye or a self-atari.
fn add_shape_evidence(
    position: &Position,
    color: Color,
    to: Point,
    recorded: Option<Point>,
    correction: &mut Correction,
) {
    let shape_value = |point: Point| shape_value(position, color, point);
    let (corrected_value, recorded_value) = (shape_value(to), recorded.map_or(0.0, shape_value));
    correction.weight += corrected_value - recorded_value;
    if corrected_value - recorded_value > 0.9 {
        correction.evidence.push("it saves or threatens stones, or keeps its own");
    }
}

/// Returns the value of a play for the chains around it.
fn shape_value(position: &Position, color: Color, point: Point) -> f32 {
    if position.stone(point).is_some() {
        return 0.0;
    }
    let mut worth = 0.0;
    let (mut own_stones, mut all_stones) = (0, 0);
    for neighbour in position.neighbours(point) {
        all_stones += 1;
        if let Some(stone) = position.stone(neighbour) {
            let liberties = position.liberties(neighbour, 3).len();
            own_stones += u32::from(stone == color);
            worth += match (stone == color, liberties) {
                (true, 1) => 1.5,
                (false, 1) => 1.5,
                (false, 2) => 0.6,
                (true, 2) => 0.3,
                _ => 0.2,
            };
        }
    }
    let mut next_position = position.clone();
    let played = next_position.play(color, point, &mut Vec::new());
    let is_self_atari = played.captured == 0 && played.suicide == 0 && next_position.liberties(point, 2).len() == 1;
    worth - if own_stones == all_stones { 3.0 } else { 0.0 } - if is_self_atari { 1.5 } else { 0.0 }
}

/// Adds evidence for a missing turn with a known point: its nearness to the adjacent turns.
fn add_nearness(trial: &Trial, typo: Typo, point: Point, correction: &mut Correction) {
    let index = typo.turn() as usize - 1;
    let around = [index.checked_sub(1), Some(index)];
    let neighbours = around.into_iter().flatten().filter_map(|other| point_of(trial.turns.get(other)));
    correction.weight += neighbours.map(|other| nearness(distance(point, other))).sum::<f32>();
}

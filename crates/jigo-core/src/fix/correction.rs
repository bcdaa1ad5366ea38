//! Corrections of a record that breaks the rules at one place: typing errors that explain the
//! fault, with the evidence for each.
//!
//! A stone on an occupied point, a turn out of order or a ko retaken at once usually result from
//! one typing error, often many turns before the fault. The search reverses every likely typing
//! error in turn and replays the record. Corrections that make the whole record legal are
//! candidates. Two facts about real games rank them: most turns are near the previous ones, and
//! most are answered nearby.

mod candidates;
mod evidence;
mod relevance;
mod text;
mod trial;

pub use text::{at_the_end, edits, passes};

use jigo_record::{GameRecord, StepKind};
use jigo_rules::board::{Color, Point};
use trial::{State, Trial};

/// The maximum number of typing errors that the search tries, and of turns that it replays for
/// them.
const MAX_TRIALS: usize = 20_000;
const MAX_REPLAYED: usize = 1_000_000;
/// The maximum number of listed corrections.
const MAX_LISTED: usize = 12;

/// A typing error in a record. Turns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Typo {
    /// A turn with a wrong point.
    Point {
        /// The turn.
        turn: u32,
        /// The intended point.
        to: Point,
    },
    /// A turn and its successor in the wrong order.
    Swapped {
        /// The first of the two.
        turn: u32,
    },
    /// A missing turn.
    Missing {
        /// The turn after the missing one.
        before: u32,
        /// Its point, if exactly one makes the record legal; `None` if it is unknown.
        point: Option<Point>,
    },
    /// A turn that was not played, usually a repetition of the previous one.
    Extra {
        /// The turn.
        turn: u32,
    },
    /// A turn with the wrong colour.
    Color {
        /// The turn.
        turn: u32,
    },
}

impl Typo {
    /// Returns the turn of the record that contains the error, from 1.
    pub fn turn(self) -> u32 {
        match self {
            Typo::Point { turn, .. } | Typo::Swapped { turn } | Typo::Extra { turn } | Typo::Color { turn } => turn,
            Typo::Missing { before, .. } => before,
        }
    }

    /// Returns a short description.
    pub fn name(self) -> &'static str {
        match self {
            Typo::Point { .. } => "another point",
            Typo::Swapped { .. } => "two turns swapped",
            Typo::Missing { .. } => "a turn missing",
            Typo::Extra { .. } => "a turn too many",
            Typo::Color { .. } => "the other colour",
        }
    }
}

/// A correction that makes the whole record legal.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The typing error that it reverses.
    pub typo: Typo,
    /// The evidence for it.
    pub evidence: Vec<&'static str>,
    /// The strength of the evidence, as a natural logarithm: a difference of 1 means a factor of
    /// 2.7.
    pub weight: f32,
}

/// Returns the turn of the fault, from 1, and the corrections, the likeliest first.
///
/// Returns `None` if the record breaks no rules, or sets up stones between turns.
pub fn suggest(record: &GameRecord) -> Option<(u32, Vec<Correction>)> {
    let trial = Trial::new(record)?;
    let fault = trial.fault?;
    let (mut trials, mut replayed) = (MAX_TRIALS, MAX_REPLAYED);
    let mut corrections: Vec<Correction> = Vec::new();
    // Errors of one turn are tried in succession, so its position is computed once. The position is
    // large.
    let mut before: Option<(u32, Box<State>)> = None;
    for stage in candidates::stages(&trial, fault) {
        for typo in stage {
            if trials == 0 || replayed == 0 {
                break;
            }
            trials -= 1;
            let turn = typo.turn();
            let (_, state) = match before.take().filter(|(cached_turn, _)| *cached_turn == turn) {
                Some(cached_turn) => before.insert(cached_turn),
                None => before.insert((turn, Box::new(trial.before(turn as usize - 1)))),
            };
            if trial.can_be_legal(typo, state) && trial.is_legal(typo, state, &mut replayed) {
                corrections.push(evidence::weigh(&trial, fault, typo));
            }
        }
        if !corrections.is_empty() {
            break;
        }
    }
    corrections.sort_by(|first, second| second.weight.total_cmp(&first.weight));
    corrections.truncate(MAX_LISTED);
    Some((fault as u32 + 1, corrections))
}

/// A turn: its colour and place.
type Turn = (Color, Target);

/// The place of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Point(Point),
    Pass,
    /// Off the board or unreadable.
    Invalid,
}

/// Returns the turns of a record, or `None` if it sets up stones after the first turn.
fn turns_in(record: &GameRecord) -> Option<Vec<Turn>> {
    use jigo_record::Coordinates;
    let mut turns = Vec::with_capacity(record.steps.len());
    for step in &record.steps {
        match step.kind {
            StepKind::Turn(color, coordinates) => turns.push((
                color,
                match coordinates {
                    Coordinates::Play(point) => Target::Point(point),
                    Coordinates::Pass => Target::Pass,
                    Coordinates::OffBoard(_) | Coordinates::Unreadable(_) => Target::Invalid,
                },
            )),
            StepKind::Setup(_) if turns.is_empty() => {}
            StepKind::Setup(_) => return None,
        }
    }
    Some(turns)
}

//! Readings of a record that breaks the rules at one place: which slip of whoever typed it would explain that, and what speaks for it.
//!
//! A stone on an occupied point, a turn out of order or a ko retaken at once mostly come from one typing error, which may stand long before the turn where it
//! shows. Every likely slip is undone in turn and the record replayed: those after which all of it is legal are readings. They are ranked by
//! what is known of games: most turns are played near the last ones, and answered nearby.

mod candidates;
mod evidence;
mod reach;
mod text;
mod trial;

pub use text::{at_the_end, edits, passes};

use jigo_record::{GameRecord, StepKind};
use jigo_rules::board::{Color, Point};
use trial::{State, Trial};

/// Slips that the search for readings may look at, and turns that it may replay for them.
const MOST_TRIALS: usize = 20_000;
const MOST_REPLAYED: usize = 1_000_000;
/// Readings that are listed.
const MOST_LISTED: usize = 12;

/// What somebody did when typing a record. Turns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slip {
    /// A turn's point was another one.
    Point {
        /// The turn.
        turn: u32,
        /// The point that was meant.
        to: Point,
    },
    /// A turn and the one behind it stand in the wrong order.
    Swapped {
        /// The first of them.
        turn: u32,
    },
    /// A turn is missing.
    Missing {
        /// The turn behind it.
        before: u32,
        /// Its point, where only one makes the record legal; `None` where nothing says what it was.
        point: Option<Point>,
    },
    /// A turn stands there that was not taken, mostly the one before it once more.
    Extra {
        /// The turn.
        turn: u32,
    },
    /// A turn was the other player's.
    Color {
        /// The turn.
        turn: u32,
    },
}

impl Slip {
    /// The turn of the record that it is about, from 1.
    pub fn turn(self) -> u32 {
        match self {
            Slip::Point { turn, .. } | Slip::Swapped { turn } | Slip::Extra { turn } | Slip::Color { turn } => turn,
            Slip::Missing { before, .. } => before,
        }
    }

    /// What it was, in words.
    pub fn name(self) -> &'static str {
        match self {
            Slip::Point { .. } => "another point",
            Slip::Swapped { .. } => "two turns swapped",
            Slip::Missing { .. } => "a turn missing",
            Slip::Extra { .. } => "a turn too many",
            Slip::Color { .. } => "the other colour",
        }
    }
}

/// A reading that makes the whole record legal.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// What was done wrong.
    pub slip: Slip,
    /// What speaks for it.
    pub evidence: Vec<&'static str>,
    /// How much that is, as a logarithm: readings that differ by 1 are as 1 to 2.7.
    pub weight: f32,
}

/// The readings of a record, the likeliest first, and the turn, from 1, where the rules are broken; `None` where they are not, or where the record
/// sets stones up on the way.
pub fn propose(record: &GameRecord) -> Option<(u32, Vec<Proposal>)> {
    let trial = Trial::new(record)?;
    let fault = trial.fault?;
    let (mut trials, mut replayed) = (MOST_TRIALS, MOST_REPLAYED);
    let mut readings: Vec<Proposal> = Vec::new();
    // Slips of one turn come together, and a position is large.
    let mut before: Option<(u32, Box<State>)> = None;
    for stage in candidates::stages(&trial, fault) {
        for slip in stage {
            if trials == 0 || replayed == 0 {
                break;
            }
            trials -= 1;
            let turn = slip.turn();
            let (_, state) = match before.take().filter(|(known, _)| *known == turn) {
                Some(known) => before.insert(known),
                None => before.insert((turn, Box::new(trial.before(turn as usize - 1)))),
            };
            if trial.can_be_legal(slip, state) && trial.is_legal(slip, state, &mut replayed) {
                readings.push(evidence::weigh(&trial, fault, slip));
            }
        }
        if !readings.is_empty() {
            break;
        }
    }
    readings.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    readings.truncate(MOST_LISTED);
    Some((fault as u32 + 1, readings))
}

/// A turn of a record: whose, and where; `None` where it is a pass.
type TurnOf = (Color, Spot);

/// Where a turn was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    On(Point),
    Pass,
    /// Off the board or unreadable.
    Nowhere,
}

/// The turns of a record in which stones are set up before the first turn only.
fn turns_of(record: &GameRecord) -> Option<Vec<TurnOf>> {
    use jigo_record::Coordinates;
    let mut turns = Vec::with_capacity(record.steps.len());
    for step in &record.steps {
        match step.what {
            StepKind::Turn(color, coordinates) => turns.push((
                color,
                match coordinates {
                    Coordinates::Play(point) => Spot::On(point),
                    Coordinates::Pass => Spot::Pass,
                    Coordinates::OffBoard(_) | Coordinates::Unreadable(_) => Spot::Nowhere,
                },
            )),
            StepKind::Setup(_) if turns.is_empty() => {}
            StepKind::Setup(_) => return None,
        }
    }
    Some(turns)
}

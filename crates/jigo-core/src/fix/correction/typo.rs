//! Turns with typing errors, and the corrections that reverse them.

use jigo_record::{Coordinates, GameRecord};
use jigo_rules::board::{BoardSize, Color, Picture, Point};

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
    /// The board around the corrected turn, after it. `None` for corrections that are not listed.
    pub picture: Option<Picture>,
}

impl Correction {
    /// Describes the correction: `another point at turn 12, E5; it captures`.
    pub fn in_words(&self, size: BoardSize) -> String {
        let point = match self.typo {
            Typo::Point { to: point, .. } | Typo::Missing { point: Some(point), .. } => {
                format!(", {}", point.to_a1(size))
            }
            _ => String::new(),
        };
        let evidence: String = self.evidence.iter().map(|evidence| format!("; {evidence}")).collect();
        format!("{} at turn {}{point}{evidence}", self.typo.name(), self.typo.turn())
    }
}

/// A turn: its colour and place. The place of all turns off the board and unreadable ones is
/// [`INVALID`].
pub(super) type Turn = (Color, Coordinates);

/// The place of a turn without a point on the board.
const INVALID: Coordinates = Coordinates::Unreadable(0);

/// Returns the point of a turn. `None` if there is no such turn, or it has no point.
pub(super) fn point_of(turn: Option<&Turn>) -> Option<Point> {
    match turn?.1 {
        Coordinates::Play(point) => Some(point),
        _ => None,
    }
}

/// Returns the turns of a record, or `None` if it sets up stones after the first turn.
pub(super) fn turns_in(record: &GameRecord) -> Option<Vec<Turn>> {
    let place = |coordinates| match coordinates {
        Coordinates::OffBoard(_) | Coordinates::Unreadable(_) => INVALID,
        place => place,
    };
    let steps = record.steps.iter().skip_while(|step| step.turn().is_none());
    steps.map(|step| step.turn().map(|(color, coordinates)| (color, place(coordinates)))).collect()
}

/// The rule that a turn breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// The turn belongs to the other player.
    Color,
    /// The turn has no point on the board.
    OffBoard,
    /// The point is occupied.
    Occupied,
    /// The play's own chain would have no liberty.
    Suicide,
    /// The play retakes a ko at once.
    Ko,
}

//! The turns of a record, and the rules that they can break.

use jigo_record::{Coordinates, GameRecord, StepKind};
use jigo_rules::board::{Color, Point};

/// A turn: its colour and place.
pub(super) type Turn = (Color, Target);

/// The place of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Point(Point),
    Pass,
    /// Off the board or unreadable.
    Invalid,
}

/// Returns the point of a turn. `None` if there is no such turn, or it has no point.
pub(super) fn point_of(turn: Option<&Turn>) -> Option<Point> {
    match turn {
        Some((_, Target::Point(point))) => Some(*point),
        _ => None,
    }
}

/// Returns the turns of a record, or `None` if it sets up stones after the first turn.
pub(super) fn turns_in(record: &GameRecord) -> Option<Vec<Turn>> {
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

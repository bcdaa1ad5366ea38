//! The turns of a record, and the rules that they can break.

use jigo_record::{Coordinates, GameRecord};
use jigo_rules::board::{Color, Point};

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

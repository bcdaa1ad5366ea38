//! Plays, with the point that the ko rule forbids after them.

use jigo_rules::board::{Color, Point, Position};

/// The effect of a play.
pub(super) struct Played {
    /// The number of own stones that the play removed.
    pub(super) suicide: u32,
    /// The point that the ko rule forbids next.
    pub(super) ko: Option<Point>,
}

/// Plays a stone on an empty point.
pub(super) fn play(position: &mut Position, player: Color, point: Point) -> Played {
    let mut removed = Vec::new();
    let suicide = position.play(player, point, &mut removed).suicide;
    let is_single = position.neighbours(point).all(|neighbour| position.stone(neighbour) != Some(player));
    let is_ko = suicide == 0 && removed.len() == 1 && is_single && position.liberties(point, 2).len() == 1;
    Played { suicide, ko: removed.first().copied().filter(|_| is_ko) }
}

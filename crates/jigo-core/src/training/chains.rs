//! Chains and plays of a position.

use jigo_rules::board::{Color, Point, Position};

/// Returns the stones of the chain at a point.
pub(super) fn chain(position: &Position, point: Point) -> Vec<Point> {
    position.chain(point).collect()
}

/// Returns the liberties of a chain, but not more than four of them.
pub(super) fn liberties(position: &Position, chain: &[Point]) -> Vec<Point> {
    let mut liberties = Vec::with_capacity(4);
    for neighbour in chain.iter().flat_map(|stone| position.neighbours(*stone)) {
        if position.is_empty(neighbour) && !liberties.contains(&neighbour) {
            liberties.push(neighbour);
            if liberties.len() == 4 {
                break;
            }
        }
    }
    liberties
}

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
    let is_ko = suicide == 0 && removed.len() == 1 && is_single && liberties(position, &[point]).len() == 1;
    Played { suicide, ko: removed.first().copied().filter(|_| is_ko) }
}

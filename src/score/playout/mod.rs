//! Dead stones by playouts: random continuations of a final position, and who owns which point at their end.
//!
//! Bruce Wilcox and later Bernd Brügmann ("Monte Carlo Go", 1993) found that the mean owner of a point over random games
//! says whose it is. Here the continuations are less random (see [`policy`]), chains whose life is beyond doubt are
//! left out, and playouts go on only as long as some chain is in doubt. Integers decide everything, and the seed is the
//! position's hash, so the same position has the same estimate on every machine.

mod board;
mod cells;
mod policy;
mod search;
mod tally;

use super::settled::{PassAlive, pass_alive};
use crate::board::{Color, Point, Position};
use board::cells_of;
use tally::Tally;

/// What playouts say of a final position.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The dead stones of both colours, in the order of points.
    pub dead: Vec<Point>,
    /// How probable it is that a count under these dead stones is the right one, from 0 to 1.
    pub confidence: f32,
    /// For each point of the board, row by row, its mean owner: 100 is Black's in every playout, -100 White's.
    pub ownership: Vec<i8>,
    /// Stones whose status the playouts leave open, in the order of points: what is counted otherwise when all of one
    /// colour live and all of the other die is the range in which the margin lies.
    pub doubtful: Vec<Point>,
    /// scratch
    pub feats: String,
}

/// Estimates which stones of a finished position are dead. `next` is who would have the next turn.
pub fn estimate(position: &Position, next: Color) -> Estimate {
    let settled = Color::BOTH.map(|color| pass_alive(position, color, false));
    // 19x19 needs 421 cells, 52x52 needs 2,863; smaller sets are faster.
    match cells_of(position.size()).div_ceil(64) {
        0..=2 => estimate_with::<2>(position, next, &settled),
        3..=7 => estimate_with::<7>(position, next, &settled),
        _ => estimate_with::<45>(position, next, &settled),
    }
}

fn estimate_with<const W: usize>(position: &Position, next: Color, settled: &[PassAlive; 2]) -> Estimate {
    let mut tally = Tally::<W>::new(position, settled);
    tally.play(next);
    tally.search(next);
    tally.estimate(position, settled)
}

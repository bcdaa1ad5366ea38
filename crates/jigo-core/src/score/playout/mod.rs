//! Dead stones by playouts: random continuations of a final position, and who owns which point at their end.
//!
//! That the mean owner of a point over random games says whose it is goes back to B. Abramson ("Expected-Outcome", 1990)
//! and B. Brügmann ("Monte Carlo Go", 1993). Here the continuations are less random (`policy.rs`), what is pass-alive stays
//! out of them, those that end far from even count for less (`prior.rs`), they go on only as long as some chain is undecided,
//! and where they leave a chain in doubt a tree search around it (`search.rs`) looks ahead. A few shapes are ruled dead as they
//! stand (`shape.rs`), and of the two hypotheses about a group that is still in doubt the one with the closer game has the odds with it
//! (`hypotheses.rs`). Nothing but the stones and who is to move decides, and the seed is the position's hash: the same
//! position has the same estimate on every machine and whatever the record says of the result.

mod board;
mod confidence;
mod hypotheses;
mod ownership;
mod policy;
mod prior;
mod race;
mod refusal;
mod search;
mod shape;
mod zone;

use super::dead::OPEN;
use super::evaluation::PESSIMISM;
use super::grid::with_words;
use super::known::Known;
use crate::board::{Color, Point, Position};
use crate::budget::Budget;
use confidence::{confidence, decided, is_open};
use hypotheses::weigh_hypotheses;
use ownership::{DOUBTFUL, Ownership};
pub(super) use race::Race;

/// What playouts say of a final position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The dead stones of both colours, in the order of points.
    pub dead: Vec<Point>,
    /// How probable it is that these are the dead stones the players agree on, from 0 to 1. It follows from the chain
    /// nearest to being both dead and alive, and was calibrated on recorded margins; where much of the board is still open,
    /// it is 0.1 at most.
    pub confidence: f32,
    /// How decided the least decided chain is, from 0 to 100: what the confidence follows from.
    pub decided: u8,
    /// The stones, dead or alive, whose status is open, in the order of points. Counted once with all of Black's alive
    /// and all of White's dead and once the other way round, they give the range in which the margin lies.
    pub doubtful: Vec<Point>,
    /// Whether more of the board is nobody's yet than players leave when they stop.
    pub is_open: bool,
}

/// Estimates which stones of a finished position are dead. `next` is who would have the next turn.
///
/// It does not judge seki: stones that neither side can take come out alive.
///
/// ```
/// use jigo_core::{Color, diagram, estimate};
///
/// let wall = "O O O X X X X\n. O O X . X .\nO O O X X X X\n. O O X X . X";
/// let estimate = estimate(&diagram::read(wall).unwrap(), Color::Black);
/// assert!(estimate.dead.is_empty() && estimate.confidence > 0.9);
/// ```
pub fn estimate(position: &Position, next: Color) -> Estimate {
    estimate_on(position, next, &Known::proved(position), &Budget::default())
}

/// The same of what is not known, as long as there is budget; `None` once there is none.
pub(super) fn estimate_within(position: &Position, next: Color, known: &Known, budget: &Budget) -> Option<Estimate> {
    let estimate = estimate_on(position, next, known, budget);
    (!budget.is_spent()).then_some(estimate)
}

fn estimate_on(position: &Position, next: Color, known: &Known, budget: &Budget) -> Estimate {
    with_words!(position.size(), estimate_with, position, next, known, budget)
}

/// Cut short by the budget, the playouts say little, and nobody listens.
fn estimate_with<const W: usize>(position: &Position, next: Color, known: &Known, budget: &Budget) -> Estimate {
    let mut ownership = Ownership::<W>::new(position, known, budget);
    ownership.play(next);
    let is_open = is_open(position.size().points(), ownership.open_points());
    let mut dead = known.dead.iter().collect::<Vec<_>>();
    // Search takes the most time on a board that is open, of which nobody believes what it finds.
    if !is_open {
        ownership.search(next);
    }
    ownership.add_odds();
    ownership.judge_shapes();
    if !is_open {
        weigh_hypotheses(&mut ownership, position, &dead, next);
    }
    let mut doubtful = Vec::new();
    let mut least_decided = 100;
    for chain in ownership.heads() {
        let status = ownership.status(chain);
        least_decided = least_decided.min(decided(status, ownership.stones(chain)));
        if status < 0 {
            dead.extend(ownership.points(chain));
        }
        if status.abs() < DOUBTFUL {
            doubtful.extend(ownership.points(chain));
        }
    }
    dead.sort_unstable();
    doubtful.sort_unstable();
    let most = if is_open { OPEN } else { 1.0 };
    let right = (1.0 - known.doubt / PESSIMISM) * confidence(least_decided);
    Estimate { dead, confidence: right.min(most), decided: least_decided as u8, doubtful, is_open }
}

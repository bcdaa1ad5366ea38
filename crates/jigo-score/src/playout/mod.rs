//! Dead stones by playouts: random continuations of a final position, with the owner of each point
//! at their end.
//!
//! The mean owner of a point over random games as its estimated owner goes back to B. Abramson
//! ("Expected-Outcome", 1990) and B. Brügmann ("Monte Carlo Go", 1993). This implementation differs
//! in several ways:
//! - The continuations are less random (`policy.rs`).
//! - Pass-alive chains and their territory take no part in them.
//! - Continuations that end far from even have less weight (`prior.rs`).
//! - Playouts stop as soon as every chain is decided.
//! - A tree search examines the surroundings of chains in doubt (`search.rs`).
//! - Some shapes are declared dead without play (`nakade.rs`).
//! - Of two hypotheses about a group still in doubt, the one with the closer game is more probable
//!   (`hypotheses.rs`).
//!
//! Only the stones and the player to move matter, and the seed is the hash of the position. So a
//! position has the same estimate on every machine, independent of the recorded result.

mod board;
mod confidence;
mod hypotheses;
mod ownership;
mod policy;
mod prior;
mod reinforcement;
mod move_filter;
mod search;
pub(super) mod nakade;
mod zone;

use super::evaluation::PESSIMISM;
use super::playout_input::PlayoutInput;
use crate::shape::grid::with_words;
pub(crate) use confidence::OPEN_BOARD_CONFIDENCE;
use confidence::{confidence, decision_degree, is_open};
use hypotheses::weigh_hypotheses;
use jigo_rules::board::{Color, Point, Position};
use jigo_rules::budget::Budget;
use ownership::{DOUBTFUL, Ownership};
pub(super) use reinforcement::forces_reinforcement;

/// The playouts' estimate for a final position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The dead stones of both colours, in the order of points.
    pub dead: Vec<Point>,
    /// Probability, from 0 to 1, that the players agree on these dead stones.
    ///
    /// It follows from the least decided chain and was calibrated on recorded margins. For an open
    /// board it is at most 0.1.
    pub confidence: f32,
    /// Degree of decision of the least decided chain, from 0 to 100. The confidence follows from
    /// it.
    pub decision_degree: u8,
    /// Stones in doubt, in the order of points.
    ///
    /// Two counts give the range of the margin: one with Black's stones of this list alive and
    /// White's dead, and one with the opposite statuses.
    pub doubtful: Vec<Point>,
    /// True if more points are open than players leave at the end.
    pub is_open: bool,
}

/// Estimates the dead stones of a finished position. `next` is the player to move.
///
/// The function does not detect seki: stones that neither side can capture count as alive.
///
/// ```
/// use jigo_rules::{Color, diagram};
/// use jigo_score::estimate;
///
/// let wall = "O O O X X X X\n. O O X . X .\nO O O X X X X\n. O O X X . X";
/// let estimate = estimate(&diagram::read(wall).unwrap(), Color::Black);
/// assert!(estimate.dead.is_empty() && estimate.confidence > 0.9);
/// ```
pub fn estimate(position: &Position, next: Color) -> Estimate {
    estimate_rest(position, next, &PlayoutInput::from_proofs(position), &Budget::default())
}

/// Estimates the stones that `input` does not contain. The result is useless if the budget runs out,
/// so callers check the budget.
pub(super) fn estimate_rest(position: &Position, next: Color, input: &PlayoutInput, budget: &Budget) -> Estimate {
    with_words!(position.size(), estimate_with, position, next, input, budget)
}

fn estimate_with<const W: usize>(position: &Position, next: Color, input: &PlayoutInput, budget: &Budget) -> Estimate {
    let mut ownership = Ownership::<W>::new(position, input, budget);
    ownership.play(next);
    let is_open = is_open(position.size().points(), ownership.open_points());
    let mut dead = input.dead.iter().collect::<Vec<_>>();
    // Search takes the longest on open boards, and its results are unreliable there.
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
        least_decided = least_decided.min(decision_degree(status, ownership.stones(chain)));
        if status < 0 {
            dead.extend(ownership.points(chain));
        }
        if status.abs() < DOUBTFUL {
            doubtful.extend(ownership.points(chain));
        }
    }
    dead.sort_unstable();
    doubtful.sort_unstable();
    let max_confidence = if is_open { OPEN_BOARD_CONFIDENCE } else { 1.0 };
    let probability = (1.0 - input.doubt / PESSIMISM) * confidence(least_decided);
    Estimate {
        dead,
        confidence: probability.min(max_confidence),
        decision_degree: least_decided as u8,
        doubtful,
        is_open,
    }
}

//! Results of playouts alone on counted games, for comparing values of the playouts' constants
//! (`fit/vary`).

use std::iter::Sum;
use std::ops::Add;

use jigo_score::playout::estimate;

use crate::training_data::{LabelledEnding, map_parallel};

/// Smallest high confidence.
const HIGH_CONFIDENCE: f32 = 0.9;

/// Numbers of games with correct results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    margins: usize,
    winners: usize,
    confident: usize,
    confident_margins: usize,
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            margins: self.margins + other.margins,
            winners: self.winners + other.winners,
            confident: self.confident + other.confident,
            confident_margins: self.confident_margins + other.confident_margins,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), Tally::add)
    }
}

/// Prints the numbers of games with the recorded margin and the recorded winner.
///
/// The last number covers the games with a high confidence.
pub fn print_playouts_only(endings: &[LabelledEnding]) {
    let Tally { margins, winners, confident, confident_margins } = map_parallel(endings, tally).into_iter().sum();
    let games = endings.len();
    println!(
        "{games} games by playouts alone: {margins} margins, {winners} winners; {confident} of {HIGH_CONFIDENCE} and more, {confident_margins} margins"
    );
}

/// Estimates one ending with the present code, by playouts alone.
///
/// The label of the ending is not used, because other code may have made it.
fn tally(labelled: &LabelledEnding) -> Tally {
    let ending = &labelled.ending;
    let result = estimate(&ending.position, ending.next);
    let lead = ending.lead(&result.dead);
    let is_margin = usize::from(lead == ending.facts.recorded);
    let is_confident = usize::from(result.confidence >= HIGH_CONFIDENCE);
    Tally {
        margins: is_margin,
        winners: ending.facts.has_recorded_winner(lead).into(),
        confident: is_confident,
        confident_margins: is_margin * is_confident,
    }
}

//! Results of playouts alone on counted games, for comparing values of the playouts' constants
//! (`fit/vary`).

use std::iter::Sum;
use std::ops::Add;

use jigo_core::score::playout::estimate;

use crate::labelled::{LabelledEnding, map_parallel};

/// Smallest high confidence.
const SURE: f32 = 0.9;

/// Numbers of games with correct results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    margins: usize,
    winners: usize,
    sure: usize,
    sure_margins: usize,
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            margins: self.margins + other.margins,
            winners: self.winners + other.winners,
            sure: self.sure + other.sure,
            sure_margins: self.sure_margins + other.sure_margins,
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
pub fn alone(endings: &[LabelledEnding]) {
    let Tally { margins, winners, sure, sure_margins } = map_parallel(endings, tally).into_iter().sum();
    let games = endings.len();
    println!(
        "{games} games by playouts alone: {margins} margins, {winners} winners; {sure} of {SURE} and more, {sure_margins} margins"
    );
}

/// Estimates one ending with the present code, by playouts alone.
///
/// The label of the ending is not used, because other code may have made it.
fn tally(labelled: &LabelledEnding) -> Tally {
    let ending = &labelled.ending;
    let found = estimate(&ending.position, ending.next);
    let lead = ending.lead(&found.dead);
    let is_margin = usize::from(lead == ending.stated.recorded);
    let is_sure = usize::from(found.confidence >= SURE);
    Tally {
        margins: is_margin,
        winners: ending.stated.is_won_alike(lead).into(),
        sure: is_sure,
        sure_margins: is_margin * is_sure,
    }
}

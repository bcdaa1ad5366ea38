//! How many counted games come out by playouts alone: what constants of the playouts are held against (`fit/vary`).

use std::iter::Sum;
use std::ops::Add;

use jigo_core::score::playout::estimate;

use crate::labelled::{LabelledEnding, each};

/// From here on an estimate is sure.
const SURE: f32 = 0.9;

/// Games that come out.
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

/// Prints how many margins and winners are the recorded ones, of all games and of those with a high confidence.
pub fn alone(endings: &[LabelledEnding]) {
    let Tally { margins, winners, sure, sure_margins } = each(endings, tally).into_iter().sum();
    let games = endings.len();
    println!(
        "{games} games by playouts alone: {margins} margins, {winners} winners; {sure} of {SURE} and more, {sure_margins} margins"
    );
}

/// One ending by playouts alone, as the code has them now: its label may be of other code.
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

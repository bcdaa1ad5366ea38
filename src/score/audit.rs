//! Why area and territory differ, and which ruleset explains what the record states.

use super::count::{Counts, Score, difference};
use crate::record::StatedResult;
use crate::replay::Tally;
use crate::rules::HalfPoints;

/// The margins of area and territory, and the parts that their difference is made of. All are Black minus White, without komi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Margin of area.
    pub area: HalfPoints,
    /// Margin of territory less the stones lost; eyes in seki and false eyes do not count.
    pub territory: HalfPoints,
    /// Stones Black played less those White played.
    pub parity: HalfPoints,
    /// Stones set up for Black less those for White.
    pub setup: HalfPoints,
    /// Eyes in seki and false eyes, which area counts.
    pub seki: HalfPoints,
}

impl Difference {
    /// Takes the difference of a counted ending apart; where identity 1 holds, `area - territory` is the sum of the parts.
    pub fn of(counts: &Counts, tally: &Tally) -> Difference {
        let seki = difference(counts.territory) - difference(counts.territory_outside_seki);
        Difference {
            area: HalfPoints::points(counts.area_margin()),
            territory: HalfPoints::points(counts.territory_margin(tally) - seki),
            parity: HalfPoints::points(difference(tally.plays)),
            setup: HalfPoints::points(tally.setup[0] - tally.setup[1]),
            seki: HalfPoints::points(seki),
        }
    }

    /// The parts added up.
    pub fn sum(&self) -> HalfPoints {
        self.parity + self.setup + self.seki
    }
}

/// Whether a count is what the record states: its margin, or its winner where it states no margin; `None` where it states neither.
pub fn agrees(score: &Score, stated: &StatedResult) -> Option<bool> {
    match (stated.black_minus_white, stated.winner) {
        (Some(margin), _) => Some(margin == score.black_minus_white()),
        (None, Some(winner)) => Some(Some(winner) == score.winner),
        (None, None) => None,
    }
}

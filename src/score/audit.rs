//! Why area and territory differ, and which ruleset explains what the record states.

use super::count::{Counts, Score, difference};
use crate::record::{Header, Oddity, StatedResult};
use crate::replay::Tally;
use crate::rules::{Axes, HalfPoints};

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

/// How a stated margin has to be read to be the counted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// In points, as it is understood anyway.
    Points,
    /// In zi, of which one is two points.
    Zi,
}

/// Whether a count is the stated margin, and in which unit. Under rules that state results in zi, a whole number could be either.
pub fn explains(score: &Score, axes: &Axes, header: &Header) -> Option<Unit> {
    let stated = header.result.black_minus_white?;
    let counted = score.black_minus_white();
    let could_be_zi = axes.in_zi && header.result.oddity != Some(Oddity::Zi);
    if counted == stated {
        return Some(Unit::Points);
    }
    (could_be_zi && counted == stated + stated).then_some(Unit::Zi)
}

/// Whether a count is what the record states: its margin, or its winner where it states no margin; `None` where it states neither.
pub fn agrees(score: &Score, stated: &StatedResult) -> Option<bool> {
    match (stated.black_minus_white, stated.winner) {
        (Some(margin), _) => Some(margin == score.black_minus_white()),
        (None, Some(winner)) => Some(Some(winner) == score.winner),
        (None, None) => None,
    }
}

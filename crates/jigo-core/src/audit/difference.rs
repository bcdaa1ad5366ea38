//! The difference between area and territory.

use jigo_rules::{HalfPoints, Tally};
use jigo_score::Counts;
use jigo_score::count::black_minus_white;

/// The difference between area and territory in a counted ending, split into its parts.
///
/// All values are Black minus White, without komi. The parts always add up to the difference
/// between area and [`MarginDifference::strict_territory`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginDifference {
    /// The margin by area.
    pub area: HalfPoints,
    /// The margin by territory minus lost stones. Every region of one colour counts, as on servers.
    pub territory: HalfPoints,
    /// The margin by territory as Japanese rules count: without eyes of groups in seki and without
    /// points that must be filled.
    pub strict_territory: HalfPoints,
    /// Black's turns minus White's turns, excluding placed handicap stones. It tells who took the
    /// last turn.
    pub parity: HalfPoints,
    /// White's passes minus Black's passes, including implied ones. A pass is a turn without a
    /// stone.
    pub passes: HalfPoints,
    /// Handicap stones that Black received without a turn of White in between.
    pub handicap: HalfPoints,
    /// Other stones set up for Black minus those for White.
    pub setup: HalfPoints,
    /// Eyes of groups in seki, which only area counts.
    pub seki: HalfPoints,
    /// Points that must be filled at the end (one-sided dame), which only area counts.
    pub dame: HalfPoints,
}

impl MarginDifference {
    /// Splits the difference of a counted ending into its parts.
    pub fn new(counts: &Counts, tally: &Tally) -> MarginDifference {
        let points = HalfPoints::from_points;
        let passes = [0, 1].map(|side| tally.passes[side] + tally.implied_passes[side]);
        let setup_balance = tally.setup[0] - tally.setup[1];
        let handicap_stones = tally.handicap.set_up as i32;
        let uncounted = black_minus_white(counts.territory) - black_minus_white(counts.territory_outside_seki);
        let territory = counts.territory_margin(tally);
        MarginDifference {
            area: points(counts.area_margin()),
            territory: points(territory),
            strict_territory: points(territory - uncounted),
            parity: points(black_minus_white(tally.plays) + black_minus_white(passes) - tally.extra_opening_turns()),
            passes: points(-black_minus_white(passes)),
            handicap: points(handicap_stones + tally.extra_opening_turns()),
            setup: points(setup_balance - handicap_stones),
            seki: points(black_minus_white(counts.seki)),
            dame: points(uncounted - black_minus_white(counts.seki)),
        }
    }

    /// Returns area minus strict territory.
    pub fn total(&self) -> HalfPoints {
        self.area - self.strict_territory
    }

    /// Returns the sum of the parts.
    pub fn sum(&self) -> HalfPoints {
        [self.parity, self.passes, self.handicap, self.setup, self.seki, self.dame].into_iter().sum()
    }
}

//! Why area and territory differ.

use jigo_rules::HalfPoints;
use jigo_rules::Tally;
use jigo_score::Counts;
use jigo_score::count::difference;

/// Why area and territory differ in a counted ending: the parts that the difference is made of, all Black minus White, without komi.
///
/// The difference is that between area and [`Difference::strict_territory`], and always the sum of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Margin of area.
    pub area: HalfPoints,
    /// Margin of territory less the stones lost, every region of one colour counted, as servers do.
    pub territory: HalfPoints,
    /// The same without eyes of groups in seki and points that have to be filled, as Japanese rules count.
    pub strict_territory: HalfPoints,
    /// Turns that Black took less those White took, handicap stones placed as turns apart: who took the last one.
    pub parity: HalfPoints,
    /// Passes of White less those of Black, implied ones included: a pass is a turn without a stone.
    pub passes: HalfPoints,
    /// Handicap stones that White had no turns for.
    pub handicap: HalfPoints,
    /// Other stones set up for Black less those for White.
    pub setup: HalfPoints,
    /// Eyes of groups in seki, which only area counts.
    pub seki: HalfPoints,
    /// Points that have to be filled in the end, which only area counts: one-sided dame.
    pub dame: HalfPoints,
}

impl Difference {
    /// Takes the difference of a counted ending apart.
    pub fn of(counts: &Counts, tally: &Tally) -> Difference {
        let points = HalfPoints::points;
        let passes = [0, 1].map(|side| tally.passes[side] + tally.implied_passes[side]);
        let set_up = tally.setup[0] - tally.setup[1];
        let handicap_set_up = if tally.has_handicap_setup() { tally.handicap as i32 } else { 0 };
        let uncounted = difference(counts.territory) - difference(counts.territory_outside_seki);
        let territory = counts.territory_margin(tally);
        Difference {
            area: points(counts.area_margin()),
            territory: points(territory),
            strict_territory: points(territory - uncounted),
            parity: points(difference(tally.plays) + difference(passes) - tally.opening_run()),
            passes: points(-difference(passes)),
            handicap: points(handicap_set_up + tally.opening_run()),
            setup: points(set_up - handicap_set_up),
            seki: points(difference(counts.seki)),
            dame: points(uncounted - difference(counts.seki)),
        }
    }

    /// Area less strict territory.
    pub fn total(&self) -> HalfPoints {
        self.area - self.strict_territory
    }

    /// The parts added up.
    pub fn sum(&self) -> HalfPoints {
        [self.parity, self.passes, self.handicap, self.setup, self.seki, self.dame].into_iter().sum()
    }
}

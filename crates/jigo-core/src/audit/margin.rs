//! Why area and territory differ, and which ruleset explains what the record states.

use crate::board::Point;
use crate::record::{Header, Oddity, StatedResult};
use crate::replay::Tally;
use crate::rules::presets::PRESETS;
use crate::rules::{Axes, HalfPoints};
use crate::score::count::{Counts, Score, difference, score};

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

/// What gives the stated margin: every preset whose count it is under the dead stones as decided or, where none does, under another status of one doubtful
/// chain. With the record's komi, the ruleset's own where it has none.
pub fn explanations(
    (counts, other_readings): (&Counts, &[(Point, Counts)]),
    tally: &Tally,
    header: &Header,
) -> Vec<String> {
    let by = |counts: &Counts| -> Vec<String> {
        let names = PRESETS.iter().filter_map(|preset| {
            let counted = score(counts, tally, &preset.axes, header.komi).ok()?;
            match explains(&counted, &preset.axes, header)? {
                Unit::Points => Some(preset.name.to_owned()),
                Unit::Zi => Some(format!("{} (zi)", preset.name)),
            }
        });
        names.collect()
    };
    let decided = by(counts);
    if !decided.is_empty() {
        return decided;
    }
    let readings = other_readings.iter().flat_map(|(stone, counts)| {
        let stone = stone.to_a1(header.size);
        by(counts).into_iter().map(move |name| format!("{name} if {stone} has the other status"))
    });
    readings.collect()
}

/// How a stated margin has to be read to be the counted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// In points, as it is understood anyway.
    Points,
    /// In zi, of which one is two points.
    Zi,
}

/// Whether a count is the stated margin, and in which unit. Under rules that state results in zi, a whole number could be either.
fn explains(score: &Score, axes: &Axes, header: &Header) -> Option<Unit> {
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

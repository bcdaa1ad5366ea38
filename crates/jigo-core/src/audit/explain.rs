//! Which causes give a stated margin, the likeliest first.

use super::cause::{Cause, SwappedColors};
use super::judge::{Decided, StatedGame};
use jigo_rules::board::{Color, Point};
use jigo_rules::ruleset::{HandicapBonus, Scoring};
use jigo_rules::{HalfPoints, RulesBasis, Ruleset, TerritoryReading};
use jigo_score::count::reading_matters;
use jigo_score::{Counts, Owner, owners};

/// Komi that records are found to have been played with, whatever they say.
const USUAL_KOMI: [HalfPoints; 4] = [HalfPoints(13), HalfPoints(15), HalfPoints(11), HalfPoints(0)];
/// No komi that players agree on is larger. Where none is recorded, any up to it may be the one of the game.
pub(super) const LARGEST_KOMI: HalfPoints = HalfPoints(19);
/// A komi that only keeps a game from being a draw, as with handicap.
const NO_DRAW: HalfPoints = HalfPoints(1);
/// Turns that are missing at the end change a count by so much at most. Of confirmed misses in TYGEM and TOM games of odd years, whose records
/// lack them, all but 9 of 200 lie within; a larger difference is another result.
const MOST_MISSING: HalfPoints = HalfPoints::points(9);
/// Where both players passed, they close borders when they count, and change it by so much at most.
const MOST_OPEN: u32 = 2;
/// An ending counted by area with more points that are nobody's lacks more than its last turn. Each of them is counted anew, which on a large board that is open
/// would take longer than anything else.
const MOST_UNFILLED: usize = 16;

/// The ways of counting that come into question: the ruleset, as its server counts, before the other readings of it; for a game whose rules
/// nobody knows all that rulesets differ in.
pub(super) fn ways(ruleset: Option<&Ruleset>) -> Vec<Ruleset> {
    let Some(ruleset) = ruleset else { return all_ways() };
    let mut ways = vec![ruleset.clone()];
    if ruleset.axes.scoring == Scoring::Territory && ruleset.basis != RulesBasis::Named {
        let others = TerritoryReading::NAMED.iter().filter(|(_, reading)| *reading != ruleset.axes.territory);
        ways.extend(others.map(|(_, reading)| ruleset.clone().read_as(*reading, ruleset.basis)));
    }
    ways
}

/// All that rulesets differ in.
pub(super) fn all_ways() -> Vec<Ruleset> {
    let base = Ruleset::unknown();
    let territory = TerritoryReading::NAMED.iter().map(|(name, reading)| {
        let mut ruleset = Ruleset { name: format!("territory={name}").into(), ..base.clone() };
        ruleset.axes.territory = *reading;
        ruleset
    });
    let area = HandicapBonus::NAMED.iter().map(|(name, bonus)| {
        let name = if *bonus == HandicapBonus::Zero { "area".to_owned() } else { format!("area bonus={name}") };
        let mut ruleset = Ruleset { name: name.into(), ..base.clone() };
        (ruleset.axes.scoring, ruleset.axes.handicap_bonus) = (Scoring::Area, *bonus);
        ruleset.axes.komi_even = HalfPoints(15);
        ruleset
    });
    territory.chain(area).collect()
}

/// A margin that has to be explained.
struct Riddle<'a> {
    game: &'a StatedGame<'a>,
    decided: &'a Decided<'a>,
    ruleset: &'a Ruleset,
    counted: HalfPoints,
    stated: HalfPoints,
}

/// What gives the stated margin instead of the one that was counted, the likeliest first; [`Cause::Unknown`] alone where nothing does. `ways` are
/// the rulesets that the game may have been counted by with what each counts, the one that comes nearest first, and so are the causes.
pub(super) fn causes(
    game: &StatedGame,
    decided: &Decided,
    ways: &[(&Ruleset, HalfPoints)],
    stated: HalfPoints,
) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for (index, &(ruleset, counted)) in ways.iter().enumerate() {
        // What one with another komi counts may be the same number, and have other causes.
        let is_alike =
            |&(other, number): &(&Ruleset, HalfPoints)| (number, game.komi(other)) == (counted, game.komi(ruleset));
        if ways[..index].iter().any(is_alike) {
            continue;
        }
        let found = Riddle { game, decided, ruleset, counted, stated }.causes().into_iter();
        let name = || short_name(ruleset, decided.counts);
        causes.extend(found.map(|cause| if index == 0 { cause } else { Cause::By(name(), Box::new(cause)) }));
    }
    if causes.is_empty() { vec![Cause::Unknown] } else { causes }
}

/// The name of a way of counting, without the reading of territory where all have the same number.
fn short_name(ruleset: &Ruleset, counts: &Counts) -> String {
    let is_any_reading = ruleset.axes.scoring == Scoring::Territory && !reading_matters(counts, &ruleset.axes);
    if is_any_reading { "territory".to_owned() } else { ruleset.name.to_string() }
}

/// The turn that gives the stated margin when whoever is due takes it, where there is just one. Of turns that change the count of area by a single point
/// only those on points that are nobody's come into question, of which the players fill the last one without a word.
pub(super) fn last_turn(
    game: &StatedGame,
    decided: &Decided,
    ruleset: &Ruleset,
    stated: HalfPoints,
) -> Option<(Color, Point)> {
    let due = game.tally.last?.opponent();
    if ruleset.axes.scoring != Scoring::Area {
        return None;
    }
    let (position, dead) = (decided.position, &decided.ending.dead);
    let owners = owners(position, dead);
    let nobodys = position.size().iter().zip(owners).filter(|(_, owner)| *owner == Owner::Nobody);
    let open = nobodys.map(|(point, _)| point).filter(|&point| position.stone(point).is_none());
    let open: Vec<Point> = open.take(MOST_UNFILLED + 1).collect();
    if open.len() > MOST_UNFILLED {
        return None;
    }
    let mut giving = open.into_iter().filter(|&point| {
        let mut after = position.clone();
        after.play(due, point, &mut Vec::new());
        let is_taken = after.stone(point) == Some(due);
        let counts = Counts::of(&after, dead);
        is_taken && game.score(&counts, ruleset).is_some_and(|score| score.black_minus_white() == stated)
    });
    let found = giving.next()?;
    giving.next().is_none().then_some((due, found))
}

impl Riddle<'_> {
    /// What gives the stated margin, the likeliest first; nothing where nothing does.
    fn causes(&self) -> Vec<Cause> {
        // How rules are read explains most differences, and groups that were in doubt most others. Exactly the opposite margin, or the one that
        // a usual komi gives, is hardly chance. Turns are missing at the end where nothing else fits: they can give any small difference.
        let mut causes: Vec<Cause> = self.readings().into_iter().collect();
        causes.extend(self.rules());
        causes.extend(self.group());
        causes.extend(self.colors());
        causes.extend(self.komi());
        causes.extend(self.handicap());
        causes.extend(self.halved());
        let unrecorded = self.unrecorded_komi();
        causes.extend(unrecorded.clone().filter(|komi| !causes.contains(komi)));
        causes.extend(self.reversed_komi());
        causes.extend(self.open_end());
        causes.extend(self.no_draw());
        causes.extend(self.prisoners());
        if unrecorded.is_some() {
            // The count rests on a komi that nobody stated, and accuses nobody.
            causes.sort_by_key(|cause| !cause.is_innocent(self.game.header));
        }
        causes
    }

    fn difference(&self) -> HalfPoints {
        self.stated - self.counted
    }

    /// The size of the difference in whole points, if it is whole.
    fn whole_points(&self) -> Option<u32> {
        let halves = self.difference().0.unsigned_abs();
        halves.is_multiple_of(2).then_some(halves / 2)
    }

    fn is_given_by(&self, counts: &Counts, ruleset: &Ruleset) -> bool {
        self.game.score(counts, ruleset).is_some_and(|score| score.black_minus_white() == self.stated)
    }

    /// The komi that gives the stated margin.
    fn komi_implied(&self) -> HalfPoints {
        self.game.komi(self.ruleset) - self.difference()
    }

    /// Another reading of territory, by what it differs in where the server's own is known.
    fn readings(&self) -> Option<Cause> {
        let counts = self.decided.counts;
        let others = ways(Some(self.ruleset));
        let given = others[1..].iter().find(|other| self.is_given_by(counts, other));
        let Some(other) = given else { return self.filled_in_part() };
        let counted = [self.ruleset, other].map(|ruleset| ruleset.axes.territory);
        let points = self.whole_points().unwrap_or(0);
        Some(match (self.ruleset.basis, counted) {
            (
                RulesBasis::Practice { .. },
                [TerritoryReading::EveryRegion, TerritoryReading::NoSeki]
                | [TerritoryReading::NoSeki, TerritoryReading::EveryRegion],
            ) => Cause::EyesInSeki(points),
            (RulesBasis::Practice { .. }, _) if counts.seki == [0, 0] => Cause::PointsToFill(points),
            _ => Cause::Reading(other.axes.territory),
        })
    }

    /// Some of the points to fill were filled before the count, and some were not.
    fn filled_in_part(&self) -> Option<Cause> {
        let [black, white] = self.decided.counts.to_fill().map(|points| points as i32);
        let filled =
            if self.ruleset.axes.territory == TerritoryReading::Goscorer { -white..=black } else { -black..=white };
        let points = self.whole_points()?;
        let is_territory = self.ruleset.axes.scoring == Scoring::Territory;
        (is_territory && filled.contains(&(self.difference().0 / 2))).then_some(Cause::PointsToFill(points))
    }

    /// Another kind of count, where no server is known for its own.
    fn rules(&self) -> Option<Cause> {
        if self.game.header.dialect.is_some_and(|dialect| !dialect.practice.is_empty()) {
            return None;
        }
        let others = all_ways().into_iter().filter(|other| other.axes.scoring != self.ruleset.axes.scoring);
        let given = others.into_iter().find(|other| self.is_given_by(self.decided.counts, other))?;
        Some(Cause::Rules(given.name.into_owned()))
    }

    /// A margin in zi of two points. Quarters of them were taken for points already, and count as such: a record says the same with its margin in points.
    fn halved(&self) -> Option<Cause> {
        let is_half = self.stated + self.stated == self.counted && self.counted != HalfPoints::ZERO;
        is_half.then_some(Cause::Halved)
    }

    fn group(&self) -> Option<Cause> {
        let given = self.decided.other_readings.iter().find(|(_, counts)| self.is_given_by(counts, self.ruleset));
        given.map(|(stone, _)| Cause::Group(stone.to_a1(self.game.header.size)))
    }

    fn komi(&self) -> Option<Cause> {
        let implied = self.komi_implied();
        let with_handicap = self.game.tally.handicap >= 2 && implied == NO_DRAW;
        (USUAL_KOMI.contains(&implied) || with_handicap).then_some(Cause::Komi(implied))
    }

    /// Any komi that players may agree on, where none is recorded.
    fn unrecorded_komi(&self) -> Option<Cause> {
        let implied = self.komi_implied();
        let is_possible = (HalfPoints::ZERO..=LARGEST_KOMI).contains(&implied);
        (is_possible && self.game.header.is_komi_unrecorded()).then_some(Cause::Komi(implied))
    }

    /// KM is what is usual, and the game was an even one without komi all the same. What leaves the record in order goes before it.
    fn no_draw(&self) -> Option<Cause> {
        let is_it = self.game.tally.handicap < 2 && self.komi_implied() == NO_DRAW;
        (is_it && !self.game.header.is_komi_unrecorded()).then_some(Cause::Komi(NO_DRAW))
    }

    fn reversed_komi(&self) -> Option<Cause> {
        let implied = self.komi_implied();
        (implied != HalfPoints::ZERO && implied == -self.game.komi(self.ruleset)).then_some(Cause::Komi(implied))
    }

    /// RE names the loser, or the stones have the other colour: then the board's margin is the opposite, and komi is not.
    fn colors(&self) -> Option<Cause> {
        let komi = self.game.komi(self.ruleset);
        if self.stated == -self.counted {
            Some(Cause::ColorsSwapped(SwappedColors::Result))
        } else if self.game.tally.handicap == 0 && self.stated + komi == -(self.counted + komi) {
            Some(Cause::ColorsSwapped(SwappedColors::Stones))
        } else {
            None
        }
    }

    fn handicap(&self) -> Option<Cause> {
        let stones = self.game.tally.handicap.max(self.game.header.handicap.unwrap_or(0));
        let points = self.whole_points()?;
        let is_compensation = stones >= 2 && (points == stones || points == stones - 1);
        is_compensation.then_some(Cause::Handicap(-self.difference()))
    }

    fn open_end(&self) -> Option<Cause> {
        let points = HalfPoints::points(self.whole_points()? as i32);
        if self.game.tally.closing_passes >= 2 {
            let most = HalfPoints::points(self.decided.counts.dame.min(MOST_OPEN) as i32);
            return (points <= most).then_some(Cause::OpenBorder(points));
        }
        (points <= MOST_MISSING).then_some(Cause::TurnsMissing(points))
    }

    /// Stones captured in play, stones taken off as dead, or both were not counted.
    fn prisoners(&self) -> Option<Cause> {
        if self.ruleset.axes.scoring != Scoring::Territory {
            return None;
        }
        let captured = self.game.tally.lost;
        let dead = self.decided.counts.dead;
        let both = [captured[0] + dead[0], captured[1] + dead[1]];
        let is_it = |lost: &[u32; 2]| {
            let points = HalfPoints::points(lost[0] as i32 - lost[1] as i32);
            points == self.difference()
        };
        [captured, dead, both].iter().any(is_it).then_some(Cause::Prisoners)
    }
}

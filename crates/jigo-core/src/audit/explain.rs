//! Search for the causes of a recorded margin, the likeliest first.

use super::audited_game::{AuditedGame, LARGEST_KOMI, MIN_CONTRADICTION_CONFIDENCE};
use super::cause::{Cause, SwappedColors};
use super::counted_ending::CountedEnding;
use super::removals::wrong_removals;
use jigo_rules::board::{Color, Point};
use jigo_rules::ruleset::{HandicapBonus, Scoring};
use jigo_rules::{DeadStones, HalfPoints, RulesBasis, Ruleset, TerritoryReading};
use jigo_score::count::reading_matters;
use jigo_score::{Counts, Owner, owners};

/// Frequent real komi, in half points. Games were often played with one of these although KM
/// differs.
const COMMON_KOMI: [HalfPoints; 4] = [HalfPoints(13), HalfPoints(15), HalfPoints(11), HalfPoints(0)];
/// The komi that only prevents a draw, as in handicap games.
const NO_DRAW: HalfPoints = HalfPoints(1);
/// The largest change of a count by missing last turns.
///
/// TYGEM and TOM records of odd years lack the last turns. Of 200 confirmed cases all but 9 are
/// within this limit; a larger difference means another result.
const MAX_MISSING: HalfPoints = HalfPoints::from_points(9);
/// The largest change of a count by borders that the players close when they count, after two
/// passes.
const MAX_OPEN: u32 = 2;
/// The largest number of points on which [`last_turns`] tries a missing turn.
///
/// A position with more of them lacks more than its last turn. Each of them costs one count,
/// which would dominate the run time on a large open board.
const MAX_UNFILLED: usize = 16;

/// Returns the ways in which the game may have been counted.
///
/// The first is the ruleset as the server counts; other readings of its territory rules follow. A
/// game without known rules returns [`all_candidate_rulesets`].
pub(super) fn candidate_rulesets(ruleset: Option<&Ruleset>) -> Vec<Ruleset> {
    let Some(ruleset) = ruleset else { return all_candidate_rulesets() };
    let mut candidates = vec![ruleset.clone()];
    if ruleset.axes.scoring == Scoring::Territory && ruleset.basis != RulesBasis::Explicit {
        let other_readings = TerritoryReading::common().filter(|(_, reading)| *reading != ruleset.axes.territory);
        candidates
            .extend(other_readings.map(|(_, reading)| ruleset.clone().with_territory_reading(reading, ruleset.basis)));
    }
    if ruleset.axes.counts_as_is() {
        candidates.push(ruleset.clone().with_dead_stones(DeadStones::Agreement));
    }
    candidates
}

/// Returns the cause for a result that another of a game's [`candidate_rulesets`] gives.
pub(super) fn reading_cause(ruleset: &Ruleset, other: &Ruleset) -> Cause {
    match other.axes.dead_stones == ruleset.axes.dead_stones {
        true => Cause::Reading(other.axes.territory),
        false => Cause::Rules(other.name.to_string()),
    }
}

/// Returns every combination of axes in which the counts of rulesets differ.
pub(super) fn all_candidate_rulesets() -> Vec<Ruleset> {
    let base = Ruleset::unknown();
    let territory = TerritoryReading::common().map(|(name, reading)| {
        let mut ruleset = Ruleset { name: format!("territory={name}").into(), ..base.clone() };
        ruleset.axes.territory = reading;
        ruleset
    });
    let area = HandicapBonus::NAMES.iter().map(|(name, bonus)| {
        let name = if *bonus == HandicapBonus::Zero { "area".to_owned() } else { format!("area bonus={name}") };
        let mut ruleset = Ruleset { name: name.into(), ..base.clone() };
        (ruleset.axes.scoring, ruleset.axes.handicap_bonus) = (Scoring::Area, *bonus);
        ruleset.axes.komi_even = HalfPoints(15);
        ruleset
    });
    territory.chain(area).collect()
}

/// A margin that needs an explanation.
struct UnexplainedMargin<'a> {
    game: &'a AuditedGame<'a>,
    counted_ending: &'a CountedEnding,
    ruleset: &'a Ruleset,
    counted: HalfPoints,
    recorded: HalfPoints,
}

/// Returns the causes that give the recorded margin, the likeliest first;
/// [`Cause::Unknown`] alone if there are none.
///
/// `scored_rulesets` lists the possible rulesets with their counted margins, the nearest to the
/// recorded margin first. The causes have the same order.
pub(super) fn causes(
    game: &AuditedGame,
    counted_ending: &CountedEnding,
    scored_rulesets: &[(&Ruleset, HalfPoints)],
    recorded: HalfPoints,
) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for (index, &(ruleset, counted_margin)) in scored_rulesets.iter().enumerate() {
        // The same margin with another komi may have other causes, so both must be equal.
        let is_alike = |&(other, margin): &(&Ruleset, HalfPoints)| {
            (margin, game.komi(other)) == (counted_margin, game.komi(ruleset))
        };
        if scored_rulesets[..index].iter().any(is_alike) {
            continue;
        }
        let found_causes =
            UnexplainedMargin { game, counted_ending, ruleset, counted: counted_margin, recorded }.causes().into_iter();
        let name = || short_name(ruleset, &counted_ending.counts);
        causes.extend(
            found_causes.map(|cause| if index == 0 { cause } else { Cause::UnderRules(name(), Box::new(cause)) }),
        );
    }
    if causes.is_empty() { vec![Cause::Unknown] } else { causes }
}

/// Returns the name of a way of counting. The name omits the territory reading if all readings give
/// the same number.
fn short_name(ruleset: &Ruleset, counts: &Counts) -> String {
    let is_any_reading = ruleset.axes.scoring == Scoring::Territory && !reading_matters(counts, &ruleset.axes);
    if is_any_reading { "territory".to_owned() } else { ruleset.name.to_string() }
}

/// Returns the turns at the end that give the recorded margin.
///
/// The player whose turn it is takes one. Players often fill the last neutral point, or capture,
/// without recording it, so only such turns count.
pub(super) fn last_turns(
    game: &AuditedGame,
    counted_ending: &CountedEnding,
    ruleset: &Ruleset,
    recorded: HalfPoints,
) -> Vec<(Color, Point)> {
    let Some(next_player) = game.tally.last.map(Color::opponent) else { return Vec::new() };
    let (position, dead) = (game.position, &counted_ending.ending.dead);
    let captures = |point: Point| {
        let mut opponents =
            position.neighbours(point).filter(|&near| position.stone(near) == Some(next_player.opponent()));
        let is_free = |liberty: Point| liberty != point && position.stone(liberty).is_none();
        opponents.any(|stone| !position.chain(stone).any(|stone| position.neighbours(stone).any(is_free)))
    };
    let points = position.size().iter().zip(owners(position, dead));
    let points = points
        .filter(|&(point, owner)| position.stone(point).is_none() && (owner == Owner::Neither || captures(point)));
    let points: Vec<Point> = points.map(|(point, _)| point).take(MAX_UNFILLED + 1).collect();
    if points.len() > MAX_UNFILLED {
        return Vec::new();
    }
    let matches_recorded = |&point: &Point| {
        let (mut next_position, mut tally) = (position.clone(), game.tally.clone());
        let removed = next_position.play(next_player, point, &mut Vec::new());
        tally.lost[next_player.opponent().index()] += removed.captured;
        let counts = Counts::from_position(&next_position, dead);
        let score = AuditedGame { tally: &tally, ..*game }.score(&counts, ruleset);
        removed.suicide == 0 && score.is_some_and(|score| score.black_minus_white() == recorded)
    };
    points.into_iter().filter(matches_recorded).map(|point| (next_player, point)).collect()
}

impl UnexplainedMargin<'_> {
    /// Returns the causes that give the recorded margin, the likeliest first.
    fn causes(&self) -> Vec<Cause> {
        // Readings of the rules explain most differences, and doubtful groups explain most others.
        // Exactly the opposite margin, or a margin that a usual komi gives, is rarely chance.
        // Several missing turns come late, since they can explain any small difference.
        let mut causes: Vec<Cause> = self.readings().into_iter().collect();
        causes.extend(self.rules());
        causes.extend(self.group());
        causes.extend(self.missing_turn());
        let removals = self.removals();
        if self.is_counted_by_server() && self.game.tally.closing_passes >= 2 {
            // The server computed the result from KM and from the stones that the players marked,
            // and named the winner.
            causes.extend(self.open_end().into_iter().chain(removals.clone()));
        }
        causes.extend(self.colors());
        causes.extend(self.komi());
        causes.extend(self.handicap());
        causes.extend(self.halved());
        let unrecorded = self.unrecorded_komi();
        causes.extend(unrecorded.clone().filter(|komi| !causes.contains(komi)));
        causes.extend(self.reversed_komi());
        causes.extend(self.open_end().filter(|end| !causes.contains(end)));
        causes.extend(self.no_draw());
        causes.extend(removals.filter(|removals| !causes.contains(removals)));
        causes.extend(self.prisoners());
        if unrecorded.is_some() {
            // Without a recorded komi the count uses an assumed one. A difference is then not an
            // error.
            causes.sort_by_key(|cause| !cause.is_innocent(self.game.header));
        }
        causes
    }

    /// Returns true if the record is of a server whose way of counting is known.
    fn is_counted_by_server(&self) -> bool {
        self.game.header.dialect.is_some_and(|dialect| !dialect.server_scoring.is_empty())
    }

    fn difference(&self) -> HalfPoints {
        self.recorded - self.counted
    }

    /// Returns the size of the difference in whole points, if it is whole.
    fn difference_in_points(&self) -> Option<u32> {
        let halves = self.difference().0.unsigned_abs();
        halves.is_multiple_of(2).then_some(halves / 2)
    }

    fn matches_recorded(&self, counts: &Counts, ruleset: &Ruleset) -> bool {
        self.game.score(counts, ruleset).is_some_and(|score| score.black_minus_white() == self.recorded)
    }

    /// Returns the komi that gives the recorded margin.
    fn komi_implied(&self) -> HalfPoints {
        self.game.komi(self.ruleset) - self.difference()
    }

    /// Tries other readings of the territory rules. If the server's reading is known, the cause
    /// names the differing points instead of the reading.
    fn readings(&self) -> Option<Cause> {
        let counts = &self.counted_ending.counts;
        let others = candidate_rulesets(Some(self.ruleset));
        let matching = others[1..].iter().find(|other| self.matches_recorded(counts, other));
        let Some(other) = matching else { return self.partly_filled() };
        let reading_names = [self.ruleset, other].map(|ruleset| ruleset.axes.territory);
        let points = self.difference_in_points().unwrap_or(0);
        Some(match (self.ruleset.basis, reading_names) {
            (
                RulesBasis::ServerScoring { .. },
                [TerritoryReading::EveryRegion, TerritoryReading::NoSeki]
                | [TerritoryReading::NoSeki, TerritoryReading::EveryRegion],
            ) => Cause::EyesInSeki(points),
            (RulesBasis::ServerScoring { .. }, _) if counts.seki == [0, 0] => Cause::PointsToFill(points),
            _ => reading_cause(self.ruleset, other),
        })
    }

    /// Tests whether the players filled only some of the points to fill before the count.
    fn partly_filled(&self) -> Option<Cause> {
        let [black, white] = self.counted_ending.counts.points_to_fill().map(|points| points as i32);
        let part_counts = if self.ruleset.axes.territory.leaves_out_fill() { -white..=black } else { -black..=white };
        let points = self.difference_in_points()?;
        let is_territory = self.ruleset.axes.scoring == Scoring::Territory;
        (is_territory && part_counts.contains(&(self.difference().0 / 2))).then_some(Cause::PointsToFill(points))
    }

    /// Tries another kind of count, unless the server's way of counting is known.
    fn rules(&self) -> Option<Cause> {
        if self.is_counted_by_server() {
            return None;
        }
        let others =
            all_candidate_rulesets().into_iter().filter(|other| other.axes.scoring != self.ruleset.axes.scoring);
        let matching = others.into_iter().find(|other| self.matches_recorded(&self.counted_ending.counts, other))?;
        Some(Cause::Rules(matching.name.into_owned()))
    }

    /// Tests for a margin in zi of two points.
    ///
    /// The result parser has already converted quarters of zi to points, so the verdict is the same
    /// as for a record with its margin in points.
    fn halved(&self) -> Option<Cause> {
        let is_half = self.recorded + self.recorded == self.counted && self.counted != HalfPoints::ZERO;
        is_half.then_some(Cause::Halved)
    }

    fn group(&self) -> Option<Cause> {
        let matching =
            self.counted_ending.other_readings.iter().find(|(_, counts)| self.matches_recorded(counts, self.ruleset));
        matching.map(|(stone, _)| Cause::Group(stone.to_a1(self.game.header.size)))
    }

    fn komi(&self) -> Option<Cause> {
        let implied_komi = self.komi_implied();
        let with_handicap = self.game.tally.handicap.stones() >= 2 && implied_komi == NO_DRAW;
        let is_usual = COMMON_KOMI.contains(&implied_komi) && self.game.header.is_komi_of_its_time(implied_komi);
        (is_usual || with_handicap).then_some(Cause::Komi(implied_komi))
    }

    /// Tries any komi that players may agree on if the record has none.
    fn unrecorded_komi(&self) -> Option<Cause> {
        let implied_komi = self.komi_implied();
        let is_possible = (HalfPoints::ZERO..=LARGEST_KOMI).contains(&implied_komi)
            && self.game.header.is_komi_of_its_time(implied_komi);
        (is_possible && self.game.header.is_komi_unrecorded()).then_some(Cause::Komi(implied_komi))
    }

    /// Tests for an even game without komi although KM has the usual komi. Causes without an error
    /// of the record come first.
    fn no_draw(&self) -> Option<Cause> {
        let is_no_draw = self.game.tally.handicap.stones() < 2 && self.komi_implied() == NO_DRAW;
        let is_possible = self.game.header.is_komi_of_its_time(NO_DRAW) && !self.game.header.is_komi_unrecorded();
        (is_no_draw && is_possible).then_some(Cause::Komi(NO_DRAW))
    }

    fn reversed_komi(&self) -> Option<Cause> {
        let implied_komi = self.komi_implied();
        (implied_komi != HalfPoints::ZERO && implied_komi == -self.game.komi(self.ruleset))
            .then_some(Cause::Komi(implied_komi))
    }

    /// Tests for confused colours: RE names the loser, or the stones have the wrong colours. In the
    /// second case the margin on the board changes its sign, and komi does not.
    fn colors(&self) -> Option<Cause> {
        let komi = self.game.komi(self.ruleset);
        if self.recorded == -self.counted {
            Some(Cause::ColorsSwapped(SwappedColors::Result))
        } else if self.game.tally.handicap.stones() == 0 && self.recorded + komi == -(self.counted + komi) {
            Some(Cause::ColorsSwapped(SwappedColors::Stones))
        } else {
            None
        }
    }

    /// Tests for compensation for handicap stones. Servers give it only in area scoring.
    fn handicap(&self) -> Option<Cause> {
        if self.is_counted_by_server() && self.ruleset.axes.scoring == Scoring::Territory {
            return None;
        }
        let stones = self.game.tally.handicap.stones().max(self.game.header.handicap.unwrap_or(0));
        let points = self.difference_in_points()?;
        let is_compensation = stones >= 2 && (points == stones || points == stones - 1);
        is_compensation.then_some(Cause::Handicap(-self.difference()))
    }

    /// Tests for one missing turn at the end of a record without the final passes.
    ///
    /// It explains a difference of one point, since the players fill dame, take the last ko and
    /// reinforce. That is likelier than confused colours or another komi.
    fn missing_turn(&self) -> Option<Cause> {
        let Self { game, counted_ending, ruleset, recorded, .. } = *self;
        let points = self.difference_in_points().filter(|_| game.tally.closing_passes < 2)?;
        let is_one_turn = points == 1 || !last_turns(game, counted_ending, ruleset, recorded).is_empty();
        is_one_turn.then_some(Cause::TurnsMissing(HalfPoints::from_points(points as i32)))
    }

    fn open_end(&self) -> Option<Cause> {
        let points = HalfPoints::from_points(self.difference_in_points()? as i32);
        if self.game.tally.closing_passes >= 2 {
            let max_points = HalfPoints::from_points(self.counted_ending.counts.dame.min(MAX_OPEN) as i32);
            return (points <= max_points).then_some(Cause::OpenBorder(points));
        }
        (points <= MAX_MISSING).then_some(Cause::TurnsMissing(points))
    }

    /// Tests whether the players removed dead stones wrongly after the last pass.
    ///
    /// A count without known rules has many possible margins, so a matching group may be chance.
    fn removals(&self) -> Option<Cause> {
        let (game, ending) = (self.game, &self.counted_ending.ending);
        let is_possible = game.ruleset.is_some()
            && game.tally.closing_passes >= 2
            && !ending.is_open
            && ending.is_confident(MIN_CONTRADICTION_CONFIDENCE);
        let matches_recorded = |counts: &Counts| self.matches_recorded(counts, self.ruleset);
        if is_possible { wrong_removals(game.position, ending, matches_recorded) } else { None }
    }

    /// Tests whether captured stones, dead stones, or both were not counted.
    fn prisoners(&self) -> Option<Cause> {
        if self.ruleset.axes.scoring != Scoring::Territory {
            return None;
        }
        let captured = self.game.tally.lost;
        let dead = self.counted_ending.counts.dead;
        let prisoners = [captured[0] + dead[0], captured[1] + dead[1]];
        let is_explained = |lost_stones: &[u32; 2]| {
            let points = HalfPoints::from_points(lost_stones[0] as i32 - lost_stones[1] as i32);
            points == self.difference()
        };
        [captured, dead, prisoners].iter().any(is_explained).then_some(Cause::Prisoners)
    }
}

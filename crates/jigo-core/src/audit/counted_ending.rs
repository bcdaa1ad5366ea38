//! A counted ending: its points, their uncertainty, and its score under each ruleset.

use std::borrow::Cow;

use jigo_rules::board::{BoardSize, Color, Point, Position};
use jigo_rules::{Axes, HalfPoints, RulesBasis, Ruleset, Tally, format_margin};
use jigo_score::count::{NoScore, Score, reading_matters, score};
use jigo_score::{Counts, DeadSource, Ending, UncountedReason};

/// The largest number of chains that a note names.
const MAX_NAMED_CHAINS: usize = 4;

/// An ending with known dead stones and counted points.
#[derive(Clone, Debug)]
pub struct CountedEnding {
    /// The dead stones and their source.
    pub ending: Ending,
    /// The counts of the board without the dead stones.
    pub counts: Counts,
    /// The counts if all doubtful chains of one player are dead and all others alive, for both
    /// players; empty without doubtful chains.
    pub extremes: Vec<Counts>,
    /// Alternative counts: each has the status of one doubtful chain reversed. A stone names the
    /// chain.
    pub other_readings: Vec<(Point, Counts)>,
    /// True if the confidence suffices for a score.
    pub is_certain: bool,
}

impl CountedEnding {
    pub(crate) fn new(position: &Position, ending: Ending, tally: &Tally, min_confidence: f32) -> CountedEnding {
        let mut counts = ending.counts(position);
        let ending = ending.checked_for_end(&counts, tally).checked_for_fights(position, &mut counts);
        let extremes = if ending.doubtful.is_empty() { &[][..] } else { &Color::BOTH };
        let worst = |losing: &Color| Counts::from_position(position, &ending.dead_at_worst(position, *losing));
        let readings = ending.other_readings(position).into_iter();
        CountedEnding {
            counts,
            extremes: extremes.iter().map(worst).collect(),
            other_readings: readings.map(|(stone, dead)| (stone, Counts::from_position(position, &dead))).collect(),
            is_certain: ending.is_confident(min_confidence),
            ending,
        }
    }

    /// Returns true if there are more dame than in an ending whose borders are closed: a dead stone
    /// is counted as alive, or a stone of a wall is missing.
    pub fn has_open_borders(&self) -> bool {
        self.counts.dame * 12 > self.counts.points
    }

    /// Returns the chains that jigo's own confident estimate has otherwise than a person who named
    /// the dead stones: `jigo's own estimate has D4 dead`.
    pub fn estimate_note(&self, size: BoardSize) -> Option<String> {
        let is_named = self.ending.source == DeadSource::Provided && !self.other_readings.is_empty();
        let status = |stone: &Point| if self.ending.dead.contains(stone) { "alive" } else { "dead" };
        let name = |(stone, _): &(Point, Counts)| format!("{} {}", stone.to_a1(size), status(stone));
        let names = || self.other_readings.iter().take(MAX_NAMED_CHAINS).map(name).collect::<Vec<_>>().join(", ");
        let more = if self.other_readings.len() > MAX_NAMED_CHAINS { " and others" } else { "" };
        is_named.then(|| format!("jigo's own estimate has {}{more}", names()))
    }

    /// Returns the probability, from 0 to 1, that the players counted the number of a ruleset.
    ///
    /// It covers the dead stones and, if the number depends on it, the reading of the territory
    /// rules. `None` if neither is in doubt.
    pub fn confidence(&self, ruleset: &Ruleset) -> Option<f32> {
        confidence(&self.ending, &self.counts, ruleset)
    }

    /// Returns the score under one ruleset, or its range if the dead stones are too doubtful.
    pub(crate) fn score(&self, tally: &Tally, axes: &Axes, komi: Option<HalfPoints>) -> Result<Score, Unscored> {
        let counted_score = score(&self.counts, tally, axes, komi).map_err(Unscored::Ruleset)?;
        let has_ended = !self.ending.is_open || tally.closing_passes >= 2;
        if self.is_certain || (axes.counts_as_is() && has_ended) {
            return Ok(counted_score);
        }
        if self.ending.is_open {
            return Err(Unscored::Ending(UncountedReason::Open));
        }
        let margins = self.extremes.iter().filter_map(|counts| score(counts, tally, axes, komi).ok());
        let margins = margins.map(|score| score.black_minus_white());
        let margins = margins.chain(margins_of_first(&self.ending, &counted_score));
        let (lowest, highest) = margins
            .fold((HalfPoints(i32::MAX), HalfPoints(i32::MIN)), |(lowest, highest), margin| {
                (lowest.min(margin), highest.max(margin))
            });
        Err(Unscored::Doubtful(lowest, highest))
    }
}

/// Returns the confidence of a ruleset's number; see [`CountedEnding::confidence`].
pub(crate) fn confidence(ending: &Ending, counts: &Counts, ruleset: &Ruleset) -> Option<f32> {
    if ruleset.axes.counts_as_is() {
        return None;
    }
    if ruleset.basis == RulesBasis::Explicit || !reading_matters(counts, &ruleset.axes) {
        return ending.confidence;
    }
    Some(ending.confidence.unwrap_or(1.0) * ruleset.basis.reading_probability())
}

/// Returns the margins if Black plays first and if White does, Black minus White. They are equal
/// unless the search finds an unsettled fight.
///
/// The gains are those in area. Under territory rules a margin can differ by a point, since a player
/// who plays last in the fight has filled one more point.
fn margins_of_first(ending: &Ending, score: &Score) -> [HalfPoints; 2] {
    let (margin, [black, white]) = (score.black_minus_white(), ending.gains_of_first.unwrap_or_default());
    [margin + HalfPoints(2 * black), margin - HalfPoints(2 * white)]
}

/// Returns the note that the position of an estimate is not finished, or `None` if no fight is
/// unsettled.
pub fn unfinished_note(ending: &Ending, score: &Score) -> Option<String> {
    ending.gains_of_first?;
    let [black, white] = margins_of_first(ending, score).map(format_margin);
    Some(format!("not finished: {black} if Black plays first, {white} if White does"))
}

/// The reason why a game has no score under a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unscored {
    /// The position has no count.
    Ending(UncountedReason),
    /// The estimate is not confident enough. The margin lies between these two, Black minus White.
    Doubtful(HalfPoints, HalfPoints),
    /// The ruleset needs facts that the record lacks.
    Ruleset(NoScore),
}

impl Unscored {
    /// Returns the status of the row, as the tables write it.
    pub fn status(self) -> &'static str {
        match self {
            Unscored::Ending(reason) => reason.status(),
            Unscored::Doubtful(..) => UncountedReason::Doubtful.status(),
            Unscored::Ruleset(_) => "unsettled",
        }
    }

    /// Returns the reason as a text for people. Equal margins are one number.
    pub fn reason(self) -> Cow<'static, str> {
        match self {
            Unscored::Ending(reason) => reason.name().into(),
            Unscored::Doubtful(low, high) => {
                let name = UncountedReason::Doubtful.name();
                let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
                format!("{name}: margin {range}").into()
            }
            Unscored::Ruleset(reason) => reason.text().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram;
    use jigo_score::DeadSource;

    #[test]
    fn equal_margins_are_one_number() {
        let reason = |low, high| Unscored::Doubtful(HalfPoints(low), HalfPoints(high)).reason();
        assert_eq!(reason(-13, -13), "dead stones doubtful: margin -6.5");
        assert_eq!(reason(-13, 4), "dead stones doubtful: margin -6.5 to 2");
    }

    /// Black wins by 2.5, gains 3 by playing first, and White gains 9.
    #[test]
    fn unfinished_fight_has_the_margins_of_both_players() {
        let position = diagram::read(". X O .\n. X O O\n. X X .").unwrap();
        let settled = Ending::without_estimate(Vec::new(), DeadSource::Playouts);
        let axes = "chinese".parse::<Ruleset>().unwrap().axes;
        let score = score(&settled.counts(&position), &Tally::default(), &axes, Some(HalfPoints(1))).unwrap();
        assert_eq!((score.black_minus_white(), unfinished_note(&settled, &score)), (HalfPoints(5), None));
        let unsettled = Ending { gains_of_first: Some([3, 9]), ..settled };
        let note = unfinished_note(&unsettled, &score).unwrap();
        assert_eq!(note, "not finished: B+5.5 if Black plays first, W+6.5 if White does");
    }
}

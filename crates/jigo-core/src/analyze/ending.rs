//! A decided ending: what is counted, how far it could be off, and what each ruleset makes of it.

use crate::board::{Color, Point, Position};
use crate::replay::Tally;
use crate::rules::{Axes, HalfPoints, RulesBasis, Ruleset};
use crate::score::count::{NoScore, Score, reading_matters, score};
use crate::score::{Counts, Ending, Uncounted};

/// An ending with its dead stones decided and the points counted.
#[derive(Clone, Debug)]
pub struct CountedEnding {
    /// The dead stones and who says so.
    pub ending: Ending,
    /// What is on the board without them.
    pub counts: Counts,
    /// What is on the board if every doubtful chain of Black, or of White, is dead and all others live; empty without doubt.
    pub extremes: Vec<Counts>,
    /// What is on the board if one doubtful chain, named by a stone, had the other status.
    pub other_readings: Vec<(Point, Counts)>,
    /// Whether it is sure enough to be scored.
    pub is_sure: bool,
}

impl CountedEnding {
    pub(super) fn of(position: &Position, ending: Ending, tally: &Tally, min_confidence: f32) -> CountedEnding {
        let counts = Counts::of(position, &ending.dead);
        let ending = ending.checked_for_end(&counts, tally).checked_for_fights(position, &counts);
        let extremes = if ending.doubtful.is_empty() { &[][..] } else { &Color::BOTH };
        let worst = |losing: &Color| Counts::of(position, &ending.dead_at_worst(position, *losing));
        let readings = ending.other_readings(position).into_iter();
        CountedEnding {
            counts,
            extremes: extremes.iter().map(worst).collect(),
            other_readings: readings.map(|(stone, dead)| (stone, Counts::of(position, &dead))).collect(),
            is_sure: ending.is_confident(min_confidence),
            ending,
        }
    }
}

impl CountedEnding {
    /// How probable it is that the players counted the number of a ruleset, from 0 to 1: that the dead stones are these and, where the number
    /// depends on it, that territory was read so. `None` where neither is in doubt.
    pub fn confidence(&self, ruleset: &Ruleset) -> Option<f32> {
        confidence(&self.ending, &self.counts, ruleset)
    }

    /// The score under one ruleset, or the range it lies in where the dead stones are not sure enough.
    pub(super) fn score(&self, tally: &Tally, axes: &Axes, komi: Option<HalfPoints>) -> Result<Score, Unscored> {
        let counted = score(&self.counts, tally, axes, komi).map_err(Unscored::Ruleset)?;
        if self.is_sure {
            return Ok(counted);
        }
        if self.ending.is_open {
            return Err(Unscored::Ending(Uncounted::Open));
        }
        let margins = self.extremes.iter().filter_map(|counts| score(counts, tally, axes, komi).ok());
        let margins = margins.chain([counted]).map(|score| score.black_minus_white());
        let (low, high) = margins.fold((HalfPoints(i32::MAX), HalfPoints(i32::MIN)), |(low, high), margin| {
            (low.min(margin), high.max(margin))
        });
        Err(Unscored::Doubtful(low, high))
    }
}

/// Returns the confidence of the number that a ruleset counts, as [`CountedEnding::confidence`] describes it.
pub(crate) fn confidence(ending: &Ending, counts: &Counts, ruleset: &Ruleset) -> Option<f32> {
    if ruleset.basis == RulesBasis::Named || !reading_matters(counts, &ruleset.axes) {
        return ending.confidence;
    }
    Some(ending.confidence.unwrap_or(1.0) * ruleset.basis.confidence())
}

/// Why a game has no score under a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unscored {
    /// The position has no count.
    Ending(Uncounted),
    /// The estimate is not sure enough; the margin lies between these, Black minus White.
    Doubtful(HalfPoints, HalfPoints),
    /// The ruleset needs to know more than the record says.
    Ruleset(NoScore),
}

//! Pairwise comparison of rulesets: margin and winner of a game under both, and the causes of a
//! difference.

use crate::analysis::{CountedEnding, GameReport};
use crate::audit::MarginDifference;
use jigo_rules::board::Color;
use jigo_rules::ruleset::{Scoring, TerritoryReading, Tie};
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::{Score, score};

jigo_rules::named! {
    /// The cause of a difference between the counts of two rulesets. Every point of a difference
    /// has one.
    pub enum DifferenceCause {
        /// One player took the last turn, and only area counts its stone.
        Parity = "parity",
        /// A pass costs a stone by area and nothing by territory.
        Passes = "passes",
        /// Handicap stones on the board, which only area counts.
        HandicapStones = "handicap_stones",
        /// Other stones that were set up.
        Setup = "setup",
        /// Eyes in seki.
        Seki = "seki",
        /// Points that must be filled at the end.
        Dame = "dame",
        /// Another komi, if the record has none.
        Komi = "komi",
        /// Another compensation for handicap stones.
        Bonus = "bonus",
        /// Pass stones, group tax and the button.
        Rest = "rest",
    }
}

/// The cause of a different winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinnerCause {
    /// Without this part of the difference the winner would be the same, and no other part has this
    /// effect.
    One(DifferenceCause),
    /// Several parts have this effect, or only several together.
    Several,
}

/// One game under two rulesets, ordered by name.
pub struct RulesetComparison<'a> {
    /// The rulesets.
    pub rulesets: [&'a Ruleset; 2],
    /// The scores; `None` if a ruleset has no score or its score is not confident enough.
    pub scores: Option<[&'a Score; 2]>,
    /// The first margin minus the second, split by cause in the order of
    /// [`DifferenceCause::NAMES`]. All 0 without scores.
    pub causes: [HalfPoints; 9],
    /// The winners at each ruleset's own komi; `None` without scores.
    pub own_komi_winners: Option<[Option<Color>; 2]>,
    /// The lower confidence of the two scores, from 0 to 1; `None` if neither is in doubt.
    pub confidence: Option<f32>,
}

/// The difference between the results of a game under two rulesets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The same winner and margin.
    Same,
    /// The same winner, but a margin that differs by 1, 2, or at least 3 points (stored as 3). Half
    /// points are rounded up.
    Margin(u8),
    /// Another winner. A draw (jigo) counts as a separate winner.
    Winner,
    /// At least one ruleset has no confident score.
    Unsettled,
}

impl Change {
    /// Returns the word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Change::Same => "same",
            Change::Margin(1) => "margin_1",
            Change::Margin(2) => "margin_2",
            Change::Margin(_) => "margin_3",
            Change::Winner => "winner",
            Change::Unsettled => "unsettled",
        }
    }
}

/// Returns all pairs of the rulesets that a game was scored under; none if it did not end by
/// counting.
pub fn comparisons(report: &GameReport) -> Vec<RulesetComparison<'_>> {
    let Some(Ok(ending)) = &report.ending else { return Vec::new() };
    let mut pairs = Vec::new();
    for (index, score_entry) in report.scores.iter().enumerate() {
        for earlier_entry in &report.scores[..index] {
            let (first, second) = if score_entry.0.name < earlier_entry.0.name {
                (score_entry, earlier_entry)
            } else {
                (earlier_entry, score_entry)
            };
            let scores = match (&first.1, &second.1) {
                (Ok(first_score), Ok(second_score)) => Some([first_score, second_score]),
                _ => None,
            };
            let rulesets = [&first.0, &second.0];
            let causes = scores.map_or([HalfPoints::ZERO; 9], |scores| causes(rulesets, scores, ending, report));
            let confidence = rulesets.iter().filter_map(|ruleset| ending.confidence(ruleset)).reduce(f32::min);
            let own_komi_winners = scores.and_then(|_| own_komi_winners(rulesets, ending, report));
            pairs.push(RulesetComparison { rulesets, scores, causes, own_komi_winners, confidence });
        }
    }
    pairs
}

/// Returns the winners of a game at each ruleset's own komi.
fn own_komi_winners(
    rulesets: [&Ruleset; 2],
    ending: &CountedEnding,
    report: &GameReport,
) -> Option<[Option<Color>; 2]> {
    let winner = |ruleset: &Ruleset| Some(score(&ending.counts, &report.tally, &ruleset.axes, None).ok()?.winner);
    Some([winner(rulesets[0])?, winner(rulesets[1])?])
}

/// Splits the difference of two margins by cause.
fn causes(
    rulesets: [&Ruleset; 2],
    scores: [&Score; 2],
    ending: &CountedEnding,
    report: &GameReport,
) -> [HalfPoints; 9] {
    let parts = MarginDifference::new(&ending.counts, &report.tally);
    let multiple = |value: HalfPoints, factor: i32| HalfPoints(value.0 * factor);
    let rule_difference =
        |has_rule: &dyn Fn(&Ruleset) -> bool| i32::from(has_rule(rulesets[0])) - i32::from(has_rule(rulesets[1]));
    let is_area = |ruleset: &Ruleset| matches!(ruleset.axes.scoring, Scoring::Area | Scoring::GroupTax);
    let area = rule_difference(&is_area);
    let seki = rule_difference(&|ruleset| ruleset.axes.territory == TerritoryReading::EveryRegion);
    let fill_difference = rule_difference(&|ruleset| is_area(ruleset) || !ruleset.axes.territory.leaves_out_fill());
    let mut causes = [
        multiple(parts.parity, area),
        multiple(parts.passes, area),
        multiple(parts.handicap, area),
        multiple(parts.setup, area),
        multiple(parts.seki, seki),
        multiple(parts.dame, fill_difference),
        scores[1].komi - scores[0].komi,
        scores[1].bonus - scores[0].bonus,
        HalfPoints::ZERO,
    ];
    let total = scores[0].black_minus_white() - scores[1].black_minus_white();
    let explained_sum: HalfPoints = causes.iter().copied().sum();
    causes[8] = total - explained_sum;
    causes
}

impl RulesetComparison<'_> {
    /// Returns the margin under the first ruleset minus the margin under the second.
    pub fn difference(&self) -> Option<HalfPoints> {
        self.scores.map(|[first, second]| first.black_minus_white() - second.black_minus_white())
    }

    /// Returns true if the rulesets give different winners at their own komi.
    pub fn changes_winner_at_own_komi(&self) -> bool {
        self.own_komi_winners.is_some_and(|[first, second]| first != second)
    }

    /// Returns the cause of a different winner. `None` if the winner is the same or unknown.
    pub fn winner_cause(&self) -> Option<WinnerCause> {
        let [first, second] = self.scores.filter(|[first, second]| first.winner != second.winner)?;
        let winner_without = |cause: HalfPoints| match (first.black_minus_white() - cause).0 {
            1.. => Some(Color::Black),
            0 if self.rulesets[0].axes.tie == Tie::Black => Some(Color::Black),
            0 => None,
            _ => Some(Color::White),
        };
        let mut deciding = DifferenceCause::NAMES
            .iter()
            .zip(self.causes)
            .filter(|(_, cause)| *cause != HalfPoints::ZERO && winner_without(*cause) == second.winner);
        Some(match (deciding.next(), deciding.next()) {
            (Some(((_, cause), _)), None) => WinnerCause::One(*cause),
            _ => WinnerCause::Several,
        })
    }

    /// Returns the difference between the results.
    pub fn change(&self) -> Change {
        let Some([first, second]) = self.scores else { return Change::Unsettled };
        let difference = (first.black_minus_white() - second.black_minus_white()).0.unsigned_abs();
        match difference.div_ceil(2) {
            _ if first.winner != second.winner => Change::Winner,
            0 => Change::Same,
            points => Change::Margin(points.min(3) as u8),
        }
    }
}

/// Returns the winner's letter, or `draw`.
pub fn winner(score: &Score) -> &'static str {
    score.winner.map_or("draw", Color::letter)
}

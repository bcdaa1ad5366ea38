//! Rulesets compared in pairs: what a game's margin and winner become under one and the other, and why.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::analyze::{CountedEnding, GameReport};
use crate::board::Color;
use crate::report::as_list;
use crate::rules::ruleset::Scoring;
use crate::rules::{HalfPoints, Ruleset};
use crate::score::Score;
use crate::score::audit::Difference;

/// Why two rulesets count differently. Every point of a difference has one of these causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// One player took the last turn, which only area pays.
    Parity,
    /// Passes cost nothing in territory and a stone in area.
    Passes,
    /// Handicap stones on the board, which only area counts.
    HandicapStones,
    /// Other stones that were set up.
    Setup,
    /// Eyes in seki.
    Seki,
    /// Points that have to be filled in the end.
    Dame,
    /// Another komi, where the record has none.
    Komi,
    /// Another compensation for handicap stones.
    Bonus,
    /// Pass stones, group tax, the button.
    Rest,
}

impl Cause {
    /// All of them with their names in tables.
    pub const NAMED: [(&str, Cause); 9] = [
        ("parity", Cause::Parity),
        ("passes", Cause::Passes),
        ("handicap_stones", Cause::HandicapStones),
        ("setup", Cause::Setup),
        ("seki", Cause::Seki),
        ("dame", Cause::Dame),
        ("komi", Cause::Komi),
        ("bonus", Cause::Bonus),
        ("rest", Cause::Rest),
    ];
}

/// One game under two rulesets, the first by name before the other.
pub struct Comparison<'a> {
    /// The rulesets.
    pub rulesets: [&'a Ruleset; 2],
    /// The scores; `None` where the game was counted and one of the rulesets has no sure number.
    pub scores: Option<[&'a Score; 2]>,
    /// The margin under the first less that under the other, by causes in the order of [`Cause::NAMED`]. All 0 without scores.
    pub causes: [HalfPoints; 9],
}

/// How two rulesets' verdicts of a game differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The same winner by the same margin.
    Same,
    /// The same winner by a margin that differs by so many points: 1, 2 or, for 3 and more, 3. Half points are rounded up.
    Margin(u8),
    /// Another winner, jigo being one.
    Winner,
    /// One of the two has no sure number.
    Unsettled,
}

impl Change {
    /// The word in tables.
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

/// All pairs of the rulesets that a game was counted under; none for a game that did not end by counting.
pub fn comparisons(report: &GameReport) -> Vec<Comparison<'_>> {
    let Some(Ok(counted)) = &report.ending else { return Vec::new() };
    let mut pairs = Vec::new();
    for (index, one) in report.scores.iter().enumerate() {
        for other in &report.scores[..index] {
            let (first, second) = if one.0.name < other.0.name { (one, other) } else { (other, one) };
            let scores = match (&first.1, &second.1) {
                (Ok(score), Ok(other)) => Some([score, other]),
                _ => None,
            };
            let rulesets = [&first.0, &second.0];
            let causes = scores.map_or([HalfPoints::ZERO; 9], |scores| causes(rulesets, scores, counted, report));
            pairs.push(Comparison { rulesets, scores, causes });
        }
    }
    pairs
}

/// What the difference of two margins is made of.
fn causes(
    rulesets: [&Ruleset; 2],
    scores: [&Score; 2],
    counted: &CountedEnding,
    report: &GameReport,
) -> [HalfPoints; 9] {
    let parts = Difference::of(&counted.counts, &report.tally);
    let times = |value: HalfPoints, factor: i32| HalfPoints(value.0 * factor);
    let differ = |is: &dyn Fn(&Ruleset) -> bool| i32::from(is(rulesets[0])) - i32::from(is(rulesets[1]));
    let area = differ(&|ruleset| matches!(ruleset.axes.scoring, Scoring::Area | Scoring::GroupTax));
    let seki = differ(&|ruleset| ruleset.axes.seki_points);
    let mut causes = [
        times(parts.parity, area),
        times(parts.passes, area),
        times(parts.handicap, area),
        times(parts.setup, area),
        times(parts.seki, seki),
        times(parts.dame, seki),
        scores[1].komi - scores[0].komi,
        scores[1].bonus - scores[0].bonus,
        HalfPoints::ZERO,
    ];
    let whole = scores[0].black_minus_white() - scores[1].black_minus_white();
    let explained: HalfPoints = causes.iter().copied().sum();
    causes[8] = whole - explained;
    causes
}

impl Comparison<'_> {
    /// The margin under the first ruleset less that under the other.
    pub fn difference(&self) -> Option<HalfPoints> {
        self.scores.map(|[one, other]| one.black_minus_white() - other.black_minus_white())
    }

    /// How the verdicts differ.
    pub fn change(&self) -> Change {
        let Some([one, other]) = self.scores else { return Change::Unsettled };
        let difference = (one.black_minus_white() - other.black_minus_white()).0.unsigned_abs();
        match difference.div_ceil(2) {
            _ if one.winner != other.winner => Change::Winner,
            0 => Change::Same,
            points => Change::Margin(points.min(3) as u8),
        }
    }
}

/// What became of the games under a pair of rulesets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The same winner by the same margin.
    pub same: u64,
    /// The same winner, the margin 1, 2, 3 or more points apart.
    pub margin: [u64; 3],
    /// Another winner.
    pub winner: u64,
    /// No sure number under one of them.
    pub unsettled: u64,
    /// Games of which a part of the difference has this cause, by [`Cause::NAMED`].
    pub causes: [u64; 9],
}

impl Pair {
    /// Games that were counted under both.
    pub fn counted(&self) -> u64 {
        self.same + self.margin.iter().sum::<u64>() + self.winner
    }

    fn add(&mut self, other: &Pair) {
        self.same += other.same;
        self.winner += other.winner;
        self.unsettled += other.unsettled;
        self.margin.iter_mut().zip(other.margin).for_each(|(sum, more)| *sum += more);
        self.causes.iter_mut().zip(other.causes).for_each(|(sum, more)| *sum += more);
    }
}

/// The pairs of rulesets that games were counted under, by their names in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// What became of the games.
    #[serde(with = "as_list")]
    pub pairs: BTreeMap<(String, String), Pair>,
    /// Games that were counted under one ruleset at least, or would have been if they were settled.
    pub games: u64,
    /// Games without a count: resigned, on time, unreadable.
    pub not_counted: u64,
}

impl Pairs {
    /// Counts a game.
    pub fn game(&mut self, report: &GameReport) {
        match &report.ending {
            Some(Ok(_)) => self.games += 1,
            _ => self.not_counted += 1,
        }
        for comparison in comparisons(report) {
            let [one, other] = comparison.rulesets.map(|ruleset| ruleset.name.as_ref());
            let pair = match self.pairs.get_mut(&(one.to_owned(), other.to_owned())) {
                Some(pair) => pair,
                None => self.pairs.entry((one.to_owned(), other.to_owned())).or_default(),
            };
            match comparison.change() {
                Change::Same => pair.same += 1,
                Change::Margin(points) => pair.margin[usize::from(points) - 1] += 1,
                Change::Winner => pair.winner += 1,
                Change::Unsettled => pair.unsettled += 1,
            }
            for (count, cause) in pair.causes.iter_mut().zip(comparison.causes) {
                *count += u64::from(cause != HalfPoints::ZERO);
            }
        }
    }

    /// Adds the counts of another part.
    pub fn add(&mut self, other: &Pairs) {
        self.games += other.games;
        self.not_counted += other.not_counted;
        for (names, pair) in &other.pairs {
            self.pairs.entry(names.clone()).or_default().add(pair);
        }
    }

    /// The table that `jigo compare` prints.
    pub fn text(&self) -> String {
        let mut text = format!("{} games counted, {} others not\n\n", self.games, self.not_counted);
        if self.pairs.is_empty() {
            return text + "No two rulesets to compare: name them with --rules, as in --rules japanese,chinese\n";
        }
        let names: Vec<String> = self.pairs.keys().map(|(one, other)| format!("{one} - {other}")).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
        // A String does not refuse to be written to.
        let _ = writeln!(
            text,
            "{:<width$} {:>8}   {:>8} {:>8} {:>8} {:>8}   {:>9} {:>9}",
            "rulesets", "counted", "same", "by 1", "by 2", "by 3+", "winner", "unsettled"
        );
        for (name, pair) in names.iter().zip(self.pairs.values()) {
            let [one, two, three] = pair.margin;
            let _ = writeln!(
                text,
                "{name:<width$} {:>8}   {:>8} {one:>8} {two:>8} {three:>8}   {:>9} {:>9}",
                pair.counted(),
                pair.same,
                pair.winner,
                pair.unsettled
            );
        }
        text += "\nThe same winner by the same margin, or one that differs by so many points; another winner; no sure count.\n";
        text + "\n" + &self.causes_text(&names, width)
    }

    fn causes_text(&self, names: &[String], width: usize) -> String {
        let present: Vec<usize> =
            (0..Cause::NAMED.len()).filter(|cause| self.pairs.values().any(|pair| pair.causes[*cause] > 0)).collect();
        if present.is_empty() {
            return "No margin differs.\n".into();
        }
        let mut text = format!("{:<width$}", "games with a difference from");
        let width = width.max("games with a difference from".len());
        for cause in &present {
            let _ = write!(text, " {:>15}", Cause::NAMED[*cause].0.replace('_', " "));
        }
        text.push('\n');
        for (name, pair) in names.iter().zip(self.pairs.values()).filter(|(_, pair)| pair.causes.iter().any(|n| *n > 0))
        {
            let _ = write!(text, "{name:<width$}");
            for cause in &present {
                let _ = write!(text, " {:>15}", pair.causes[*cause]);
            }
            text.push('\n');
        }
        text
    }
}

/// The winner's letter, or `draw`.
pub fn winner(score: &Score) -> &'static str {
    score.winner.map_or("draw", Color::letter)
}

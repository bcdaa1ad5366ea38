//! The results of games under every pair of rulesets.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jigo_core::analysis::GameReport;
use jigo_core::analysis::comparison::{Change, DifferenceCause, comparisons};
use jigo_rules::HalfPoints;
use serde::{Deserialize, Serialize};

use super::serde_map;
use crate::pipeline::{VisitedGame, Visitor};
use crate::summary::with_noun;

/// The results of games under one pair of rulesets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Games with the same winner and margin.
    pub same: u64,
    /// Games with the same winner and margins that differ by 1, 2, 3 or more points.
    pub margin: [u64; 3],
    /// Games with different winners.
    pub winner: u64,
    /// Games without a certain count under at least one of the rulesets.
    pub unsettled: u64,
    /// Games with a difference from each cause, in the order of [`DifferenceCause::NAMES`].
    pub causes: [u64; 9],
}

impl Pair {
    /// Returns the number of games counted under both rulesets.
    pub fn counted_games(&self) -> u64 {
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

/// The pairs of rulesets that games were counted under. Pairs and the names in each are in
/// alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// The results by pair.
    #[serde(with = "serde_map")]
    pub pairs: BTreeMap<(String, String), Pair>,
    /// Games that were counted under at least one ruleset, or would have been if they were settled.
    pub games: u64,
    /// Games without a count: resigned, lost on time, unreadable.
    pub not_counted: u64,
}

impl Pairs {
    /// Counts a game.
    pub fn add_game(&mut self, report: &GameReport) {
        match &report.ending {
            Some(Ok(_)) => self.games += 1,
            _ => self.not_counted += 1,
        }
        for comparison in comparisons(report) {
            let [first, second] = comparison.rulesets.map(|ruleset| ruleset.name.as_ref());
            let pair = match self.pairs.get_mut(&(first.to_owned(), second.to_owned())) {
                Some(pair) => pair,
                None => self.pairs.entry((first.to_owned(), second.to_owned())).or_default(),
            };
            match comparison.change() {
                Change::Same => pair.same += 1,
                Change::Margin(points) => pair.margin[usize::from(points) - 1] += 1,
                Change::Winner => pair.winner += 1,
                Change::Unsettled => pair.unsettled += 1,
            }
            for (game_count, cause) in pair.causes.iter_mut().zip(comparison.causes) {
                *game_count += u64::from(cause != HalfPoints::ZERO);
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

    /// Returns the table that `jigo compare` prints.
    pub fn text(&self) -> String {
        let (games, others) = (with_noun(self.games, "game"), with_noun(self.not_counted, "other"));
        let mut text = format!("{games} counted, {others} not\n\n");
        if self.games == 0 {
            return text + "No ending to compare: jigo score tells of each game why it is not counted\n";
        }
        if self.pairs.is_empty() {
            return text + "No two rulesets to compare: name them with --rules, as in --rules japanese,chinese\n";
        }
        let names: Vec<String> = self.pairs.keys().map(|(first, second)| format!("{first} - {second}")).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
        // Writing to a String can't fail.
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
                pair.counted_games(),
                pair.same,
                pair.winner,
                pair.unsettled
            );
        }
        text += "\nThe same winner by the same margin, or one that differs by so many points; another winner; no sure count.\n";
        text + "\n" + &self.causes_text(&names, width)
    }

    fn causes_text(&self, names: &[String], width: usize) -> String {
        let present: Vec<usize> = (0..DifferenceCause::NAMES.len())
            .filter(|cause| self.pairs.values().any(|pair| pair.causes[*cause] > 0))
            .collect();
        if present.is_empty() {
            return "No margin differs.\n".into();
        }
        let mut text = format!("{:<width$}", "games with a difference from");
        let width = width.max("games with a difference from".len());
        for cause in &present {
            let _ = write!(text, " {:>15}", DifferenceCause::NAMES[*cause].0.replace('_', " "));
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

/// The visitor that counts every pair of rulesets.
pub struct PairVisitor;

impl Visitor for PairVisitor {
    type Accumulator = Pairs;

    fn start_batch(&self) -> Pairs {
        Pairs::default()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut Pairs) {
        batch.add_game(game.report);
    }
}

//! The results of games under every pair of rulesets.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jigo_core::analysis::GameReport;
use jigo_core::analysis::comparison::{DifferenceCause, comparisons};
use serde::{Deserialize, Serialize};

use super::serde_map;
use crate::formats::Rows;
use crate::partial_result::merge_fields;
use crate::pipeline::{VisitedGame, Visitor};
use crate::row::{Row, Table};
use crate::summary::{ShareEstimate, with_noun};
use crate::tables::{Aggregate, PairRow};

pub use crate::tables::Pair;

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

merge_fields!(Pairs { pairs, games, not_counted });

impl Pairs {
    /// Counts a game.
    pub fn add_game(&mut self, report: &GameReport) {
        match &report.ending {
            Some(Ok(_)) => self.games += 1,
            _ => self.not_counted += 1,
        }
        for comparison in comparisons(report) {
            let [first, second] = comparison.rulesets.map(|ruleset| ruleset.name.as_ref());
            self.pairs.entry((first.to_owned(), second.to_owned())).or_default().add_game(&comparison);
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
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(MIN_NAME_WIDTH);
        text += &self.margins_text(&names, width);
        text +=
            "\nThe same winner by the same margin, or one that differs by this number of points; no certain count.\n\n";
        text += &self.winners_text(&names, width);
        text += "\nAnother winner at the komi of the record, and at each ruleset's own komi; 95 % intervals.\n";
        text + "\n" + &self.causes_text(&names, width)
    }

    /// Returns the table of margins, each with its share.
    fn margins_text(&self, names: &[String], width: usize) -> String {
        // Writing to a String can't fail.
        let mut text = format!("{:<width$} {:>8}", "rulesets", "counted");
        for heading in ["same", "by 1", "by 2", "by 3+"] {
            let _ = write!(text, " {heading:>14}");
        }
        let _ = writeln!(text, " {:>9}", "unsettled");
        for (name, pair) in names.iter().zip(self.pairs.values()) {
            let counted_games = pair.counted_games();
            let _ = write!(text, "{name:<width$} {counted_games:>8}");
            for count in [pair.same].into_iter().chain(pair.margin) {
                let _ = write!(text, " {count:>7} {:>6}", percent(ShareEstimate::new(count, counted_games)));
            }
            let _ = writeln!(text, " {:>9}", pair.unsettled);
        }
        text
    }

    /// Returns the table of winners that change, at equal and at own komi.
    fn winners_text(&self, names: &[String], width: usize) -> String {
        let mut text = format!("{:<width$} {:>30} {:>30}\n", "another winner", "komi of the record", "own komi");
        for (name, pair) in names.iter().zip(self.pairs.values()) {
            let cell = |count: u64, share: Option<ShareEstimate>| {
                format!("{count:>7} {:>6} {:>15}", percent(share), interval(share))
            };
            let _ = writeln!(
                text,
                "{name:<width$} {} {}",
                cell(pair.winner, pair.winner_share()),
                cell(pair.own_komi_winner, pair.own_komi_share())
            );
        }
        text
    }

    /// Returns the table of causes. Each cell has the games with a difference from a cause and,
    /// after a slash, those in which this cause changes the winner.
    fn causes_text(&self, names: &[String], width: usize) -> String {
        let names_of_causes = || DifferenceCause::NAMES.iter().map(|(name, _)| *name).chain(["several"]);
        let counts = |pair: &Pair, cause: usize| (pair.causes.get(cause).copied(), pair.winner_causes[cause]);
        let is_present = |cause: &usize| {
            self.pairs.values().any(|pair| counts(pair, *cause).0.unwrap_or(0) + counts(pair, *cause).1 > 0)
        };
        let present: Vec<usize> = (0..names_of_causes().count()).filter(is_present).collect();
        if present.is_empty() {
            return "No margin differs.\n".into();
        }
        let mut text = format!("{:<width$}", "games with a difference from");
        let width = width.max("games with a difference from".len());
        for (_, name) in names_of_causes().enumerate().filter(|(cause, _)| present.contains(cause)) {
            let _ = write!(text, " {:>15}", name.replace('_', " "));
        }
        text.push('\n');
        let is_different = |pair: &Pair| pair.causes.iter().any(|count| *count > 0);
        for (name, pair) in names.iter().zip(self.pairs.values()).filter(|(_, pair)| is_different(pair)) {
            let _ = write!(text, "{name:<width$}");
            for cause in &present {
                let cell = match counts(pair, *cause) {
                    (Some(games), winners) => format!("{games} / {winners}"),
                    (None, winners) => format!("/ {winners}"),
                };
                let _ = write!(text, " {cell:>15}");
            }
            text.push('\n');
        }
        text + "\nGames with a difference from a cause / games in which this cause alone changes the winner.\n"
    }
}

/// The smallest width of the names of pairs.
const MIN_NAME_WIDTH: usize = 14;

fn percent(share: Option<ShareEstimate>) -> String {
    share.map_or(String::new(), |share| format!("{:.1}%", share.share * 100.0))
}

fn interval(share: Option<ShareEstimate>) -> String {
    share.map_or(String::new(), |share| format!("({:.1}% - {:.1}%)", share.low * 100.0, share.high * 100.0))
}

/// The value of a header by which games are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairGrouping {
    /// The server or program that wrote the record.
    Server,
    /// The year.
    Year,
    /// The number of handicap stones.
    Handicap,
}

impl PairGrouping {
    fn name(self) -> &'static str {
        match self {
            PairGrouping::Server => "Server",
            PairGrouping::Year => "Year",
            PairGrouping::Handicap => "Handicap",
        }
    }

    /// Returns the group of a game.
    fn group(self, report: &GameReport) -> String {
        let known = match self {
            PairGrouping::Server => report.header.dialect.map(|dialect| dialect.name.to_owned()),
            PairGrouping::Year => report.header.year().map(|year| year.to_string()),
            PairGrouping::Handicap => Some(report.tally.handicap.stones().to_string()),
        };
        known.unwrap_or_else(|| "unknown".to_owned())
    }
}

/// The pairs of rulesets by group of games. Without grouping there is one group without a name.
pub type GroupedPairs = BTreeMap<Option<String>, Pairs>;

/// The visitor that counts every pair of rulesets.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairVisitor {
    /// The groups of games that are counted separately.
    pub grouping: Option<PairGrouping>,
}

impl PairVisitor {
    /// Returns the text of `jigo compare`: the tables of each group.
    pub fn text(&self, groups: &GroupedPairs) -> String {
        if groups.is_empty() {
            return Pairs::default().text();
        }
        let texts: Vec<String> = groups
            .iter()
            .map(|(group, pairs)| match (group, self.grouping) {
                (Some(group), Some(grouping)) => {
                    format!("{} {group}: {}", grouping.name(), pairs.text())
                }
                _ => pairs.text(),
            })
            .collect();
        texts.join("\n")
    }
}

impl Visitor for PairVisitor {
    type Accumulator = GroupedPairs;

    fn start_batch(&self) -> GroupedPairs {
        GroupedPairs::new()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut GroupedPairs) {
        let group = self.grouping.map(|grouping| grouping.group(game.report));
        batch.entry(group).or_default().add_game(game.report);
    }
}

impl Aggregate for PairVisitor {
    const TABLE: &'static Table = PairRow::TABLE;

    fn finish(&self, total: GroupedPairs, rows: &mut Rows) {
        for (group, pairs) in &total {
            for ((first, second), pair) in &pairs.pairs {
                rows.push(&PairRow { group: group.as_deref(), rulesets: [first, second], pair });
            }
        }
    }
}

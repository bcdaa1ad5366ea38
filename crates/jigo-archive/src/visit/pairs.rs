//! The results of games under every pair of rulesets.

use std::collections::BTreeMap;

use anyhow::ensure;
use jigo_core::analysis::comparison::{DifferenceCause, comparisons};
use jigo_core::analysis::{GameReport, Settings};
use serde::{Deserialize, Serialize};

use super::pair_grouping::{PairGroup, PairGrouping, group_name};
use super::serde_map;
use crate::formats::Rows;
use crate::partial_result::merge_fields;
use crate::pipeline::{VisitedGame, Visitor};
use crate::row::{Row, Table};
use crate::summary::{ShareEstimate, with_noun};
use crate::tables::{Aggregate, GameRows, GameTable as _, PairRow};

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

    /// Returns the tables that `jigo compare` prints, without pairs of fewer games.
    fn text(&self, min_games: u64) -> String {
        let (games, others) = (with_noun(self.games, "game"), self.not_counted);
        let mut text = format!("{games} with an ending to count, {others} without\n\n");
        if self.games == 0 {
            return text + "No ending to compare: jigo score tells of each game why it is not counted\n";
        }
        if self.pairs.is_empty() {
            return text + "No two rulesets to compare: name them with --rules, as in --rules japanese,chinese\n";
        }
        let shown = || self.pairs.iter().filter(|(_, pair)| pair.counted_games() >= min_games);
        let rows: Vec<NamedPair> =
            shown().map(|((first, second), pair)| (format!("{first} - {second}"), pair)).collect();
        if !rows.is_empty() {
            text += &(margins_text(&rows) + "\n" + &winners_text(&rows) + "\n" + &causes_text(&rows));
        }
        match self.pairs.len() - rows.len() {
            0 => text,
            others => {
                let pairs = with_noun(others as u64, "pair");
                text + &format!("\nLeft out: {pairs} of rulesets with fewer than {min_games} games; see --min-games.\n")
            }
        }
    }
}

/// A pair of rulesets with its name.
type NamedPair<'a> = (String, &'a Pair);

/// The columns of the tables for people. No line is wider, as long as names fit into theirs.
const WIDTH: usize = 80;

/// The width of the names of pairs. A longer name takes a separate line.
const NAME_WIDTH: usize = 24;

/// Returns a table: a heading, and the cells of each pair.
fn table_text(name: &str, heading: &str, rows: &[NamedPair], cells: impl Fn(&Pair) -> Option<String>) -> String {
    let mut text = format!("{name:<NAME_WIDTH$}{heading}\n");
    for (name, pair) in rows {
        let Some(cells) = cells(pair) else { continue };
        let break_line = if name.chars().count() > NAME_WIDTH { "\n" } else { "" };
        let name = if break_line.is_empty() {
            format!("{name:<NAME_WIDTH$}")
        } else {
            format!("{name}{break_line}{:NAME_WIDTH$}", "")
        };
        text += &format!("{name}{cells}\n");
    }
    text
}

/// Returns the table of margins and winners. The shares of a line add up to all counted games.
fn margins_text(rows: &[NamedPair]) -> String {
    let headings = ["same", "by 1", "by 2", "by 3+", "winner"].map(|heading| format!(" {heading:>6}")).concat();
    let heading = format!(" {:>8}{headings} {:>9}", "counted", "unsettled");
    let text = table_text("rulesets", &heading, rows, |pair| {
        let counted_games = pair.counted_games();
        let counts = [pair.same].into_iter().chain(pair.margin).chain([pair.winner]);
        let shares = counts.map(|count| format!(" {:>6}", percent(ShareEstimate::new(count, counted_games))));
        Some(format!(" {counted_games:>8}{} {:>9}", shares.collect::<String>(), pair.unsettled))
    });
    text + "\nShares of the counted games, in all 100% before rounding: the same winner by\n\
            the same margin, or by one that differs by so many points; another winner.\n"
}

/// Returns the table of winners that change, at equal and at own komi.
fn winners_text(rows: &[NamedPair]) -> String {
    let heading = format!(" {:>26} {:>26}", "komi of the record", "own komi");
    let cell = |count: u64, share: Option<ShareEstimate>| {
        let interval =
            share.map_or(String::new(), |share| format!("{:.1}-{:.1}", share.low * 100.0, share.high * 100.0));
        format!(" {count:>7} {:>6} {interval:>11}", percent(share))
    };
    let text = table_text("another winner", &heading, rows, |pair| {
        let own_komi = cell(pair.own_komi_winner, pair.own_komi_share());
        Some(cell(pair.winner, pair.winner_share()) + &own_komi)
    });
    text + "\nGames with another winner, their share, and its 95 % interval in percent.\n"
}

/// The width of a cell of the table of causes.
const CAUSE_WIDTH: usize = 17;

/// Returns the table of causes. Each cell has the games with a difference from a cause and, after a
/// slash, those in which this cause changes the winner.
fn causes_text(rows: &[NamedPair]) -> String {
    let names: Vec<&str> = DifferenceCause::NAMES.iter().map(|(name, _)| *name).chain(["several"]).collect();
    let counts = |pair: &Pair, cause: usize| (pair.causes.get(cause).copied(), pair.winner_causes[cause]);
    let is_present = |pair: &Pair, cause: usize| counts(pair, cause).0.unwrap_or(0) + counts(pair, cause).1 > 0;
    let present: Vec<usize> =
        (0..names.len()).filter(|cause| rows.iter().any(|(_, pair)| is_present(pair, *cause))).collect();
    if present.is_empty() {
        return "No margin differs.\n".into();
    }
    let mut text = String::new();
    for causes in present.chunks((WIDTH - NAME_WIDTH) / CAUSE_WIDTH) {
        let headings = causes.iter().map(|cause| format!("{:>CAUSE_WIDTH$}", names[*cause].replace('_', " ")));
        text += &table_text("difference from", &headings.collect::<String>(), rows, |pair| {
            let cell = |cause: &usize| match counts(pair, *cause) {
                (Some(games), winners) => format!("{:>CAUSE_WIDTH$}", format!("{games} / {winners}")),
                (None, winners) => format!("{:>CAUSE_WIDTH$}", format!("/ {winners}")),
            };
            let is_shown = causes.iter().any(|cause| is_present(pair, *cause));
            is_shown.then(|| causes.iter().map(cell).collect())
        });
        text.push('\n');
    }
    text + "Games with a difference from a cause / in which it alone changes the winner.\n"
}

fn percent(share: Option<ShareEstimate>) -> String {
    share.map_or(String::new(), |share| format!("{:.1}%", share.share * 100.0))
}

/// The pairs of rulesets by group of games. Without grouping there is one group without a name.
pub type GroupedPairs = BTreeMap<PairGroup, Pairs>;

/// The largest number of groups. A group takes about 8 KB.
const MAX_GROUPS: usize = 100_000;

/// The visitor that counts every pair of rulesets.
#[derive(Clone, Debug, Default)]
pub struct PairVisitor {
    /// The groups of games that are counted separately.
    pub grouping: Option<PairGrouping>,
    /// The fewest counted games of a pair that is listed. By default, rows for people list pairs of
    /// 30 games if there are any, and other rows all pairs.
    pub min_games: Option<u64>,
}

/// A share of fewer games says nothing.
const USUAL_MIN_GAMES: u64 = 30;

impl PairVisitor {
    /// Returns the tables of each group for people.
    fn text(&self, groups: &GroupedPairs) -> String {
        if groups.is_empty() {
            return Pairs::default().text(0);
        }
        let largest = |pairs: &Pairs| pairs.pairs.values().map(Pair::counted_games).max().unwrap_or(0);
        let has_large_pair = groups.values().any(|pairs| largest(pairs) >= USUAL_MIN_GAMES);
        let min_games = self.min_games.unwrap_or(if has_large_pair { USUAL_MIN_GAMES } else { 0 });
        let shown = || groups.iter().filter(|(_, pairs)| groups.len() == 1 || largest(pairs) >= min_games);
        let title = |group: &PairGroup| match &self.grouping {
            Some(grouping) => format!("{} = {}: ", grouping.names, group_name(group)),
            None => String::new(),
        };
        let text = shown().map(|(group, pairs)| title(group) + &pairs.text(min_games)).collect::<Vec<_>>().join("\n");
        match groups.len() - shown().count() {
            0 => text,
            others => {
                let rest = with_noun(others as u64, "group");
                text + &format!("\nLeft out: {rest} with fewer than {min_games} games; see --min-games.\n")
            }
        }
    }
}

impl Visitor for PairVisitor {
    type Accumulator = GroupedPairs;

    fn configure(&self, settings: &mut Settings) {
        if self.grouping.is_some() {
            GameRows.configure(settings);
        }
    }

    fn start_batch(&self) -> GroupedPairs {
        GroupedPairs::new()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut GroupedPairs) {
        let group = self.grouping.as_ref().map_or(PairGroup::new(), |grouping| grouping.group(game));
        batch.entry(group).or_default().add_game(game.report);
    }
}

impl Aggregate for PairVisitor {
    const TABLE: &'static Table = PairRow::TABLE;

    fn check(&self, total: &GroupedPairs) -> anyhow::Result<()> {
        let names = self.grouping.as_ref().map_or("", |grouping| &grouping.names);
        ensure!(
            total.len() <= MAX_GROUPS,
            "--by {names} makes more than {MAX_GROUPS} groups; name columns with fewer values, such as year"
        );
        Ok(())
    }

    fn finish(&self, total: GroupedPairs, rows: &mut Rows) {
        if rows.is_text() {
            return self.text(&total).lines().for_each(|line| rows.push_line(line));
        }
        for (group, pairs) in &total {
            let name = self.grouping.as_ref().map(|_| group_name(group));
            let min_games = self.min_games.unwrap_or(0);
            for ((first, second), pair) in pairs.pairs.iter().filter(|(_, pair)| pair.counted_games() >= min_games) {
                rows.push(&PairRow { group: name.as_deref(), rulesets: [first, second], pair });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Value;

    #[test]
    fn too_many_groups_are_refused_with_a_remedy() {
        let visitor = PairVisitor { grouping: PairGrouping::parse("komi,length").ok(), min_games: None };
        let mut groups: GroupedPairs =
            (0..100_000).map(|number| (vec![Value::Integer(number).into()], Pairs::default())).collect();
        assert!(visitor.check(&groups).is_ok());
        groups.insert(PairGroup::new(), Pairs::default());
        let error = visitor.check(&groups).unwrap_err().to_string();
        assert!(error.contains("--by komi,length makes more than 100000 groups; name columns with fewer"), "{error}");
    }
}

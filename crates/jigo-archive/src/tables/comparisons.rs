//! The comparisons table: one row per game, or per game and pair of rulesets, that matches a
//! selection.

use std::cmp::Reverse;
use std::fmt::{self, Write as _};

use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::VisitedGame;
use crate::row::line::{DOUBTFUL, LOCATION, Line, SECONDARY};
use crate::row::shared_columns::{DEAD_SOURCE, FILE, GAME, STATUS, WINNER, column, table};
use crate::row::{Cells, ColumnType, POINTS, PROBABILITY, Row, Table, Value};
use jigo_core::analysis::GameReport;
use jigo_core::analysis::comparison::{Change, DifferenceCause, RulesetComparison, comparisons, winner};
use jigo_record::splitter::GameText;
use jigo_rules::HalfPoints;

/// One game under two rulesets.
pub struct ComparisonRow<'a> {
    /// The game's text and position.
    pub text: GameText<'a>,
    /// The report of the game.
    pub report: &'a GameReport,
    /// The two rulesets and their scores.
    pub comparison: &'a RulesetComparison<'a>,
    /// The number of pairs of rulesets in the game that match the selection.
    pub pairs: u64,
    /// The number of these pairs that have rows.
    pub listed_pairs: u64,
}

impl Row for ComparisonRow<'_> {
    table! {
        "comparisons", "one row for each game, with the pair of rulesets that differs most, written by jigo compare --list; with --all-pairs one row for each pair", key ["file", "game", "ruleset", "other"], |row|
        let RulesetComparison { rulesets, scores, causes, .. } = row.comparison;
        let ending = row.report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        column("ruleset", ColumnType::Text, "first ruleset of the pair").not_null() => rulesets[0].name.as_ref(),
        column("other", ColumnType::Text, "second ruleset, in the order of names").not_null() => rulesets[1].name.as_ref(),
        column("change", ColumnType::Word(&["same", "margin_1", "margin_2", "margin_3", "winner", "unsettled"]), "effect of the ruleset: none, on the margin by 1, 2 or at least 3 points (halves rounded up), on the winner, or unsettled").not_null()
            => row.comparison.change().name(),
        column("black_minus_white", POINTS, "final margin under the first ruleset") => scores.map(|scores| scores[0].black_minus_white()),
        column("other_black_minus_white", POINTS, "final margin under the second ruleset") => scores.map(|scores| scores[1].black_minus_white()),
        column("difference", POINTS, "first margin minus second, the sum of the columns from parity to rest") => row.comparison.difference(),
        column("winner", WINNER, "player with more points under the first ruleset") => scores.map(|scores| winner(scores[0])),
        column("other_winner", WINNER, "player with more points under the second ruleset") => scores.map(|scores| winner(scores[1])),
        column("parity", POINTS, "part of the difference: the player of the last turn") => scores.map(|_| causes[0]),
        column("passes", POINTS, "part of the difference: passes") => scores.map(|_| causes[1]),
        column("handicap_stones", POINTS, "part of the difference: handicap stones on the board") => scores.map(|_| causes[2]),
        column("setup", POINTS, "part of the difference: other setup stones") => scores.map(|_| causes[3]),
        column("seki", POINTS, "part of the difference: eyes in seki") => scores.map(|_| causes[4]),
        column("dame", POINTS, "part of the difference: points to fill") => scores.map(|_| causes[5]),
        column("komi", POINTS, "part of the difference: the rulesets' komi, if the record has none") => scores.map(|_| causes[6]),
        column("bonus", POINTS, "part of the difference: compensation for handicap stones") => scores.map(|_| causes[7]),
        column("rest", POINTS, "part of the difference: pass stones, group tax and the button") => scores.map(|_| causes[8]),
        DEAD_SOURCE => ending.map_or("", |counted| counted.ending.source.name()),
        column("confidence", PROBABILITY, "the lower confidence of the two counts, as the scores table has them; empty without doubt")
            => row.comparison.confidence.map_or(Value::Empty, Value::Probability),
        STATUS => row.report.status(),
        column("stated", ColumnType::Text, "RE as written") => row.report.header.result_text.as_str(),
        column("pairs", ColumnType::Integer, "pairs of rulesets that differ in this game as --list selects").not_null() => row.pairs,
    }

    fn line(&self, out: &mut Line) -> fmt::Result {
        let [first, second] = self.comparison.rulesets;
        out.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        write!(out, " {} - {}: ", first.name, second.name)?;
        let Some(scores) = self.comparison.scores else { return write!(out, "unsettled") };
        let [first, second] = scores.map(|score| score.black_minus_white());
        write!(out, "{first} and {second}")?;
        if self.comparison.change() == Change::Winner {
            out.styled(DOUBTFUL, format_args!(", another winner"))?;
        }
        let differences = self
            .comparison
            .causes
            .iter()
            .zip(DifferenceCause::NAMES)
            .filter(|(difference, _)| **difference != HalfPoints::ZERO);
        let differences: Vec<String> =
            differences.map(|(difference, (name, _))| format!("{} {difference}", name.replace('_', " "))).collect();
        if !differences.is_empty() {
            write!(out, " ({})", differences.join(", "))?;
        }
        if let Some(confidence) = self.comparison.confidence {
            write!(out, ", confidence {confidence:.3}")?;
        }
        match self.report.header.result_text.as_str() {
            "" => {}
            recorded => out.styled(SECONDARY, format_args!(", stated {recorded}"))?,
        }
        match self.pairs - self.listed_pairs {
            0 => Ok(()),
            1 => out.styled(SECONDARY, format_args!("; another pair differs, too")),
            more => out.styled(SECONDARY, format_args!("; {more} other pairs differ, too")),
        }
    }
}

/// The selection of ruleset pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSelection {
    /// Pairs with different winners.
    Winner,
    /// Pairs with different margins, including different winners.
    Margin,
    /// Pairs without a certain count.
    Unsettled,
    /// All pairs.
    All,
}

impl PairSelection {
    fn includes(self, change: Change) -> bool {
        match self {
            PairSelection::Winner => change == Change::Winner,
            PairSelection::Margin => matches!(change, Change::Winner | Change::Margin(_)),
            PairSelection::Unsettled => change == Change::Unsettled,
            PairSelection::All => true,
        }
    }
}

/// Writes games with the ruleset pairs that match a selection.
pub struct ComparisonRows {
    /// The pairs to list.
    pub selection: PairSelection,
    /// True if each matching pair has a row, and not only the pair with the largest difference.
    pub all_pairs: bool,
}

impl GameTable for ComparisonRows {
    const TABLE: &'static Table = ComparisonRow::TABLE;

    fn add_game(&self, &VisitedGame { text, report, .. }: &VisitedGame<'_>, rows: &mut Rows) {
        let mut listed = comparisons(report);
        listed.retain(|comparison| self.selection.includes(comparison.change()));
        let pairs = listed.len() as u64;
        if !self.all_pairs {
            // The sort is stable, so the first of several equal pairs remains.
            listed.sort_by_key(|comparison| Reverse(difference_rank(comparison)));
            listed.truncate(1);
        }
        for comparison in &listed {
            rows.push(&ComparisonRow { text: *text, report, comparison, pairs, listed_pairs: listed.len() as u64 });
        }
    }
}

/// Returns the sort key of a pair. A different winner weighs more than any margin.
fn difference_rank(comparison: &RulesetComparison) -> (bool, u32) {
    let difference = comparison.difference().map_or(0, |difference| difference.0.unsigned_abs());
    (comparison.change() == Change::Winner, difference)
}

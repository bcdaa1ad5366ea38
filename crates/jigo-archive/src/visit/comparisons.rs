//! The visitor for the comparisons table: one row per game, or per game and pair of rulesets, that
//! matches a selection.

use std::cmp::Reverse;

use jigo_core::analysis::comparison::{Change, RulesetComparison, comparisons};

use super::in_table::GameTable;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{ComparisonRow, Row, Table};

/// The selection of ruleset pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparisons {
    /// Pairs with different winners.
    Winner,
    /// Pairs with different margins, including different winners.
    Margin,
    /// Pairs without a certain count.
    Unsettled,
    /// All pairs.
    All,
}

impl Comparisons {
    fn holds(self, change: Change) -> bool {
        match self {
            Comparisons::Winner => change == Change::Winner,
            Comparisons::Margin => matches!(change, Change::Winner | Change::Margin(_)),
            Comparisons::Unsettled => change == Change::Unsettled,
            Comparisons::All => true,
        }
    }
}

/// Lists games by the ruleset pairs that match a selection.
pub struct ListedPairs {
    /// The selection.
    pub which: Comparisons,
    /// True if each matching pair has a row, and not only the pair with the largest difference.
    pub all_pairs: bool,
}

impl GameTable for ListedPairs {
    const TABLE: &'static Table = ComparisonRow::TABLE;

    fn add_game(&self, &Visited { text, report, .. }: &Visited<'_>, rows: &mut Rows) {
        let mut listed = comparisons(report);
        listed.retain(|comparison| self.which.holds(comparison.change()));
        let pairs = listed.len() as u64;
        if !self.all_pairs {
            // The sort is stable, so the first of several equal pairs remains.
            listed.sort_by_key(|comparison| Reverse(weight(comparison)));
            listed.truncate(1);
        }
        for comparison in &listed {
            rows.push(&ComparisonRow { text: *text, report, comparison, pairs, listed: listed.len() as u64 });
        }
    }
}

/// Returns the sort key of a pair. A different winner weighs more than any margin.
fn weight(comparison: &RulesetComparison) -> (bool, u32) {
    let difference = comparison.difference().map_or(0, |difference| difference.0.unsigned_abs());
    (comparison.change() == Change::Winner, difference)
}

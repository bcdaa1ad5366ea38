//! The comparisons table: a row for each game, or for each game and pair of rulesets, that differ so.

use std::cmp::Reverse;

use jigo_core::analyze::comparison::{Change, RulesetComparison, comparisons};

use super::in_table::ToRows;
use crate::pipeline::Visited;
use crate::tables::formats::Rows;
use crate::tables::{ComparisonRow, Row, Table};

/// Which pairs of rulesets are listed of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparisons {
    /// Those with different winners.
    Winner,
    /// Those with different margins, winners among them.
    Margin,
    /// Those that have no sure count.
    Unsettled,
    /// All.
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

/// Lists games by the pairs of rulesets that differ so.
pub struct ListedPairs {
    /// Which pairs.
    pub which: Comparisons,
    /// Whether each pair has a row, and not only the one that makes most of a difference.
    pub all_pairs: bool,
}

impl ToRows for ListedPairs {
    const TABLE: &'static Table = ComparisonRow::TABLE;

    fn game(&self, &Visited { text, report, .. }: &Visited<'_>, rows: &mut Rows) {
        let mut listed = comparisons(report);
        listed.retain(|comparison| self.which.holds(comparison.change()));
        let pairs = listed.len() as u64;
        if !self.all_pairs {
            // The sort is stable: of equal pairs the first stays.
            listed.sort_by_key(|comparison| Reverse(weight(comparison)));
            listed.truncate(1);
        }
        for comparison in &listed {
            rows.push(&ComparisonRow { text: *text, report, comparison, pairs, listed: listed.len() as u64 });
        }
    }
}

/// Another winner weighs more than any margin.
fn weight(comparison: &RulesetComparison) -> (bool, u32) {
    let difference = comparison.difference().map_or(0, |difference| difference.0.unsigned_abs());
    (comparison.change() == Change::Winner, difference)
}

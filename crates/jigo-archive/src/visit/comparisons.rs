//! The comparisons table: a row for each game and pair of rulesets that differ so.

use jigo_core::analyze::comparison::{Change, comparisons};

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

impl ToRows for Comparisons {
    const TABLE: &'static Table = ComparisonRow::TABLE;

    fn game(&self, &Visited { text, report, .. }: &Visited<'_>, rows: &mut Rows) {
        for comparison in comparisons(report).iter().filter(|one| self.holds(one.change())) {
            rows.push(&ComparisonRow { text: *text, report, comparison });
        }
    }
}

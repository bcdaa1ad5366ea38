//! What a run does with every game, and which rows it writes.

use std::sync::Arc;

use super::selection::Selection;
use crate::source::InputFormat;
use crate::tables::Table;
use crate::tables::by_id;
use crate::tables::formats::Format;
use crate::visit::baseline::{Baseline, Known};
use jigo_core::analyze::Settings;
use jigo_core::analyze::comparison::Change;
use jigo_core::finding::{Code, Finding};
use jigo_core::rules::select::Choice;

/// What to do with every game and which rows to write.
#[derive(Clone, Debug)]
pub struct Job {
    /// What the inputs hold.
    pub input: InputFormat,
    /// How games are judged and counted.
    pub settings: Settings,
    /// The codes whose findings are reported, by the table's order.
    pub reported: Vec<bool>,
    /// How rows are written.
    pub format: Format,
    /// Which tables are written.
    pub tables: Tables,
    /// This part of so many, both from 1: games of the others are passed over.
    pub shard: (u64, u64),
    /// Which games of those.
    pub selection: Selection,
    /// Findings that are known are not reported.
    pub baseline: Option<Arc<Baseline>>,
}

/// Checks records, reports every finding and writes no table.
impl Default for Job {
    fn default() -> Job {
        Job {
            input: InputFormat::default(),
            settings: Settings { judges: vec![Choice::Recorded], ..Settings::default() },
            reported: vec![true; Code::TABLE.len()],
            format: Format::Csv,
            tables: Tables::default(),
            shard: (1, 1),
            selection: Selection::default(),
            baseline: None,
        }
    }
}

impl Job {
    /// A table with the first column that the input asks for.
    pub fn table(&self, table: &'static Table) -> &'static Table {
        if self.input.is_rows() { by_id(table) } else { table }
    }

    /// Whether a finding is reported: its code is asked for, and the baseline does not know it.
    pub(super) fn reports(&self, finding: &Finding, known: impl FnOnce() -> Known) -> bool {
        let is_known = |baseline: &Arc<Baseline>| baseline.knows(known());
        self.reported[finding.code as usize] && !self.baseline.as_ref().is_some_and(is_known)
    }
}

/// Which tables a command writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// One row for each finding.
    pub findings: bool,
    /// One row for each game and ruleset.
    pub scores: bool,
    /// One row for each game.
    pub games: bool,
    /// One row for each turn.
    pub turns: bool,
    /// One row for each game and pair of rulesets whose verdicts differ so.
    pub comparisons: Option<Listed>,
    /// The numbers and examples of the page.
    pub figures: bool,
    /// How rulesets differ, in numbers.
    pub pairs: bool,
}

/// Which pairs of rulesets are listed of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Those with different winners.
    Winner,
    /// Those with different margins, winners among them.
    Margin,
    /// Those that have no sure count.
    Unsettled,
    /// All.
    All,
}

impl Listed {
    pub(super) fn holds(self, change: Change) -> bool {
        match self {
            Listed::Winner => change == Change::Winner,
            Listed::Margin => matches!(change, Change::Winner | Change::Margin(_)),
            Listed::Unsettled => change == Change::Unsettled,
            Listed::All => true,
        }
    }
}

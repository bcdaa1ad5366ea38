//! Which games a run takes, and what it does with each.

use std::sync::Arc;

use super::baseline::{Baseline, Known};
use super::selection::Selection;
use crate::records::Opening;
use crate::source::{ID_COLUMN, InputFormat, RECORD_COLUMN, RowColumns, Source};
use jigo_core::analyze::Settings;
use jigo_core::finding::{Code, Finding, Severity};
use jigo_core::rules::select::Choice;

/// Which games are taken, how each is analysed, and what of it is reported.
#[derive(Clone, Debug)]
pub struct Job {
    /// What the inputs hold.
    pub input: InputFormat,
    /// The column of tables that has the texts.
    pub column: String,
    /// The column of tables that has the identifiers.
    pub id_column: String,
    /// How games are judged and counted.
    pub settings: Settings,
    /// The codes whose findings are reported, by the table's order.
    pub reported: Vec<bool>,
    /// The least severity of findings that are reported.
    pub least: Severity,
    /// This part of so many, both from 1: games of the others are passed over.
    pub shard: (u64, u64),
    /// Which games of those.
    pub selection: Selection,
    /// The run goes on behind the last game that is selected, so that the visitor is shown all that are not.
    pub shows_rest: bool,
    /// Findings that are known are not reported.
    pub baseline: Option<Arc<Baseline>>,
}

/// Checks records and reports every finding.
impl Default for Job {
    fn default() -> Job {
        Job {
            input: InputFormat::default(),
            column: RECORD_COLUMN.into(),
            id_column: ID_COLUMN.into(),
            settings: Settings { judges: vec![Choice::Recorded], ..Settings::default() },
            reported: vec![true; Code::TABLE.len()],
            least: Severity::Info,
            shard: (1, 1),
            selection: Selection::default(),
            shows_rest: false,
            baseline: None,
        }
    }
}

impl Job {
    /// How these sources are opened.
    pub(super) fn opening<'a>(&'a self, sources: &'a [Source]) -> Opening<'a> {
        Opening { sources, format: self.input, columns: self.columns(), limits: self.settings.limits }
    }

    /// Returns the columns of tables that are read.
    pub fn columns(&self) -> RowColumns<'_> {
        RowColumns { record: &self.column, id: &self.id_column }
    }

    /// Tells the baseline of a file that is looked at, and whether it is to its end.
    pub(super) fn meet(&self, file: &str, is_whole: bool) {
        if let Some(baseline) = &self.baseline {
            baseline.meet(file, is_whole);
        }
    }

    /// Whether a finding is reported: its code is asked for, and the baseline does not know it.
    pub(super) fn reports(&self, finding: &Finding, known: impl FnOnce() -> Known) -> bool {
        let is_known = |baseline: &Arc<Baseline>| baseline.knows(known());
        self.reported[finding.code as usize]
            && finding.severity >= self.least
            && !self.baseline.as_ref().is_some_and(is_known)
    }
}

//! The selection of games for a run, and their analysis.

use std::sync::Arc;

use super::baseline::{Baseline, FileRead, FindingKey};
use super::expectations::Expectations;
use super::selection::Selection;
use crate::records::ReadSettings;
use crate::source::{ID_COLUMN, InputFormat, RECORD_COLUMN, RowColumns, Source};
use jigo_core::analysis::{GameReport, Settings};
use jigo_record::finding::{CodeSet, Finding, Severity};
use jigo_rules::select::Choice;

/// The selection of games, the settings of their analysis, and the selection of findings.
#[derive(Clone, Debug)]
pub struct Job {
    /// The format of the inputs.
    pub input: InputFormat,
    /// The column of tables that contains the game texts.
    pub column: String,
    /// The column of tables that has the identifiers.
    pub id_column: String,
    /// The settings of the analysis.
    pub settings: Settings,
    /// One flag per code, in the order of the code table: true if its findings are reported.
    pub reported_codes: CodeSet,
    /// The lowest severity that is reported.
    pub min_severity: Severity,
    /// The shard and the number of shards, both from 1. Games of other shards are skipped.
    pub shard: (u64, u64),
    /// The selection among the games of the shard.
    pub selection: Selection,
    /// If true, the run continues after the last selected game, so that the visitor receives all
    /// games that are not selected.
    pub continues_after_limit: bool,
    /// The expectations that every game should meet. `None` checks none.
    pub expectations: Option<Arc<Expectations>>,
    /// The known findings, which are not reported.
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
            reported_codes: CodeSet::all(),
            min_severity: Severity::Info,
            shard: (1, 1),
            selection: Selection::default(),
            continues_after_limit: false,
            expectations: None,
            baseline: None,
        }
    }
}

impl Job {
    /// Returns the settings for opening these sources.
    pub(super) fn read_settings<'a>(&'a self, sources: &'a [Source]) -> ReadSettings<'a> {
        ReadSettings { sources, format: self.input, columns: self.columns(), limits: self.settings.limits }
    }

    /// Returns the columns of tables that are read.
    pub fn columns(&self) -> RowColumns<'_> {
        RowColumns { record: &self.column, id: &self.id_column }
    }

    /// Returns the findings on the expectations that a game does not meet.
    pub(super) fn unmet_expectations(&self, report: &GameReport) -> Vec<Finding> {
        self.expectations.as_ref().map_or_else(Vec::new, |expectations| expectations.unmet(report))
    }

    /// Records in the baseline that the run reads a file, and whether to its end.
    pub(super) fn record_file(&self, file: &str, read: FileRead) {
        if let Some(baseline) = &self.baseline {
            baseline.record_file(file, read);
        }
    }

    /// Returns true if all findings of the reported codes are found and reported. Only then is an
    /// entry of the baseline without a finding out of date.
    pub fn reports_all(&self) -> bool {
        self.min_severity == Severity::Info && !self.settings.header_only
    }

    /// Returns true if the run reads all games of its inputs and reports all their findings.
    pub fn is_complete(&self) -> bool {
        let (_, shards) = self.shard;
        self.reports_all() && self.reported_codes == CodeSet::all() && self.selection.selects_all() && shards == 1
    }

    /// Returns true if a finding is reported: its code and severity are selected, and the baseline
    /// does not know it.
    pub(super) fn is_reported(&self, finding: &Finding, key: impl FnOnce() -> FindingKey) -> bool {
        let is_in_baseline = |baseline: &Arc<Baseline>| baseline.record_and_check(key());
        self.reported_codes.contains(finding.code)
            && finding.severity >= self.min_severity
            && !self.baseline.as_ref().is_some_and(is_in_baseline)
    }
}

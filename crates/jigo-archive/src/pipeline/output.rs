//! The rows of a batch.

use std::cell::LazyCell;

use super::job::Job;
use crate::summary::Summary;
use crate::tables::Row;
use crate::tables::formats::Rows;
use crate::tables::{ComparisonRow, FindingRow, GameRow, Reached, ScoreRow, TurnRow};
use crate::visit::Figures;
use crate::visit::baseline::Known;
use crate::visit::pairs::Pairs;
use jigo_core::analyze::GameReport;
use jigo_core::analyze::comparison::comparisons;
use jigo_core::finding::Finding;
use jigo_core::sgf::GameText;

/// The rows of a batch, of the tables that are asked for, and its part of the summary.
pub struct BatchOutput {
    /// Rows of the findings table.
    pub findings: Option<Rows>,
    /// Rows of the scores table.
    pub scores: Option<Rows>,
    /// Rows of the games table.
    pub games: Option<Rows>,
    /// Rows of the comparisons table.
    pub comparisons: Option<Rows>,
    /// The numbers and examples of the page.
    pub figures: Option<Box<Figures>>,
    /// How rulesets differ.
    pub pairs: Option<Pairs>,
    /// Rows of the turns table.
    pub turns: Option<Rows>,
    /// The run was interrupted before all of the batch was done.
    pub is_cut: bool,
    /// What to tell the user at once: inputs named outright that hold no game or can't be read.
    pub messages: Vec<String>,
    /// Counts of the batch.
    pub summary: Summary,
}

impl BatchOutput {
    /// Nothing yet.
    pub(super) fn new(job: &Job) -> BatchOutput {
        let rows = |asked: bool, table| asked.then(|| Rows::new(job.format, table));
        BatchOutput {
            findings: rows(job.tables.findings, job.table(FindingRow::TABLE)),
            scores: rows(job.tables.scores, job.table(ScoreRow::TABLE)),
            games: rows(job.tables.games, job.table(GameRow::TABLE)),
            comparisons: rows(job.tables.comparisons.is_some(), job.table(ComparisonRow::TABLE)),
            figures: job.tables.figures.then(Box::default),
            pairs: job.tables.pairs.then(Pairs::default),
            turns: rows(job.tables.turns, job.table(TurnRow::TABLE)),
            is_cut: false,
            messages: Vec::new(),
            summary: Summary::default(),
        }
    }

    /// Adds the rows of a game.
    pub(super) fn game(&mut self, text: &GameText, report: &GameReport, job: &Job) {
        self.summary.found += 1;
        self.summary.game(report.outcome, report.tally.turns);
        let number = LazyCell::new(|| Known::game_number(text, report));
        let is_reported = |finding: &&Finding| job.reports(finding, || Known::in_game(text.file, *number, finding));
        let reported: Vec<&Finding> = report.findings.iter().filter(is_reported).collect();
        let mut reached = Reached::default();
        for finding in &reported {
            self.summary.finding(finding);
            if let Some(rows) = &mut self.findings {
                rows.push(&FindingRow::in_game(text, finding, &mut reached));
            }
        }
        if let Some(rows) = &mut self.scores {
            scores(text, report, rows);
        }
        if self.games.is_some() || self.figures.is_some() {
            let row = GameRow::new(*text, report, reported.len());
            if let Some(figures) = &mut self.figures {
                figures.game(text, report, &reported, row.explained_by());
            }
            if let Some(rows) = &mut self.games {
                rows.push(&row);
            }
        }
        if let Some(pairs) = &mut self.pairs {
            pairs.game(report);
        }
        if let (Some(listed), Some(rows)) = (job.tables.comparisons, &mut self.comparisons) {
            for comparison in comparisons(report).iter().filter(|one| listed.holds(one.change())) {
                rows.push(&ComparisonRow { text: *text, report, comparison });
            }
        }
        if let Some(rows) = &mut self.turns {
            report.turns.iter().for_each(|turn| rows.push(&TurnRow { text: *text, turn }));
        }
    }
}

/// The rows of a game in the scores table.
fn scores(text: &GameText, report: &GameReport, rows: &mut Rows) {
    if report.scores.is_empty() {
        rows.push(&ScoreRow::new(*text, report, None));
    }
    for scored in &report.scores {
        rows.push(&ScoreRow::new(*text, report, Some(scored)));
    }
}

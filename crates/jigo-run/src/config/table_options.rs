//! The effect of a command's own options on a run.

use anyhow::{Context, Result, bail, ensure};

use crate::config::command_tables::{CheckTable, ScoreTable};
use crate::config::options::{CheckOptions, ColumnOptions, FindOptions, ScoreOptions};
use crate::config::run_request::{Counting, FindingsUse, RunRequest};
use crate::config::values::game_list;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::filter::AnalysisStep;
use jigo_archive::row::{ColumnChoice, Row as _, Table};
use jigo_archive::tables::{EndingRow, EvaluationRow, FindingRow, GameRow, KeyRow, ResultRow, ScoreRow, TurnRow};
use jigo_core::analysis::{KomiChoice, Settings};
use jigo_core::pattern::{BoardPattern, SearchOptions};

impl CheckOptions {
    /// Adds these options to a run. `has_baseline` is true if the run reads or writes a baseline.
    ///
    /// # Errors
    /// Fails if the options contradict each other.
    pub fn apply(&self, request: RunRequest, has_baseline: bool) -> Result<RunRequest> {
        let of_findings = *self.table == CheckTable::Findings;
        ensure!(of_findings || !self.results, "--results adds findings, which no other table shows");
        ensure!(of_findings || !self.problems, "--problems adds findings, which no other table shows");
        ensure!(of_findings || !self.quick, "--quick reads no turns");
        ensure!(of_findings || !self.duplicates, "--duplicates adds findings, which no other table shows");
        ensure!(!(self.quick && self.duplicates), "--quick reads no turns, which --duplicates is about");
        ensure!(
            !self.duplicates || !has_baseline,
            "--duplicates does not go with a baseline: duplicates depend on the other games"
        );
        let table = match *self.table {
            CheckTable::Findings => FindingRow::TABLE,
            CheckTable::Turns => TurnRow::TABLE,
            CheckTable::Keys => KeyRow::TABLE,
            CheckTable::Games => GameRow::TABLE,
            CheckTable::Evaluations => EvaluationRow::TABLE,
        };
        let columns = self.columns.choice(table, &request)?;
        // Other tables do not wait for a count.
        let filter = request.run.selection.filter.as_deref();
        let filter_needs_count = filter.is_some_and(|filter| filter.uses(AnalysisStep::Count));
        let needs_count = table.with_columns(&columns).needs_count() || (filter_needs_count && !of_findings);
        Ok(RunRequest {
            findings: if of_findings { FindingsUse::Listed } else { FindingsUse::Ignored },
            finds_duplicates: self.duplicates,
            counting: (self.results || needs_count).then(Counting::of_results),
            settings: Settings { header_only: self.quick, problems: self.problems, ..request.settings },
            columns,
            ..request
        })
    }
}

impl ColumnOptions {
    /// Returns the chosen columns of a table.
    ///
    /// # Errors
    /// Fails if the table lacks one of them, or if the format has no columns.
    fn choice(&self, table: &'static Table, request: &RunRequest) -> Result<ColumnChoice> {
        let Some(columns) = self.columns.as_deref() else { return Ok(ColumnChoice::default()) };
        ensure!(
            !matches!(request.format, Format::Text { .. }) && !request.format.properties().findings_only,
            "--columns is for formats with columns; choose one with --format or the name of --output"
        );
        columns.check(table.for_input(*request.input.input_format)).context("--columns")?;
        Ok(columns.clone())
    }
}

impl ScoreOptions {
    /// Adds these options to a run.
    ///
    /// # Errors
    /// Fails if the options contradict each other, or if the list of games can't be read.
    pub fn apply(&self, request: RunRequest) -> Result<RunRequest> {
        // Bare positions have no recorded result.
        let of_results = *self.table == ScoreTable::Results;
        let has_komi =
            request.counting.as_ref().is_some_and(|counting| *counting.options.ending.komi != KomiChoice::Recorded);
        ensure!(
            !of_results || !has_komi,
            "recorded results are compared by the komi of the record; --komi is for --table scores"
        );
        let table = match *self.table {
            ScoreTable::Scores => ScoreRow::TABLE,
            ScoreTable::Results => ResultRow::TABLE,
            ScoreTable::Endings => EndingRow::TABLE,
        };
        let columns = self.columns.choice(table, &request)?;
        let games = game_list(self.list.games.as_deref())?;
        // Positions are data, as turns are: errors in the records don't fail the export.
        let findings = match *self.table {
            ScoreTable::Endings => FindingsUse::Ignored,
            ScoreTable::Scores | ScoreTable::Results => request.findings,
        };
        Ok(RunRequest { reads_positions: !of_results, games, columns, findings, ..request })
    }
}

impl FindOptions {
    /// Returns the options of the search.
    pub fn search(&self) -> SearchOptions {
        SearchOptions {
            has_symmetries: !self.no_symmetry,
            swaps_colors: self.swap_colors,
            turns: (*self.turns).clone(),
            needs_next_inside: self.next,
            returns_all: self.all,
        }
    }

    /// Returns the pattern of a diagram or of `--points`.
    ///
    /// # Errors
    /// Fails if there is no pattern, more than one, or a faulty one.
    pub fn pattern(&self, diagram: Option<&str>) -> Result<BoardPattern> {
        match (diagram, &self.points) {
            (Some(_), Some(_)) => bail!("there are two patterns: pass a diagram or --points, not both"),
            (None, None) => bail!("there is no pattern: pass a diagram such as '.X,X.', or use --points"),
            (Some(diagram), None) => BoardPattern::from_diagram(diagram).context("PATTERN"),
            (None, Some(points)) => BoardPattern::from_points(points, *self.size).context("--points"),
        }
    }
}

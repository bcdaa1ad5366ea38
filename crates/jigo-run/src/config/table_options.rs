//! The effect of a command's own options on a run.

use anyhow::{Context, Result, bail, ensure};

use crate::config::command_tables::{CheckTable, ScoreTable};
use crate::config::options::{CheckOptions, FindOptions, ScoreOptions};
use crate::config::run_request::{Counting, FindingsUse, RunRequest};
use crate::config::values::game_list;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::filter::Filter;
use jigo_archive::row::Row;
use jigo_archive::tables::{COUNTED_MARGIN, TurnRow};
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
        ensure!(of_findings || !self.quick, "--quick reads no turns");
        ensure!(of_findings || !self.duplicates, "--duplicates adds findings, which no other table shows");
        ensure!(!(self.quick && self.duplicates), "--quick reads no turns, which --duplicates is about");
        ensure!(
            !self.duplicates || !has_baseline,
            "--duplicates does not go with a baseline: duplicates depend on the other games"
        );
        self.check_columns(&request)?;
        Ok(RunRequest {
            findings: if of_findings { FindingsUse::Listed } else { FindingsUse::Ignored },
            finds_duplicates: self.duplicates,
            counting: (self.results || self.turns_need_count(&request)).then(Counting::of_results),
            settings: Settings { header_only: self.quick, ..request.settings },
            columns: self.columns.as_deref().cloned().unwrap_or_default(),
            ..request
        })
    }

    /// Checks that the table has the chosen columns.
    fn check_columns(&self, request: &RunRequest) -> Result<()> {
        let Some(columns) = &self.columns else { return Ok(()) };
        ensure!(*self.table == CheckTable::Turns, "--columns is for --table turns");
        ensure!(
            !matches!(request.format, Format::Text { .. }),
            "--columns is for formats with columns; choose one with --format or the name of --output"
        );
        columns.check(TurnRow::TABLE.for_input(*request.input.input_format)).context("--columns")
    }

    /// Returns true if a filter or a column of the table of turns needs the counted result. Other
    /// turns do not wait for a count.
    fn turns_need_count(&self, request: &RunRequest) -> bool {
        let filter_needs_count = request.run.selection.filter.as_deref().is_some_and(Filter::uses_count);
        let columns_need_count = self.columns.as_ref().is_some_and(|columns| columns.includes(&COUNTED_MARGIN));
        *self.table == CheckTable::Turns && (filter_needs_count || columns_need_count)
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
        Ok(RunRequest { reads_positions: !of_results, games: game_list(self.list.games.as_deref())?, ..request })
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

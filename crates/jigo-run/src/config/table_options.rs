//! The options of `jigo check` and `jigo score` besides those of every run, with their conflicts.

use anyhow::{Context, Result, ensure};

use crate::config::options::{Counting, FindingsUse, RunOptions};
use jigo_archive::formats::Format;
use jigo_archive::named_value::NamedValue;
use jigo_archive::pipeline::filter::Filter;
use jigo_archive::row::{ColumnChoice, Row};
use jigo_archive::tables::{COUNTED_MARGIN, TurnRow};
use jigo_core::analysis::KomiChoice;

/// The tables of `jigo check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckTable {
    /// One row for each finding.
    #[default]
    Findings,
    /// One row for each turn of the main line.
    Turns,
    /// One row for each game with the keys that its duplicates share.
    Keys,
}

impl CheckTable {
    /// All tables with their names.
    pub const NAMES: &'static [NamedValue<CheckTable>] = &[
        NamedValue { name: "findings", about: "One row for each finding", value: CheckTable::Findings },
        NamedValue { name: "turns", about: "One row for each turn of the main line", value: CheckTable::Turns },
        NamedValue {
            name: "keys",
            about: "One row for each game, with the keys that its duplicates share",
            value: CheckTable::Keys,
        },
    ];
}

/// The options that `--quick` excludes, because they need turns.
pub const QUICK_CONFLICTS: [&str; 5] = ["results", "rules", "on_illegal", "variations", "literal_setup"];

/// The options of `jigo check`.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The table.
    pub table: CheckTable,
    /// The columns of the table of turns.
    pub columns: ColumnChoice,
    /// True if only headers are read.
    pub quick: bool,
    /// True if recorded results are compared with the count.
    pub results: bool,
    /// True if duplicates are findings.
    pub duplicates: bool,
    /// True if there is a list of known findings.
    pub has_baseline: bool,
}

impl CheckOptions {
    /// Adds these options to those of a run.
    ///
    /// # Errors
    /// Fails if the options contradict each other.
    pub fn apply(self, options: RunOptions) -> Result<RunOptions> {
        let of_findings = self.table == CheckTable::Findings;
        ensure!(of_findings || !self.results, "--results adds findings, which no other table shows");
        ensure!(of_findings || !self.quick, "--quick reads no turns");
        ensure!(of_findings || !self.duplicates, "--duplicates adds findings, which no other table shows");
        ensure!(!(self.quick && self.duplicates), "--quick reads no turns, which --duplicates is about");
        ensure!(
            !self.duplicates || !self.has_baseline,
            "--duplicates does not go with a baseline: duplicates depend on the other games"
        );
        self.check_columns(&options)?;
        Ok(RunOptions {
            findings: if of_findings { FindingsUse::Listed } else { FindingsUse::Ignored },
            finds_duplicates: self.duplicates,
            counting: (self.results || self.turns_need_count(&options)).then(Counting::of_results),
            header_only: self.quick,
            columns: self.columns,
            ..options
        })
    }

    /// Checks that the table has the chosen columns.
    fn check_columns(&self, options: &RunOptions) -> Result<()> {
        if self.columns.is_usual() {
            return Ok(());
        }
        ensure!(self.table == CheckTable::Turns, "--columns is for --table turns");
        ensure!(
            !matches!(options.format, Format::Text { .. }),
            "--columns is for formats with columns; choose one with --format or the name of --output"
        );
        self.columns.check(TurnRow::TABLE.for_input(options.input)).context("--columns")
    }

    /// Returns true if a filter or a column of the table of turns needs the counted result. Other
    /// turns do not wait for a count.
    fn turns_need_count(&self, options: &RunOptions) -> bool {
        let filter_needs_count = options.selection.filter.as_ref().is_some_and(Filter::uses_count);
        self.table == CheckTable::Turns && (filter_needs_count || self.columns.includes(&COUNTED_MARGIN))
    }
}

/// The tables of `jigo score`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreTable {
    /// One row for each game and ruleset.
    #[default]
    Scores,
    /// One row for each game with a recorded result.
    Results,
    /// One row for each final position.
    Endings,
}

impl ScoreTable {
    /// All tables with their names.
    pub const NAMES: &'static [NamedValue<ScoreTable>] = &[
        NamedValue { name: "scores", about: "One row for each game and ruleset", value: ScoreTable::Scores },
        NamedValue {
            name: "results",
            about: "One row for each game with a recorded result, compared with the result counted by its server's rules",
            value: ScoreTable::Results,
        },
        NamedValue {
            name: "endings",
            about: "One row for each game: its last position, the dead stones, the owner of each point, area and territory",
            value: ScoreTable::Endings,
        },
    ];

    /// Adds the options of the table to those of a run.
    ///
    /// # Errors
    /// Fails if the options contradict each other.
    pub fn apply(self, options: RunOptions) -> Result<RunOptions> {
        // Bare positions have no recorded result.
        let of_results = self == ScoreTable::Results;
        let komi = options.counting.as_ref().map_or(KomiChoice::Recorded, |counting| counting.komi);
        ensure!(
            !of_results || komi == KomiChoice::Recorded,
            "recorded results are compared by the komi of the record; --komi is for --table scores"
        );
        Ok(RunOptions { reads_positions: !of_results, ..options })
    }
}

/// The table of `jigo find`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FindTable {
    /// One row for each match.
    #[default]
    Matches,
    /// One row for each next turn.
    Continuations,
}

impl FindTable {
    /// The values of `--table`.
    pub const NAMES: &'static [NamedValue<FindTable>] = &[
        NamedValue {
            name: "matches",
            about: "One row for each game with the pattern, or for each match",
            value: FindTable::Matches,
        },
        NamedValue {
            name: "continuations",
            about: "One row for each next turn, with the number of games and their results",
            value: FindTable::Continuations,
        },
    ];
}

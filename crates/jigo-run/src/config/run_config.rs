//! The configuration of a run: its options after validation, with all defaults.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use crate::config::config_file::ConfigFile;
use crate::config::options::{Counting, FindingsUse, RunOptions};
use crate::config::values::{NamedCodes, reported_codes};
use crate::interrupt::Interrupt;
use crate::progress::{NoProgress, Progress, RunStart, StartProgress};
use jigo_archive::engine::RunEngine;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::baseline::Baseline;
use jigo_archive::pipeline::{Expectations, GameList, Job, Selection};
use jigo_archive::row::{ColumnChoice, Table};
use jigo_archive::source::{InputFormat, SkippedFiles, Source};
use jigo_archive::summary::{Gate, Summary};
use jigo_archive::tables::{GameTable, TableVisitor};
use jigo_core::analysis::Settings;
use jigo_core::replay::ReplayOptions;
use jigo_record::finding::{Code, FoundBy};
use jigo_score::EngineFactory;

/// The inputs of a run.
#[derive(Debug, Default)]
pub struct InputSources {
    /// The sources.
    pub sources: Vec<Source>,
    /// The skipped files of folders.
    pub skipped: SkippedFiles,
}

impl From<Vec<Source>> for InputSources {
    fn from(sources: Vec<Source>) -> InputSources {
        InputSources { sources, skipped: SkippedFiles::default() }
    }
}

/// The configuration of a run. It is complete, its options don't contradict each other, and it
/// never changes.
pub struct RunConfig {
    sources: Vec<Source>,
    skipped: SkippedFiles,
    job: Job,
    format: Format,
    columns: ColumnChoice,
    threads: usize,
    quiet: bool,
    interrupt: Interrupt,
    exit_zero: bool,
    fail_if: Option<Gate>,
    findings: FindingsUse,
    error_listing: Option<String>,
    select: Vec<NamedCodes>,
    config_file: Option<Arc<ConfigFile>>,
    unchecked_expectations: Vec<Arc<str>>,
    finds_duplicates: bool,
    engine: Option<Arc<RunEngine>>,
    progress: Option<Arc<StartProgress>>,
}

impl RunConfig {
    /// Creates the configuration. `find_sources` is called after the options are checked.
    ///
    /// # Errors
    /// Returns a sentence with the flag, its mistake and its possible values. Also fails if the
    /// engine can't be used, or if `find_sources` fails.
    pub fn new(options: RunOptions, find_sources: impl FnOnce() -> Result<InputSources>) -> Result<RunConfig> {
        let expectations = expectations(&options);
        let options = with_count_for(&expectations, options);
        check_conflicts(&options)?;
        let interrupt = Interrupt::for_program();
        let engine = options.counting.as_ref().map(|counting| counting.try_engine(&interrupt)).transpose()?.flatten();
        let settings = settings(&options);
        let settings = Settings { engine: engine.clone().map(|engine| engine as Arc<dyn EngineFactory>), ..settings };
        let (expectations, unchecked_expectations) = expectations.checkable(&settings);
        let job = Job {
            expectations: (!expectations.is_empty()).then(|| Arc::new(expectations)),
            ..job(&options, settings)?
        };
        let format = safe_format(options.format, options.safe_text)?;
        let InputSources { sources, skipped } = find_sources()?;
        Ok(RunConfig {
            job,
            format,
            columns: options.columns,
            threads: options.threads.unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get)),
            quiet: options.quiet,
            interrupt,
            exit_zero: options.exit_zero,
            fail_if: options.fail_if,
            findings: options.findings,
            error_listing: options.error_listing.map(|listing| listing.sentence(&sources)),
            select: options.select,
            config_file: options.config_file,
            unchecked_expectations,
            finds_duplicates: options.finds_duplicates,
            engine,
            progress: options.progress,
            sources,
            skipped,
        })
    }

    /// Returns the configuration of a run that does not report known findings.
    #[must_use]
    pub fn with_baseline(mut self, baseline: Arc<Baseline>) -> RunConfig {
        self.job.baseline = Some(baseline);
        self.job.settings.game_hash = true;
        self
    }

    /// Returns the configuration of a run over the same games without some of them.
    #[must_use]
    pub fn without_games(mut self, games: GameList) -> RunConfig {
        self.job.selection.excluded_games = Some(Arc::new(games));
        self
    }

    /// Returns the sources.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the skipped files of folders.
    pub fn skipped(&self) -> &SkippedFiles {
        &self.skipped
    }

    /// Returns the job for the pipeline.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Returns the format of the rows.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns true if the run prints no summary and no messages.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Returns the interrupt that ends the run early.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Returns true if findings do not affect the exit code.
    pub fn exits_zero(&self) -> bool {
        self.exit_zero
    }

    /// Returns the condition that determines the exit code instead of findings.
    pub fn fail_if(&self) -> Option<&Gate> {
        self.fail_if.as_ref()
    }

    /// Returns the meaning of findings.
    pub fn findings(&self) -> FindingsUse {
        self.findings
    }

    /// Returns the end of a sentence that names the command which lists the errors.
    pub fn error_listing(&self) -> Option<&str> {
        self.error_listing.as_deref()
    }

    /// Returns the names in `--select`.
    pub fn selected_names(&self) -> &[NamedCodes] {
        &self.select
    }

    /// Returns the configuration file.
    pub fn config_file(&self) -> Option<&ConfigFile> {
        self.config_file.as_deref()
    }

    /// Returns the parsed configuration file, for the summary.
    pub fn configuration(&self) -> Option<Value> {
        self.config_file.as_ref().map(|file| file.json())
    }

    /// Returns the names of the expectations that need turns or counts that this run does not
    /// determine.
    pub fn unchecked_expectations(&self) -> &[Arc<str>] {
        &self.unchecked_expectations
    }

    /// Returns true if endings are counted.
    pub fn counts_endings(&self) -> bool {
        !self.job.settings.scored_rulesets.is_empty()
    }

    /// Returns the engine that determines dead stones.
    pub fn engine(&self) -> Option<&RunEngine> {
        self.engine.as_deref()
    }

    /// Returns true if the run looks for findings of this code.
    pub fn looks_for(&self, code: Code) -> bool {
        let settings = &self.job.settings;
        match code.found_by() {
            FoundBy::Copies => self.finds_duplicates,
            FoundBy::Expectations => self.job.expectations.is_some(),
            FoundBy::Engine => self.engine.is_some(),
            FoundBy::Count => self.counts_endings(),
            FoundBy::Replay => !settings.header_only,
            FoundBy::Reading => true,
        }
    }

    /// Returns a visitor that writes rows in the format of the run.
    pub fn table<R: GameTable>(&self, rows: R) -> TableVisitor<R> {
        TableVisitor::new(rows, self.format, self.job.input, &self.columns)
    }

    /// Returns a table with the columns that the run writes.
    pub fn written_table(&self, table: &'static Table) -> &'static Table {
        table.for_input(self.job.input).with_columns(&self.columns)
    }

    /// Creates the display of a run that continues after `resumed`.
    pub(crate) fn start_progress(&self, resumed: &Summary) -> Box<dyn Progress> {
        let total_bytes = self.sources.iter().map(Source::length).sum();
        let start = RunStart { total_bytes, done: resumed };
        self.progress.as_ref().map_or_else(|| Box::new(NoProgress) as Box<dyn Progress>, |progress| progress(start))
    }
}

/// Returns the expectations on the games of a run. Positions have no header, so there are none for
/// them.
fn expectations(options: &RunOptions) -> Expectations {
    let config_file = options.config_file.as_ref().filter(|_| options.input != InputFormat::Positions);
    config_file.map(|file| file.expectations()).unwrap_or_default()
}

/// Returns the options of a run that counts endings if an expectation needs that. Only a run whose
/// rows are findings does so; the counts would be wasted on the others.
fn with_count_for(expectations: &Expectations, options: RunOptions) -> RunOptions {
    let can_count = options.findings == FindingsUse::Listed && !options.header_only;
    let counts = can_count && options.counting.is_none() && expectations.uses_count();
    RunOptions { counting: if counts { Some(Counting::of_results()) } else { options.counting }, ..options }
}

/// Checks that the options don't contradict each other.
fn check_conflicts(options: &RunOptions) -> Result<()> {
    let of_positions = options.input == InputFormat::Positions;
    ensure!(
        !of_positions || options.reads_positions,
        "--input-format positions is for the scores of jigo score: there are no turns to check, and no recorded results"
    );
    ensure!(!of_positions || options.selection.filter.is_none(), "--where reads headers, which positions do not have");
    options.counting.as_ref().map_or(Ok(()), Counting::check)
}

/// Returns the settings of the analysis, without the engine.
fn settings(options: &RunOptions) -> Settings {
    let judging = options.judging.settings();
    let settings = match &options.counting {
        None => judging,
        Some(counting) => counting.settings(judging),
    };
    Settings {
        limits: options.limits,
        index: options.index.clone(),
        players: options.players.clone(),
        replay: ReplayOptions { on_illegal: options.on_illegal, ..settings.replay },
        all_variations: options.all_variations,
        header_only: options.header_only,
        ..settings
    }
}

/// Returns the job for the pipeline.
fn job(options: &RunOptions, settings: Settings) -> Result<Job> {
    Ok(Job {
        input: options.input,
        column: options.column.clone(),
        id_column: options.id_column.clone(),
        settings,
        reported_codes: reported_codes(&options.select, &options.ignore)?,
        min_severity: options.severity,
        shard: options.shard,
        selection: Selection { excluded_games: None, ..options.selection.clone() },
        continues_after_limit: options.needs_rejected,
        expectations: None,
        baseline: None,
    })
}

/// Returns the format of rows with protected texts.
fn safe_format(format: Format, is_safe: bool) -> Result<Format> {
    match (format, is_safe) {
        (format, false) => Ok(format),
        (Format::Csv, true) => Ok(Format::SafeCsv),
        _ => bail!("--safe-text is for --format csv, which spreadsheets open"),
    }
}

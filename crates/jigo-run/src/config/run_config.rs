//! The configuration of a run: its request after validation, with all defaults.

use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use crate::config::config_file::ConfigFile;
use crate::config::limits::limits;
use crate::config::options::RunOptions;
use crate::config::run_request::{Counting, FindingsUse, RunRequest};
use crate::config::values::{Variations, read_file, reported_codes};
use crate::interrupt::Interrupt;
use crate::process::{print, print_styled, shows_color};
use crate::progress::{NoProgress, Progress, RunStart};
use crate::provenance::Provenance;
use jigo_archive::engine::RunEngine;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::baseline::Baseline;
use jigo_archive::pipeline::{Expectations, GameList, Job, Selection};
use jigo_archive::row::Table;
use jigo_archive::source::header_index::read_header_index;
use jigo_archive::source::players_file::read_player_list;
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

/// The configuration of a run. It is complete, and its options don't contradict each other. Whoever
/// receives it does not change it.
pub struct RunConfig {
    /// The request of the command.
    pub request: RunRequest,
    /// The sources.
    pub sources: Vec<Source>,
    /// The skipped files of folders.
    pub skipped: SkippedFiles,
    /// The job for the pipeline.
    pub job: Job,
    /// The format of the rows.
    pub format: Format,
    /// The number of threads.
    pub threads: usize,
    /// The interrupt that ends the run early.
    pub interrupt: Interrupt,
    /// The end of a sentence that names the command which lists the errors.
    pub error_listing: Option<String>,
    /// The names of the expectations that need turns or counts that this run does not determine.
    pub unchecked_expectations: Vec<Arc<str>>,
    /// The engine that determines dead stones.
    pub engine: Option<Arc<RunEngine>>,
    provenance: OnceLock<Provenance>,
}

impl RunConfig {
    /// Creates the configuration. `find_sources` is called after the options are checked.
    ///
    /// # Errors
    /// Returns a sentence with the flag, its mistake and its possible values. Also fails if the
    /// engine can't be used, or if `find_sources` fails.
    pub fn new(request: RunRequest, find_sources: impl FnOnce() -> Result<InputSources>) -> Result<RunConfig> {
        let expectations = expectations(&request);
        let request = with_count_for(&expectations, request);
        check_conflicts(&request)?;
        let interrupt = Interrupt::for_program();
        let engine = request.counting.as_ref().map(|counting| counting.try_engine(&interrupt)).transpose()?.flatten();
        let settings = settings(&request)?;
        let settings = Settings { engine: engine.clone().map(|engine| engine as Arc<dyn EngineFactory>), ..settings };
        let (expectations, unchecked_expectations) = expectations.checkable(&settings);
        let job =
            Job { expectations: (!expectations.is_empty()).then(|| Arc::new(expectations)), ..job(&request, settings) };
        let format = safe_format(request.format, request.run.process.safe_text)?;
        let jobs = request.run.process.jobs.as_ref().and_then(|jobs| usize::try_from(jobs.0).ok());
        let InputSources { sources, skipped } = find_sources()?;
        Ok(RunConfig {
            error_listing: request.error_listing.as_ref().map(|listing| listing.sentence(&sources)),
            threads: jobs.unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get)),
            request,
            job,
            format,
            interrupt,
            unchecked_expectations,
            engine,
            sources,
            skipped,
            provenance: OnceLock::new(),
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

    /// Returns the configuration of a run with another display.
    #[cfg(feature = "columnar")]
    #[must_use]
    pub(crate) fn with_progress(mut self, progress: Arc<crate::progress::StartProgress>) -> RunConfig {
        self.request.progress = Some(progress);
        self
    }

    /// Returns true if the run prints no summary and no messages.
    pub fn is_quiet(&self) -> bool {
        self.request.run.process.quiet
    }

    /// Prints lines on standard error, unless the run is quiet.
    pub fn print(&self, text: &str) {
        if !self.is_quiet() {
            print(text);
        }
    }

    /// Prints lines of text, made with the value of [`RunConfig::colors_summary`].
    pub fn print_styled(&self, text: &str) {
        if !self.is_quiet() {
            print_styled(text);
        }
    }

    /// Returns true if the summary is coloured.
    pub fn colors_summary(&self) -> bool {
        self.request.color.unwrap_or_else(|| shows_color(&std::io::stderr()))
    }

    /// Returns true if findings do not affect the exit code.
    pub fn exits_zero(&self) -> bool {
        self.request.run.process.exit_zero
    }

    /// Returns the condition that determines the exit code instead of findings.
    pub fn fail_if(&self) -> Option<&Gate> {
        self.request.run.process.fail_if.as_deref()
    }

    /// Returns the configuration file.
    pub fn config_file(&self) -> Option<&ConfigFile> {
        self.request.config_file.as_deref()
    }

    /// Returns the description of the run without its time. The first call reads each input file
    /// once, for its digest.
    pub fn provenance(&self) -> &Provenance {
        self.provenance.get_or_init(|| Provenance::of(self))
    }

    /// Returns the parsed configuration file, for the summary.
    pub fn configuration(&self) -> Option<Value> {
        self.config_file().map(ConfigFile::json)
    }

    /// Returns true if endings are counted.
    pub fn counts_endings(&self) -> bool {
        !self.job.settings.scored_rulesets.is_empty()
    }

    /// Returns true if the run looks for findings of this code.
    pub fn looks_for(&self, code: Code) -> bool {
        let settings = &self.job.settings;
        match code.found_by() {
            FoundBy::Copies => self.request.finds_duplicates,
            FoundBy::Expectations => self.job.expectations.is_some(),
            FoundBy::Engine => self.engine.is_some(),
            FoundBy::Count => self.counts_endings(),
            FoundBy::Problems => settings.problems,
            FoundBy::Replay => !settings.header_only,
            FoundBy::Reading => true,
        }
    }

    /// Returns a visitor that writes rows in the format of the run.
    pub fn table<R: GameTable>(&self, rows: R) -> TableVisitor<R> {
        TableVisitor::new(rows, self.format, self.job.input, &self.request.columns)
    }

    /// Returns a table with the columns that the run writes.
    pub fn written_table(&self, table: &'static Table) -> Table {
        table.for_input(self.job.input).with_columns(&self.request.columns)
    }

    /// Creates the display of a run that continues after `resumed`.
    pub(crate) fn start_progress(&self, resumed: &Summary) -> Box<dyn Progress> {
        let total_bytes = self.sources.iter().map(Source::length).sum();
        let start = RunStart { total_bytes, done: resumed };
        self.request
            .progress
            .as_ref()
            .map_or_else(|| Box::new(NoProgress) as Box<dyn Progress>, |progress| progress(start))
    }
}

/// Returns the expectations on the games of a run. Positions have no header, so there are none for
/// them.
fn expectations(request: &RunRequest) -> Expectations {
    let config_file = request.config_file.as_ref().filter(|_| *request.input.input_format != InputFormat::Positions);
    config_file.map(|file| file.expectations()).unwrap_or_default()
}

/// Returns the request of a run that counts endings if an expectation needs that. Only a run whose
/// rows are findings does so; the counts would be wasted on the others.
fn with_count_for(expectations: &Expectations, request: RunRequest) -> RunRequest {
    let can_count = request.findings == FindingsUse::Listed && !request.settings.header_only;
    let counts = can_count && request.counting.is_none() && expectations.uses_count();
    RunRequest { counting: if counts { Some(Counting::of_results()) } else { request.counting }, ..request }
}

/// Checks that the options don't contradict each other.
fn check_conflicts(request: &RunRequest) -> Result<()> {
    let of_positions = *request.input.input_format == InputFormat::Positions;
    ensure!(
        !of_positions || request.reads_positions,
        "--input-format positions is for the scores of jigo score: there are no turns to check, and no recorded results"
    );
    let has_filter = request.run.selection.filter.is_some();
    ensure!(!of_positions || !has_filter, "--where reads headers, which positions do not have");
    Ok(())
}

/// Returns the settings of the analysis, without the engine.
fn settings(request: &RunRequest) -> Result<Settings> {
    let RunOptions { selection, judging, .. } = &request.run;
    let records = &request.input.records;
    let judging = judging.settings(request.settings.clone());
    let settings = match &request.counting {
        None => judging,
        Some(counting) => counting.settings(judging),
    };
    Ok(Settings {
        limits: limits(&records.max),
        index: read_file("--headers", records.headers.as_deref(), read_header_index)?,
        players: read_file("--players", selection.players.as_deref(), read_player_list)?,
        replay: ReplayOptions { on_illegal: *selection.on_illegal, ..settings.replay },
        all_variations: settings.problems || *selection.variations == Variations::All,
        ..settings
    })
}

/// Returns the job for the pipeline.
fn job(request: &RunRequest, settings: Settings) -> Job {
    let (input, selection) = (&request.input, &request.run.selection);
    Job {
        input: *input.input_format,
        column: input.records.column.0.clone(),
        id_column: input.records.id_column.0.clone(),
        settings,
        reported_codes: reported_codes(&selection.select, &selection.ignore),
        min_severity: *selection.severity,
        shard: (selection.shard.number, selection.shard.count),
        selection: Selection {
            sample: selection.sample.as_ref().map(|sample| sample.0),
            seed: selection.seed.0,
            filter: selection.filter.as_deref().cloned(),
            errors: request.errors,
            games: request.games.clone(),
            excluded_games: None,
            limit: selection.limit.as_ref().map(|limit| limit.0),
        },
        continues_after_limit: request.needs_rejected,
        expectations: None,
        baseline: None,
    }
}

/// Returns the format of rows with protected texts.
fn safe_format(format: Format, is_safe: bool) -> Result<Format> {
    match (format, is_safe) {
        (format, false) => Ok(format),
        (Format::Csv, true) => Ok(Format::SafeCsv),
        _ => bail!("--safe-text is for --format csv, which spreadsheets open"),
    }
}

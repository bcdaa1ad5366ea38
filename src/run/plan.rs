//! The plan of a run: its options after validation, with all defaults.

use std::io::IsTerminal;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail, ensure};

use super::format;
use super::interrupt::Interrupt;
use crate::args::limits::limits;
use crate::args::{
    CountArgs, InputArgs, InputFormatArg, MIN_CONFIDENCE, NamedCodes, OnIllegalArg, RunArgs, SeverityArg,
    VariationsArg, WhenArg,
};
use crate::run::analysis_settings;
use crate::run::repro_command::listing;
use crate::run::stderr::note;
use jigo_archive::engine::RunEngine;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::filter::Filter;
use jigo_archive::pipeline::{Job, Selection};
use jigo_archive::source::files::discover;
use jigo_archive::source::header_index::read_header_index as read_index;
use jigo_archive::source::{InputFormat, RowColumns, SkippedFiles, Source, SourceKind};
use jigo_archive::summary::Gate;
use jigo_archive::tables::{GameTable, TableVisitor};
use jigo_core::analysis::Settings;
use jigo_core::replay::{OnIllegal, ReplayOptions};
use jigo_record::finding::{Code, FoundBy, Severity};
use jigo_record::splitter::Index;
use jigo_rules::select::Choice;
use jigo_score::{DeadSource, EngineFactory};

/// The complete configuration of a run.
pub struct Plan {
    /// The sources.
    pub sources: Vec<Source>,
    /// The skipped files of folders.
    pub passed_over: SkippedFiles,
    /// The job for the pipeline.
    pub job: Job,
    /// The format of the rows.
    pub format: Format,
    /// The number of threads.
    pub jobs: usize,
    /// True if progress is displayed.
    pub progress: bool,
    /// True if the run prints no summary and no messages.
    pub quiet: bool,
    /// The interrupt that ends the run early.
    pub interrupt: Interrupt,
    /// True if findings do not affect the exit code.
    pub exit_zero: bool,
    /// The condition that determines the exit code instead of findings.
    pub fail_if: Option<Gate>,
    /// True if the written rows are findings or include them.
    pub shows_findings: bool,
    /// True if the run only exports other rows, so that findings affect neither its exit code nor
    /// its summary.
    pub exports_only: bool,
    /// The command that lists the errors of a run without findings.
    pub listing: Option<String>,
    /// The names in `--select`.
    pub selected: Vec<NamedCodes>,
    /// True if games are compared with each other.
    pub finds_copies: bool,
    /// The engine that determines dead stones.
    pub engine: Option<Arc<RunEngine>>,
}

impl Plan {
    /// Lets the run count each ending, so that recorded results can be compared with it. This is
    /// for commands without counting options: they use the recorded ruleset and the default of
    /// `--dead`.
    pub fn count_results(&mut self) {
        let settings = &mut self.job.settings;
        settings.counted = vec![Choice::Recorded];
        settings.dead = DeadSource::DEFAULT.to_vec();
        settings.min_confidence = MIN_CONFIDENCE;
    }

    /// Creates a plan from options. `count` is present for commands that count.
    ///
    /// # Errors
    /// Returns a sentence with the flag, its mistake and its possible values.
    pub fn new(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>, format: Format) -> Result<Plan> {
        is_of_games(input)?;
        Plan::with_positions(input, run, count, format)
    }

    /// Creates a plan for a command that also reads bare positions.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn with_positions(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>, format: Format) -> Result<Plan> {
        Plan::over(|| sources(input), input, run, count, format)
    }

    /// Creates a plan over sources from elsewhere. The options are checked before `sources` is
    /// called.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn over(
        sources: impl FnOnce() -> Result<(Vec<Source>, SkippedFiles)>,
        input: &InputArgs,
        run: &RunArgs,
        count: Option<&CountArgs>,
        format: Format,
    ) -> Result<Plan> {
        let terminal = std::io::stderr().is_terminal();
        let interrupt = Interrupt::of_program();
        let settings = settings(input, run, count)?;
        let engine = count.map(|count| analysis_settings::engine(&count.ending, &interrupt)).transpose()?.flatten();
        let settings = Settings { engine: engine.clone().map(|engine| engine as Arc<dyn EngineFactory>), ..settings };
        let mut plan = Plan {
            job: job(input, run, settings)?,
            format: format::safe(format, run.safe_text)?,
            jobs: run.jobs.map_or_else(|| available_parallelism().map_or(1, NonZero::get), usize::from),
            progress: !run.quiet && (run.progress == WhenArg::Always || (run.progress == WhenArg::Auto && terminal)),
            quiet: run.quiet,
            interrupt,
            engine,
            shows_findings: count.is_none(),
            exports_only: false,
            listing: None,
            selected: run.select.clone(),
            finds_copies: false,
            exit_zero: run.exit_zero,
            fail_if: run.fail_if.as_deref().map(Gate::parse).transpose().context("--fail-if")?,
            sources: Vec::new(),
            passed_over: SkippedFiles::default(),
        };
        (plan.sources, plan.passed_over) = sources()?;
        plan.listing = listing(input, run, count, &plan.sources);
        Ok(plan)
    }

    /// Returns true if the run looks for findings of this code.
    pub fn looks_for(&self, code: Code) -> bool {
        let settings = &self.job.settings;
        match code.found_by() {
            FoundBy::Copies => self.finds_copies,
            FoundBy::Engine => self.engine.is_some(),
            FoundBy::Count => !settings.counted.is_empty(),
            FoundBy::Replay => !settings.header_only,
            FoundBy::Reading => true,
        }
    }

    /// Returns a visitor that writes rows in the plan's format.
    pub fn table<R: GameTable>(&self, rows: R) -> TableVisitor<R> {
        TableVisitor::new(rows, self.format, self.job.input)
    }
}

/// Returns the settings of the analysis, without the engine.
fn settings(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>) -> Result<Settings> {
    let settings = match count {
        None => analysis_settings::judging(&run.judging)?,
        Some(count) => analysis_settings::counting(&run.judging, &count.ending)?,
    };
    Ok(Settings {
        limits: limits(&input.limits),
        index: headers(input.headers.as_deref())?,
        replay: ReplayOptions { on_illegal: on_illegal(run.on_illegal), ..settings.replay },
        judges: analysis_settings::chosen(&run.judging)?.unwrap_or_else(|| vec![Choice::Recorded]),
        all_variations: matches!(run.variations, VariationsArg::All),
        all_endings: count.is_some_and(|count| count.all_endings),
        ..settings
    })
}

/// Returns the job for the pipeline.
fn job(input: &InputArgs, run: &RunArgs, settings: Settings) -> Result<Job> {
    Ok(Job {
        input: input_format(input.input_format),
        column: input.column.clone(),
        id_column: input.id_column.clone(),
        settings,
        reported: reported(run)?,
        least: match run.severity {
            SeverityArg::Error => Severity::Error,
            SeverityArg::Warning => Severity::Warning,
            SeverityArg::Info => Severity::Info,
        },
        shard: shard(&run.shard)?,
        selection: selection(run)?,
        shows_rest: false,
        baseline: None,
    })
}

/// Checks that the inputs contain games, which have turns and a header.
///
/// # Errors
/// Fails if they contain bare positions.
pub fn is_of_games(input: &InputArgs) -> Result<()> {
    let of_positions = matches!(input.input_format, InputFormatArg::Positions);
    ensure!(
        !of_positions,
        "--input-format positions is for the scores of jigo score: there are no turns to check, and no recorded results"
    );
    Ok(())
}

/// Reads the headers of lists of moves from the file of `--headers`.
///
/// # Errors
/// Fails if the file can't be read or used.
pub fn headers(path: Option<&Path>) -> Result<Option<Arc<Index>>> {
    let read = |path: &Path| read_index(path).with_context(|| format!("--headers {}", path.display()));
    Ok(path.map(read).transpose()?.map(Arc::new))
}

/// Returns the format of `--input-format`.
pub fn input_format(format: InputFormatArg) -> InputFormat {
    match format {
        InputFormatArg::Auto => InputFormat::Auto,
        InputFormatArg::Sgf => InputFormat::Sgf,
        InputFormatArg::Jsonl => InputFormat::Jsonl,
        InputFormatArg::Csv => InputFormat::Csv,
        #[cfg(feature = "columnar")]
        InputFormatArg::Arrow => InputFormat::Arrow,
        #[cfg(feature = "columnar")]
        InputFormatArg::Parquet => InputFormat::Parquet,
        InputFormatArg::Positions => InputFormat::Positions,
    }
}

/// Returns the named sources, and the skipped files of folders.
///
/// # Errors
/// Fails if no source is named, or if a list can't be read.
pub fn sources(input: &InputArgs) -> Result<(Vec<Source>, SkippedFiles)> {
    let mut paths = input.paths.clone();
    if let Some(list) = &input.files_from {
        let listed = discover::read_path_list(list, input.null);
        paths.extend(listed.with_context(|| format!("--files-from {}", list.display()))?);
        // An empty list is not an error, because a list of changed files may be empty.
        if paths.is_empty() {
            note(&format!("--files-from {} names no file: nothing is read", list.display()));
        }
    } else if paths.is_empty() {
        ensure!(!std::io::stdin().is_terminal(), "nothing to read: name files or folders, or - for standard input");
        paths.push("-".into());
    }
    let mut passed_over = SkippedFiles::default();
    let columns = RowColumns { record: &input.column, id: &input.id_column };
    let mut sources = discover::discover_with(&paths, columns, &mut |path| {
        passed_over.add(path);
        if input.verbose {
            note(&format!("skipped {}", path.display()));
        }
    });
    let piped = sources.iter_mut().filter(|source| matches!(source.kind, SourceKind::Stream(None)));
    piped.for_each(|source| source.name.clone_from(&input.stdin_name));
    Ok((sources, passed_over))
}

fn on_illegal(what: OnIllegalArg) -> OnIllegal {
    match what {
        OnIllegalArg::Play => OnIllegal::Play,
        OnIllegalArg::Stop => OnIllegal::Stop,
    }
}

/// Returns which codes are reported.
fn reported(run: &RunArgs) -> Result<Vec<bool>> {
    let mut reported = vec![run.select.is_empty(); Code::TABLE.len()];
    for (flag, all, value) in [("--select", &run.select, true), ("--ignore", &run.ignore, false)] {
        for NamedCodes { name, codes } in all {
            ensure!(
                !name.trim().is_empty(),
                "{flag}: a name is empty; it takes codes, names or beginnings of codes with commas between, such as K,P004"
            );
            ensure!(
                !codes.is_empty(),
                "{flag} {name}: no finding is called or begins like that{}; see jigo explain",
                Code::suggestion(name.trim())
            );
            codes.iter().for_each(|code| reported[*code as usize] = value);
        }
    }
    Ok(reported)
}

/// Returns the selection by `--sample`, `--seed`, `--where` and `--limit`.
fn selection(run: &RunArgs) -> Result<Selection> {
    let filter = run.filter.as_deref().map(Filter::parse).transpose().context("--where")?;
    Ok(Selection { sample: run.sample, seed: run.seed, filter, games: None, without: None, limit: run.limit })
}

fn shard(text: &str) -> Result<(u64, u64)> {
    let parts = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match parts {
        Some((part, parts)) if 1 <= part && part <= parts => Ok((part, parts)),
        _ => bail!("--shard takes I/N with I from 1 to N, such as 2/8; not '{text}'"),
    }
}

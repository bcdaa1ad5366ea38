//! The options of a run, made from the command line.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::args::repro_command::error_listing;
use crate::args::{BaselineArgs, CountArgs, EndingArgs, InputArgs, JudgingArgs, OutputArgs, RunArgs, WhenArg};
use crate::progress::ProgressBar;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::Selection;
use jigo_archive::row::ColumnChoice;
use jigo_archive::source::files::discover;
use jigo_archive::source::{RowColumns, SkippedFiles, SourceKind};
use jigo_run::baseline::BaselineFiles;
use jigo_run::config::limits::limits;
use jigo_run::config::options::FindingsUse;
use jigo_run::config::values;
use jigo_run::output::path_conflicts::{FlagPaths, TableFiles};
use jigo_run::process::stderr::note;
use jigo_run::progress::{Progress, StartProgress};
use jigo_run::{Counting, InputSources, Judging, RunOptions};

/// Returns the options of a run. `count` is present for commands that count.
///
/// # Errors
/// Returns a sentence with the flag, its mistake and its possible values.
pub fn run_options(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>, format: Format) -> Result<RunOptions> {
    let counting = |count: &CountArgs| -> Result<Counting> {
        Ok(Counting { all_endings: count.all_endings, ..counting(&run.judging, &count.ending)? })
    };
    Ok(RunOptions {
        input: input.input_format,
        reads_positions: false,
        column: input.column.clone(),
        id_column: input.id_column.clone(),
        judging: judging(&run.judging)?,
        counting: count.map(counting).transpose()?,
        limits: limits(&input.limits),
        index: values::header_index(input.headers.as_deref())?,
        players: run.players.as_deref().map_or(Ok(None), values::player_list)?,
        on_illegal: run.on_illegal,
        all_variations: run.variations,
        header_only: false,
        shard: values::shard(&run.shard)?,
        selection: Selection {
            sample: run.sample,
            seed: run.seed,
            filter: run.filter.as_deref().map(values::filter).transpose()?,
            limit: run.limit,
            ..Selection::default()
        },
        needs_rejected: false,
        select: run.select.clone(),
        ignore: run.ignore.clone(),
        severity: run.severity,
        config_file: run.config.file(),
        finds_duplicates: false,
        findings: if count.is_none() { FindingsUse::Listed } else { FindingsUse::ExitCode },
        format,
        columns: ColumnChoice::default(),
        safe_text: run.safe_text,
        threads: run.jobs.map(usize::from),
        quiet: run.quiet,
        exit_zero: run.exit_zero,
        fail_if: run.fail_if.as_deref().map(values::gate).transpose()?,
        error_listing: error_listing(input, run, count),
        progress: Some(progress(shows_progress(run))),
    })
}

/// Returns the display of messages, and of the progress if it is shown.
fn progress(is_shown: bool) -> Arc<StartProgress> {
    Arc::new(move |start| Box::new(ProgressBar::new(is_shown, &start)) as Box<dyn Progress>)
}

fn shows_progress(run: &RunArgs) -> bool {
    let terminal = std::io::stderr().is_terminal();
    !run.quiet && (run.progress == WhenArg::Always || (run.progress == WhenArg::Auto && terminal))
}

/// Returns the options for reading records and judging turns.
///
/// # Errors
/// Returns a sentence with the flag, its mistake and its possible values.
pub fn judging(args: &JudgingArgs) -> Result<Judging> {
    Ok(Judging {
        assumed: values::assumed_ruleset(&args.assume_rules)?,
        dialect: values::dialect(&args.dialect)?,
        rulesets: args.rules.as_deref().map(values::rulesets).transpose()?,
        literal_setup: args.literal_setup,
    })
}

/// Returns the options for counting endings, under the chosen rulesets or the usual ones.
///
/// # Errors
/// As [`judging`].
pub fn counting(judging: &JudgingArgs, ending: &EndingArgs) -> Result<Counting> {
    let timeout = Duration::from_secs(ending.engine_timeout);
    let engine = |line: &str| values::engine_command(line, timeout);
    Ok(Counting {
        rulesets: judging.rules.as_deref().map_or_else(Counting::default_rulesets, values::rulesets)?,
        komi: values::komi(&ending.komi)?,
        dead: values::dead_sources(&ending.dead)?,
        given_stones: None,
        min_confidence: ending.min_confidence,
        engine: ending.engine.as_deref().map(engine).transpose()?,
        all_endings: false,
    })
}

impl InputArgs {
    /// Returns the named sources, and the skipped files of folders.
    ///
    /// # Errors
    /// Fails if no source is named, or if a list can't be read.
    pub fn sources(&self) -> Result<InputSources> {
        let mut paths = self.paths.clone();
        if let Some(list) = &self.files_from {
            let listed = discover::read_path_list(list, self.null);
            paths.extend(listed.with_context(|| format!("--files-from {}", list.display()))?);
            // An empty list is not an error, because a list of changed files may be empty.
            if paths.is_empty() {
                note(&format!("--files-from {} names no file: nothing is read", list.display()));
            }
        } else if paths.is_empty() {
            ensure!(!std::io::stdin().is_terminal(), "nothing to read: name files or folders, or - for standard input");
            paths.push("-".into());
        }
        let mut skipped = SkippedFiles::default();
        let columns = RowColumns { record: &self.column, id: &self.id_column };
        let mut sources = discover::discover_with(&paths, columns, &mut |path| {
            skipped.add(path);
            if self.verbose {
                note(&format!("skipped {}", path.display()));
            }
        });
        let piped = sources.iter_mut().filter(|source| matches!(source.kind, SourceKind::Stream(None)));
        piped.for_each(|source| source.name.clone_from(&self.stdin_name));
        Ok(InputSources { sources, skipped })
    }

    /// Returns a list with the files that are read in addition to the games.
    pub fn read_files(&self) -> FlagPaths<'_> {
        FlagPaths::default()
            .reads("--files-from", self.files_from.as_deref())
            .reads("--headers", self.headers.as_deref())
    }
}

impl RunArgs {
    /// Returns a list with the files that are read in addition to the games.
    pub fn read_files<'a>(&'a self, input: &'a InputArgs) -> FlagPaths<'a> {
        input.read_files().reads("--players", self.players.as_deref())
    }
}

impl OutputArgs {
    /// Returns the files of a table.
    pub fn files(&self) -> TableFiles {
        TableFiles { rows: self.output.clone(), summary: self.summary.clone(), force: self.force }
    }
}

impl BaselineArgs {
    /// Returns the files of a baseline. `force` replaces an existing file by a new list.
    pub fn files(&self, force: bool) -> BaselineFiles<'_> {
        BaselineFiles {
            baseline: self.baseline.as_deref(),
            write_baseline: self.write_baseline.as_deref(),
            prune_baseline: self.prune_baseline,
            force,
        }
    }
}

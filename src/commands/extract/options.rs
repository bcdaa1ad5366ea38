//! The interpretation of the options: selected games, their form, and the outputs.

use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::extract_args::{ExtractArgs, FormArg};
use super::folder::STAGING_SUFFIX;
use super::sink::{OutputKind, Target};
use crate::args::format::{log_format, table_format};
use crate::args::{CountingArgs, run_request};
use jigo_archive::compressed_output::Compression;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::filter::AnalysisStep;
use jigo_archive::pipeline::{ErrorFilter, without_dot_slash};
use jigo_archive::row::Row as _;
use jigo_archive::source::files::separators::Separators;
use jigo_archive::tables::RejectRow;
use jigo_archive::visit::ExtractVisitor;
use jigo_archive::visit::extract::{Destination, DropReasons, Pattern};
use jigo_record::finding::{FoundBy, Severity};
use jigo_record::write::WriteOptions;
use jigo_rules::select::Choice;
use jigo_run::config::options::SelectionOptions;
use jigo_run::config::{ConfigFile, values};
use jigo_run::execution::log_table;
use jigo_run::output::path_conflicts::{is_folder, resolve};
use jigo_run::process::note;
use jigo_run::{Counting, RunConfig, RunRequest};

/// The outputs.
pub(super) struct Targets {
    pub(super) games: Target,
    pub(super) rejects: Option<Target>,
    pub(super) log: Option<Target>,
    pub(super) reject_table: Option<Target>,
}

impl Targets {
    /// Returns the reason why a later run can't resume one of the outputs, if there is one.
    pub(super) fn obstacle(&self) -> Option<String> {
        let tables = self.log.iter().chain(&self.reject_table);
        [&self.games].into_iter().chain(&self.rejects).chain(tables).find_map(Target::obstacle)
    }

    /// Returns the message about the outputs if a run ends early.
    pub(super) fn resume_advice(&self) -> String {
        match &self.games.path {
            Some(path) => format!("{} is not written", path.display()),
            None => "the last game may be incomplete, the rest is not written".into(),
        }
    }
}

/// Returns the outputs of `--out`, `--rejects`, `--log`, `--rejects-table` and `--format`.
pub(super) fn targets(args: &ExtractArgs, config: &RunConfig) -> Result<Targets> {
    if args.form == FormArg::Npz {
        ensure!(
            is_folder(&args.out) && args.format.is_none(),
            "--as npz writes several files: name a folder with --out, such as rows/, without --format"
        );
        ensure!(
            args.pattern.is_none() && !args.merge_headers,
            "--pattern and --merge-headers need another --as than npz"
        );
    }
    let games = Target::from_path(&args.out, args.format).context("--out")?;
    let rejects = args.rejects.as_deref().map(|path| Target::from_path(path, None)).transpose().context("--rejects")?;
    if games.is_binary() && games.path.is_none() && io::stdout().is_terminal() {
        bail!("this format is not for a terminal: name a file with --out, or send it down a pipe");
    }
    let kind = OutputKind::Rows(log_format(args.log.as_deref())?, Compression::None);
    let log = args.log.as_ref().map(|path| Target::new(Some(path), kind, log_table(config)));
    let reject_table = args.rejects_table.as_deref().map(|path| reject_table(path, args, config)).transpose()?;
    let check = |target: Target, flag: &'static str| {
        let others = paths(args).into_iter().filter(|(other, _)| *other != flag);
        target.check_conflicts(&config.sources, flag, others)
    };
    let (games, rejects) = (check(games, "--out"), rejects.map(|rejects| check(rejects, "--rejects")));
    Ok(Targets { games, rejects, log, reject_table })
}

/// Returns the paths of all outputs with their flags.
fn paths(args: &ExtractArgs) -> [(&'static str, Option<&Path>); 4] {
    [
        ("--out", Some(&args.out)),
        ("--rejects", args.rejects.as_deref()),
        ("--log", args.log.as_deref()),
        ("--rejects-table", args.rejects_table.as_deref()),
    ]
}

/// Returns the output of `--rejects-table`.
fn reject_table(path: &Path, args: &ExtractArgs, config: &RunConfig) -> Result<Target> {
    ensure!(path != Path::new("-"), "--rejects-table names a file; the games can go to standard output");
    let format = table_format("--rejects-table", path, args.counting.run.options.process.safe_text)?;
    let kind = OutputKind::Rows(format, Compression::None);
    Ok(Target::new(Some(path), kind, RejectRow::TABLE.for_input(config.job.input)))
}

/// Returns the visitor that writes the games.
pub(super) fn visitor(args: &ExtractArgs, config: &RunConfig, targets: &Targets) -> Result<ExtractVisitor> {
    let pattern = args.pattern.as_deref().map(Pattern::parse).transpose().context("--pattern")?;
    ensure!(
        pattern.is_none() || matches!(targets.games.kind, OutputKind::Zip | OutputKind::Folder),
        "--pattern names the files of a folder or zip, and --out is neither; a folder ends in /"
    );
    Ok(ExtractVisitor {
        form: form(args)?,
        games: match args.form {
            FormArg::Npz => Destination::Training,
            _ => targets.games.kind.destination(pattern.unwrap_or_else(Pattern::standard)),
        },
        rejects: targets.rejects.as_ref().map(|target| target.kind.destination(Pattern::standard())),
        marks_endings: args.mark_endings,
        dialect: config.job.settings.dialect,
        limits: config.job.settings.limits,
        separators: Separators::new(&config.sources, config.job.input),
        merges: None,
        reject_table: targets.reject_table.as_ref().and_then(Target::rows),
        drop_reasons: DropReasons::default(),
    })
}

/// Returns the configuration, which contains the selection and the analysis that it needs.
pub(super) fn extract_config(args: &ExtractArgs) -> Result<RunConfig> {
    let run = &args.counting.run;
    let errors = match (args.broken, args.clean || args.preset.is_some()) {
        (true, _) => Some(ErrorFilter::Broken),
        (false, true) => Some(ErrorFilter::Clean),
        (false, false) => None,
    };
    let selection = &run.options.selection;
    let config_file = config_file(args)?;
    let mut selected = selection.select.iter().flat_map(|codes| &**codes);
    let needs_count = writes_endings(args)
        || config_file.as_ref().is_some_and(|file| file.expectations().uses_count())
        || selection.filter.as_deref().is_some_and(|filter| filter.uses(AnalysisStep::Count))
        || selected.any(|code| code.found_by() == FoundBy::Count);
    let counts = needs_count || (errors.is_some() && reports_counted_error(selection));
    let request = RunRequest {
        config_file,
        counting: counts.then(|| counting(args, needs_count)),
        errors,
        games: values::game_list(args.games.as_deref())?,
        needs_rejected: args.rejects.is_some() || args.rejects_table.is_some(),
        ..run_request(run, None, Format::Csv, None)
    };
    RunConfig::new(request, || {
        let read = run.read_files().reads("--games", args.games.as_deref());
        let mut sources = run.input.sources(&read)?;
        // Unfinished outputs inside an input folder are not inputs.
        sources.sources.retain(|source| source.is_named || !source.name.split('/').any(|part| part == STAGING_SUFFIX));
        // Of a file that is named twice, one copy is to be kept.
        let mut names = HashSet::new();
        sources.sources.retain(|source| !args.dedupe || names.insert(without_dot_slash(&source.name).to_owned()));
        Ok(sources)
    })
}

/// Returns true if the outputs contain the counted endings.
fn writes_endings(args: &ExtractArgs) -> bool {
    args.mark_endings || args.form == FormArg::Npz
}

/// Returns the request to count endings. `needs_count` is false if only contradicted results matter.
fn counting(args: &ExtractArgs, needs_count: bool) -> Counting {
    let CountingArgs { run, count, .. } = &args.counting;
    let judging = &run.options.judging;
    let mut counting = Counting::new(judging, count);
    if args.mark_endings && judging.rules.is_none() {
        // A record that names a ruleset gets the ending by that ruleset.
        counting.rulesets.retain(|choice| *choice != Choice::Recorded);
        counting.rulesets.insert(0, Choice::Recorded);
    }
    if !needs_count || (args.form == FormArg::Npz && judging.rules.is_none()) {
        // The comparison with the recorded result does not depend on the scored rulesets. Rows for a
        // network have a score only under the recorded rules, unless --rules names others.
        counting.rulesets = vec![Choice::Recorded];
    }
    counting
}

/// Returns the configuration file with the expectations of `--preset`.
fn config_file(args: &ExtractArgs) -> Result<Option<Arc<ConfigFile>>> {
    let file = args.counting.run.config.file();
    let Some(preset) = &args.preset else { return Ok(file) };
    let of_preset = preset.parse()?;
    Ok(Some(Arc::new(match file {
        Some(file) => ConfigFile::clone(&file).with_expectations_of(&of_preset),
        None => of_preset,
    })))
}

/// Returns true if an error that the run reports is found only if endings are counted.
fn reports_counted_error(selection: &SelectionOptions) -> bool {
    let reported = values::reported_codes(&selection.select, &selection.ignore);
    reported.iter().any(|code| code.severity() == Severity::Error && code.found_by() == FoundBy::Count)
}

/// Returns the form of `--as` with its options.
fn form(args: &ExtractArgs) -> Result<Option<WriteOptions>> {
    let ExtractArgs { form, pretty, no_comments, mark_endings, .. } = *args;
    if matches!(form, FormArg::Recorded | FormArg::Npz) {
        let flags = [(pretty, "--pretty"), (no_comments, "--no-comments"), (mark_endings, "--mark-endings")];
        if let Some((_, flag)) = flags.iter().find(|(is_given, _)| *is_given) {
            bail!("{flag} changes the record: it needs --as sgf or --as main-line");
        }
        return Ok(None);
    }
    Ok(Some(WriteOptions {
        is_pretty: pretty,
        is_main_line_only: form == FormArg::MainLine,
        omits_comments: no_comments,
        ..WriteOptions::default()
    }))
}

/// Checks that no output is an input or another output, and warns if a later run would read an
/// output.
pub(super) fn check_own_outputs(args: &ExtractArgs, config: &RunConfig) -> Result<()> {
    let read = args.counting.run.read_files().reads("--games", args.games.as_deref());
    paths(args).into_iter().fold(read, |paths, (flag, path)| paths.writes(flag, path)).check(&config.sources)?;
    let outputs = || [Some(&args.out), args.rejects.as_ref()].into_iter().flatten().filter_map(|path| resolve(path));
    for folder in args.counting.run.input.paths.iter().filter(|path| path.is_dir()).filter_map(|path| resolve(path)) {
        for output in outputs().filter(|output| output.starts_with(&folder) && !config.is_quiet()) {
            note(&format!("{} is in an input folder; the next run will read it as well", output.display()));
        }
    }
    Ok(())
}

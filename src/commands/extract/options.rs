//! The interpretation of the options: selected games, their form, and the outputs.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::sink::{OutputKind, Target};
use super::{ExtractArgs, FormArg};
use crate::args::CountingArgs;
use crate::run::analysis_settings::COUNTED;
use crate::run::duplicate_rows::log_table;
use crate::run::format::of_log;
use crate::run::path_conflicts::{NamedPlaces, place};
use crate::run::plan::Plan;
use crate::run::stderr::note;
use jigo_archive::compressed_output::Compression;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::GameList;
use jigo_archive::pipeline::filter::Filter;
use jigo_archive::source::files::separators::Separators;
use jigo_archive::visit::Extract;
use jigo_archive::visit::extract::Pattern;
use jigo_record::finding::FoundBy;
use jigo_record::write::Form;
use jigo_rules::select::{Choice, select};

/// The outputs.
pub(super) struct Targets {
    pub(super) games: Target,
    pub(super) rejects: Option<Target>,
    pub(super) log: Option<Target>,
}

impl Targets {
    /// Returns the message about the outputs if a run ends early.
    pub(super) fn left(&self) -> String {
        match &self.games.path {
            Some(path) => format!("{} is not written", path.display()),
            None => "the last game may be incomplete, the rest is not written".into(),
        }
    }
}

/// Returns the outputs of `--out`, `--rejects`, `--log` and `--format`.
pub(super) fn targets(args: &ExtractArgs, plan: &Plan) -> Result<Targets> {
    let games = Target::of(&args.out, args.format).context("--out")?;
    let rejects = args.rejects.as_deref().map(|path| Target::of(path, None)).transpose().context("--rejects")?;
    if games.is_binary() && games.path.is_none() && io::stdout().is_terminal() {
        bail!("this format is not for a terminal: name a file with --out, or send it down a pipe");
    }
    let kind = OutputKind::Rows(of_log(args.log.as_deref())?, Compression::None);
    let log = args.log.as_ref().map(|path| Target::new(Some(path), kind, log_table(plan)));
    let [out, left, logged] =
        [Some(&args.out), args.rejects.as_ref(), args.log.as_ref()].map(|path| path.map(PathBuf::as_path));
    let games = games.apart_from(&plan.sources, "--out", [("--rejects", left), ("--log", logged)]);
    let apart = |target: Target| target.apart_from(&plan.sources, "--rejects", [("--out", out), ("--log", logged)]);
    let rejects = rejects.map(apart);
    Ok(Targets { games, rejects, log })
}

/// Returns the visitor that writes the games.
pub(super) fn visitor(args: &ExtractArgs, plan: &Plan, targets: &Targets) -> Result<Extract> {
    let pattern = args.pattern.as_deref().map(Pattern::parse).transpose().context("--pattern")?;
    ensure!(
        pattern.is_none() || matches!(targets.games.kind, OutputKind::Zip | OutputKind::Folder),
        "--pattern names the files of a folder or zip, and --out is neither; a folder ends in /"
    );
    Ok(Extract {
        form: form(args)?,
        games: targets.games.kind.into(pattern.unwrap_or_else(Pattern::usual)),
        rejects: targets.rejects.as_ref().map(|target| target.kind.into(Pattern::usual())),
        marks_endings: args.mark_endings,
        reading: (plan.job.settings.dialect, plan.job.settings.limits),
        separators: Separators::new(&plan.sources, plan.job.input),
        merges: None,
    })
}

/// Returns the plan, which contains the selection and the analysis that it needs.
pub(super) fn plan(args: &ExtractArgs) -> Result<Plan> {
    let CountingArgs { input, run, count } = &args.counting;
    let filter = run.filter.as_deref().map(Filter::parse).transpose().context("--where")?;
    let mut selected = run.select.iter().flat_map(|named| &named.codes);
    let is_counted = args.mark_endings
        || filter.as_ref().is_some_and(Filter::asks_count)
        || selected.any(|code| code.found_by() == FoundBy::Count);
    let mut plan = Plan::new(input, run, is_counted.then_some(count), Format::Csv)?;
    if args.mark_endings && run.judging.rules.is_none() {
        // A record that names a ruleset gets the ending by that ruleset.
        let usual = select(COUNTED)?.into_iter().filter(|choice| *choice != Choice::Recorded);
        plan.job.settings.counted = std::iter::once(Choice::Recorded).chain(usual).collect();
    }
    let by_errors = (args.clean || args.broken).then(|| Filter::by_errors(args.broken));
    let selection = &mut plan.job.selection;
    selection.filter = match (filter, by_errors) {
        (Some(filter), Some(by_errors)) => Some(filter.and(by_errors)),
        (filter, by_errors) => filter.or(by_errors),
    };
    let listed = |path: &PathBuf| {
        let games = GameList::read(path).with_context(|| format!("--games {}", path.display()))?;
        Ok::<_, anyhow::Error>(Arc::new(games))
    };
    selection.games = args.games.as_ref().map(listed).transpose()?;
    plan.job.shows_rest = args.rejects.is_some();
    Ok(plan)
}

/// Returns the form of `--as` with its options.
fn form(args: &ExtractArgs) -> Result<Option<Form>> {
    let ExtractArgs { form, pretty, no_comments, mark_endings, .. } = *args;
    if form == FormArg::Recorded {
        let flags = [(pretty, "--pretty"), (no_comments, "--no-comments"), (mark_endings, "--mark-endings")];
        if let Some((_, flag)) = flags.iter().find(|(given, _)| *given) {
            bail!("{flag} changes the record: it needs --as sgf or --as main-line");
        }
        return Ok(None);
    }
    Ok(Some(Form { is_pretty: pretty, main_line: form == FormArg::MainLine, without_comments: no_comments }))
}

/// Checks that no output is an input or another output, and warns if a later run would read an
/// output.
pub(super) fn not_itself(args: &ExtractArgs, plan: &Plan) -> Result<()> {
    let read = NamedPlaces::of(&args.counting.input).reads("--games", args.games.as_deref());
    let games = read.writes("--out", Some(&args.out)).writes("--rejects", args.rejects.as_deref());
    games.writes("--log", args.log.as_deref()).check(&plan.sources)?;
    let outputs = || [Some(&args.out), args.rejects.as_ref()].into_iter().flatten().filter_map(|path| place(path));
    for folder in args.counting.input.paths.iter().filter(|path| path.is_dir()).filter_map(|path| place(path)) {
        for output in outputs().filter(|output| output.starts_with(&folder) && !plan.quiet) {
            note(&format!("{} is in an input folder; the next run will read it as well", output.display()));
        }
    }
    Ok(())
}

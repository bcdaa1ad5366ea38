//! `jigo extract`: the selected games, and the other games.

mod extract_args;
mod sink;
mod folder;
mod staging;
mod outputs;
mod options;
mod summary;

pub use extract_args::ExtractArgs;

use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::args::format::log_format;
use crate::version::BUILD;
use extract_args::{FormArg, GamesFormatArg};
use jigo_archive::duplicates::{self, KeepRule};
use jigo_archive::formats::Format;
use jigo_archive::pipeline::GameList;
use jigo_archive::source::{Source, SourceKind};
use jigo_archive::summary::Summary;
use jigo_archive::visit::extract::DropReasons;
use jigo_archive::visit::{KeyVisitor, MergesByGame, merges_by_game};
use jigo_run::config::file_path::FileStamp;
use jigo_run::config::option_value::Typed;
use jigo_run::execution::conclude::{closed_pipe, fail_if};
use jigo_run::execution::duplicate_rows::{SPILL_FAILED, log_table};
use jigo_run::execution::execute::{check_run, run, run_in_parts};
use jigo_run::output::cleanup;
use jigo_run::parts::Parts;
use jigo_run::process::exit::{Exit, is_broken_pipe};
use jigo_run::process::stderr::note;
use jigo_run::run_fingerprint::{RowOptions, RunFingerprint};
use jigo_run::{RunConfig, interrupt};
use options::{Targets, check_own_outputs, extract_config, targets, visitor};
use outputs::{OutputOptions, Outputs, print_advice};
use serde::Serialize;
use sink::OutputKind;

/// Writes the selected games, and the other games on request.
///
/// # Errors
/// Fails if the options contradict each other or an output fails.
pub fn extract(args: &ExtractArgs) -> Result<Exit> {
    let started = Instant::now();
    let mut config = extract_config(args)?;
    let targets = targets(args, &config)?;
    check_own_outputs(args, &config)?;
    let mut visitor = visitor(args, &config, &targets)?;
    check_run(&config, &visitor)?;
    let (mut outputs, mut parts) = open(args, &config, &targets)?;
    if args.dedupe {
        let Deduplication { dropped, reasons, header_merges } = dedupe(&config, args)?;
        config = config.without_games(dropped);
        let format = log_format(args.log.as_deref())?;
        visitor.merges = header_merges.map(|header_merges| (header_merges, format, log_table(&config)));
        visitor.drop_reasons = reasons;
    }
    if let (OutputKind::Rows(Format::Jsonl, _), FormArg::Recorded, false) =
        (targets.games.kind, args.form, config.is_quiet())
    {
        note("JSON is UTF-8: games in other charsets are converted");
    }
    let resumed_games = parts.as_ref().map_or(0, |parts| parts.before().summary.found);
    let summary = match run_in_parts(&config, &visitor, parts.as_mut(), |output| outputs.write(output)) {
        Err(error) if is_broken_pipe(&error) && targets.games.path.is_none() => return Ok(closed_pipe(&config)),
        Err(error) => {
            print_advice(parts.as_ref());
            return Err(error);
        }
        Ok(summary) => summary,
    };
    conclude(args, &config, (outputs, parts), &targets, (&summary, resumed_games), started)
}

/// Puts the outputs in their places, or keeps them for a later run after a signal. Prints the
/// summary and returns the exit code.
fn conclude(
    args: &ExtractArgs,
    config: &RunConfig,
    (outputs, mut parts): (Outputs, Option<Parts>),
    targets: &Targets,
    (summary, resumed_games): (&Summary, u64),
    started: Instant,
) -> Result<Exit> {
    let (count, games, rejected) = (outputs.count, outputs.found, outputs.reject_counts.clone());
    let is_balanced = games == count.extracted + count.rejected && count.rejected == rejected.total();
    ensure!(is_balanced, "games were lost: {games} found, {count:?}, {rejected:?}; please report this");
    let signal = config.interrupt().received();
    match signal {
        None => outputs.finish(parts)?,
        Some(signal) => {
            parts.as_mut().map_or(Ok(()), Parts::keep)?;
            let advice = parts.as_ref().and_then(Parts::advice).map_or_else(|| targets.resume_advice(), str::to_owned);
            if targets.games.path.is_none() {
                outputs.finish_stream()?;
            }
            note(&format!("{} after {games} games: {advice}", interrupt::name(signal)));
        }
    }
    if !config.is_quiet() {
        let counts = summary::GameTotals { summary, count, rejected: &rejected };
        summary::print_summary(args, config, counts, resumed_games > 0, started);
    }
    Ok(match signal {
        Some(signal) => Exit::Interrupted(signal),
        None if summary.failed_sources > 0 => Exit::Failure,
        None => fail_if(config, summary).unwrap_or(if count.unread > 0 { Exit::Findings } else { Exit::Clean }),
    })
}

/// Opens the outputs, and the parts of the run.
fn open(args: &ExtractArgs, config: &RunConfig, targets: &Targets) -> Result<(Outputs, Option<Parts>)> {
    let options = OutputOptions {
        fingerprint: fingerprint(args, config)?,
        targets: targets.all(),
        resumes: args.resume,
        force: args.force,
        is_quiet: config.is_quiet(),
    };
    let (outputs, parts) = Outputs::open(&options)?;
    if parts.as_ref().and_then(Parts::advice).is_none() {
        cleanup::set_remaining_message(targets.resume_advice());
        if args.resume && !config.is_quiet() {
            note("there is no unfinished run to resume; a new run starts");
        }
    }
    Ok((outputs, parts))
}

/// The options that must be the same in a run that resumes another one.
#[derive(Serialize)]
struct ExtractOptions<'a> {
    rows: RowOptions<'a>,
    clean: bool,
    broken: bool,
    preset: Option<&'static str>,
    /// A list may contain a million games in any order, so its file represents it.
    games: Option<FileStamp>,
    dedupe: bool,
    keep: &'a Typed<KeepRule>,
    merge_headers: bool,
    rejects: Option<Cow<'a, str>>,
    rejects_table: Option<Cow<'a, str>>,
    log: Option<Cow<'a, str>>,
    form: FormArg,
    format: Option<GamesFormatArg>,
    pretty: bool,
    no_comments: bool,
    mark_endings: bool,
    pattern: Option<&'a str>,
}

/// Returns the identity of the run, for a later run that resumes it.
fn fingerprint(args: &ExtractArgs, config: &RunConfig) -> Result<RunFingerprint> {
    let options = ExtractOptions {
        rows: RowOptions::new(config, Some(&args.counting.count)),
        clean: args.clean,
        broken: args.broken,
        preset: args.preset.as_ref().map(|preset| preset.name),
        games: args.games.as_deref().map(FileStamp::new),
        dedupe: args.dedupe,
        keep: &args.keep,
        merge_headers: args.merge_headers,
        rejects: args.rejects.as_deref().map(Path::to_string_lossy),
        rejects_table: args.rejects_table.as_deref().map(Path::to_string_lossy),
        log: args.log.as_deref().map(Path::to_string_lossy),
        form: args.form,
        format: args.format,
        pretty: args.pretty,
        no_comments: args.no_comments,
        mark_endings: args.mark_endings,
        pattern: args.pattern.as_deref(),
    };
    RunFingerprint::new(BUILD, config, &options)
}

/// The duplicates among the selected games.
struct Deduplication {
    /// All duplicates but the kept ones.
    dropped: GameList,
    /// The reasons for them, if the rejects table is written.
    reasons: DropReasons,
    /// The headers for the kept games, if they take any over.
    header_merges: Option<MergesByGame>,
}

/// Finds the duplicates among the selected games.
fn dedupe(config: &RunConfig, args: &ExtractArgs) -> Result<Deduplication> {
    let is_piped = |source: &Source| matches!(source.kind, SourceKind::Stream(_));
    ensure!(
        !config.sources().iter().any(is_piped),
        "--dedupe reads the games twice, which standard input and pipes don't allow"
    );
    ensure!(
        config.job().selection.limit.is_none(),
        "--limit does not go with --dedupe: which games are the first is not known before"
    );
    let keeps_headers = args.merge_headers;
    let visitor = KeyVisitor { keeps_headers };
    check_run(config, &visitor)?;
    let mut games = duplicates::KeyedGames::new(config.job().settings.limits.memory);
    run(config, &visitor, |output| games.add(output.product).context(SPILL_FAILED))?;
    let mut duplicate_set = duplicates::find_duplicates(games, *args.keep, config.threads()).context(SPILL_FAILED)?;
    let dropped = GameList::from_games(duplicate_set.dropped_games());
    let reasons = args.rejects_table.as_ref().map(|_| duplicate_set.drop_reasons()).unwrap_or_default();
    let header_merges = keeps_headers.then(|| duplicate_set.mergeable_headers().context(SPILL_FAILED)).transpose()?;
    Ok(Deduplication { dropped, reasons, header_merges: header_merges.map(merges_by_game) })
}

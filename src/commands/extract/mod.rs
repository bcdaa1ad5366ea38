//! `jigo extract`: the selected games, and the other games.

mod extract_args;
mod sink;
mod folder;
mod outputs;
mod options;
mod summary;

pub use extract_args::ExtractArgs;

use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::args::format::log_format;
use extract_args::FormArg;
use jigo_archive::duplicates::KeyedGames;
use jigo_archive::formats::Format;
use jigo_archive::pipeline::GameList;
use jigo_archive::source::{Source, SourceKind};
use jigo_archive::summary::Summary;
use jigo_archive::visit::{ExtractVisitor, KeyVisitor, merges_by_game};
use jigo_run::config::options::preference;
use jigo_run::execution::{
    SPILL_FAILED, check_run, closed_pipe, fail_if, find_preferred, log_table, run, run_in_parts,
};
use jigo_run::parts::Parts;
use jigo_run::process::{Exit, is_broken_pipe, note};
use jigo_run::{RunConfig, interrupt};
use options::{Targets, check_own_outputs, extract_config, targets, visitor};
use outputs::{Outputs, print_advice};
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
    let (mut outputs, mut parts) = Outputs::open(args, &config, &targets)?;
    if args.dedupe {
        let dropped = dedupe(&config, args, &mut visitor)?;
        config = config.without_games(dropped);
    }
    if let (OutputKind::Rows(Format::Jsonl, _), FormArg::Recorded, false) =
        (targets.games.kind, args.form, config.is_quiet())
    {
        note("JSON is UTF-8: games in other charsets are converted");
    }
    let resumed_games = parts.as_ref().map_or(0, |parts| parts.before.summary.found);
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
    (outputs, parts): (Outputs, Option<Parts>),
    targets: &Targets,
    (summary, resumed_games): (&Summary, u64),
    started: Instant,
) -> Result<Exit> {
    let (count, games, rejected) = (outputs.count, outputs.found, outputs.reject_counts.clone());
    let is_balanced = games == count.extracted + count.rejected && count.rejected == rejected.total();
    ensure!(is_balanced, "games were lost: {games} found, {count:?}, {rejected:?}; please report this");
    let signal = config.interrupt.received();
    match signal {
        None => outputs.finish(parts)?,
        Some(signal) => {
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

/// Returns the duplicates among the selected games, apart from the kept ones. The visitor gets the
/// reasons for them if it writes them, and the headers that the kept games take over.
fn dedupe(config: &RunConfig, args: &ExtractArgs, visitor: &mut ExtractVisitor) -> Result<GameList> {
    let is_piped = |source: &Source| matches!(source.kind, SourceKind::Stream(_));
    ensure!(
        !config.sources.iter().any(is_piped),
        "--dedupe reads the games twice, which standard input and pipes don't allow"
    );
    ensure!(
        config.job.selection.limit.is_none(),
        "--limit does not go with --dedupe: which games are the first is not known before"
    );
    ensure!(
        config.job.shard.1 == 1,
        "--shard does not go with --dedupe: the duplicates of a game may be in other shards"
    );
    let keys = KeyVisitor { keeps_headers: args.merge_headers };
    check_run(config, &keys)?;
    let mut games = KeyedGames::new(config.job.settings.limits.memory);
    run(config, &keys, |output| games.add(output.product).context(SPILL_FAILED))?;
    let mut duplicate_set = find_preferred(config, games, &preference(&args.keep, args.prefer.as_ref()))?;
    let dropped = GameList::from_games(duplicate_set.dropped_games());
    if args.rejects_table.is_some() {
        visitor.drop_reasons = duplicate_set.drop_reasons();
    }
    if args.merge_headers {
        let players = config.job.settings.players.as_ref();
        let merges = merges_by_game(duplicate_set.mergeable_headers(players).context(SPILL_FAILED)?);
        visitor.merges = Some((merges, log_format(args.log.as_deref())?, log_table(config)));
    }
    Ok(dropped)
}

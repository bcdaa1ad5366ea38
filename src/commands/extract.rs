//! `jigo extract`: the selected games, and the other games.

mod sink;
mod folder;
mod resumable;
mod outputs;
mod options;
mod summary;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::args::examples::examples;
use crate::args::format::log_format;
use crate::args::{CountingArgs, named};
use jigo_archive::duplicates::{self, KeepRule};
use jigo_archive::formats::Format;
use jigo_archive::pipeline::GameList;
use jigo_archive::source::{Source, SourceKind};
use jigo_archive::summary::Summary;
use jigo_archive::visit::{KeyVisitor, MergesByGame, merges_by_game};
use jigo_run::conclude::{closed_pipe, fail_if};
use jigo_run::duplicate_rows::{SPILL_FAILED, log_table};
use jigo_run::execute::{check_run, run, run_from};
use jigo_run::exit::{Exit, is_broken_pipe};
use jigo_run::output::cleanup;
use jigo_run::run_fingerprint::RunFingerprint;
use jigo_run::stderr::note;
use jigo_run::{RunConfig, interrupt};
use options::{Targets, check_own_outputs, extract_config, targets, visitor};
use outputs::{OutputOptions, Outputs, print_advice, resumable};
use sink::OutputKind;

/// Write the selected games to a file, archive or folder, as recorded or converted
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo extract --clean --out clean.sgf --rejects broken.sgf games/" "the games without an error, byte for byte, and all others"
    "jigo extract --where 'has(K002)' --as main-line --out - games/" "the main lines of games in which a superko was broken"
    "jigo extract --dedupe --out once.sgf --rejects copies.sgf games/" "every game once, and its duplicates in another file"
    "jigo extract --as sgf --out games.sgf.gz games/" "every game in UTF-8 and FF[4], one per line, compressed"
    "jigo extract --pattern '{year}/{black}-{white}.sgf' --out named/ games/" "a file for each game, named by its header"
))]
pub struct ExtractArgs {
    /// Select games without a finding of severity error
    #[arg(long)]
    pub clean: bool,
    /// Select games with a finding of severity error
    #[arg(long, conflicts_with = "clean")]
    pub broken: bool,
    /// Select games listed in FILE by file and game
    ///
    /// FILE is any table of jigo as CSV, JSON lines or Parquet.
    #[arg(long, value_name = "FILE")]
    pub games: Option<PathBuf>,
    /// Select each game once; of duplicates, select the one that jigo duplicates keeps
    ///
    /// The input is read twice.
    #[arg(long)]
    pub dedupe: bool,
    /// With --dedupe, choose which game of a cluster to keep
    #[arg(long, value_name = "WHICH", default_value = "best", value_parser = named(KeepRule::NAMED), requires = "dedupe")]
    pub keep: KeepRule,
    /// With --dedupe, add header properties that only duplicates have
    ///
    /// Values that contradict each other are left out. The rows of --log list the others.
    #[arg(long, requires = "dedupe")]
    pub merge_headers: bool,
    /// The options for inputs, run and counting.
    #[command(flatten)]
    pub counting: CountingArgs,
    /// Write the games to a file, a folder or - for standard output
    ///
    /// A file appears complete or not at all. It ends with .sgf, .jsonl, .parquet or .arrows, all
    /// but the last two also with .gz or .zst, or with .zip for one file per game. A path is a
    /// folder if it ends with / or exists as one. It gets one file per game.
    #[arg(long, value_name = "OUT", help_heading = "Output")]
    pub out: PathBuf,
    /// Write all other games to FILE, as recorded
    ///
    /// FILE can be anything that --out accepts.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub rejects: Option<PathBuf>,
    /// With --merge-headers, write one row for each property to FILE
    ///
    /// The format is CSV, or JSON lines if FILE ends with .jsonl.
    #[arg(long, value_name = "FILE", requires = "merge_headers", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Choose the form of the games
    #[arg(long = "as", value_name = "FORM", default_value = "recorded", help_heading = "Output")]
    pub form: FormArg,
    /// Set the format of the output [default: as OUT ends; for standard output sgf]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<GamesFormatArg>,
    /// With --as sgf and main-line, use several lines per game, for people
    #[arg(long, help_heading = "Output")]
    pub pretty: bool,
    /// With --as sgf and main-line, leave out comments (C and GC)
    #[arg(long, help_heading = "Output")]
    pub no_comments: bool,
    /// With --as sgf and main-line, add a node with the counted ending
    ///
    /// The node has territory (TB, TW), dead stones (JIGODEAD), the result (JIGORE) and a comment
    /// that names the source of the count.
    #[arg(long, help_heading = "Output")]
    pub mark_endings: bool,
    /// Name the files of a folder or zip by this pattern [default: {file}-{game}.sgf]
    ///
    /// The pattern is text with {file}, {game}, {hash}, {year}, {date}, {black}, {white},
    /// {black_rank}, {white_rank}, {event}, {place}, {rules}, {result}, {komi}, {handicap}, {size},
    /// and / between folders.
    #[arg(long, value_name = "PATTERN", help_heading = "Output")]
    pub pattern: Option<String>,
    /// Resume a killed or interrupted run of the same command
    ///
    /// Without such a run, start a new one. This works for .sgf, .jsonl and folders, to which jigo
    /// can append.
    #[arg(long, help_heading = "Output")]
    pub resume: bool,
    /// Replace existing files
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// The values of `--as`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormArg {
    /// The recorded bytes; UTF-16 becomes UTF-8
    Recorded,
    /// The normal form: UTF-8, FF[4], variations and comments
    Sgf,
    /// The normal form without variations
    MainLine,
}

/// The values of `--format` for games.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesFormatArg {
    /// SGF records
    Sgf,
    /// One JSON object per line, which jigo reads with --input-format jsonl
    Jsonl,
    /// An Arrow IPC stream, which jigo reads with --input-format arrow
    #[cfg(feature = "columnar")]
    Arrow,
    /// Parquet
    #[cfg(feature = "columnar")]
    Parquet,
}

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
    let mut outputs = open(args, &config, &targets)?;
    if args.dedupe && !outputs.is_whole() {
        let (dropped, header_merges) = dedupe(&config, args.keep, args.merge_headers)?;
        config = config.without_games(dropped);
        let format = log_format(args.log.as_deref())?;
        visitor.merges = header_merges.map(|header_merges| (header_merges, format, log_table(&config)));
    }
    if let (OutputKind::Rows(Format::Jsonl, _), FormArg::Recorded, false) =
        (targets.games.kind, args.form, config.is_quiet())
    {
        note("JSON is UTF-8: games in other charsets are converted");
    }
    let resume_point = outputs.resume_point();
    let summary = if outputs.is_whole() {
        resume_point.summary
    } else {
        match run_from(&config, &visitor, resume_point, |output| outputs.write(output)) {
            Err(error) if is_broken_pipe(&error) && targets.games.path.is_none() => {
                return Ok(closed_pipe(&config));
            }
            Err(error) => {
                print_advice(outputs.advice());
                return Err(error);
            }
            Ok(summary) => summary,
        }
    };
    conclude(args, &config, (outputs, &targets), &summary, started)
}

/// Puts the outputs in their places, or keeps them for a later run after a signal. Prints the
/// summary and returns the exit code.
fn conclude(
    args: &ExtractArgs,
    config: &RunConfig,
    (mut outputs, targets): (Outputs, &Targets),
    summary: &Summary,
    started: Instant,
) -> Result<Exit> {
    let (count, games) = outputs.count();
    let written = count.extracted + count.rejected;
    ensure!(games == written, "games were lost: {games} found, {count:?}; please report this");
    let resumed = outputs.before > 0;
    let signal = config.interrupt().received();
    match signal {
        None => outputs.finish()?,
        Some(signal) => {
            let advice = outputs.keep()?.map_or_else(|| targets.resume_advice(), str::to_owned);
            if targets.games.path.is_none() {
                outputs.finish_stream()?;
            }
            note(&format!("{} after {games} games: {advice}", interrupt::name(signal)));
        }
    }
    if !config.is_quiet() {
        summary::print_summary(args, config, (summary, count, resumed), started);
    }
    Ok(match signal {
        Some(signal) => Exit::Interrupted(signal),
        None if summary.failed_sources > 0 => Exit::Failure,
        None => fail_if(config, summary).unwrap_or(if count.unread > 0 { Exit::Findings } else { Exit::Clean }),
    })
}

/// Opens the outputs, or resumes them.
fn open(args: &ExtractArgs, config: &RunConfig, targets: &Targets) -> Result<Outputs> {
    let all = [Some(&targets.games), targets.rejects.as_ref(), targets.log.as_ref()];
    let fingerprint = resumable(fingerprint(args, config), all);
    let options = OutputOptions {
        fingerprint,
        targets: all,
        resumes: args.resume,
        force: args.force,
        is_quiet: config.is_quiet(),
    };
    let outputs = Outputs::open(&options)?;
    if outputs.advice().is_none() {
        cleanup::set_remaining_message(targets.resume_advice());
        if args.resume && !config.is_quiet() {
            note("there is no unfinished run to resume; a new run starts");
        }
    }
    Ok(outputs)
}

/// Returns the identity of the run, for a later run that resumes it.
fn fingerprint(args: &ExtractArgs, config: &RunConfig) -> RunFingerprint {
    // A list may contain a million games in any order, so its file represents it.
    let list = args.games.as_ref().map(|path| {
        let metadata = fs::metadata(path).ok();
        (path, metadata.as_ref().map(fs::Metadata::len), metadata.and_then(|metadata| metadata.modified().ok()))
    });
    let ExtractArgs {
        dedupe, keep, merge_headers, rejects, log, form, format, pretty, no_comments, mark_endings, ..
    } = args;
    let options = format!(
        "{list:?} {dedupe} {keep:?} {merge_headers} {rejects:?} {log:?} {form:?} {format:?} {pretty} {no_comments} {mark_endings} {:?}",
        args.pattern
    );
    RunFingerprint::from_inputs(config, &options)
}

/// Finds the duplicates among the selected games. Returns all but the kept ones, and the headers
/// for the kept ones if `keeps_headers` is true.
fn dedupe(config: &RunConfig, keep: KeepRule, keeps_headers: bool) -> Result<(GameList, Option<MergesByGame>)> {
    let is_piped = |source: &Source| matches!(source.kind, SourceKind::Stream(_));
    ensure!(
        !config.sources().iter().any(is_piped),
        "--dedupe reads the games twice, which standard input and pipes don't allow"
    );
    ensure!(
        config.job().selection.limit.is_none(),
        "--limit does not go with --dedupe: which games are the first is not known before"
    );
    let visitor = KeyVisitor { keeps_headers };
    check_run(config, &visitor)?;
    let mut games = duplicates::KeyedGames::new(config.job().settings.limits.memory);
    run(config, &visitor, |output| games.add(output.product).context(SPILL_FAILED))?;
    let mut found = duplicates::find_duplicates(games, keep, config.threads()).context(SPILL_FAILED)?;
    let dropped = GameList::from_games(found.dropped_games());
    let header_merges = keeps_headers.then(|| found.mergeable_headers().context(SPILL_FAILED)).transpose()?;
    Ok((dropped, header_merges.map(merges_by_game)))
}

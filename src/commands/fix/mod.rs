//! `jigo fix`: fixes for records.

mod backup;
mod conclusion;
mod diff;
mod files;
mod fix_output;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;

use super::show::text::pictures;
use crate::args::format::{format_in, log_format};
use crate::args::{RunArgs, TableFormatArg, WhenArg, examples, run_request};
use backup::suffix;
use conclusion::conclude;
use jigo_archive::partial_result::PartialResult as _;
use jigo_archive::source::archive::RewritableZip;
use jigo_archive::source::compression::format::ArchiveFormat;
use jigo_archive::source::players_file::read_name_list;
use jigo_archive::source::{InputFormat, Source, SourceKind, open_file};
use jigo_archive::summary::CodeCounts;
use jigo_archive::visit::{FixCount, FixSettings, FixVerifier, FixVisitor};
use jigo_core::fix::{FixOptions, HeaderField, Normalization, Suggestions};
use jigo_diagrams::text::Style;
use jigo_record::finding::Code;
use jigo_rules::board::Picture;
use jigo_run::config::option_value::integer_parser;
use jigo_run::config::options::NormalizeOptions;
use jigo_run::config::values::{read_file, reported_codes};
use jigo_run::execution::{check_run, closed_pipe, run};
use jigo_run::output::cleanup;
use jigo_run::output::path_conflicts::FlagPaths;
use jigo_run::process::{Exit, is_broken_pipe, note};
use jigo_run::{Counting, RunConfig, RunRequest, interrupt};

/// Fix faults of records, one row per fix
///
/// Each fix belongs to a finding. Without --unsafe, no fix changes the meaning of a record.
/// Without --diff, --out or --in-place, list the fixes and write no file. Exit codes: 0 no fixes
/// or errors remain, 1 fixes are available (with --diff and the list) or findings of severity
/// error remain, 2 the command failed.
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo fix --exit-zero games/" "the available fixes, one row each, as CSV; no file is written"
    "jigo fix --exit-zero --diff game.sgf" "the same as a unified diff, for patch -p0"
    "jigo fix --exit-zero --out fixed --log fixes.csv games/" "fixed copies of all files below fixed, and a log of the fixes"
    "jigo fix --exit-zero --suggest --format text game.sgf" "the likely corrections of a mistyped turn, with boards; --apply 2 makes the second"
    "jigo fix --exit-zero --normalize dates,ranks games/" "dates and ranks in one form, and the other fixes"
    "jigo fix --exit-zero --in-place --backup .orig --select D games/" "damaged text fixed in place, with backups of the originals"
))]
pub struct FixArgs {
    /// Also make fixes that depend on a judgement and may change the meaning of a record
    ///
    /// This also counts endings to compare recorded results, as check --results does, which takes
    /// most of the time. Use --ignore R to avoid it.
    #[arg(long = "unsafe")]
    pub is_unsafe: bool,
    /// Suggest corrections of typing errors, without making them
    ///
    /// Search the games with turns that are illegal, off the board or out of order. List each
    /// correction that makes the whole record legal, the likeliest first, with a number. Text also
    /// shows the board around each corrected turn. The search takes a few milliseconds per game.
    #[arg(long)]
    pub suggest: bool,
    /// Make the suggested correction of a game if it is the only one
    #[arg(long)]
    pub apply_suggestions: bool,
    /// Make the suggested correction with number N, of one game
    ///
    /// The number is that of --suggest with the same other options.
    #[arg(long, value_name = "N", value_parser = integer_parser::<u32>(1..=99), conflicts_with = "apply_suggestions")]
    pub apply: Option<u32>,
    /// Write the header values of LIST in one form: dates, players, ranks, events, places, results,
    /// rules, komi, charset, or all
    ///
    /// Each change is a fix with code H034. A value with several possible readings stays as it is.
    /// The names of players, events and places are those that --players, --events and --places list.
    #[arg(long, value_name = "LIST", value_parser = header_fields)]
    pub normalize: Option<HeaderFields>,
    /// The lists of names.
    #[command(flatten)]
    pub names: NormalizeOptions,
    /// The options for inputs and the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// Write a unified diff to standard output, for patch -p0, and no file
    #[arg(long, conflicts_with_all = ["out", "in_place"], help_heading = "Output")]
    pub diff: bool,
    /// Write all inputs to the folder OUT, fixed or unchanged
    ///
    /// Files keep their names. If OUT ends with .sgf, write a single input to this file; if OUT is
    /// -, write it to standard output.
    #[arg(long, value_name = "OUT", conflicts_with = "in_place", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Replace each fixed file, and leave other files unchanged
    #[arg(long, help_heading = "Output")]
    pub in_place: bool,
    /// With --in-place, keep each original file with SUFFIX after its name
    // clap does not require an option that contradicts another given one, which makes the second
    // condition necessary.
    #[arg(long, value_name = "SUFFIX", value_parser = suffix, requires = "in_place", conflicts_with_all = ["out", "diff"], help_heading = "Output")]
    pub backup: Option<String>,
    /// With --in-place, also fix the files in zips, and write each changed zip anew
    ///
    /// Files without a fix keep their packed bytes. Other archives are skipped.
    #[arg(long, requires = "in_place", conflicts_with_all = ["out", "diff"], help_heading = "Output")]
    pub rewrite_archives: bool,
    /// Write one row for each fix to FILE
    ///
    /// The format is CSV, or JSON lines if FILE ends with .jsonl.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Replace existing files
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Set the format of the list of fixes [default: text on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["diff", "out", "in_place", "log"], help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// Choose when to colour text
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: WhenArg,
}

/// The fields of `--normalize`.
type HeaderFields = Arc<Vec<HeaderField>>;

/// Parses the value of `--normalize`.
fn header_fields(list: &str) -> Result<HeaderFields, String> {
    let mut fields = Vec::new();
    for word in list.split(',').map(str::trim) {
        match HeaderField::NAMES.iter().find(|(name, _)| *name == word) {
            Some((_, field)) => fields.push(*field),
            None if word == "all" => fields.extend(HeaderField::NAMES.map(|(_, field)| field)),
            None => return Err(format!("'{word}' is none of all, {}", HeaderField::WORDS.join(", "))),
        }
    }
    Ok(Arc::new(fields))
}

/// Fixes games.
///
/// # Errors
/// Fails if the options contradict each other or the output fails.
pub fn fix(args: &FixArgs) -> Result<Exit> {
    let is_text = matches!(*args.run.input.options.input_format, InputFormat::Auto | InputFormat::Sgf);
    ensure!(is_text, "jigo fix takes --input-format auto and sgf only");
    ensure!(
        args.run.options.selection.limit.is_none(),
        "--limit would leave the rest of a file out; choose games with --where or --sample"
    );
    let config = fix_config(args)?;
    let flag_paths = read_files(args).writes("--out", args.out.as_deref());
    flag_paths.writes("--log", args.log.as_deref()).check(&config.sources)?;
    let interrupt = Arc::clone(config.interrupt.signal());
    let visitor = FixVisitor { settings: config.job.settings.clone(), fixes: fix_settings(&config, args)?, interrupt };
    check_run(&config, &visitor)?;
    let mut sink = fix_output::open(args, &config)?;
    let mut verifier = FixVerifier::new(&visitor.fixes);
    cleanup::set_remaining_message("incomplete files are not written");
    let started = Instant::now();
    let (mut count, mut made) = (FixCount::default(), CodeCounts::default());
    let summary = run(&config, &visitor, |output| {
        let is_batch_end = output.next_step.is_none();
        let mut known = count;
        known.add_part(output.product.count);
        check_correction(args, known, false)?;
        count.add_part(verifier.add(output.product, |segment| {
            made.add_part(*segment.made);
            sink.add(segment)
        })?);
        if is_batch_end { sink.end_batch() } else { Ok(()) }
    });
    let summary = match summary {
        Ok(summary) => summary,
        Err(error) => {
            let is_closed = is_broken_pipe(&error);
            let error = sink.abort(error);
            return if is_closed { Ok(closed_pipe(&config)) } else { Err(error) };
        }
    };
    if let Err(error) = check_correction(args, count, config.interrupt.received().is_none()) {
        return Err(sink.abort(error));
    }
    let files = sink.finish(config.interrupt.received().is_none())?;
    if let Some(signal) = config.interrupt.received() {
        let (signal_name, games) = (interrupt::name(signal), summary.found);
        config.print(&format!(
            "jigo: {signal_name} after {games} games: the written files are complete, the rest is not written\n"
        ));
        return Ok(Exit::Interrupted(signal));
    }
    let exit = conclude(&config, &summary, started, count, &made, files);
    let unsafe_fixes = verifier.unsafe_fixes;
    if unsafe_fixes.total() > 0 {
        config.print(&format!("{} more with --unsafe: {unsafe_fixes}\n", unsafe_fixes.total()));
    }
    Ok(exit)
}

/// Checks that `--apply` corrects one game, and that no other game has suggestions. `is_end` is
/// true if all games were read.
fn check_correction(args: &FixArgs, count: FixCount, is_end: bool) -> Result<()> {
    let Some(number) = args.apply else { return Ok(()) };
    ensure!(
        count.corrected + count.suggested <= 1,
        "--apply {number} is for one game, and more have suggestions: name one file, or choose a game with --where"
    );
    ensure!(
        count.suggested == 0,
        "--apply {number}: the game has no such reading; jigo fix --suggest lists the readings with their numbers"
    );
    ensure!(
        !is_end || count.corrected == 1,
        "--apply {number}: no game has suggested corrections; jigo check lists the errors"
    );
    Ok(())
}

/// Returns the configuration of the run. Only unsafe fixes of results need a count.
fn fix_config(args: &FixArgs) -> Result<RunConfig> {
    let safe_text = args.run.options.process.safe_text;
    // Without a list on standard output, the rows go to the log or nowhere.
    let format = match args.diff || args.in_place || args.out.is_some() || args.log.is_some() {
        true => log_format(args.log.as_deref())?,
        false => format_in(None, args.format.map(|format| format.0), safe_text, args.color)?,
    };
    let selection = &args.run.options.selection;
    let reported = reported_codes(&selection.select, &selection.ignore);
    let fixes_results = args.is_unsafe && Code::RESULT_CODES.iter().any(|code| reported.contains(*code));
    let request = RunRequest {
        // No fix makes a game meet an expectation.
        config_file: None,
        counting: fixes_results.then(Counting::of_results),
        color: args.color.choice(),
        ..run_request(&args.run, None, format, None)
    };
    RunConfig::new(request, || {
        let mut inputs = args.run.input.sources(&read_files(args))?;
        if args.in_place {
            let mut sources = Vec::with_capacity(inputs.sources.len());
            for source in inputs.sources {
                sources.extend(is_replaceable(&source, args)?.then_some(source));
            }
            inputs.sources = sources;
        }
        Ok(inputs)
    })
}

/// Returns a list with the files that are read in addition to the games.
fn read_files(args: &FixArgs) -> FlagPaths<'_> {
    let NormalizeOptions { events, places } = &args.names;
    args.run.read_files().reads("--events", events.as_deref()).reads("--places", places.as_deref())
}

/// Returns false for an archive in a folder that can't be fixed in place. Names it unless the run is
/// quiet.
///
/// # Errors
/// Fails if the user named the archive.
fn is_replaceable(source: &Source, args: &FixArgs) -> Result<bool> {
    let obstacle = match &source.kind {
        SourceKind::Archive(_, _, ArchiveFormat::Zip) if !args.rewrite_archives => {
            "a zip is changed in place with --rewrite-archives only; or use --out DIR".into()
        }
        SourceKind::Archive(path, _, ArchiveFormat::Zip) => {
            match open_file(path).and_then(|file| RewritableZip::open(&source.name, file)) {
                Ok(_) => return Ok(true),
                Err(error) => format!("it can't be written anew, because {error}; use --out DIR"),
            }
        }
        SourceKind::Archive(..) => "an archive other than a zip can't be changed in place; use --out DIR".to_owned(),
        _ => return Ok(true),
    };
    ensure!(!source.is_named, "{}: {obstacle}", source.name);
    if !args.run.options.process.quiet {
        note(&format!("{} is skipped: {obstacle}", source.name));
    }
    Ok(false)
}

/// Returns the settings of the fixes and of their verification.
///
/// # Errors
/// Fails if the list of events can't be read.
fn fix_settings(config: &RunConfig, args: &FixArgs) -> Result<FixSettings> {
    let job = &config.job;
    let suggestions = match (args.apply, args.apply_suggestions, args.suggest) {
        (Some(number), ..) => Suggestions::Reading(number),
        (_, true, _) => Suggestions::Apply,
        (_, _, true) => Suggestions::List,
        _ => Suggestions::Off,
    };
    let (mut codes, dialect, limits) = (job.reported_codes, job.settings.dialect, job.settings.limits);
    let fields = args.normalize.as_deref().cloned().unwrap_or_default();
    if fields.contains(&HeaderField::Charset) {
        codes.insert(Code::NotUtf8);
    }
    let events = read_file("--events", args.names.events.as_deref(), read_name_list)?;
    let places = read_file("--places", args.names.places.as_deref(), read_name_list)?;
    let normalization = Normalization { fields, players: job.settings.players.clone(), events, places };
    let options = FixOptions { codes, is_unsafe: args.is_unsafe, suggestions, normalization, dialect, limits };
    let draw = |boards: &[(String, Picture)], color| pictures(boards, Style { ascii: false, color });
    Ok(FixSettings { draw: Some(draw), ..FixSettings::new(job, config.format, options) })
}

//! Flags to a plan: checked, with every default filled in.

use std::io::IsTerminal;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::args::{
    CountArgs, FormatArg, InputArgs, InputFormatArg, MIN_CONFIDENCE, OnIllegalArg, OutputArgs, RunArgs, VariationsArg,
    WhenArg,
};
use super::interrupt::Interrupt;
use super::limits::limits;
use jigo_archive::engine::EngineCommand;
use jigo_archive::pipeline::filter::Filter;
use jigo_archive::pipeline::{Job, Selection};
use jigo_archive::source::{InputFormat, Source, SourceKind, discover};
use jigo_archive::tables::formats::Format;
use jigo_archive::visit::{InTable, ToRows};
use jigo_core::analyze::{KomiChoice, Settings};
use jigo_core::finding::Code;
use jigo_core::record::dialect::{DIALECTS, DialectChoice};
use jigo_core::replay::{OnIllegal, ReplayOptions};
use jigo_core::rules::select::{Choice, select};
use jigo_core::rules::{HalfPoints, Ruleset};
use jigo_core::score::{DeadSource, StartEngine};
use jigo_core::sgf::Limits;

/// Rulesets that endings are counted under when none are asked for.
pub const COUNTED: &str = "japanese,chinese,aga,nz,tromp-taylor,recorded";

/// Everything a run needs to know.
pub struct Plan {
    /// What to read.
    pub sources: Vec<Source>,
    /// What to do with it.
    pub job: Job,
    /// The rulesets that turns are judged by, where somebody asks for it.
    pub judges: Vec<Choice>,
    /// How rows are written.
    pub format: Format,
    /// Threads.
    pub jobs: usize,
    /// Whether progress is shown.
    pub progress: bool,
    /// Whether summary and messages are left out.
    pub quiet: bool,
    /// What ends the run early.
    pub interrupt: Interrupt,
    /// Whether findings leave the exit code alone.
    pub exit_zero: bool,
}

impl Plan {
    /// Makes a plan that counts nothing hold stated results against the count: under the recorded rules, by who says most of dead stones.
    pub fn count_results(&mut self) {
        let settings = &mut self.job.settings;
        settings.counted = vec![Choice::Recorded];
        settings.dead = vec![DeadSource::Markup, DeadSource::Settled, DeadSource::Playouts];
        settings.min_confidence = MIN_CONFIDENCE;
    }

    /// Checks the flags; `count` is there for commands that count.
    ///
    /// # Errors
    /// A sentence naming the flag, what is wrong with it and what it takes.
    pub fn new(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>, format: Format) -> Result<Plan> {
        let of_positions = matches!(input.input_format, InputFormatArg::Positions);
        ensure!(
            !of_positions,
            "--input-format positions is for the scores of jigo score: there are no turns to check, and no results are stated"
        );
        Plan::with_positions(input, run, count, format)
    }

    /// The same for a command that works on bare positions, too.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn with_positions(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>, format: Format) -> Result<Plan> {
        let terminal = std::io::stderr().is_terminal();
        Ok(Plan {
            job: Job {
                input: input_format(input.input_format),
                settings: Settings { limits: limits(&input.limits, &run.limits), ..settings(run, count)? },
                reported: reported(run)?,
                shard: shard(&run.shard)?,
                selection: selection(run)?,
                baseline: None,
            },
            judges: chosen(run)?.unwrap_or_else(|| vec![Choice::Recorded]),
            format: safe(format, run.safe_text)?,
            jobs: run.jobs.map_or_else(|| available_parallelism().map_or(1, NonZero::get), usize::from),
            progress: !run.quiet && (run.progress == WhenArg::Always || (run.progress == WhenArg::Auto && terminal)),
            quiet: run.quiet,
            interrupt: Interrupt::listen()?,
            exit_zero: run.exit_zero,
            sources: sources(input)?,
        })
    }

    /// A visitor that writes rows as the plan says.
    pub fn table<R: ToRows>(&self, rows: R) -> InTable<R> {
        InTable::new(rows, self.format, self.job.input)
    }
}

/// `--safe-text`.
fn safe(format: Format, is_safe: bool) -> Result<Format> {
    match (format, is_safe) {
        (format, false) => Ok(format),
        (Format::Csv, true) => Ok(Format::SafeCsv),
        _ => bail!("--safe-text is for --format csv: other formats are no spreadsheets"),
    }
}

/// `--input-format`.
fn input_format(format: InputFormatArg) -> InputFormat {
    match format {
        InputFormatArg::Sgf => InputFormat::Sgf,
        InputFormatArg::Jsonl => InputFormat::Jsonl,
        #[cfg(feature = "columnar")]
        InputFormatArg::Arrow => InputFormat::Arrow,
        InputFormatArg::Positions => InputFormat::Positions,
    }
}

/// `--format`, with colours where they are wanted and seen.
pub fn format(format: FormatArg, output: Option<&OutputArgs>) -> Format {
    match format {
        FormatArg::Csv => Format::Csv,
        FormatArg::Jsonl => Format::Jsonl,
        FormatArg::Text => Format::Text { color: output.is_some_and(is_colored) },
        FormatArg::Sarif => Format::Sarif,
        FormatArg::Github => Format::Github,
        #[cfg(feature = "columnar")]
        FormatArg::Arrow => Format::Arrow,
        #[cfg(feature = "columnar")]
        FormatArg::Parquet => Format::Parquet,
    }
}

/// As https://no-color.org says, any value of NO_COLOR but the empty one asks for no colours.
fn is_colored(output: &OutputArgs) -> bool {
    match output.color {
        WhenArg::Always => true,
        WhenArg::Never => false,
        WhenArg::Auto => output.output.is_none() && terminal_shows_color(),
    }
}

/// Whether standard output is a terminal that shows colours, and nobody refused them.
pub fn terminal_shows_color() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    std::io::stdout().is_terminal() && !refused
}

/// What the arguments name.
///
/// # Errors
/// When they name nothing, or a list can't be read.
pub fn sources(input: &InputArgs) -> Result<Vec<Source>> {
    let mut paths = input.paths.clone();
    if let Some(list) = &input.files_from {
        let listed = discover::paths_from(list, input.null);
        paths.extend(listed.with_context(|| format!("--files-from {}", list.display()))?);
    } else if paths.is_empty() {
        ensure!(!std::io::stdin().is_terminal(), "nothing to read: name files or folders, or - for standard input");
        paths.push("-".into());
    }
    let mut sources = discover::discover(&paths);
    let piped = sources.iter_mut().filter(|source| matches!(source.kind, SourceKind::Stream(None)));
    piped.for_each(|source| source.name.clone_from(&input.stdin_name));
    Ok(sources)
}

/// `--rules`.
fn chosen(run: &RunArgs) -> Result<Option<Vec<Choice>>> {
    run.rules.as_deref().map(|text| select(text).context("--rules")).transpose()
}

/// What every command asks of the analysis; a visitor asks for more.
fn settings(run: &RunArgs, count: Option<&CountArgs>) -> Result<Settings> {
    let counted = match (count, chosen(run)?) {
        (None, _) => Vec::new(),
        (Some(_), Some(chosen)) => chosen,
        (Some(_), None) => select(COUNTED)?,
    };
    Ok(Settings {
        judges: Vec::new(),
        counted,
        assumed: assumed(&run.assume_rules)?,
        dialect: dialect(&run.dialect)?,
        komi: count.map_or(Ok(KomiChoice::Recorded), |count| komi(&count.komi))?,
        replay: ReplayOptions {
            on_illegal: match run.on_illegal {
                OnIllegalArg::Play => OnIllegal::Play,
                OnIllegalArg::Stop => OnIllegal::Stop,
            },
            literal_setup: run.literal_setup,
        },
        dead: count.map_or(Ok(Vec::new()), dead_sources)?,
        engine: count.and_then(engine).map(|command| Arc::new(command) as Arc<dyn StartEngine>),
        min_confidence: count.map_or(0.0, |count| count.min_confidence),
        game_hash: false,
        turns: false,
        all_variations: matches!(run.variations, VariationsArg::All),
        all_endings: count.is_some_and(|count| count.all_endings),
        limits: Limits::default(),
    })
}

/// `--dead`, checked against `--engine`.
fn dead_sources(count: &CountArgs) -> Result<Vec<DeadSource>> {
    ensure!((0.0..=1.0).contains(&count.min_confidence), "--min-confidence takes a number from 0 to 1");
    let mut order = Vec::new();
    for name in count.dead.split(',').map(str::trim).filter(|name| *name != "none") {
        match DeadSource::NAMED.iter().find(|(known, _)| *known == name) {
            Some((_, source)) => order.push(*source),
            None => bail!("--dead takes markup, settled, playouts, engine and none; not '{name}'"),
        }
    }
    let asks_engine = order.contains(&DeadSource::Engine);
    ensure!(!asks_engine || count.engine.is_some(), "--dead engine needs --engine COMMAND");
    ensure!(asks_engine || count.engine.is_none(), "--engine is only asked when --dead names engine");
    Ok(order)
}

/// `--engine`, split as a shell splits words, without expansions.
fn engine(count: &CountArgs) -> Option<EngineCommand> {
    let words = shlex::split(count.engine.as_deref()?).unwrap_or_default();
    Some(EngineCommand { words, timeout: Duration::from_secs(count.engine_timeout) })
}

fn assumed(text: &str) -> Result<Option<Ruleset>> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    match select(text).context("--assume-rules")?.as_slice() {
        [Choice::Fixed(ruleset)] => Ok(Some(ruleset.clone())),
        _ => bail!("--assume-rules takes one ruleset, or none"),
    }
}

fn dialect(name: &str) -> Result<DialectChoice> {
    let names = || DIALECTS.iter().map(|dialect| dialect.name).collect::<Vec<_>>().join(", ");
    DialectChoice::named(name).ok_or_else(|| anyhow!("--dialect takes auto, none, {}; not '{name}'", names()))
}

fn komi(text: &str) -> Result<KomiChoice> {
    match text {
        "recorded" => Ok(KomiChoice::Recorded),
        "preset" => Ok(KomiChoice::Preset),
        number => match HalfPoints::parse(number) {
            Ok(komi) => Ok(KomiChoice::Fixed(komi)),
            Err(error) => bail!("--komi takes recorded, preset or a number; '{number}' {error}"),
        },
    }
}

/// Which codes are reported.
fn reported(run: &RunArgs) -> Result<Vec<bool>> {
    let mut reported = vec![run.select.is_empty(); Code::TABLE.len()];
    for (flag, texts, value) in [("--select", &run.select, true), ("--ignore", &run.ignore, false)] {
        for text in texts {
            let codes = Code::select(text.trim());
            ensure!(!codes.is_empty(), "{flag} {text}: no finding code begins like that; see jigo explain");
            codes.into_iter().for_each(|code| reported[code as usize] = value);
        }
    }
    Ok(reported)
}

/// `--sample`, `--seed`, `--where` and `--limit`.
fn selection(run: &RunArgs) -> Result<Selection> {
    let filter = run.filter.as_deref().map(Filter::parse).transpose().context("--where")?;
    Ok(Selection { sample: run.sample, seed: run.seed, filter, limit: run.limit })
}

fn shard(text: &str) -> Result<(u64, u64)> {
    let parts = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match parts {
        Some((part, parts)) if 1 <= part && part <= parts => Ok((part, parts)),
        _ => bail!("--shard takes I/N with I from 1 to N, such as 2/8; not '{text}'"),
    }
}

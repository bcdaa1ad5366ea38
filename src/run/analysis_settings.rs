//! The settings for judging and counting a game, made from the options.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::interrupt::Interrupt;
use crate::args::{EndingArgs, JudgingArgs};
use jigo_archive::engine::{EngineCommand, RunEngine};
use jigo_core::analysis::{KomiChoice, Settings};
use jigo_core::replay::ReplayOptions;
use jigo_record::header::dialect::{DIALECTS, DialectChoice};
use jigo_rules::select::{Choice, select};
use jigo_rules::suggestions::{similar_words, suggestion};
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::DeadSource;

/// The rulesets under which endings are counted by default.
pub const COUNTED: &str = "japanese,chinese,aga,nz,tromp-taylor,recorded";

/// Returns the rulesets of `--rules`.
///
/// # Errors
/// Fails if a ruleset does not exist.
pub fn chosen(judging: &JudgingArgs) -> Result<Option<Vec<Choice>>> {
    judging.rules.as_deref().map(|text| select(text).context("--rules")).transpose()
}

/// Returns the settings of a run that does not count endings. Visitors enable further steps.
///
/// # Errors
/// Returns a sentence with the flag, its mistake and its possible values.
pub fn judging(args: &JudgingArgs) -> Result<Settings> {
    Ok(Settings {
        assumed: assumed(&args.assume_rules)?,
        dialect: dialect(&args.dialect)?,
        replay: ReplayOptions { literal_setup: args.literal_setup, ..ReplayOptions::default() },
        ..Settings::default()
    })
}

/// Returns the settings of a run that counts endings, under the chosen rulesets or [`COUNTED`].
///
/// # Errors
/// As [`judging`].
pub fn counting(args: &JudgingArgs, ending: &EndingArgs) -> Result<Settings> {
    Ok(Settings {
        counted: chosen(args)?.map_or_else(|| select(COUNTED), Ok)?,
        komi: komi(&ending.komi)?,
        dead: dead_sources(ending)?,
        min_confidence: ending.min_confidence,
        ..judging(args)?
    })
}

/// Returns the sources of `--dead`, checked against `--engine`.
fn dead_sources(ending: &EndingArgs) -> Result<Vec<DeadSource>> {
    ensure!((0.0..=1.0).contains(&ending.min_confidence), "--min-confidence takes a number from 0 to 1");
    let mut order = Vec::new();
    for name in ending.dead.split(',').map(str::trim).filter(|name| *name != "none") {
        match DeadSource::NAMED.iter().find(|(known, _)| *known == name) {
            Some((_, source)) => order.push(*source),
            None => bail!("--dead takes markup, settled, static, playouts, engine and none; not '{name}'"),
        }
    }
    let asks_engine = order.contains(&DeadSource::Engine);
    ensure!(!asks_engine || ending.engine.is_some(), "--dead engine needs --engine COMMAND");
    ensure!(asks_engine || ending.engine.is_none(), "--engine is only asked when --dead names engine");
    Ok(order)
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
    DialectChoice::parse(name).ok_or_else(|| {
        let meant =
            suggestion(&similar_words(name, DIALECTS.iter().map(|dialect| dialect.name).chain(["auto", "none"])));
        anyhow!("--dialect takes auto, none, {}; not '{name}'{meant}", names())
    })
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

/// Splits the command of `--engine` into words as a shell does, without expansions, and tests the
/// engine.
///
/// # Errors
/// Fails if the command can't be split, or if the program does not understand the commands that
/// jigo sends.
pub fn engine(ending: &EndingArgs, interrupt: &Interrupt) -> Result<Option<Arc<RunEngine>>> {
    let Some(line) = ending.engine.as_deref() else { return Ok(None) };
    let words = shlex::split(line).with_context(|| format!("--engine: a quote is not closed in {line}"))?;
    let command = EngineCommand { words, timeout: Duration::from_secs(ending.engine_timeout) };
    let engine = RunEngine::new(command, interrupt.signal());
    engine.command().check_start().with_context(|| format!("--engine {}", engine.command().words.join(" ")))?;
    Ok(Some(Arc::new(engine)))
}

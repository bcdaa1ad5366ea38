//! Options as keyword arguments of a program, such as those of the Python module.
//!
//! The keywords have the names of the command's options, and errors have the same words. A test of
//! the command compares both lists.

mod find_options;
mod keyword;
mod table;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::baseline::{BaselineFiles, BaselineRun};
use crate::config::limits::limits;
use crate::config::option_keys::OptionDefault;
use crate::config::options::{Counting, FindingsUse, RunOptions};
use crate::config::table_options::{CheckOptions, CheckTable, QUICK_CONFLICTS, ScoreTable};
use crate::config::values;
use crate::config::{ConfigFile, InputSources, RunConfig};
use crate::execution::stream::{PreparedRun, StreamTable};
use find_options::FindOptions;
use jigo_archive::duplicates::KeepRule;
use jigo_archive::formats::Format;
use jigo_archive::source::Source;
use keyword::Options;

pub use keyword::{Keyword, Product};

/// An argument: a name as in the command, and its value. `None` sets a flag.
pub type Argument = (String, Option<String>);

/// Validates the arguments of a product.
///
/// # Errors
/// Fails if an argument is unknown or has an invalid value, if arguments contradict each other, or
/// if a named source can't be opened.
pub fn prepare(product: Product, arguments: &[Argument], sources: Vec<Source>) -> Result<PreparedRun> {
    let mut options = Options {
        run: RunOptions { format: Format::Arrow, ..RunOptions::default() },
        limits: Vec::new(),
        counting: Counting { rulesets: Counting::default_rulesets()?, ..Counting::of_results() },
        check: CheckOptions::default(),
        score: ScoreTable::default(),
        keep: KeepRule::default(),
        find: FindOptions::default(),
        baseline: None,
        engine: None,
        engine_timeout: values::ENGINE_TIMEOUT,
    };
    for (name, _) in arguments {
        ensure!(product.keyword(name).is_some(), "unexpected argument '--{name}' found");
    }
    check_pairs(product, arguments)?;
    let config_file = config_file(arguments)?;
    for (name, value) in
        config_file.iter().flat_map(|file| defaults(product, file, arguments)).chain(arguments.to_vec())
    {
        product.keyword(&name).map_or(Ok(()), |keyword| keyword.apply(&mut options, value.as_deref()))?;
    }
    options.run.limits = limits(&options.limits);
    options.run.config_file = config_file.map(Arc::new);
    let baseline = options.baseline.take();
    let (options, table) = complete(product, options)?;
    let config = RunConfig::new(options, || Ok(InputSources::from(sources)))?;
    let files = BaselineFiles { baseline: baseline.as_deref(), ..BaselineFiles::default() };
    let config = match BaselineRun::begin(files, &config)? {
        Some(baseline) => config.with_baseline(baseline.known()),
        None => config,
    };
    PreparedRun::new(config, table)
}

/// Reads the configuration file that the arguments name. None is looked for in folders.
fn config_file(arguments: &[Argument]) -> Result<Option<ConfigFile>> {
    let named = arguments.iter().rfind(|(name, _)| name == "config");
    named.and_then(|(_, path)| path.as_deref()).map(|path| ConfigFile::read(Path::new(path))).transpose()
}

/// Returns the defaults of a configuration file as arguments, except for those that other arguments
/// replace.
fn defaults(product: Product, file: &ConfigFile, arguments: &[Argument]) -> Vec<Argument> {
    let given = |name: &str| arguments.iter().any(|(argument, _)| argument == name);
    let applies = |default: &&OptionDefault| {
        product.keyword(default.key.name).is_some() && !default.key.replaced_by.is_some_and(given)
    };
    let defaults = file.defaults().iter().filter(applies);
    let argument = |default: &OptionDefault| file.argument(default).to_string_lossy().into_owned();
    defaults.map(|default| (default.key.name.to_owned(), Some(argument(default)))).collect()
}

/// Checks arguments that need or exclude others.
fn check_pairs(product: Product, arguments: &[Argument]) -> Result<()> {
    let has = |name: &str| arguments.iter().any(|(argument, _)| argument == name);
    ensure!(!(has("config") && has("no-config")), "the argument '--config <FILE>' cannot be used with '--no-config'");
    ensure!(!has("seed") || has("sample"), "the following required arguments were not provided:\n  --sample <N>");
    for conflicting in QUICK_CONFLICTS.map(|name| name.replace('_', "-")) {
        let value = product.keyword(&conflicting).map_or("", |keyword| keyword.value_name);
        let value = if value.is_empty() { String::new() } else { format!(" <{value}>") };
        ensure!(
            !(has("quick") && has(&conflicting)),
            "the argument '--quick' cannot be used with '--{conflicting}{value}'"
        );
    }
    Ok(())
}

/// Returns the options of a run with its table.
fn complete(product: Product, options: Options) -> Result<(RunOptions, StreamTable)> {
    let Options { run, mut counting, check, score, keep, find, engine, engine_timeout, .. } = options;
    let timeout = Duration::from_secs(engine_timeout);
    counting.engine = engine.map(|line| values::engine_command(&line, timeout)).transpose()?;
    if let Some(rulesets) = &run.judging.rulesets {
        counting.rulesets.clone_from(rulesets);
    }
    let with_counting = |run| RunOptions { counting: Some(counting), findings: FindingsUse::ExitCode, ..run };
    Ok(match product {
        Product::Check => {
            let table = check.table.into();
            (check.apply(run)?, table)
        }
        Product::Score => (score.apply(with_counting(run))?, score.into()),
        Product::Games => (with_counting(run), StreamTable::Games),
        Product::Duplicates => (RunOptions { finds_duplicates: true, ..run }, StreamTable::Duplicates(keep)),
        Product::Find => (RunOptions { findings: FindingsUse::Ignored, ..run }, find.table()?),
    })
}

impl From<CheckTable> for StreamTable {
    fn from(table: CheckTable) -> StreamTable {
        match table {
            CheckTable::Findings => StreamTable::Findings,
            CheckTable::Turns => StreamTable::Turns,
            CheckTable::Keys => StreamTable::Keys,
        }
    }
}

impl From<ScoreTable> for StreamTable {
    fn from(table: ScoreTable) -> StreamTable {
        match table {
            ScoreTable::Scores => StreamTable::Scores,
            ScoreTable::Results => StreamTable::Results,
            ScoreTable::Endings => StreamTable::Endings,
        }
    }
}

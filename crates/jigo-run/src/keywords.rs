//! Options as keyword arguments of a program, such as those of the Python module.
//!
//! The keywords are the options of the command with the same name.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::baseline::{BaselineFiles, BaselineRun};
use crate::config::command_tables::{CheckTable, DuplicatesTable, FindTable, ScoreTable};
use crate::config::option_texts::{self, Argument, Options, check_relations};
use crate::config::options::{
    CheckOptions, CountOptions, DuplicatesOptions, FindOptions, InputOptions, ListedGamesOptions, RunOptions,
    ScoreOptions,
};
use crate::config::run_request::{Counting, FindingsUse, RunRequest};
use crate::config::values::game_list;
use crate::config::{ConfigFile, InputSources, RunConfig};
use crate::execution::stream::PreparedRun;
use jigo_archive::formats::Format;
use jigo_archive::source::Source;
use jigo_archive::tables::{
    Continuations, EndingRows, EvaluationRows, FindingRows, GameRows, KeyRows, MatchRows, ResultRows, ScoreRows,
    TurnRows,
};
use jigo_core::pattern::PatternSearch;

/// Options of commands for files and terminals that do not affect rows.
const WITHOUT_EFFECT: [&str; 6] = ["config", "no-config", "format", "color", "progress", "verbose"];

/// All options of a product whose own ones are `T`.
#[derive(Default, Serialize, Deserialize)]
struct Keywords<T> {
    #[serde(flatten)]
    own: T,
    #[serde(flatten)]
    input: InputOptions,
    #[serde(flatten)]
    run: RunOptions,
}

/// The own options of a product that counts endings.
#[derive(Default, Serialize, Deserialize)]
struct Counted<T> {
    #[serde(flatten)]
    own: T,
    #[serde(flatten)]
    count: CountOptions,
}

/// The own options of a search.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct FindKeywords {
    pattern: Option<String>,
    #[serde(flatten)]
    find: FindOptions,
}

/// Validates the arguments of a product, which is `check`, `score`, `games`, `duplicates` or `find`:
/// the tables of the command with this name, or the games table of `jigo report`.
///
/// # Errors
/// Fails if there is no such product, if an argument is unknown or has an invalid value, if
/// arguments contradict each other, or if a named source can't be opened.
pub fn prepare(product: &str, arguments: &[Argument], sources: Vec<Source>) -> Result<PreparedRun> {
    check_relations(arguments)?;
    match product {
        "check" => {
            let (check, request) = read::<CheckOptions>(arguments)?;
            ensure!(!check.duplicates, "--duplicates is for the command; use the rows of duplicates instead");
            let config = config(check.apply(request, check.baseline.is_some())?, sources)?;
            let files = BaselineFiles { baseline: check.baseline.as_deref(), ..BaselineFiles::default() };
            let config = match BaselineRun::begin(files, &config)? {
                Some(baseline) => config.with_baseline(baseline.known()),
                None => config,
            };
            match *check.table {
                CheckTable::Findings => PreparedRun::of_games(config, FindingRows),
                CheckTable::Turns => PreparedRun::of_games(config, TurnRows),
                CheckTable::Keys => PreparedRun::of_games(config, KeyRows),
                CheckTable::Games => PreparedRun::of_games(config, GameRows),
                CheckTable::Evaluations => PreparedRun::of_games(config, EvaluationRows),
            }
        }
        "score" => {
            let (score, request) = read_counted::<ScoreOptions>(arguments)?;
            let config = config(score.apply(request)?, sources)?;
            match *score.table {
                ScoreTable::Scores => PreparedRun::of_games(config, ScoreRows),
                ScoreTable::Results => PreparedRun::of_games(config, ResultRows),
                ScoreTable::Endings => PreparedRun::of_games(config, EndingRows),
            }
        }
        "games" => {
            let (list, request) = read_counted::<ListedGamesOptions>(arguments)?;
            let games = game_list(list.games.as_deref())?;
            PreparedRun::of_games(config(RunRequest { games, ..request }, sources)?, GameRows)
        }
        "duplicates" => {
            let (duplicates, request) = read::<DuplicatesOptions>(arguments)?;
            let has_rows = *duplicates.table == DuplicatesTable::Duplicates;
            ensure!(has_rows, "only --table duplicates has rows here");
            let request = RunRequest { finds_duplicates: true, ..request };
            PreparedRun::of_duplicates(config(request, sources)?, duplicates.preference())
        }
        "find" => {
            let (FindKeywords { pattern, find }, request) = read::<FindKeywords>(arguments)?;
            let search = Arc::new(PatternSearch::new(find.pattern(pattern.as_deref())?, find.search()));
            let config = config(RunRequest { findings: FindingsUse::Ignored, ..request }, sources)?;
            match *find.table {
                FindTable::Matches => PreparedRun::of_games(config, MatchRows { search }),
                FindTable::Continuations => {
                    PreparedRun::of_aggregate(config, Continuations { search, follows_matches: false })
                }
            }
        }
        _ => bail!("only check, score, games, duplicates and find have rows for another program"),
    }
}

fn config(request: RunRequest, sources: Vec<Source>) -> Result<RunConfig> {
    RunConfig::new(request, || Ok(InputSources::from(sources)))
}

/// Reads the options of a product. No configuration file is looked for in folders.
fn read<T: Options>(arguments: &[Argument]) -> Result<(T, RunRequest)> {
    let named = arguments.iter().rfind(|(name, _)| name == "config");
    let path = named.and_then(|(_, path)| path.as_deref());
    let config_file = path.map(|path| ConfigFile::read(Path::new(path))).transpose()?;
    let mut all: Vec<Argument> = match &config_file {
        Some(file) => defaults::<Keywords<T>>(file, arguments),
        None => Vec::new(),
    };
    for (name, text) in arguments.iter().filter(|(name, _)| !WITHOUT_EFFECT.contains(&name.as_str())) {
        match all.iter_mut().find(|(known, _)| known == name && name == "max") {
            // A limit replaces the same limit of the file, but no other.
            Some((_, Some(limits))) => limits.extend([",", text.as_deref().unwrap_or_default()]),
            _ => all.push((name.clone(), text.clone())),
        }
    }
    let Keywords { own, input, run } = option_texts::read(&all)?;
    let config_file = config_file.map(Arc::new);
    Ok((own, RunRequest { input, run, format: Format::Arrow, config_file, ..RunRequest::default() }))
}

/// Reads the options of a product that counts endings.
fn read_counted<T: Options>(arguments: &[Argument]) -> Result<(T, RunRequest)> {
    let (Counted { own, count }, request) = read::<Counted<T>>(arguments)?;
    let counting = Some(Counting::new(&request.run.judging, &count));
    Ok((own, RunRequest { counting, findings: FindingsUse::ExitCode, ..request }))
}

/// Returns the defaults of a configuration file for the options of `T`, except for those that other
/// arguments replace.
fn defaults<T: Options>(file: &ConfigFile, arguments: &[Argument]) -> Vec<Argument> {
    let is_given = |name: &str| arguments.iter().any(|(argument, _)| argument == name);
    let known = option_texts::defaults::<T>();
    let applies = |key: &str| known.iter().any(|(name, _)| name == key);
    let defaults = file.defaults().iter().filter(|default| applies(default.key) && !default.is_replaced(is_given));
    let text = |default| file.argument(default).to_string_lossy().into_owned();
    defaults.map(|default| (default.key.to_owned(), Some(text(default)))).collect()
}

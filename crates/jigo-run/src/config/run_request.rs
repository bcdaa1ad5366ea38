//! A run as a command requests it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::config::config_file::ConfigFile;
use crate::config::options::{CountOptions, EndingOptions, InputOptions, JudgingOptions, RunOptions};
use crate::interrupt::Interrupt;
use crate::progress::StartProgress;
use jigo_archive::engine::{EngineCommand, RunEngine};
use jigo_archive::formats::Format;
use jigo_archive::pipeline::{ErrorFilter, GameList};
use jigo_archive::row::ColumnChoice;
use jigo_archive::source::{Source, SourceKind};
use jigo_core::analysis::Settings;
use jigo_core::replay::ReplayOptions;
use jigo_rules::select::Choice;
use jigo_score::{DeadSource, GivenStones};

/// A run as a command requests it: the options of the user, and the needs of the command.
#[derive(Clone, Default)]
pub struct RunRequest {
    /// The options for inputs.
    pub input: InputOptions,
    /// The options of every run. The caller has set them to the defaults of the configuration file.
    pub run: RunOptions,
    /// The options for counting endings. `None` counts none.
    pub counting: Option<Counting>,
    /// The configuration file, whose expectations are checked.
    pub config_file: Option<Arc<ConfigFile>>,
    /// The listed games; all others are skipped.
    pub games: Option<Arc<GameList>>,
    /// The condition on the errors of a game.
    pub errors: Option<ErrorFilter>,
    /// True if the games after the last selected one are needed as well.
    pub needs_rejected: bool,
    /// True if the run can read bare positions. Most need games, which have turns and a header.
    pub reads_positions: bool,
    /// The settings of the analysis that depend on the command. The options determine the others.
    pub settings: Settings,
    /// True if games are compared with each other.
    pub finds_duplicates: bool,
    /// The meaning of findings for a run.
    pub findings: FindingsUse,
    /// The format of the rows.
    pub format: Format,
    /// The columns of the rows.
    pub columns: ColumnChoice,
    /// The build and the own options of the command, if a later run may resume its table.
    pub identity: Option<(&'static str, Value)>,
    /// The program with its version and, if known, its commit.
    pub program: &'static str,
    /// The command with the inputs and all options that affect its rows and differ from their
    /// defaults. `None` if it can't be pasted.
    pub command: Option<String>,
    /// Whether the summary is coloured. `None` colours it on a terminal.
    pub color: Option<bool>,
    /// The command that lists the errors of a run without findings.
    pub error_listing: Option<ErrorListing>,
    /// Receives the progress of the run.
    pub progress: Option<Arc<StartProgress>>,
    /// Receives the verdict on the game of a run over one game.
    pub verdict: Option<Arc<GameVerdict>>,
}

/// The verdict on the game of a run over one game. It replaces the speed at the end of the summary.
#[derive(Default)]
pub struct GameVerdict {
    first: OnceLock<String>,
    has_more: AtomicBool,
}

impl GameVerdict {
    /// Adds a game with its verdict.
    pub fn add_game(&self, verdict: impl FnOnce() -> String) {
        let mut is_first = false;
        self.first.get_or_init(|| {
            is_first = true;
            verdict()
        });
        self.has_more.fetch_or(!is_first, Ordering::Relaxed);
    }

    /// Notes that the run is about more than games, so that a verdict on one game says too little.
    pub fn add_other(&self) {
        self.has_more.store(true, Ordering::Relaxed);
    }

    /// Returns the verdict if there is one game and nothing else.
    pub fn of_only_game(&self) -> Option<&str> {
        self.first.get().filter(|_| !self.has_more.load(Ordering::Relaxed)).map(String::as_str)
    }
}

/// The meaning of findings for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FindingsUse {
    /// The rows are findings or include them.
    #[default]
    Listed,
    /// The rows are others, and errors affect the exit code.
    ExitCode,
    /// The rows are others. Findings affect neither the exit code nor the summary.
    Ignored,
}

impl JudgingOptions {
    /// Adds these options to the settings of an analysis that does not count endings.
    pub fn settings(&self, base: Settings) -> Settings {
        Settings {
            assumed_ruleset: (*self.assume_rules).clone(),
            dialect: *self.dialect,
            replay: ReplayOptions { literal_setup: self.literal_setup, ..base.replay },
            judges: self.rules.as_deref().cloned().unwrap_or_else(|| vec![Choice::Recorded]),
            ..base
        }
    }
}

/// The request to count endings.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    /// The rulesets.
    pub rulesets: Vec<Choice>,
    /// The options.
    pub options: CountOptions,
    /// The dead stones that the user names, for a run over one game.
    pub given_stones: Option<Arc<GivenStones>>,
}

impl Counting {
    /// Returns the request to count endings under the chosen rulesets or the usual ones.
    pub fn new(judging: &JudgingOptions, options: &CountOptions) -> Counting {
        let rulesets = judging.rules.clone().unwrap_or_default();
        Counting { rulesets: (*rulesets).clone(), options: options.clone(), given_stones: None }
    }

    /// Returns the request to compare recorded results with the board: by the recorded ruleset, and
    /// with the default options.
    pub fn of_results() -> Counting {
        Counting { rulesets: vec![Choice::Recorded], ..Counting::default() }
    }

    /// Adds these options to the settings of an analysis, without the engine.
    pub fn settings(&self, judging: Settings) -> Settings {
        let CountOptions { ending, all_endings } = &self.options;
        Settings {
            scored_rulesets: self.rulesets.clone(),
            komi: *ending.komi,
            dead: (*ending.dead).clone(),
            given_stones: self.given_stones.clone(),
            min_confidence: ending.min_confidence.0,
            all_endings: *all_endings,
            ..judging
        }
    }

    /// Tests the engine, which a run then starts for each thread.
    ///
    /// # Errors
    /// Fails if the options contradict each other, or if the program does not understand the
    /// commands that jigo sends.
    pub fn try_engine(&self, interrupt: &Interrupt) -> Result<Option<Arc<RunEngine>>> {
        let EndingOptions { dead, engine, engine_timeout, .. } = &self.options.ending;
        let asks_engine = dead.contains(&DeadSource::Engine);
        ensure!(!asks_engine || engine.is_some(), "--dead engine needs --engine COMMAND");
        ensure!(asks_engine || engine.is_none(), "--engine is only asked when --dead names engine");
        let Some(line) = engine else { return Ok(None) };
        let command = EngineCommand { words: line.0.clone(), timeout: Duration::from_secs(engine_timeout.0) };
        let engine = RunEngine::new(command, interrupt.signal());
        engine.command().check_start().with_context(|| format!("--engine {line}"))?;
        Ok(Some(Arc::new(engine)))
    }
}

/// The command that lists the errors of a run whose rows are not findings.
#[derive(Clone, Debug, Default)]
pub struct ErrorListing {
    /// The command with its options, without the inputs.
    pub command: String,
    /// The inputs as words of a command line. `None` if they are too long or can't be read again.
    pub inputs: Option<String>,
    /// The place of the list after the command, such as ` in errors/findings.csv`.
    pub place: &'static str,
}

impl ErrorListing {
    /// Returns the end of a sentence that names the command and the place of the list.
    pub fn sentence(&self, sources: &[Source]) -> String {
        let is_piped = sources.iter().any(|source| matches!(source.kind, SourceKind::Stream(_)));
        let inputs = self.inputs.as_deref().filter(|_| !is_piped).unwrap_or_default();
        format!("{} lists them{}", format!("{} {inputs}", self.command).trim_end(), self.place)
    }
}

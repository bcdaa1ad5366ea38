//! The options of a run, as a caller sets them. Each has a type and a default.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use crate::config::config_file::ConfigFile;
use crate::config::values::{DEFAULT_RULESETS, NamedCodes};
use crate::interrupt::Interrupt;
use crate::progress::StartProgress;
use jigo_archive::engine::{EngineCommand, RunEngine};
use jigo_archive::formats::Format;
use jigo_archive::pipeline::Selection;
use jigo_archive::row::ColumnChoice;
use jigo_archive::source::{ID_COLUMN, InputFormat, RECORD_COLUMN, Source, SourceKind};
use jigo_archive::summary::Gate;
use jigo_core::analysis::{KomiChoice, Settings};
use jigo_core::replay::{OnIllegal, ReplayOptions};
use jigo_record::finding::Severity;
use jigo_record::sgf::Limits;
use jigo_record::splitter::Index;
use jigo_record::{DialectChoice, PlayerList};
use jigo_rules::Ruleset;
use jigo_rules::select::{Choice, select};
use jigo_score::{DeadSource, GivenStones, MIN_CONFIDENCE};

/// The options of a run.
#[derive(Clone)]
pub struct RunOptions {
    /// The format of the inputs.
    pub input: InputFormat,
    /// True if the run can read bare positions. Most need games, which have turns and a header.
    pub reads_positions: bool,
    /// The column of tables that contains the records.
    pub column: String,
    /// The column of tables that contains the identifiers.
    pub id_column: String,
    /// The headers of lists of moves.
    pub index: Option<Arc<Index>>,
    /// The players by the names that the user lists for them.
    pub players: Option<Arc<PlayerList>>,
    /// The limits on sources and games.
    pub limits: Limits,
    /// The options for reading records and judging turns.
    pub judging: Judging,
    /// The options for counting endings. `None` counts none.
    pub counting: Option<Counting>,
    /// The action at an illegal turn.
    pub on_illegal: OnIllegal,
    /// True if every variation is replayed instead of the main line only.
    pub all_variations: bool,
    /// True if only headers are read.
    pub header_only: bool,
    /// The number of this shard and the number of shards, from 1.
    pub shard: (u64, u64),
    /// The selection of games.
    pub selection: Selection,
    /// True if the games after the last selected one are needed as well.
    pub needs_rejected: bool,
    /// The reported findings. If empty, all are.
    pub select: Vec<NamedCodes>,
    /// The findings that are not reported.
    pub ignore: Vec<NamedCodes>,
    /// The lowest severity that is reported.
    pub severity: Severity,
    /// The configuration file. Its expectations are checked; the caller has set the options to its
    /// defaults.
    pub config_file: Option<Arc<ConfigFile>>,
    /// True if games are compared with each other.
    pub finds_duplicates: bool,
    /// The meaning of findings for a run.
    pub findings: FindingsUse,
    /// The format of the rows.
    pub format: Format,
    /// The columns of the rows.
    pub columns: ColumnChoice,
    /// True if CSV protects texts that a spreadsheet would read as formulas.
    pub safe_text: bool,
    /// The number of threads. `None` is one for each core.
    pub threads: Option<usize>,
    /// True if the run prints no summary and no messages.
    pub quiet: bool,
    /// True if findings do not affect the exit code.
    pub exit_zero: bool,
    /// The condition that determines the exit code instead of findings.
    pub fail_if: Option<Gate>,
    /// The command that lists the errors of a run without findings.
    pub error_listing: Option<ErrorListing>,
    /// Receives the progress of the run.
    pub progress: Option<Arc<StartProgress>>,
}

/// Checks records and reports every finding.
impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            input: InputFormat::default(),
            reads_positions: false,
            column: RECORD_COLUMN.into(),
            id_column: ID_COLUMN.into(),
            index: None,
            players: None,
            limits: Limits::default(),
            judging: Judging::default(),
            counting: None,
            on_illegal: OnIllegal::default(),
            all_variations: false,
            header_only: false,
            shard: (1, 1),
            selection: Selection::default(),
            needs_rejected: false,
            select: Vec::new(),
            ignore: Vec::new(),
            severity: Severity::Info,
            config_file: None,
            finds_duplicates: false,
            findings: FindingsUse::Listed,
            format: Format::Csv,
            columns: ColumnChoice::default(),
            safe_text: false,
            threads: None,
            quiet: false,
            exit_zero: false,
            fail_if: None,
            error_listing: None,
            progress: None,
        }
    }
}

/// The meaning of findings for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingsUse {
    /// The rows are findings or include them.
    Listed,
    /// The rows are others, and errors affect the exit code.
    ExitCode,
    /// The rows are others. Findings affect neither the exit code nor the summary.
    Ignored,
}

/// The options for reading records and judging turns.
#[derive(Clone, Debug, Default)]
pub struct Judging {
    /// The rulesets. `None` judges by the recorded one and counts by the usual ones.
    pub rulesets: Option<Vec<Choice>>,
    /// The ruleset of records that name none.
    pub assumed: Option<Ruleset>,
    /// The dialect of the records.
    pub dialect: DialectChoice,
    /// True if a ko in a setup position can be retaken at once.
    pub literal_setup: bool,
}

impl Judging {
    /// Returns the settings of an analysis that does not count endings.
    pub fn settings(&self) -> Settings {
        Settings {
            assumed_ruleset: self.assumed.clone(),
            dialect: self.dialect,
            replay: ReplayOptions { literal_setup: self.literal_setup, ..ReplayOptions::default() },
            judges: self.rulesets.clone().unwrap_or_else(|| vec![Choice::Recorded]),
            ..Settings::default()
        }
    }
}

/// The options for counting endings.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The rulesets.
    pub rulesets: Vec<Choice>,
    /// The source of komi.
    pub komi: KomiChoice,
    /// The sources of dead stones, in the order of their use.
    pub dead: Vec<DeadSource>,
    /// The dead stones that the user names, for a run over one game.
    pub given_stones: Option<Arc<GivenStones>>,
    /// The minimum confidence of an estimate, from 0 to 1.
    pub min_confidence: f32,
    /// The engine for the source `engine`.
    pub engine: Option<EngineCommand>,
    /// True if the final position of every game is counted.
    pub all_endings: bool,
}

impl Counting {
    /// Returns the options for comparing recorded results with the board: the recorded ruleset, and
    /// the default sources of dead stones.
    pub fn of_results() -> Counting {
        Counting {
            rulesets: vec![Choice::Recorded],
            komi: KomiChoice::Recorded,
            dead: DeadSource::DEFAULT.to_vec(),
            given_stones: None,
            min_confidence: MIN_CONFIDENCE,
            engine: None,
            all_endings: false,
        }
    }

    /// Returns the rulesets for counting if none are chosen.
    ///
    /// # Errors
    /// Fails if one of the names does not exist, which no build does.
    pub fn default_rulesets() -> Result<Vec<Choice>> {
        Ok(select(DEFAULT_RULESETS)?)
    }

    /// Adds these options to the settings of an analysis, without the engine.
    pub fn settings(&self, judging: Settings) -> Settings {
        Settings {
            scored_rulesets: self.rulesets.clone(),
            komi: self.komi,
            dead: self.dead.clone(),
            given_stones: self.given_stones.clone(),
            min_confidence: self.min_confidence,
            all_endings: self.all_endings,
            ..judging
        }
    }

    /// Checks that the options don't contradict each other.
    ///
    /// # Errors
    /// Returns a sentence with the flag and its mistake.
    pub fn check(&self) -> Result<()> {
        ensure!((0.0..=1.0).contains(&self.min_confidence), "--min-confidence takes a number from 0 to 1");
        let asks_engine = self.dead.contains(&DeadSource::Engine);
        ensure!(!asks_engine || self.engine.is_some(), "--dead engine needs --engine COMMAND");
        ensure!(asks_engine || self.engine.is_none(), "--engine is only asked when --dead names engine");
        Ok(())
    }

    /// Tests the engine, which a run then starts for each thread.
    ///
    /// # Errors
    /// Fails if the program does not understand the commands that jigo sends.
    pub fn try_engine(&self, interrupt: &Interrupt) -> Result<Option<Arc<RunEngine>>> {
        let Some(command) = &self.engine else { return Ok(None) };
        let engine = RunEngine::new(command.clone(), interrupt.signal());
        engine.command().check_start().with_context(|| format!("--engine {}", command.words.join(" ")))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::values;
    use jigo_archive::named_value::NamedValue;

    #[test]
    fn typed_defaults_are_those_of_the_command() {
        fn named<T: Copy + PartialEq>(all: &[NamedValue<T>], name: &str) -> Option<T> {
            NamedValue::find(all, name)
        }
        let RunOptions { input, on_illegal, all_variations, shard, severity, judging, .. } = RunOptions::default();
        assert_eq!(named(InputFormat::NAMES, values::DEFAULT_INPUT_FORMAT), Some(input));
        assert_eq!(named(values::ON_ILLEGAL, values::DEFAULT_ON_ILLEGAL), Some(on_illegal));
        assert_eq!(named(values::VARIATIONS, values::DEFAULT_VARIATIONS), Some(all_variations));
        assert_eq!(named(values::SEVERITIES, values::DEFAULT_SEVERITY), Some(severity));
        assert_eq!(values::shard(values::DEFAULT_SHARD).unwrap(), shard);
        assert_eq!(values::assumed_ruleset(values::DEFAULT_ASSUMED_RULESET).unwrap(), judging.assumed);
        assert_eq!(values::dialect(values::DEFAULT_DIALECT).unwrap(), judging.dialect);
        assert_eq!(values::komi(values::DEFAULT_KOMI).unwrap(), Counting::of_results().komi);
    }
}

//! The options that several commands share.

// `FF[4]` in the help is not a link.
#![allow(rustdoc::broken_intra_doc_links)]

use std::path::PathBuf;

use clap::{ArgAction, Args};

use jigo_archive::source::{ID_COLUMN, InputFormat, RECORD_COLUMN};
use jigo_core::replay::OnIllegal;
use jigo_record::finding::Severity;
use jigo_record::splitter::RecordKind;
use jigo_run::config::limits::LimitSetting;
use jigo_run::config::values::{
    DEFAULT_ASSUMED_RULESET, DEFAULT_DIALECT, DEFAULT_INPUT_FORMAT, DEFAULT_KOMI, DEFAULT_ON_ILLEGAL, DEFAULT_SEVERITY,
    DEFAULT_SHARD, DEFAULT_VARIATIONS, ENGINE_TIMEOUT, NamedCodes, ON_ILLEGAL, SEVERITIES, VARIATIONS, integer_parser,
};
use jigo_score::DeadSource;

use super::config_args::ConfigArgs;
use super::values::{WhenArg, named};
use crate::args::completion::{
    OfferedValues, assumed, codes, columns, dead_sources, dialects, komi, named_codes, rulesets,
};
use crate::args::limits::any_limit;

/// Returns the long help of PATH.
fn about_paths() -> String {
    format!(
        "{SHORT_ABOUT_PATHS}\n\nFolders are searched for {} and archives. Without a path, standard input is read unless it is a terminal.",
        RecordKind::patterns().join(", ")
    )
}

/// The short help of PATH.
const SHORT_ABOUT_PATHS: &str = "Files, archives, folders or - for standard input";

/// The options for inputs.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// The paths of the inputs.
    #[arg(value_name = "PATH", help_heading = None::<&str>, help = SHORT_ABOUT_PATHS, long_help = about_paths())]
    pub paths: Vec<PathBuf>,
    /// Also read the paths listed in FILE, one per line; - is standard input
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,
    /// Split the paths of --files-from at NUL, as find -print0 writes them
    #[arg(long, requires = "files_from")]
    pub null: bool,
    /// Set the name of standard input in the rows
    ///
    /// The extension of the name gives the format, as for files.
    #[arg(long, value_name = "NAME", default_value = "-")]
    pub stdin_name: String,
    /// Set the format of the inputs
    #[arg(long, value_name = "FORMAT", default_value = DEFAULT_INPUT_FORMAT, value_parser = named(InputFormat::NAMES))]
    pub input_format: InputFormat,
    /// Read the records of tables from column NAME
    ///
    /// This applies to JSON lines, CSV, Arrow and Parquet.
    #[arg(long, value_name = "NAME", default_value = RECORD_COLUMN)]
    pub column: String,
    /// Read the identifiers of the records in tables from column NAME
    ///
    /// A table without a column id is read as well: its rows are identified by their numbers.
    #[arg(long, value_name = "NAME", default_value = ID_COLUMN)]
    pub id_column: String,
    /// List the skipped files of folders on standard error
    #[arg(long)]
    pub verbose: bool,
    /// Read the headers of lists of moves from FILE, a table with one row per game
    ///
    /// Its first line names the columns: id, black, white, komi, result, date and others, or SGF
    /// properties.
    #[arg(long, value_name = "FILE")]
    pub headers: Option<PathBuf>,
    /// Set a limit on the input, such as nodes=5000; see jigo help limits
    ///
    /// Repeat the option, or separate the limits by commas.
    #[arg(long = "max", value_name = "NAME=VALUE", value_delimiter = ',', value_parser = any_limit(), hide_possible_values = true)]
    pub limits: Vec<LimitSetting>,
}

/// The options for reading records and judging turns.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub struct JudgingArgs {
    /// Set the rulesets for judging and counting; see jigo rules
    ///
    /// Use names, recorded (the ruleset of each record), all, or axes such as
    /// repetition=psk,suicide=forbid [default: judge turns by recorded; count by
    /// japanese,chinese,aga,nz,tromp-taylor,recorded]
    #[arg(long, value_name = "R", value_parser = OfferedValues(rulesets), hide_possible_values = true)]
    pub rules: Option<String>,
    /// Set the ruleset of records that name none
    ///
    /// With none, ko and suicide are errors, and superko is only reported.
    #[arg(long, value_name = "R", default_value = DEFAULT_ASSUMED_RULESET, value_parser = OfferedValues(assumed), hide_possible_values = true)]
    pub assume_rules: String,
    /// Set the dialect of the records; see jigo dialects
    ///
    /// It affects the reading of KM, RU and RE. Use auto (recognised in each record), none (as in
    /// FF[4]) or a name.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_DIALECT)]
    #[arg(value_parser = OfferedValues(dialects), hide_possible_values = true)]
    pub dialect: String,
    /// Allow a ko in a setup position to be retaken at once
    ///
    /// By default, a setup position counts as one that the opponent left, so the first play may not
    /// bring it back.
    #[arg(long)]
    pub literal_setup: bool,
}

/// The place of an option below its heading, after the options of all structures.
const LAST: usize = 1000;

/// The options for the run.
///
/// The first option below each heading decides the order of the headings: Selection, Rules, Output,
/// Run.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Process only matching games, such as 'size = 19 and year < 1950'
    ///
    /// Compare columns by = != < <= > >= or ~ (contains) with a value, in quotes if it has blanks.
    /// has(K002) matches a finding. Combine with and, or, not and parentheses: 'size = 19 and
    /// (black_rank >= 5d or year < 1950) and not black ~ Lee'. A value that a record does not
    /// contain matches nothing. The columns are size, width, height, komi, handicap, year, date,
    /// black, white, black_rank, white_rank (30k to 1k, 1d to 9d, 1p to 9p), black_id, white_id,
    /// event, rules, place, round, dialect, time_main, overtime, overtime_periods,
    /// overtime_period_time, overtime_stones, rated, black_is_bot, white_is_bot, result,
    /// result_kind, stated_black_minus_white, turns, first_pass, ending, illegal, repetitions,
    /// findings, severity; if endings are counted, also status, confidence, agrees, verdict.
    #[arg(long = "where", value_name = "FILTER", help_heading = "Selection")]
    #[arg(value_parser = OfferedValues(columns), hide_possible_values = true)]
    pub filter: Option<String>,
    /// Identify players by the names listed in FILE, a CSV table with the columns id and name
    ///
    /// Each line gives a player a name, in any script. The columns black_id and white_id, the
    /// search for duplicates and the page of jigo report then treat all names of an id as one
    /// player. Case, width, ranks and titles make no difference between names.
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub players: Option<PathBuf>,
    /// Process only the first N games
    ///
    /// Count the games that --shard, --sample and --where select.
    #[arg(long, value_name = "N", value_parser = integer_parser::<u64>(1..=u64::MAX), help_heading = "Selection")]
    pub limit: Option<u64>,
    /// Process about one game in N, the same ones in every run
    ///
    /// A hash of its text selects a game, regardless of its place.
    #[arg(long, value_name = "N", value_parser = integer_parser::<u64>(1..=u64::MAX), help_heading = "Selection")]
    pub sample: Option<u64>,
    /// Choose another sample
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = integer_parser::<u64>(0..=u64::MAX), requires = "sample", help_heading = "Selection")]
    pub seed: u64,
    /// Process only part I of N, such as 2/4, to divide an archive among machines
    #[arg(long, value_name = "I/N", default_value = DEFAULT_SHARD, help_heading = "Selection")]
    pub shard: String,
    /// Report only these findings, such as K,P004,superko
    ///
    /// Use codes, names or beginnings of codes, separated by commas. Only these findings affect the
    /// exit code, whichever rows are written.
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = named_codes(), hide_possible_values = true, help_heading = "Selection")]
    pub select: Vec<NamedCodes>,
    /// Do not report these findings
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = named_codes(), hide_possible_values = true, help_heading = "Selection")]
    pub ignore: Vec<NamedCodes>,
    /// Report only findings of at least this severity
    #[arg(long, value_name = "LEVEL", default_value = DEFAULT_SEVERITY, value_parser = named(SEVERITIES), help_heading = "Selection")]
    pub severity: Severity,
    /// The options for judging.
    #[command(flatten)]
    pub judging: JudgingArgs,
    /// Choose what to do at an illegal turn
    ///
    /// FF[4] demands that the turn be made.
    #[arg(long, value_name = "WHAT", default_value = DEFAULT_ON_ILLEGAL, value_parser = named(ON_ILLEGAL), help_heading = "Rules")]
    pub on_illegal: OnIllegal,
    /// Choose the variations to replay
    ///
    /// Replay the main line, or every variation with its own history.
    #[arg(long, value_name = "WHICH", default_value = DEFAULT_VARIATIONS, action = ArgAction::Set, value_parser = named(VARIATIONS), help_heading = "Rules")]
    pub variations: bool,
    /// In CSV, put an apostrophe before texts that a spreadsheet would read as formulas
    ///
    /// These texts begin with = + - @, also in full width, a tab or the end of a line.
    #[arg(long, help_heading = "Output", display_order = LAST)]
    pub safe_text: bool,
    /// Exit with 0 even if there are findings of severity error
    #[arg(long, conflicts_with = "fail_if", help_heading = "Run")]
    pub exit_zero: bool,
    /// Exit with 1 only if this condition holds: 'K002 > 0.1% or error > 0'
    ///
    /// Otherwise exit with 0, regardless of the findings. Without this option, exit with 1 if there
    /// is a finding of severity error. The condition compares numbers or shares of games with one
    /// of > >= < <= =, and joins comparisons with and, or. A code, a class (K) or a severity
    /// (error, warning, info) counts the games with such a finding. A finding outside games counts
    /// as a game. The other numbers are found, replayed, stopped, unreadable.
    #[arg(long, value_name = "GATE", value_parser = OfferedValues(codes), hide_possible_values = true, help_heading = "Run")]
    pub fail_if: Option<String>,
    /// Set the number of threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = integer_parser::<u16>(1..=1024), help_heading = "Run")]
    pub jobs: Option<u16>,
    /// Choose when to show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Run")]
    pub progress: WhenArg,
    /// Print no summary and no progress
    #[arg(long, short, help_heading = "Run")]
    pub quiet: bool,
    /// The options for the configuration file.
    #[command(flatten)]
    pub config: ConfigArgs,
}

pub use jigo_score::MIN_CONFIDENCE;

/// Returns the default of --dead: the sources that need no further option.
pub fn default_dead() -> String {
    DeadSource::DEFAULT.map(DeadSource::name).join(",")
}

/// The options for counting an ending.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub struct EndingArgs {
    /// Set the komi: recorded, preset or a number
    ///
    /// With recorded, the ruleset's komi applies only if the record has none. With preset it always
    /// applies.
    #[arg(long, value_name = "KOMI", default_value = DEFAULT_KOMI, allow_hyphen_values = true)]
    #[arg(value_parser = OfferedValues(komi), hide_possible_values = true)]
    pub komi: String,
    /// Choose how dead stones are determined, in order of preference
    ///
    /// Use markup (TB and TW), settled (no play can change the result), static (a quick estimate,
    /// if it is beyond doubt), playouts (an estimate from random continuations), engine (--engine),
    /// or none.
    #[arg(long, value_name = "SOURCES", default_value_t = default_dead())]
    #[arg(value_parser = OfferedValues(dead_sources), hide_possible_values = true)]
    pub dead: String,
    /// Run a GTP engine with this command line: 'gnugo --mode gtp'
    ///
    /// The engine must support play and final_status_list. Name engine in --dead as well.
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// Set the time limit of the engine for one position, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = ENGINE_TIMEOUT, value_parser = integer_parser::<u64>(1..=u64::MAX))]
    pub engine_timeout: u64,
    /// Treat estimates with a confidence below P, from 0 to 1, as unsettled
    ///
    /// An unsettled row has no score, and the recorded result is not compared with it. An estimate
    /// with a confidence below 0.9 never contradicts a result, even if P is lower.
    #[arg(long, value_name = "P", default_value_t = MIN_CONFIDENCE)]
    pub min_confidence: f32,
}

/// The options that decide which endings are counted and how.
#[derive(Args, Debug)]
pub struct CountArgs {
    /// The options for counting an ending.
    #[command(flatten)]
    pub ending: EndingArgs,
    /// Also count the final position of games that ended by resignation or time
    #[arg(long, help_heading = "Rules")]
    pub all_endings: bool,
}

/// The options of each command that counts endings.
#[derive(Args, Debug)]
pub struct CountingArgs {
    /// The options for inputs.
    #[command(flatten)]
    pub input: InputArgs,
    /// The options for the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// The options for counting.
    #[command(flatten)]
    pub count: CountArgs,
}

/// The options for known findings.
#[derive(Args, Debug)]
pub struct BaselineArgs {
    /// Leave out the known findings listed in FILE
    ///
    /// Known findings have no rows and do not affect the exit code.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to FILE as a baseline, instead of rows
    ///
    /// Use --force to replace FILE.
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Remove findings that no longer occur from the file of --baseline
    ///
    /// If a fixed finding occurs again, the next run reports it.
    #[arg(long, requires = "baseline", conflicts_with = "write_baseline")]
    pub prune_baseline: bool,
}

/// The options for the output.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Choose when to colour text
    ///
    /// With auto, text on a terminal is coloured unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: WhenArg,
    /// Write rows to FILE, which appears complete or not at all
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the counts of the summary to FILE, as JSON
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// Replace an existing FILE
    #[arg(long)]
    pub force: bool,
}

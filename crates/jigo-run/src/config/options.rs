//! The options of runs. Each is declared once, as a field here.
//!
//! The command line parses the fields with clap, whose help texts are the doc comments.
//! [`option_texts`](super::option_texts) derives the rest: keyword arguments of other programs, the
//! keys of `jigo.toml`, the identity of a run, and the options in commands to paste.

// `FF[4]` in the help is not a link.
#![allow(rustdoc::broken_intra_doc_links)]

use std::ops::RangeInclusive;

#[cfg(feature = "cli")]
use clap::Args;
use serde::{Deserialize, Serialize, Serializer};

use crate::config::command_tables::{CheckTable, DuplicatesTable, FindTable, ScoreTable};
use crate::config::file_path::FilePath;
use crate::config::limits::{LimitSetting, changed_limits};
use crate::config::option_value::{Count, Integer, Typed, list};
use crate::config::values::{ColumnName, CommandWords, Confidence, Shard, Variations};
use jigo_archive::duplicates::{KeepRule, Preference};
use jigo_archive::pipeline::filter::Filter;
use jigo_archive::row::ColumnChoice;
use jigo_archive::source::InputFormat;
use jigo_archive::summary::Gate;
use jigo_core::BoardSize;
use jigo_core::analysis::KomiChoice;
use jigo_core::replay::OnIllegal;
use jigo_record::DialectChoice;
use jigo_record::finding::{Code, Severity};
use jigo_rules::Ruleset;
use jigo_rules::select::Choice;
use jigo_score::DeadSource;

/// The options that `jigo.toml` may set, in the order of `jigo config`.
///
/// The file may come from a stranger. It may change which findings are reported, but it can't start
/// a program, write a file or omit games.
pub const TOML_KEYS: [&str; 17] = [
    "rules",
    "assume-rules",
    "dialect",
    "on-illegal",
    "variations",
    "komi",
    "dead",
    "min-confidence",
    "select",
    "ignore",
    "severity",
    "column",
    "id-column",
    "max",
    // The last keys: they are TOML tables, and keys after a table would belong to it.
    "players",
    "events",
    "places",
];

/// Options that exclude others on a command line.
pub const CONFLICTS: [(&str, &[&str]); 6] = [
    ("quick", &["results", "problems", "rules", "on-illegal", "variations", "literal-setup"]),
    ("problems", &["results"]),
    ("exit-zero", &["fail-if"]),
    ("config", &["no-config"]),
    ("dead-stones", &["dead", "engine", "games"]),
    ("position", &["points"]),
];

/// Options that need another one.
pub const REQUIREMENTS: [(&str, &str); 4] =
    [("seed", "sample"), ("size", "points"), ("turn", "position"), ("seki", "dead-stones")];

/// Options that make an option of `jigo.toml` void if they are on the command line: findings that a
/// user selects are not ignored by the file.
pub const REPLACEMENTS: [(&str, &str); 1] = [("ignore", "select")];

/// The options for reading records.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args), command(next_help_heading = "Input"))]
#[serde(default, rename_all = "kebab-case")]
pub struct RecordOptions {
    /// Read the records of tables from column NAME
    ///
    /// This applies to JSON lines, CSV, Arrow and Parquet.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", default_value_t))]
    pub column: Typed<ColumnName<false>>,
    /// Read the identifiers of the records in tables from column NAME
    ///
    /// A table without a column id is read as well: its rows are identified by their numbers.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", default_value_t))]
    pub id_column: Typed<ColumnName<true>>,
    /// Set a limit on the input, such as nodes=5000; see jigo help limits
    ///
    /// Repeat the option, or separate the limits by commas.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "NAME=VALUE", value_delimiter = ',', hide_possible_values = true)
    )]
    #[serde(serialize_with = "serialize_limits", deserialize_with = "list::deserialize")]
    pub max: Vec<Typed<LimitSetting>>,
    /// Read the headers of lists of moves from FILE, a table with one row per game
    ///
    /// Its first line names the columns: id, black, white, komi, result, date and others, or SGF
    /// properties.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub headers: Option<FilePath>,
}

/// Serializes the limits that differ from their defaults.
fn serialize_limits<S: Serializer>(settings: &[Typed<LimitSetting>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(changed_limits(settings))
}

/// The options for inputs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args), command(next_help_heading = "Input"))]
#[serde(default, rename_all = "kebab-case")]
pub struct InputOptions {
    /// Set the format of the inputs
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT", default_value_t))]
    pub input_format: Typed<InputFormat>,
    /// The options for reading records.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub records: RecordOptions,
}

/// The options for judging turns.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args), command(next_help_heading = "Rules"))]
#[serde(default, rename_all = "kebab-case")]
pub struct JudgingOptions {
    /// Set the rulesets for judging and counting; see jigo rules
    ///
    /// Use names, recorded (the ruleset of each record), all, or axes such as
    /// repetition=psk,suicide=forbid [default: judge turns by recorded; count by
    /// japanese,chinese,aga,nz,tromp-taylor,recorded]
    #[cfg_attr(feature = "cli", arg(long, value_name = "R", hide_possible_values = true))]
    pub rules: Option<Typed<Vec<Choice>>>,
    /// Set the ruleset of records that name none
    ///
    /// With none, ko and suicide are errors, and superko is only reported.
    #[cfg_attr(feature = "cli", arg(long, value_name = "R", default_value_t, hide_possible_values = true))]
    pub assume_rules: Typed<Option<Ruleset>>,
    /// Set the dialect of the records; see jigo dialects
    ///
    /// It affects the reading of KM, RU and RE. Use auto (recognised in each record), none (as in
    /// FF[4]) or a name.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", default_value_t, hide_possible_values = true))]
    pub dialect: Typed<DialectChoice>,
    /// Allow a ko in a setup position to be retaken at once
    ///
    /// By default, a setup position counts as one that the opponent left, so the first play may not
    /// bring it back.
    #[cfg_attr(feature = "cli", arg(long))]
    pub literal_setup: bool,
}

/// The options that write header values in one form.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
#[serde(default, rename_all = "kebab-case")]
pub struct NormalizeOptions {
    /// With --normalize events, write the names of events as listed in FILE, a CSV table with the
    /// columns id and name
    ///
    /// Each line gives an event, its id, another name. Case, width and blanks make no difference
    /// between names.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub events: Option<FilePath>,
    /// With --normalize places, write the names of places as listed in FILE, as --events does
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub places: Option<FilePath>,
}

/// The options that select games, parts of games, and findings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args), command(next_help_heading = "Selection"))]
#[serde(default, rename_all = "kebab-case")]
pub struct SelectionOptions {
    /// Identify players by the names listed in FILE, a CSV table with the columns id and name
    ///
    /// Each line gives a player a name, in any script. The columns black_id and white_id, the
    /// search for duplicates and the page of jigo report then treat all names of an id as one
    /// player. Case, width, ranks and titles make no difference between names.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub players: Option<FilePath>,
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
    /// findings, severity, cycle_kind, cycle_length, cycle_black_lost, cycle_white_lost (of any
    /// repeated position); if endings are counted, also status, confidence, agrees, verdict.
    #[cfg_attr(feature = "cli", arg(long = "where", value_name = "FILTER", hide_possible_values = true))]
    #[serde(rename = "where")]
    pub filter: Option<Typed<Filter>>,
    /// Process only part I of N, such as 2/4, to divide an archive among machines
    #[cfg_attr(feature = "cli", arg(long, value_name = "I/N", default_value_t))]
    pub shard: Typed<Shard>,
    /// Choose what to do at an illegal turn
    ///
    /// FF[4] demands that the turn be made.
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", default_value_t, help_heading = "Rules"))]
    pub on_illegal: Typed<OnIllegal>,
    /// Choose the variations to replay
    ///
    /// Replay the main line, or every variation with its own history.
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHICH", default_value_t, help_heading = "Rules"))]
    pub variations: Typed<Variations>,
    /// Report only these findings, such as K,P004,superko
    ///
    /// Use codes, names or beginnings of codes, separated by commas. Only these findings affect the
    /// exit code, whichever rows are written.
    #[cfg_attr(feature = "cli", arg(long, value_name = "CODES", value_delimiter = ',', hide_possible_values = true))]
    #[serde(with = "list")]
    pub select: Vec<Typed<Vec<Code>>>,
    /// Do not report these findings
    #[cfg_attr(feature = "cli", arg(long, value_name = "CODES", value_delimiter = ',', hide_possible_values = true))]
    #[serde(with = "list")]
    pub ignore: Vec<Typed<Vec<Code>>>,
    /// Report only findings of at least this severity
    #[cfg_attr(feature = "cli", arg(long, value_name = "LEVEL", default_value_t))]
    pub severity: Typed<Severity>,
    /// Process only the first N games
    ///
    /// Count the games that --shard, --sample and --where select.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub limit: Option<Typed<Count>>,
    /// Process about one game in N, the same ones in every run
    ///
    /// A hash of its text selects a game, regardless of its place.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub sample: Option<Typed<Count>>,
    /// Choose another sample
    #[cfg_attr(feature = "cli", arg(long, value_name = "S", default_value_t))]
    pub seed: Typed<Integer<0, { u64::MAX }>>,
}

/// The options for the process, which change no game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args), command(next_help_heading = "Run"))]
#[serde(default, rename_all = "kebab-case")]
pub struct ProcessOptions {
    /// In CSV, put an apostrophe before texts that a spreadsheet would read as formulas
    ///
    /// These texts begin with = + - @, also in full width, a tab or the end of a line.
    // Its place is after the output options of all structures.
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Output", display_order = 1000))]
    pub safe_text: bool,
    /// Exit with 0 even if there are findings of severity error
    #[cfg_attr(feature = "cli", arg(long))]
    pub exit_zero: bool,
    /// Exit with 1 only if this condition holds: 'K002 > 0.1% or error > 0'
    ///
    /// Otherwise exit with 0, regardless of the findings. Without this option, exit with 1 if there
    /// is a finding of severity error. The condition compares numbers or shares of games with one
    /// of > >= < <= =, and joins comparisons with and, or. A code, a class (K) or a severity
    /// (error, warning, info) counts the games with such a finding. A finding outside games counts
    /// as a game. The other numbers are found, replayed, stopped, unreadable.
    #[cfg_attr(feature = "cli", arg(long, value_name = "GATE", hide_possible_values = true))]
    pub fail_if: Option<Typed<Gate>>,
    /// Set the number of threads [default: one for each core]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub jobs: Option<Typed<Integer<1, 1024>>>,
    /// Print no summary and no progress
    #[cfg_attr(feature = "cli", arg(long, short))]
    pub quiet: bool,
}

/// The options of every run.
///
/// The first option below each heading decides the order of the headings of a help text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
pub struct RunOptions {
    /// The options that select games and findings.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub selection: SelectionOptions,
    /// The options for judging turns.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub judging: JudgingOptions,
    /// The options for the process.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub process: ProcessOptions,
}

/// The options for counting an ending.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args), command(next_help_heading = "Rules"))]
#[serde(default, rename_all = "kebab-case")]
pub struct EndingOptions {
    /// Set the komi: recorded, preset or a number
    ///
    /// With recorded, the ruleset's komi applies only if the record has none. With preset it always
    /// applies.
    #[cfg_attr(feature = "cli", arg(long, value_name = "KOMI", default_value_t, hide_possible_values = true))]
    pub komi: Typed<KomiChoice>,
    /// Choose how dead stones are determined, in order of preference
    ///
    /// Use markup (TB and TW), settled (no play can change the result), static (a quick estimate,
    /// if it is beyond doubt), playouts (an estimate from random continuations), engine (--engine),
    /// or none.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SOURCES", default_value_t, hide_possible_values = true))]
    pub dead: Typed<Vec<DeadSource>>,
    /// Run a GTP engine with this command line: 'gnugo --mode gtp'
    ///
    /// The engine must support play and final_status_list. Name engine in --dead as well.
    #[cfg_attr(feature = "cli", arg(long, value_name = "COMMAND"))]
    pub engine: Option<Typed<CommandWords>>,
    /// Set the time limit of the engine for one position, in seconds
    #[cfg_attr(feature = "cli", arg(long, value_name = "SECONDS", default_value_t))]
    pub engine_timeout: Typed<Count<60>>,
    /// Treat estimates with a confidence below P, from 0 to 1, as unsettled
    ///
    /// An unsettled row has no score, and the recorded result is not compared with it. An estimate
    /// with a confidence below 0.9 never contradicts a result, even if P is lower. P is compared with
    /// the confidence in the dead stones, to which the column confidence adds doubt about the
    /// territory rule.
    #[cfg_attr(feature = "cli", arg(long, value_name = "P", default_value_t))]
    pub min_confidence: Typed<Confidence>,
}

/// The options that decide which endings are counted and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
#[serde(default, rename_all = "kebab-case")]
pub struct CountOptions {
    /// The options for counting an ending.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub ending: EndingOptions,
    /// Also count the final position of games that ended by resignation or time
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Rules"))]
    pub all_endings: bool,
}

/// The option for the columns of a table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
#[serde(default)]
pub struct ColumnOptions {
    /// Choose the columns of the table, such as +komi
    ///
    /// The list contains names of columns, separated by commas. +NAME adds a column to the default
    /// ones, and all means every column. jigo schema TABLE lists them: turns and endings can also
    /// have those of games. jigo check counts endings only if a chosen column needs that.
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST"))]
    pub columns: Option<Typed<ColumnChoice>>,
}

/// The options of `jigo check`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
#[serde(default, rename_all = "kebab-case")]
pub struct CheckOptions {
    /// Choose the table
    ///
    /// Turns have the position after each turn, for training. Keys identify duplicates. Games have
    /// the header, the verdict and the counts.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TABLE", default_value_t))]
    pub table: Typed<CheckTable>,
    /// The option for the columns.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub columns: ColumnOptions,
    /// Only find the games in the inputs and read their headers
    ///
    /// This finds damage between games and errors in headers, and is much faster. It does not
    /// examine turns, damage within games, repetitions or results.
    #[cfg_attr(feature = "cli", arg(long))]
    pub quick: bool,
    /// Report recorded results that the board contradicts
    ///
    /// Count endings by the rules of their servers and compare them with RE.
    #[cfg_attr(feature = "cli", arg(long))]
    pub results: bool,
    /// Judge records as problems, not as games
    ///
    /// Replay every variation, report answers that are missing, contradictory or unreachable (T001
    /// to T006), and leave out findings about komi, rules, handicap and results.
    #[cfg_attr(feature = "cli", arg(long))]
    pub problems: bool,
    /// Also find duplicate games
    ///
    /// Report them as findings C001 to C006, after all others. jigo duplicates lists which to keep.
    #[cfg_attr(feature = "cli", arg(long))]
    pub duplicates: bool,
    /// Leave out the known findings listed in FILE
    ///
    /// Known findings have no rows and do not affect the exit code.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub baseline: Option<FilePath>,
}

/// The option for a list of games with their dead stones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
#[serde(default)]
pub struct ListedGamesOptions {
    /// Count only the games listed in FILE by file and game, with the dead stones of its columns
    ///
    /// FILE is a table in CSV, JSON lines or Parquet with the columns file and game. The optional
    /// columns dead_stones and seki name stones as --dead-stones and --seki do. An empty cell of
    /// dead_stones leaves the game to --dead; none names no stone.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE", help_heading = "Selection"))]
    pub games: Option<FilePath>,
}

/// The options of `jigo score`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
#[serde(default, rename_all = "kebab-case")]
pub struct ScoreOptions {
    /// Choose the table
    ///
    /// Write counts, recorded results compared with counts, or final positions.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TABLE", default_value_t))]
    pub table: Typed<ScoreTable>,
    /// The option for the columns.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub columns: ColumnOptions,
    /// The option for a list of games.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub list: ListedGamesOptions,
}

/// The options of `jigo duplicates`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
#[serde(default, rename_all = "kebab-case")]
pub struct DuplicatesOptions {
    /// Compare problems by their first positions, not games by their turns
    ///
    /// The same stones with the same player to move are a duplicate, even if they are mirrored,
    /// rotated, shifted away from far edges, or of exchanged colours. The guide defines this.
    #[cfg_attr(feature = "cli", arg(long))]
    pub problems: bool,
    /// Choose which game of a cluster to keep
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHICH", default_value_t))]
    pub keep: Typed<KeepRule>,
    /// Keep games in these folders or archives, of several the first, before --keep decides
    ///
    /// Separate the paths by commas, and write them as the column file does. An existing path may
    /// contain a comma.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FOLDERS"))]
    pub prefer: Option<Typed<Vec<String>>>,
    /// Choose the table
    ///
    /// List the duplicate games, count the different positions after some turns, or find the names
    /// of each player.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TABLE", default_value_t))]
    pub table: Typed<DuplicatesTable>,
}

impl DuplicatesOptions {
    /// Returns the order of the games of a cluster.
    pub fn preference(&self) -> Preference {
        preference(&self.keep, self.prefer.as_ref())
    }
}

/// Returns the order of the games of a cluster that `--keep` and `--prefer` select.
pub fn preference(keep: &Typed<KeepRule>, prefer: Option<&Typed<Vec<String>>>) -> Preference {
    Preference { folders: prefer.map_or(Vec::new(), |folders| folders.to_vec()), rule: **keep }
}

/// The options of `jigo find`, apart from the diagram.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(Args))]
#[serde(default, rename_all = "kebab-case")]
pub struct FindOptions {
    /// Search these points instead of a diagram: 'B D4, W Q16, . R14'
    ///
    /// B and W are stones, . is empty, * is empty and the next turn is here. All other points may
    /// have any content. The board has the size of --size.
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST"))]
    pub points: Option<String>,
    /// With --points, set the size of the board
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t))]
    pub size: Typed<BoardSize>,
    /// Search the pattern only as it is, not rotated or mirrored
    #[cfg_attr(feature = "cli", arg(long))]
    pub no_symmetry: bool,
    /// Also search the pattern with exchanged colours
    #[cfg_attr(feature = "cli", arg(long))]
    pub swap_colors: bool,
    /// Search the positions after these turns: A..B, A.. or ..B, where 0 is the initial position
    #[cfg_attr(feature = "cli", arg(long, value_name = "A..B", default_value_t))]
    pub turns: Typed<RangeInclusive<u32>>,
    /// Match only if the next turn is inside the pattern
    ///
    /// The turn of the match is the last one before it, so play elsewhere may lie between.
    #[cfg_attr(feature = "cli", arg(long))]
    pub next: bool,
    /// Write every match, not only the first one of each game
    ///
    /// A match begins at the turn that completes the pattern, and ends at a turn that changes it.
    #[cfg_attr(feature = "cli", arg(long))]
    pub all: bool,
    /// Choose the table
    #[cfg_attr(feature = "cli", arg(long, value_name = "TABLE", default_value_t))]
    pub table: Typed<FindTable>,
}

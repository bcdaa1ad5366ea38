//! The flags that several commands share.

// FF[4] stands in the help, which is their documentation.
#![allow(rustdoc::broken_intra_doc_links)]

use std::path::PathBuf;

use clap::Args;

use jigo_archive::source::{ID_COLUMN, RECORD_COLUMN};
use jigo_core::score::DeadSource;
use jigo_core::sgf::RecordKind;

use super::super::limits::{GameLimitArgs, SourceLimitArgs};
use super::offered::{
    NamedCodes, OfferedValues, assumed, codes, columns, dead_sources, dialects, komi, named_codes, rulesets,
};
use super::values::{InputFormatArg, OnIllegalArg, SeverityArg, VariationsArg, WhenArg};
use super::whole;

/// The help of PATH.
fn about_paths() -> String {
    format!(
        "{SHORT_ABOUT_PATHS}\n\nFolders are searched for {} and archives. Standard input is read too where no path is given and it is no terminal.",
        RecordKind::patterns().join(", ")
    )
}

/// The same where there is little room.
const SHORT_ABOUT_PATHS: &str = "Files, archives, folders or - for standard input";

/// What to read.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// What to read.
    #[arg(value_name = "PATH", help = SHORT_ABOUT_PATHS, long_help = about_paths())]
    pub paths: Vec<PathBuf>,
    /// Read further paths from FILE, one a line; - is standard input
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,
    /// The paths of --files-from end with NUL, as those of find -print0
    #[arg(long, requires = "files_from")]
    pub null: bool,
    /// What standard input is called in the rows
    ///
    /// Its ending says what it is, as a file's does.
    #[arg(long, value_name = "NAME", default_value = "-")]
    pub stdin_name: String,
    /// What the inputs hold
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub input_format: InputFormatArg,
    /// The column of tables that has the records
    ///
    /// Of JSON lines, CSV, Arrow and Parquet.
    #[arg(long, value_name = "NAME", default_value = RECORD_COLUMN)]
    pub column: String,
    /// The column of tables that has the identifiers of the records
    ///
    /// A table without a column id is read as well: its rows are called by their numbers.
    #[arg(long, value_name = "NAME", default_value = ID_COLUMN)]
    pub id_column: String,
    /// List the files of folders that are passed over, on standard error
    #[arg(long)]
    pub verbose: bool,
    /// Where lists of moves have their headers: a table with a row a game
    ///
    /// Its first line names the columns: id, black, white, komi, result, date and others, or SGF properties.
    #[arg(long = "index", value_name = "FILE")]
    pub list_index: Option<PathBuf>,
    /// How much of them is taken in.
    #[command(flatten)]
    pub limits: SourceLimitArgs,
}

/// How a record is read and its turns are judged.
#[derive(Args, Debug)]
pub struct JudgingArgs {
    /// Rulesets to judge and count by; see jigo rules
    ///
    /// Names, recorded (what each record says), all, or axes such as repetition=psk,suicide=forbid [default: turns are judged by recorded; counting uses
    /// japanese,chinese,aga,nz,tromp-taylor,recorded]
    #[arg(long, value_name = "R", value_parser = OfferedValues(rulesets), hide_possible_values = true)]
    pub rules: Option<String>,
    /// Ruleset of the records that name none
    ///
    /// With none, ko and suicide are judged, and superko is only reported.
    #[arg(long, value_name = "R", default_value = "none", value_parser = OfferedValues(assumed), hide_possible_values = true)]
    pub assume_rules: String,
    /// What records are written in; see jigo dialects
    ///
    /// It decides on the reading of KM, RU and RE: auto (what each record shows), none (as FF[4] says) or a name.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    #[arg(value_parser = OfferedValues(dialects), hide_possible_values = true)]
    pub dialect: String,
    /// Let a ko that stands in a position that was set up be retaken at once
    ///
    /// This reads setup literally: nobody has left a position that was set up.
    #[arg(long)]
    pub literal_setup: bool,
}

/// How to go about it.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// How records are read and judged.
    #[command(flatten)]
    pub judging: JudgingArgs,
    /// What to do with an illegal turn
    ///
    /// Make it and go on, as FF[4] demands, or stop before it.
    #[arg(long, value_name = "WHAT", default_value = "play")]
    pub on_illegal: OnIllegalArg,
    /// Which lines of play to replay
    ///
    /// The main line, or every variation with a history of its own.
    #[arg(long, value_name = "WHICH", default_value = "main")]
    pub variations: VariationsArg,
    /// Report only these findings, such as K,P004,superko
    ///
    /// Codes, names or beginnings of codes, with commas between. The exit code goes by these findings alone, whatever the rows are.
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = named_codes(), hide_possible_values = true)]
    pub select: Vec<NamedCodes>,
    /// Leave these findings out
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = named_codes(), hide_possible_values = true)]
    pub ignore: Vec<NamedCodes>,
    /// Report only findings of this severity or a worse one
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    pub severity: SeverityArg,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub jobs: Option<u16>,
    /// Work on part I of N only, to spread an archive over machines
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: String,
    /// Work on the first N games only
    ///
    /// Of those that --shard, --sample and --where take.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX), help_heading = "Selection")]
    pub limit: Option<u64>,
    /// Work on about one game in N, the same ones in every run
    ///
    /// They are chosen by a hash of their texts, wherever these lie.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX), help_heading = "Selection")]
    pub sample: Option<u64>,
    /// Choose another sample
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>(0..=u64::MAX), requires = "sample", help_heading = "Selection")]
    pub seed: u64,
    /// Work on games that fit, such as 'size = 19 and year < 1950'
    ///
    /// Columns with = != < <= > >= or ~ (contains) and a value, in quotes where it has blanks; has(K002) for a finding; and, or, not, parentheses:
    /// 'size = 19 and (black_rank >= 5d or year < 1950) and not black ~ Lee'. What a record does not say fits nothing. The columns are size, width, height, komi, handicap, year, date, black, white, black_rank, white_rank (30k to 1k,
    /// 1d to 9d, 1p to 9p), event, rules, place, result, result_kind, stated_black_minus_white, turns, ending, illegal,
    /// repetitions, findings, severity; where endings are counted status, confidence, agrees
    #[arg(long = "where", value_name = "FILTER", help_heading = "Selection")]
    #[arg(value_parser = OfferedValues(columns), hide_possible_values = true)]
    pub filter: Option<String>,
    /// In CSV, write an apostrophe before what a spreadsheet takes for a formula
    ///
    /// Texts that begin with = + - @, also in full width, a tab or the end of a line.
    #[arg(long)]
    pub safe_text: bool,
    /// When to show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub progress: WhenArg,
    /// No summary and no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Exit with 0 even where there are findings of severity error
    #[arg(long, conflicts_with = "fail_if")]
    pub exit_zero: bool,
    /// Exit with 1 where this holds only: 'K002 > 0.1% or error > 0'
    ///
    /// Where it does not hold the exit code is 0, whatever was found; without it any finding of severity error makes it 1. It compares numbers or shares of games by > >= < <= =, joined with and, or. Games are those that have a finding of a code, a class
    /// (K) or a severity (error, warning, info), where one outside games counts as a game; or found, replayed, stopped, unreadable
    #[arg(long, value_name = "GATE", value_parser = OfferedValues(codes), hide_possible_values = true)]
    pub fail_if: Option<String>,
    /// How much of a game is taken in.
    #[command(flatten)]
    pub limits: GameLimitArgs,
}

pub use jigo_core::score::MIN_CONFIDENCE;

/// The words of --dead for those that are asked where nobody says whom to ask.
pub fn default_dead() -> String {
    DeadSource::DEFAULT.map(DeadSource::name).join(",")
}

/// How an ending is counted.
#[derive(Args, Debug)]
pub struct EndingArgs {
    /// Komi: recorded, preset or a number
    ///
    /// With recorded the ruleset's counts where the record has none, with preset it always does.
    #[arg(long, value_name = "KOMI", default_value = "recorded", allow_hyphen_values = true)]
    #[arg(value_parser = OfferedValues(komi), hide_possible_values = true)]
    pub komi: String,
    /// Who says which stones are dead, in order
    ///
    /// markup (TB and TW), settled (nothing is left to decide), static (an estimate at a glance, where it leaves no doubt), playouts (an estimate by
    /// random continuations), engine (--engine), or none.
    #[arg(long, value_name = "SOURCES", default_value_t = default_dead())]
    #[arg(value_parser = OfferedValues(dead_sources), hide_possible_values = true)]
    pub dead: String,
    /// GTP engine to ask, as a command line: 'gnugo --mode gtp'
    ///
    /// It has to know play and final_status_list; name engine in --dead.
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// Seconds that the engine may take for one position
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = whole::<u64>(1..=u64::MAX))]
    pub engine_timeout: u64,
    /// Estimates with less confidence, from 0 to 1, are unsettled
    ///
    /// They have no number, and a stated result that is another than theirs is unsettled, too. No result is contradicted by an estimate with less than 0.9,
    /// however small P is.
    #[arg(long, value_name = "P", default_value_t = MIN_CONFIDENCE)]
    pub min_confidence: f32,
}

/// Which endings to count, and how.
#[derive(Args, Debug)]
pub struct CountArgs {
    /// How they are counted.
    #[command(flatten)]
    pub ending: EndingArgs,
    /// Count the final position of games that ended by resignation or time, too
    #[arg(long)]
    pub all_endings: bool,
}

/// What each command takes that counts endings.
#[derive(Args, Debug)]
pub struct CountingArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// How to count.
    #[command(flatten)]
    pub count: CountArgs,
}

/// Which findings are known.
#[derive(Args, Debug)]
pub struct BaselineArgs {
    /// Leave out the findings that stand in FILE
    ///
    /// They are no rows and do not count for the exit code.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to FILE as known ones, instead of rows
    ///
    /// --force replaces FILE.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub write_baseline: Option<PathBuf>,
    /// Take what did not occur out of the file of --baseline
    ///
    /// So what was mended stays mended.
    #[arg(long, help_heading = "Baseline", requires = "baseline", conflicts_with = "write_baseline")]
    pub prune_baseline: bool,
}

/// Where rows go.
#[derive(Args, Debug)]
pub struct OutputArgs {
    /// When text is coloured
    ///
    /// With auto on a terminal, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: WhenArg,
    /// Write rows to FILE, which appears whole or not at all
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write the counts of the summary to FILE, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub summary: Option<PathBuf>,
    /// Replace FILE if it is there
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

//! The flags as they are written.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::examples;
use super::limits::{GameLimitArgs, SourceLimitArgs};

/// Audits and rescores archives of Go game records.
#[derive(Parser, Debug)]
#[command(version, about, max_term_width = 110)]
#[command(after_help = examples::JIGO)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Replay games and list what is wrong with them, one row per finding
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Count the endings of games, one row per game and ruleset
    #[command(after_help = examples::SCORE)]
    Score(ScoreArgs),
    /// Write games.csv, findings.csv, scores.csv, summary.json and a page to look at, index.html, in one pass
    #[command(after_help = examples::REPORT)]
    Report(ReportArgs),
    /// Cut collections into parts at the ends of games: files, or rows for --input-format arrow
    #[command(after_help = examples::SPLIT)]
    Split(SplitArgs),
    /// Count endings under pairs of rulesets: how many margins and winners change, and why
    #[command(after_help = examples::COMPARE)]
    Compare(CompareArgs),
    /// Draw a game: the board after a turn, a repetition step by step, or the counted ending
    #[command(after_help = examples::SHOW)]
    Show(ShowArgs),
    /// List the rulesets, or explain one with its source
    #[command(after_help = examples::RULES)]
    Rules(RulesArgs),
    /// List the dialects of servers and programs, and what of the reading depends on them
    #[command(after_help = examples::DIALECTS)]
    Dialects,
    /// List the finding codes, or explain one
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// List the columns of the tables, with their types
    #[command(after_help = examples::SCHEMA)]
    Schema(SchemaArgs),
    /// Print completions for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the man page, or write those of all commands
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
    /// Count legal turn sequences on an empty board, to compare the referee with the literature
    #[command(after_help = examples::PERFT)]
    Perft(PerftArgs),
}

/// Options of `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// Which findings are known.
    #[command(flatten)]
    pub baseline: BaselineArgs,
    /// What to write: findings, or every turn with the position it led to, for those who train on games
    #[arg(long, value_name = "TABLE", default_value = "findings", help_heading = "Output")]
    pub table: TableArg,
    /// How rows are written
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: FormatArg,
    /// Where rows go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Options of `score`.
#[derive(Args, Debug)]
pub struct ScoreArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// How to count.
    #[command(flatten)]
    pub count: CountArgs,
    /// How rows are written
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: TableFormatArg,
    /// Where rows go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Options of `report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// How to count.
    #[command(flatten)]
    pub count: CountArgs,
    /// Folder to write the tables into; it is made where it is missing
    #[arg(long, value_name = "DIR", help_heading = "Output", required_unless_present = "resume")]
    pub out: Option<PathBuf>,
    /// Continue the unfinished run in DIR, with the inputs and options that it was begun with
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub resume: Option<PathBuf>,
    /// How the tables are written
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: TableFormatArg,
    /// Replace tables that are there already
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// Options of `split`.
#[derive(Args, Debug)]
pub struct SplitArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// End a part with the game that makes it N bytes long
    #[arg(long, value_name = "N", default_value_t = 1 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_bytes: u64,
    /// End a part after N games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_games: Option<u64>,
    /// Write every part into a file below DIR, named after its source and its first game
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// How rows are written
    #[cfg(feature = "columnar")]
    #[arg(long, value_name = "FORMAT", default_value = "arrow", conflicts_with = "out", help_heading = "Output")]
    pub format: BinaryFormatArg,
    /// Write rows to FILE, which appears whole or not at all
    #[cfg(feature = "columnar")]
    #[arg(long, short, value_name = "FILE", conflicts_with = "out", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// No summary
    #[arg(long, short)]
    pub quiet: bool,
}

/// Options of `compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// How to count.
    #[command(flatten)]
    pub count: CountArgs,
    /// List games instead of counting them, one row for each pair of rulesets
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "winner")]
    pub list: Option<ListArg>,
    /// How the list is written
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: TableFormatArg,
    /// Where the table or list goes.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `--list`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum ListArg {
    /// Games with another winner
    Winner,
    /// Games with another margin
    Margin,
    /// Games without a sure count
    Unsettled,
    /// All games that ended by counting
    All,
}

/// Options of `show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The game: FILE#N is game N of FILE, from 1; a file's only game needs no number. FILE may be in an archive, as in
    /// 'games.zip!inner/name.sgf', or - for standard input
    #[arg(value_name = "FILE#GAME")]
    pub game: String,
    /// The board after turn N; 0 is the board before the first [default: the last turn]
    #[arg(long = "move", value_name = "N")]
    pub turn: Option<u32>,
    /// The positions from the one that turn N (--move), or the first repetition, brings back, and the plays between as numbers
    #[arg(long, conflicts_with = "ending")]
    pub cycle: bool,
    /// The last position with its dead stones and territory, and what the rulesets count
    #[arg(long, conflicts_with = "turn")]
    pub ending: bool,
    /// Rulesets to judge and count by, as of check and score
    #[arg(long, value_name = "R")]
    pub rules: Option<String>,
    /// Draw with ASCII characters alone
    #[arg(long)]
    pub ascii: bool,
    /// Write the picture to FILE, whose name ends in .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Replace FILE if it is there
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// Options of `rules`.
#[derive(Args, Debug)]
pub struct RulesArgs {
    /// The ruleset to explain
    pub name: Option<String>,
}

/// Options of `explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The finding to explain: its code, its name, or the beginning of codes
    pub code: Option<String>,
}

/// Options of `schema`.
#[derive(Args, Debug)]
pub struct SchemaArgs {
    /// The table; all of them where none is named
    pub table: Option<String>,
    /// How it is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: SchemaFormatArg,
}

/// Options of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Options of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Write jigo.1 and a page for each command into DIR, which is made where it is missing; pages that are there are replaced
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Options of `perft`.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// Board: columns x rows, such as 2x3
    #[arg(value_name = "WxH")]
    pub size: String,
    /// Count sequences of 1 to N turns, one line each: length and count
    #[arg(long, value_name = "N", required_unless_present = "games")]
    pub depth: Option<usize>,
    /// Count complete games, which two passes end
    #[arg(long, conflicts_with = "depth")]
    pub games: bool,
    /// Ruleset: a name or axes
    #[arg(long, value_name = "R", default_value = "tromp-taylor")]
    pub rules: String,
}

/// What to read.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// Files, archives, folders (searched for *.sgf, *.sgfs, *.mgt and archives) or - for standard input, which is read too where no path
    /// is given and it is no terminal
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Read further paths from FILE, one a line; - is standard input
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,
    /// What standard input is called in the rows; its ending says what it is, as a file's does
    #[arg(long, value_name = "NAME", default_value = "-")]
    pub stdin_name: String,
    /// What the inputs hold
    #[arg(long, value_name = "FORMAT", default_value = "sgf")]
    pub input_format: InputFormatArg,
    /// How much of them is taken in.
    #[command(flatten)]
    pub limits: SourceLimitArgs,
}

/// How to go about it.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Rulesets: names, recorded (what each record says), all, or axes such as repetition=psk,suicide=forbid; see jigo rules
    /// [default: check judges by recorded; counting uses japanese,chinese,aga,nz,tromp-taylor,recorded]
    #[arg(long, value_name = "R")]
    pub rules: Option<String>,
    /// Ruleset of the records that name none; none: ko and suicide are judged, superko is only reported
    #[arg(long, value_name = "R", default_value = "none")]
    pub assume_rules: String,
    /// What records are written in, which decides on the reading of KM, RU and RE: auto (what each record shows), none (as FF[4] says) or
    /// a name; see jigo dialects
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub dialect: String,
    /// What to do with an illegal turn: make it and go on, as FF[4] demands, or stop before it
    #[arg(long, value_name = "WHAT", default_value = "play")]
    pub on_illegal: OnIllegalArg,
    /// Which lines of play to replay: the main line, or every variation with a history of its own
    #[arg(long, value_name = "WHICH", default_value = "main")]
    pub variations: VariationsArg,
    /// Read setup literally: nobody has left a position that was set up, so a ko standing in it may be retaken at once
    #[arg(long)]
    pub literal_setup: bool,
    /// Report only these findings: codes, names or beginnings of codes, with commas between
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Leave these findings out
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Work on part I of N only, to spread an archive over machines
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: String,
    /// Work on the first N games only, of those that --shard, --sample and --where take
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Selection")]
    pub limit: Option<u64>,
    /// Work on about one game in N, chosen by a hash of its text: the same ones in every run and wherever they lie
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Selection")]
    pub sample: Option<u64>,
    /// Choose another sample
    #[arg(long, value_name = "S", default_value_t = 0, help_heading = "Selection")]
    pub seed: u64,
    /// Work on games whose header fits, such as 'size = 19 and komi = 7.5 and year >= 2010 and black ~ Lee'
    #[arg(long = "where", value_name = "FILTER", help_heading = "Selection")]
    pub filter: Option<String>,
    /// In CSV, write an apostrophe before texts that a spreadsheet would take for a formula: those that begin with = + - @, a tab or a carriage
    /// return
    #[arg(long)]
    pub safe_text: bool,
    /// When to show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub progress: WhenArg,
    /// No summary and no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Exit with 0 even where there are findings of severity error
    #[arg(long)]
    pub exit_zero: bool,
    /// How much of a game is taken in.
    #[command(flatten)]
    pub limits: GameLimitArgs,
}

/// Below this confidence an estimated ending is more often wrong than right.
pub const MIN_CONFIDENCE: f32 = 0.5;

/// How to count.
#[derive(Args, Debug)]
pub struct CountArgs {
    /// Komi: recorded (the ruleset's where the record has none), preset (the ruleset's) or a number
    #[arg(long, value_name = "KOMI", default_value = "recorded", allow_hyphen_values = true)]
    pub komi: String,
    /// Who says which stones are dead, in order: markup (TB and TW), settled (nothing is left to decide), playouts (an estimate), engine (--engine), or
    /// none
    #[arg(long, value_name = "SOURCES", default_value = "markup,settled,playouts")]
    pub dead: String,
    /// GTP engine to ask, as a command line: 'gnugo --mode gtp'. It has to know play and final_status_list; name engine in --dead
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// Seconds that the engine may take for one position
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub engine_timeout: u64,
    /// Endings estimated with less confidence than this, from 0 to 1, are unsettled
    #[arg(long, value_name = "P", default_value_t = MIN_CONFIDENCE)]
    pub min_confidence: f32,
    /// Count the final position of games that ended by resignation or time, too
    #[arg(long)]
    pub all_endings: bool,
}

/// Which findings are known.
#[derive(Args, Debug)]
pub struct BaselineArgs {
    /// Leave out the findings that stand in FILE: they are no rows and do not count for the exit code
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to FILE as known ones, instead of rows; --force replaces it
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub write_baseline: Option<PathBuf>,
}

/// Where rows go.
#[derive(Args, Debug)]
pub struct OutputArgs {
    /// When text is coloured; auto: on a terminal, unless NO_COLOR is set
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

/// `--input-format`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum InputFormatArg {
    /// Game records, and archives of them
    Sgf,
    /// Rows of records, a JSON object a line: id and sgf, the text of one or more records
    Jsonl,
    /// Rows of records, an Arrow IPC stream with the columns id and sgf
    #[cfg(feature = "columnar")]
    Arrow,
    /// Bare positions to score, a JSON object a line: id, board (rows of x o .) and, where known, dead (rows of 0 1),
    /// captured_by {black, white}, komi and next
    Positions,
}

/// `--format` of `schema`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum SchemaFormatArg {
    /// A line a column, for people
    Text,
    /// A JSON array with an object for each table
    Json,
}

/// `--table`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum TableArg {
    /// One row for each finding
    Findings,
    /// One row for each turn of the main line
    Turns,
}

/// `--on-illegal`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum OnIllegalArg {
    /// Make the turn and go on
    Play,
    /// Stop before the turn
    Stop,
}

/// `--variations`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum VariationsArg {
    /// The first variation of every branch
    Main,
    /// Every variation
    All,
}

/// `--progress` and `--color`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `--format`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum FormatArg {
    /// Comma separated values with a header line
    Csv,
    /// A JSON object a line
    Jsonl,
    /// One line a row, for people
    Text,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// An Arrow IPC stream
    #[cfg(feature = "columnar")]
    Arrow,
    /// Parquet
    #[cfg(feature = "columnar")]
    Parquet,
}

/// `--format` of commands whose rows are not findings.
#[derive(Clone, Copy, Debug)]
pub struct TableFormatArg(pub FormatArg);

impl ValueEnum for TableFormatArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            TableFormatArg(FormatArg::Csv),
            TableFormatArg(FormatArg::Jsonl),
            TableFormatArg(FormatArg::Text),
            #[cfg(feature = "columnar")]
            TableFormatArg(FormatArg::Arrow),
            #[cfg(feature = "columnar")]
            TableFormatArg(FormatArg::Parquet),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        self.0.to_possible_value()
    }
}

/// `--format` of tables with bytes in them.
#[cfg(feature = "columnar")]
#[derive(Clone, Copy, Debug)]
pub struct BinaryFormatArg(pub FormatArg);

#[cfg(feature = "columnar")]
impl ValueEnum for BinaryFormatArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[BinaryFormatArg(FormatArg::Arrow), BinaryFormatArg(FormatArg::Parquet)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        self.0.to_possible_value()
    }
}

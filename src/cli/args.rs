//! The commands and their flags, as they are written.

mod groups;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use super::examples;

pub use groups::{BaselineArgs, CountArgs, InputArgs, MIN_CONFIDENCE, OutputArgs, RunArgs};
#[cfg(feature = "columnar")]
pub use values::BinaryFormatArg;
pub use values::{
    FormatArg, InputFormatArg, ListArg, OnIllegalArg, SchemaFormatArg, TableArg, TableFormatArg, VariationsArg, WhenArg,
};

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

//! The options of `jigo find`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::args::{OutputArgs, RunArgs, TableFormatArg, examples};
use jigo_run::config::option_value::integer_parser;
use jigo_run::config::options::FindOptions;

/// Find a position or a pattern in games, and the turns that follow it
///
/// PATTERN is a diagram: X black, O white, . empty, * empty and the next turn is here, ? anything.
/// A | at the start or end of every row is the left or right edge of the board, a line of - above
/// or below is the top or bottom edge, and + is a corner. Without an edge the pattern may lie
/// anywhere. Rows end with their line or with a comma.
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo find '+----,|....,|....,|..X.' games/" "the games with a black stone at 3-3 in a corner, one row each"
    "jigo find --table continuations '?X?,X.X,?X?' games/" "how often each turn follows a ponnuki, and who won"
    "jigo find --points 'B Q16, W D4' --turns ..20 --format text games/" "these stones within 20 turns, for reading"
    "jigo find --out audit '.X.X.,..X..' games/" "both tables and a page; then open audit/index.html"
    "jigo find --position game.sgf --turn 2 --swap-colors games/" "the games with this position, also with exchanged colours"
))]
#[command(override_usage = "jigo find [OPTIONS] <PATTERN> [PATH]...
       jigo find [OPTIONS] --position <FILE#GAME> [PATH]...
       jigo find [OPTIONS] --points <LIST> [PATH]...")]
pub struct FindArgs {
    /// The diagram, a file that contains it, or - for standard input
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<OsString>,
    /// Search the whole position of this game, FILE or FILE#N, instead of a diagram
    #[arg(long, value_name = "FILE#GAME")]
    pub position: Option<OsString>,
    /// With --position, search the position after turn N [default: the last turn]
    #[arg(long, value_name = "N", value_parser = integer_parser::<u32>(0..=u64::from(u32::MAX)))]
    pub turn: Option<u32>,
    /// The options of the search.
    #[command(flatten)]
    pub options: FindOptions,
    /// The options for inputs and the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// Write the tables of matches and next turns, and a page index.html, into DIR
    #[arg(long, value_name = "DIR", help_heading = "Output", conflicts_with_all = ["output", "table"])]
    pub out: Option<PathBuf>,
    /// Set the format of the rows [default: from the suffix of --output; otherwise text on a
    /// terminal, else csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

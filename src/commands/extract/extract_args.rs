//! The options of `jigo extract`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::args::{CountingArgs, examples};
use jigo_archive::duplicates::KeepRule;
use jigo_run::config::expectation_presets::ExpectationPreset;
use jigo_run::config::file_path::FileStamp;
use jigo_run::config::option_value::Typed;
use serde::{Serialize, Serializer};

/// Write the selected games to a file, archive or folder, as recorded or converted
// Serialized, the options identify a run for `--resume`. The skipped ones may differ, or are part of
// the identity of every run.
#[derive(Args, Debug, Serialize)]
#[command(after_help = examples!(
    "jigo extract --clean --out clean.sgf --rejects broken.sgf games/" "the games without an error, byte for byte, and all others"
    "jigo extract --clean --where 'size = 19' --out clean19.sgf --rejects-table reasons.csv games/" "the reason for each rejected game"
    "jigo extract --where 'has(K002)' --as main-line --out - games/" "the main lines of games in which a superko was broken"
    "jigo extract --dedupe --out once.sgf --rejects copies.sgf games/" "every game once, and its duplicates in another file"
    "jigo extract --dedupe --prefer games/kgs --merge-headers --out one.sgf games/" "the same, but games/kgs wins and takes over headers"
    "jigo extract --preset training --dedupe --out training.sgf games/" "the games to train a network with, each once"
    "jigo extract --as sgf --out games.sgf.gz games/" "every game in UTF-8 and FF[4], one per line, compressed"
    "jigo extract --pattern '{year}/{black}-{white}.sgf' --out named/ games/" "a file for each game, named by its header"
    "jigo extract --preset training --as npz --out rows/ games/" "the rows that KataGo's trainer reads"
))]
pub struct ExtractArgs {
    /// Select games without a finding of severity error
    ///
    /// Endings are counted to find contradicted results (R001), unless --select or --ignore leave
    /// out this code.
    #[arg(long)]
    pub clean: bool,
    /// Select games with a finding of severity error
    ///
    /// Endings are counted as with --clean.
    #[arg(long, conflicts_with = "clean")]
    pub broken: bool,
    /// Select games that meet the expectations of this preset, and have no error
    ///
    /// jigo config --print PRESET prints them. With --broken, select the other games. An
    /// expectation of jigo.toml replaces one of the same name.
    #[arg(long, value_name = "PRESET")]
    pub preset: Option<Typed<&'static ExpectationPreset>>,
    /// Select games listed in FILE by file and game
    ///
    /// FILE is any table of jigo as CSV, JSON lines or Parquet.
    #[arg(long, value_name = "FILE")]
    // A list may contain a million games in any order, so its file represents it.
    #[serde(serialize_with = "serialize_stamp")]
    pub games: Option<PathBuf>,
    /// Select each game once; of duplicates, select the one that jigo duplicates keeps
    ///
    /// The input is read twice.
    #[arg(long)]
    pub dedupe: bool,
    /// With --dedupe, choose which game of a cluster to keep
    #[arg(long, value_name = "WHICH", default_value_t, requires = "dedupe")]
    pub keep: Typed<KeepRule>,
    /// With --dedupe, keep games in these folders or archives, of several the first, before --keep
    /// decides
    ///
    /// Separate the paths by commas, and write them as the column file does. An existing path may
    /// contain a comma.
    #[arg(long, value_name = "FOLDERS", requires = "dedupe")]
    pub prefer: Option<Typed<Vec<String>>>,
    /// With --dedupe, add header properties, comments and territory that only duplicates have
    ///
    /// Values that contradict each other or the game are left out. --log lists all of them.
    #[arg(long, requires = "dedupe")]
    pub merge_headers: bool,
    /// The options for inputs, run and counting.
    #[command(flatten)]
    #[serde(skip)]
    pub counting: CountingArgs,
    /// Write the games to a file, a folder or - for standard output
    ///
    /// A file appears complete or not at all. It ends with .sgf, .jsonl, .parquet or .arrows, all
    /// but the last two also with .gz or .zst, or with .zip for one file per game. A path is a
    /// folder if it ends with / or exists as one. It gets one file per game.
    #[arg(long, value_name = "OUT", help_heading = "Output")]
    #[serde(skip)]
    pub out: PathBuf,
    /// Write all other games to FILE, as recorded
    ///
    /// FILE can be anything that --out accepts.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    #[serde(serialize_with = "serialize_path")]
    pub rejects: Option<PathBuf>,
    /// Write one row for each rejected game to FILE, with the reason
    ///
    /// The suffix of FILE chooses the format, such as .csv, .jsonl or .parquet. Rows of kind
    /// omission name the games that a conversion shortens, and the properties that it omits.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    #[serde(serialize_with = "serialize_path")]
    pub rejects_table: Option<PathBuf>,
    /// With --merge-headers, write one row for each property to FILE
    ///
    /// The format is CSV, or JSON lines if FILE ends with .jsonl.
    #[arg(long, value_name = "FILE", requires = "merge_headers", help_heading = "Output")]
    #[serde(serialize_with = "serialize_path")]
    pub log: Option<PathBuf>,
    /// Choose the form of the games
    #[arg(long = "as", value_name = "FORM", default_value = "recorded", help_heading = "Output")]
    pub form: FormArg,
    /// Set the format of the output [default: from the suffix of OUT; sgf for standard output]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<GamesFormatArg>,
    /// With --as sgf and main-line, use several lines per game, for people
    #[arg(long, help_heading = "Output")]
    pub pretty: bool,
    /// With --as sgf and main-line, leave out comments (C and GC)
    #[arg(long, help_heading = "Output")]
    pub no_comments: bool,
    /// With --as sgf and main-line, add a node with the counted ending
    ///
    /// The node has territory (TB, TW), dead stones (JIGODEAD), the result (JIGORE) and a comment
    /// that names the source of the count.
    #[arg(long, help_heading = "Output")]
    pub mark_endings: bool,
    /// Name the files of a folder or zip by this pattern [default: {name}.sgf]
    ///
    /// The pattern is text with fields, and / between folders. {name} is {file}, or {file}-{game} if
    /// the file has several games. {player} writes the game once for each player. Other fields are
    /// {hash}, {year}, {date}, {rules}, {result}, {handicap}, {size}, and the columns of jigo schema
    /// games that need no count, such as {black}, {white}, {event}, {round} and {komi}.
    #[arg(long, value_name = "PATTERN", help_heading = "Output")]
    pub pattern: Option<String>,
    /// Resume a killed or interrupted run of the same command
    ///
    /// Without such a run, start a new one. This works for all outputs except .parquet, .arrows and --as npz.
    #[arg(long, help_heading = "Output")]
    #[serde(skip)]
    pub resume: bool,
    /// Replace existing files
    #[arg(long, help_heading = "Output")]
    #[serde(skip)]
    pub force: bool,
}

/// Serializes the state of a file.
fn serialize_stamp<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(FileStamp::new).serialize(serializer)
}

/// Serializes a path, which need not be Unicode.
fn serialize_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(Path::to_string_lossy).serialize(serializer)
}

/// The values of `--as`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum FormArg {
    /// The recorded bytes; UTF-16 becomes UTF-8
    Recorded,
    /// The normal form: UTF-8, FF[4], variations and comments
    Sgf,
    /// The normal form without variations
    MainLine,
    /// Arrays for a network: a row for each turn, as KataGo's trainer reads them, in files of a folder
    Npz,
}

/// The values of `--format` for games.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum GamesFormatArg {
    /// SGF records
    Sgf,
    /// One JSON object per line, which jigo reads with --input-format jsonl
    Jsonl,
    /// An Arrow IPC stream, which jigo reads with --input-format arrow
    #[cfg(feature = "columnar")]
    Arrow,
    /// Parquet
    #[cfg(feature = "columnar")]
    Parquet,
}

//! The words that options accept.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use jigo_archive::formats::{FORMATS, Format};

/// The values of `--input-format`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum InputFormatArg {
    /// Detect the format of each input by its name and first bytes: game records, archives, or rows
    /// of records
    Auto,
    /// Game records in SGF, and archives of them, without detection
    Sgf,
    /// Rows of records, one JSON object per line: id and sgf, the text of one or more records
    Jsonl,
    /// Rows of records in CSV, or with tabs or semicolons; the first line names the columns, such
    /// as id and sgf
    Csv,
    /// Rows of records, an Arrow IPC stream or file with the columns id and sgf
    #[cfg(feature = "columnar")]
    Arrow,
    /// Rows of records, Parquet with the columns id and sgf
    #[cfg(feature = "columnar")]
    Parquet,
    /// Bare positions to score, one JSON object per line: id, board (rows of x o .) and, if known,
    /// dead (rows of 0 1), captured_by {black, white}, komi and next
    Positions,
}

/// The values of `--format` of `schema`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum SchemaFormatArg {
    /// One line per column, for people
    Text,
    /// A JSON array with one object per table
    Json,
}

/// The values of `--format` of `show`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowFormatArg {
    /// Boards and sentences, for people
    Text,
    /// The last position as a JSON object
    Json,
}

/// The values of `--table`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum TableArg {
    /// One row for each finding
    Findings,
    /// One row for each turn of the main line
    Turns,
    /// One row for each game, with the keys that its duplicates share
    Keys,
}

/// The values of `--table` of `score`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreTableArg {
    /// One row for each game and ruleset
    Scores,
    /// One row for each game with a recorded result, compared with the result counted by its
    /// server's rules
    Results,
    /// One row for each game: its last position, the dead stones, the owner of each point, area and
    /// territory
    Endings,
}

/// The values of `--on-illegal`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum OnIllegalArg {
    /// Make the turn and continue
    Play,
    /// Stop before the turn
    Stop,
}

/// The values of `--variations`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum VariationsArg {
    /// The first variation of every branch
    Main,
    /// Every variation
    All,
}

/// The values of `--progress` and `--color`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The values of `--list`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum ListArg {
    /// Games whose winner changes
    Winner,
    /// Games whose margin changes
    Margin,
    /// Games without a confident count
    Unsettled,
    /// All games that ended by counting
    All,
}

/// The values of `--severity`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum SeverityArg {
    /// Errors only
    Error,
    /// Errors and warnings
    Warning,
    /// All findings
    Info,
}

/// Defines an option's values from the table of formats, with the names of all formats that meet a
/// condition.
macro_rules! formats {
    ($(#[$about:meta])* $name:ident($fits:expr)) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub Format);

        impl ValueEnum for $name {
            fn value_variants<'a>() -> &'a [Self] {
                static FITTING: LazyLock<Vec<$name>> = LazyLock::new(|| {
                    let fits: fn(Format) -> bool = $fits;
                    FORMATS.iter().filter(|format| fits(**format)).map(|format| $name(*format)).collect()
                });
                &FITTING
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let named = self.0.properties();
                Some(PossibleValue::new(named.name).help(named.summary))
            }
        }
    };
}

formats! {
    /// The values of `--format`.
    FormatArg(|_| true)
}

formats! {
    /// The values of `--format` of commands whose rows are not findings.
    TableFormatArg(|format| !format.properties().findings_only)
}

#[cfg(feature = "columnar")]
formats! {
    /// The values of `--format` of tables that contain bytes.
    BinaryFormatArg(|format| format.is_binary())
}

//! The words that flags take.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use jigo_archive::tables::formats::{FORMATS, Format, NamedFormat};

/// `--input-format`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum InputFormatArg {
    /// What each of them shows by its name and its first bytes: game records, archives, or rows of records
    Auto,
    /// Game records in SGF, and archives of them, whatever they look like
    Sgf,
    /// Rows of records, a JSON object a line: id and sgf, the text of one or more records
    Jsonl,
    /// Rows of records in CSV, or with tabs or semicolons; the first line names the columns, such as id and sgf
    Csv,
    /// Rows of records, an Arrow IPC stream or file with the columns id and sgf
    #[cfg(feature = "columnar")]
    Arrow,
    /// Rows of records, Parquet with the columns id and sgf
    #[cfg(feature = "columnar")]
    Parquet,
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

/// `--format` of `show`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowFormatArg {
    /// Boards and sentences, for people
    Text,
    /// The last position as a JSON object
    Json,
}

/// `--table`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum TableArg {
    /// One row for each finding
    Findings,
    /// One row for each turn of the main line
    Turns,
    /// One row for each game, with the keys that its copies share
    Keys,
}

/// `--table` of `score`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreTableArg {
    /// One row for each game and ruleset
    Scores,
    /// One row for each game that states a result, against the count as its server makes it
    Results,
    /// One row for each game: its last position, the dead stones, whose each point is, area and territory
    Endings,
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

/// `--severity`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum SeverityArg {
    /// Errors only
    Error,
    /// Errors and warnings
    Warning,
    /// All findings
    Info,
}

/// The formats of the table of formats that fit, with their words.
macro_rules! formats {
    ($(#[$about:meta])* $name:ident($fits:expr)) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub Format);

        impl ValueEnum for $name {
            fn value_variants<'a>() -> &'a [Self] {
                static FITTING: LazyLock<Vec<$name>> = LazyLock::new(|| {
                    let fits: fn(&NamedFormat) -> bool = $fits;
                    FORMATS.iter().filter(|named| fits(named)).map(|named| $name(named.format)).collect()
                });
                &FITTING
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let named = self.0.named();
                Some(PossibleValue::new(named.name).help(named.what))
            }
        }
    };
}

formats! {
    /// `--format`.
    FormatArg(|_| true)
}

formats! {
    /// `--format` of commands whose rows are not findings.
    TableFormatArg(|named| !named.for_findings)
}

#[cfg(feature = "columnar")]
formats! {
    /// `--format` of tables with bytes in them.
    BinaryFormatArg(|named| named.format.is_binary())
}

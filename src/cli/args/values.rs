//! The words that flags take.

use clap::ValueEnum;
use clap::builder::PossibleValue;

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

/// `--format`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
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

//! Where games are: files, folders, archives, rows of tables, opened and unpacked.

pub mod archive;
#[cfg(feature = "columnar")]
pub mod arrow;
pub mod csv_table;
pub mod discover;
pub(crate) mod failing;
pub(crate) mod given;
pub(crate) mod guarded;
pub mod index;
pub mod name;
pub(crate) mod opened;
pub mod pack;
#[cfg(feature = "columnar")]
pub(crate) mod parquet;
pub mod passed_over;
pub mod row;
pub mod signs;
pub(crate) mod temporary;

use std::borrow::Cow;

use csv_table::CsvColumns;
pub use discover::{Source, SourceKind};
pub use given::Given;
pub use opened::open_file;
pub use passed_over::PassedOver;
pub use row::{ID_COLUMN, RECORD_COLUMN, RecordRow, RowColumns};
use signs::{START_BYTES, TableFormat, foreign};

use jigo_core::sgf::{RecordKind, Unit};

/// What the bytes of inputs are said to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputFormat {
    /// What each of them shows.
    #[default]
    Auto,
    /// Game records in SGF.
    Sgf,
    /// Bare positions, a JSON object a line.
    Positions,
    /// Rows of records, a JSON object a line.
    Jsonl,
    /// Rows of records in comma separated values, or with tabs or semicolons; the first line names the columns.
    Csv,
    /// Rows of records in an Arrow IPC stream or file.
    #[cfg(feature = "columnar")]
    Arrow,
    /// Rows of records in Parquet.
    #[cfg(feature = "columnar")]
    Parquet,
}

impl InputFormat {
    /// Whether every row stands for a file of its own.
    pub fn is_rows(self) -> bool {
        !matches!(self, InputFormat::Auto | InputFormat::Sgf | InputFormat::Positions)
    }

    /// What a text of this name and these first bytes, as many as there are of [`START_BYTES`], holds.
    pub fn holds(self, name: &str, start: &[u8], columns: RowColumns<'_>) -> Holds {
        let start = &start[..start.len().min(START_BYTES)];
        match self {
            InputFormat::Auto => shown(name, start, columns),
            InputFormat::Csv if !start.trim_ascii().is_empty() => {
                CsvColumns::of_start(start, columns).map_or(Holds::OtherColumns, Holds::CsvRows)
            }
            InputFormat::Sgf => Holds::Records(RecordKind::default()),
            InputFormat::Positions => Holds::Positions,
            _ => Holds::JsonRows,
        }
    }

    /// The table that a source is read as, where it is not read as a text.
    #[cfg(feature = "columnar")]
    pub(crate) fn columns(self, source: &SourceKind) -> Option<TableFormat> {
        match (self, source) {
            (InputFormat::Auto, SourceKind::Table(_, _, format)) => Some(*format).filter(|format| format.is_columnar()),
            (InputFormat::Arrow, _) => Some(TableFormat::Arrow),
            (InputFormat::Parquet, _) => Some(TableFormat::Parquet),
            _ => None,
        }
    }
}

/// Columns that are named where another one is missing, and characters of each: names are strangers'.
const MOST_NAMED: usize = 10;
const MOST_CHARACTERS: usize = 40;

/// What is said of a table without the column, which has others of these names.
pub(crate) fn without_column<N: AsRef<str>>(columns: RowColumns<'_>, names: &[N]) -> String {
    let has_record = names.iter().any(|name| name.as_ref() == columns.record);
    let (column, hint) = match has_record {
        true => (columns.id, "--id-column NAME says which one has the identifiers, where it is not id"),
        false => (columns.record, "--column NAME says which one has the records, where it is not sgf"),
    };
    let mut shown: Vec<String> = Vec::new();
    let mut more = 0;
    for name in names {
        if shown.len() < MOST_NAMED {
            shown.push(name.as_ref().chars().take(MOST_CHARACTERS).collect());
        } else {
            more += 1;
        }
    }
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names = shown.join(", ");
    format!("there is no column {column}, only {names}{more}: {hint}")
}

/// What a text holds by its name and its first bytes.
fn shown(name: &str, start: &[u8], columns: RowColumns<'_>) -> Holds {
    let named = RecordKind::of_name(name);
    // Rows of a table with headers may look like a list of moves.
    match TableFormat::of_start(start, columns).filter(|_| named.is_none()) {
        Some(TableFormat::JsonLines) => return Holds::JsonRows,
        Some(TableFormat::Csv(columns)) => return Holds::CsvRows(columns),
        _ => {}
    }
    if let Some(kind) = RecordKind::of_start(start) {
        return Holds::Records(kind);
    }
    match foreign(start, named.is_some()) {
        Some(sentence) => Holds::Foreign(sentence),
        None if is_named_table(name) && !start.is_empty() && (columns != RECORD_COLUMN.into() || !has_game(start)) => {
            Holds::OtherColumns
        }
        None => Holds::Records(named.unwrap_or_default()),
    }
}

/// Whether a text has the beginning of a game of SGF somewhere. A table without a header is read as SGF for it, unless a column is named.
fn has_game(start: &[u8]) -> bool {
    memchr::memmem::find(start, b"(;").is_some()
}

/// Whether a name is that of a table, whatever is in it.
fn is_named_table(name: &str) -> bool {
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    ["csv", "tsv"].iter().any(|known| suffix.eq_ignore_ascii_case(known))
}

/// What a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Game records of a kind.
    Records(RecordKind),
    /// Bare positions, one a line.
    Positions,
    /// Rows, a JSON object a line, each a text of its own.
    JsonRows,
    /// Rows of comma separated values, each with a text of its own.
    CsvRows(CsvColumns),
    /// Rows of comma separated values without the column.
    OtherColumns,
    /// No records; what it looks like instead, and what to do.
    Foreign(&'static str),
}

impl Holds {
    /// What the splitter cuts it into.
    pub fn unit(self) -> Unit {
        match self {
            Holds::Records(kind) => kind.unit(),
            Holds::Positions => Unit::Line,
            Holds::JsonRows => Unit::Row,
            Holds::CsvRows(columns) => columns.unit(),
            Holds::OtherColumns | Holds::Foreign(_) => Unit::File,
        }
    }

    /// What is said of a text that begins so and has no records, and what to do.
    pub(crate) fn without_records(self, start: &[u8], columns: RowColumns<'_>) -> Option<Cow<'static, str>> {
        match self {
            Holds::OtherColumns => {
                let names = csv_table::names(&start[..start.len().min(START_BYTES)]);
                Some(Cow::Owned(without_column(columns, &names)))
            }
            Holds::Foreign(sentence) => Some(Cow::Borrowed(sentence)),
            _ => None,
        }
    }

    /// The kind of its records, where it holds records.
    pub fn record_kind(self) -> RecordKind {
        match self {
            Holds::Records(kind) => kind,
            _ => RecordKind::default(),
        }
    }
}

impl Default for Holds {
    fn default() -> Holds {
        Holds::Records(RecordKind::default())
    }
}

//! Where games are: files, folders, archives, rows of tables, opened and unpacked.

pub mod archive;
#[cfg(feature = "columnar")]
pub mod arrow;
pub mod discover;
pub(crate) mod given;
pub mod index;
pub mod name;
pub mod pack;
#[cfg(feature = "columnar")]
mod parquet;
pub mod passed_over;
pub mod row;
pub mod signs;

pub use discover::{Source, SourceKind};
pub use given::Given;
pub use passed_over::PassedOver;
pub use row::RecordRow;
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
    pub fn holds(self, name: &str, start: &[u8]) -> Holds {
        match self {
            InputFormat::Auto => shown(name, &start[..start.len().min(START_BYTES)]),
            InputFormat::Sgf => Holds::Records(RecordKind::default()),
            InputFormat::Positions => Holds::Positions,
            _ => Holds::JsonRows,
        }
    }

    /// The table that a source is read as, where it is not read as a text.
    #[cfg(feature = "columnar")]
    pub(crate) fn columns(self, source: &SourceKind) -> Option<TableFormat> {
        match (self, source) {
            (InputFormat::Auto, SourceKind::Table(_, _, format)) => {
                Some(*format).filter(|format| *format != TableFormat::JsonLines)
            }
            (InputFormat::Arrow, _) => Some(TableFormat::Arrow),
            (InputFormat::Parquet, _) => Some(TableFormat::Parquet),
            _ => None,
        }
    }
}

/// What a text holds by its name and its first bytes.
fn shown(name: &str, start: &[u8]) -> Holds {
    let named = RecordKind::of_name(name);
    if let Some(kind) = RecordKind::of_start(start) {
        return Holds::Records(kind);
    }
    if named.is_none() && TableFormat::of_start(start) == Some(TableFormat::JsonLines) {
        return Holds::JsonRows;
    }
    match foreign(start, named.is_some()) {
        Some(sentence) => Holds::Foreign(sentence),
        None => Holds::Records(named.unwrap_or_default()),
    }
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
            Holds::Foreign(_) => Unit::File,
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

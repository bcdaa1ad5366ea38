//! Detection of the content of a text: records, rows of a table, or something else.

use jigo_record::sgf::encoding::byte_order_mark::without_mark;
use std::borrow::Cow;

#[cfg(feature = "columnar")]
use crate::source::files::discover::SourceKind;
use crate::source::rows::csv_table::{self, CsvColumns};
use crate::source::rows::row_columns::{RECORD_COLUMN, RowColumns, missing_column_message};
use crate::source::signatures::{START_BYTES, TableFormat, foreign_content_message, is_named_table};
use jigo_record::splitter::{RecordKind, Unit};

/// The format of the inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputFormat {
    /// Detected for each input.
    #[default]
    Auto,
    /// Game records in SGF.
    Sgf,
    /// Bare positions, one JSON object per line.
    Positions,
    /// Rows of records, one JSON object per line.
    Jsonl,
    /// Rows of records in CSV, with commas, tabs or semicolons. The first line contains the column
    /// names.
    Csv,
    /// Rows of records in an Arrow IPC stream or file.
    #[cfg(feature = "columnar")]
    Arrow,
    /// Rows of records in Parquet.
    #[cfg(feature = "columnar")]
    Parquet,
}

impl InputFormat {
    /// Returns true if each row counts as a file.
    pub fn is_rows(self) -> bool {
        !matches!(self, InputFormat::Auto | InputFormat::Sgf | InputFormat::Positions)
    }

    /// Returns the content kind of a text with this name. `start` contains its first
    /// [`START_BYTES`], or all bytes of a shorter text.
    pub fn content_kind(self, name: &str, start: &[u8], columns: RowColumns<'_>) -> ContentKind {
        let start = &start[..start.len().min(START_BYTES)];
        match self {
            InputFormat::Auto => detect(name, start, columns),
            // Blank texts have no columns, and no games.
            InputFormat::Csv if !is_blank(start) => {
                CsvColumns::find(start, columns).map_or(ContentKind::MissingColumn, ContentKind::CsvRows)
            }
            InputFormat::Csv | InputFormat::Sgf => ContentKind::Records(RecordKind::default()),
            InputFormat::Positions => ContentKind::Positions,
            _ => ContentKind::JsonRows,
        }
    }

    /// Returns the table format of a source, or `None` if it is read as text.
    #[cfg(feature = "columnar")]
    pub(crate) fn table_format(self, source: &SourceKind) -> Option<TableFormat> {
        match (self, source) {
            (InputFormat::Auto, SourceKind::Table(_, _, format)) => Some(*format).filter(|format| format.is_columnar()),
            (InputFormat::Arrow, _) => Some(TableFormat::Arrow),
            (InputFormat::Parquet, _) => Some(TableFormat::Parquet),
            _ => None,
        }
    }
}

/// Detects the content of a text from its name and its first bytes.
fn detect(name: &str, start: &[u8], columns: RowColumns<'_>) -> ContentKind {
    let kind_of_name = RecordKind::from_name(name);
    // Check tables first, because rows of a table with headers may look like a list of moves.
    match TableFormat::detect(name, start, columns).filter(|_| kind_of_name.is_none()) {
        Some(TableFormat::JsonLines) => return ContentKind::JsonRows,
        Some(TableFormat::Csv(columns)) => return ContentKind::CsvRows(columns),
        _ => {}
    }
    if let Some(kind) = RecordKind::from_start(start) {
        return ContentKind::Records(kind);
    }
    match foreign_content_message(start, kind_of_name.is_some()) {
        Some(sentence) => ContentKind::Foreign(sentence),
        None if is_named_table(name) && !is_blank(start) && (columns != RECORD_COLUMN.into() || !has_game(start)) => {
            ContentKind::MissingColumn
        }
        None => ContentKind::Records(kind_of_name.unwrap_or_default()),
    }
}

/// Returns true if a text has only white space and NUL, apart from a byte order mark.
fn is_blank(text: &[u8]) -> bool {
    without_mark(text).iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0)
}

/// Returns true if the text contains the start of an SGF game.
///
/// A table without a header is therefore read as SGF, unless the user names a column.
fn has_game(start: &[u8]) -> bool {
    memchr::memmem::find(start, b"(;").is_some()
}

/// The content of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// Game records of this format.
    Records(RecordKind),
    /// Bare positions, one per line.
    Positions,
    /// Rows, one JSON object per line, each with a text.
    JsonRows,
    /// CSV rows, each with a text.
    CsvRows(CsvColumns),
    /// CSV rows without the column for the text.
    MissingColumn,
    /// No records. The sentence says what the text looks like and what to do.
    Foreign(&'static str),
}

impl ContentKind {
    /// Returns the unit that the splitter divides the text into.
    pub fn unit(self) -> Unit {
        match self {
            ContentKind::Records(kind) => kind.unit(),
            ContentKind::Positions => Unit::Line,
            ContentKind::JsonRows => Unit::Row,
            ContentKind::CsvRows(columns) => columns.unit(),
            ContentKind::MissingColumn | ContentKind::Foreign(_) => Unit::File,
        }
    }

    /// Returns a message for a text without records, and what to do; `None` if the text may contain
    /// records.
    pub(crate) fn no_records_message(self, start: &[u8], columns: RowColumns<'_>) -> Option<Cow<'static, str>> {
        match self {
            ContentKind::MissingColumn => {
                let names = csv_table::column_names(&start[..start.len().min(START_BYTES)]);
                Some(Cow::Owned(missing_column_message(columns, &names)))
            }
            ContentKind::Foreign(sentence) => Some(Cow::Borrowed(sentence)),
            _ => None,
        }
    }

    /// Returns the format of the records, or the default format for other content.
    pub fn record_kind(self) -> RecordKind {
        match self {
            ContentKind::Records(kind) => kind,
            _ => RecordKind::default(),
        }
    }
}

impl Default for ContentKind {
    fn default() -> ContentKind {
        ContentKind::Records(RecordKind::default())
    }
}

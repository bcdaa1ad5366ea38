//! The names of the columns in a table of records.

/// The default name of the column with the record's text.
pub const RECORD_COLUMN: &str = "sgf";

/// The column that has the identifier of the row, unless the user names another one.
pub const ID_COLUMN: &str = "id";

/// The names of the columns that a table of records must or may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowColumns<'a> {
    /// The column that has the text of the record.
    pub record: &'a str,
    /// The column that contains the row's identifier. A table may lack [`ID_COLUMN`], but it must
    /// contain any other column named here.
    pub id: &'a str,
}

impl RowColumns<'_> {
    /// Returns true if the table may be written for jigo, with the columns of [`PART_COLUMNS`].
    pub(crate) fn describe_parts(self) -> bool {
        self == RowColumns::from(RECORD_COLUMN)
    }
}

impl<'a> From<&'a str> for RowColumns<'a> {
    /// Names the column of the text; that of the identifier is [`ID_COLUMN`].
    fn from(record: &'a str) -> RowColumns<'a> {
        RowColumns { record, id: ID_COLUMN }
    }
}

/// The limits on an error message that lists columns: the number of columns and the characters of
/// each name.
const MAX_LISTED_COLUMNS: usize = 10;
const MAX_NAME_CHARACTERS: usize = 40;

/// Returns the error message for a table that lacks a column, with the names of the existing
/// columns.
pub(crate) fn missing_column_message<N: AsRef<str>>(columns: RowColumns<'_>, names: &[N]) -> String {
    let has_record = names.iter().any(|name| name.as_ref() == columns.record);
    let (column, hint) = match has_record {
        true => (columns.id, "--id-column NAME says which one has the identifiers, where it is not id"),
        false => (columns.record, "--column NAME says which one has the records, where it is not sgf"),
    };
    let shorten = |name: &N| name.as_ref().chars().take(MAX_NAME_CHARACTERS).collect();
    let listed: Vec<String> = names.iter().take(MAX_LISTED_COLUMNS).map(shorten).collect();
    let omitted = names.len() - listed.len();
    let omitted = if omitted > 0 { format!(" and {omitted} more") } else { String::new() };
    format!("there is no column {column}, only {}{omitted}: {hint}", listed.join(", "))
}

/// The names of the columns, apart from the identifier, that describe a part of a file.
const PART_COLUMNS: [&str; 6] = ["game", "offset", "line", "state", "last", "fault"];

/// Returns true if a column is read.
///
/// In tables written for jigo, the columns of [`PART_COLUMNS`] describe a part of a file. In other
/// tables, columns with these names have another meaning.
pub(crate) fn is_read_column(name: &str, columns: RowColumns<'_>) -> bool {
    name == columns.record || name == columns.id || columns.describe_parts() && PART_COLUMNS.contains(&name)
}

/// Returns the error message for a row without a text.
pub(crate) fn missing_text_message(columns: RowColumns<'_>, id: Option<&str>) -> String {
    let RowColumns { record, id: column } = columns;
    id.map_or_else(|| format!("{record} is missing"), |id| format!("{record} is missing; {column} is {id}"))
}

//! Rows of records: tables with one file of game records, or a part of one, and its identifier per
//! row.
//!
//! A row with only a text is a whole file. Rows written by `jigo split` also contain the position
//! of the part in its file, so that findings have the same positions as in the whole file.

use serde_json::Value;

use super::file_part::{FilePart, PartState, SourceFault};
use super::json_fields::{bool_field, number_field, parse_fields, text_field};
use super::row_columns::{ID_COLUMN, RowColumns, is_read_column, missing_text_message};

/// A row with its text, not split into games yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordRow {
    /// The identifier of the row, which takes the place of a file name; `None` if the table has no
    /// such column.
    pub id: Option<String>,
    /// The text.
    pub sgf: Vec<u8>,
    /// The position of the text in its file.
    pub part: FilePart,
}

impl RecordRow {
    /// Reads a line of `--input-format jsonl`.
    ///
    /// # Errors
    /// Returns a message with the name of the missing or malformed field.
    pub fn parse(line: &[u8], columns: RowColumns<'_>) -> Result<RecordRow, String> {
        let mut fields = parse_fields(line, |name| is_read_column(name, columns))?;
        let text = text_field(fields.remove(columns.record), columns.record);
        RecordRow::from_fields(|name| fields.remove(name), text.map(|text| text.map(String::into_bytes)), columns)
    }

    /// Returns a row. `text` is the content of the column of records, or the message that it has
    /// another type. `field` returns the field of another column, once.
    ///
    /// # Errors
    /// Returns a message with the name of the missing or malformed field.
    pub(crate) fn from_fields(
        mut field: impl FnMut(&str) -> Option<Value>,
        text: Result<Option<Vec<u8>>, String>,
        columns: RowColumns<'_>,
    ) -> Result<RecordRow, String> {
        let id = identifier(&mut field, columns)?;
        let mut part_field = |name: &str| if columns.describe_parts() { field(name) } else { None };
        let fault = text_field(part_field("fault"), "fault")?.map(|text| SourceFault::parse(&text)).transpose()?;
        let sgf = match text? {
            Some(sgf) => sgf,
            None if fault.is_some() => Vec::new(),
            None => return Err(missing_text_message(columns, id.as_deref())),
        };
        let default_part = FilePart::default();
        let part = FilePart {
            game: number_field(part_field("game"), "game")?.unwrap_or(default_part.game),
            offset: number_field(part_field("offset"), "offset")?.unwrap_or(default_part.offset),
            line: number_field(part_field("line"), "line")?.unwrap_or(default_part.line),
            state: text_field(part_field("state"), "state")?.map(|text| PartState::parse(&text)).transpose()?,
            is_last: bool_field(part_field("last"), "last")?.unwrap_or(default_part.is_last),
            fault,
        };
        Ok(RecordRow { id, sgf, part: part.validate()? })
    }
}

/// The identifier of a row, and the position of its text in its file.
///
/// No two rows of a table have the same key, because `jigo split` gives the parts of a file
/// different positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowKey {
    /// The identifier.
    pub id: String,
    /// The number of the first game, as in [`FilePart`].
    pub game: u64,
    /// The first byte in the file, as in [`FilePart`].
    pub offset: u64,
}

impl RowKey {
    /// Reads the key of a line of `--input-format jsonl` without its text. Returns `None` if the
    /// line has no identifier or is unreadable.
    pub(crate) fn parse(line: &[u8], columns: RowColumns<'_>) -> Option<RowKey> {
        let is_needed = |name: &str| name != columns.record && is_read_column(name, columns);
        let mut fields = parse_fields(line, is_needed).ok()?;
        RowKey::from_fields(|name| fields.remove(name), columns)
    }

    /// Returns the key of a row with these fields. Returns `None` if the row has no identifier or its
    /// position is invalid.
    pub(crate) fn from_fields(mut field: impl FnMut(&str) -> Option<Value>, columns: RowColumns<'_>) -> Option<RowKey> {
        let id = identifier(&mut field, columns).ok()??;
        let mut part_field = |name: &str| if columns.describe_parts() { field(name) } else { None };
        let default_part = FilePart::default();
        let game = number_field(part_field("game"), "game").ok()?.unwrap_or(default_part.game);
        let offset = number_field(part_field("offset"), "offset").ok()?.unwrap_or(default_part.offset);
        Some(RowKey { id, game, offset })
    }
}

/// Returns the identifier of a row; `None` if the table has no such column.
fn identifier(
    field: &mut impl FnMut(&str) -> Option<Value>,
    columns: RowColumns<'_>,
) -> Result<Option<String>, String> {
    let RowColumns { record: column, id: id_column } = columns;
    let id = if id_column == column { None } else { field(id_column) };
    match id {
        None if id_column == ID_COLUMN || id_column == column => Ok(None),
        Some(Value::String(id)) => Ok(Some(id)),
        None | Some(Value::Null) => Err(format!("{id_column} is missing")),
        Some(Value::Array(_) | Value::Object(_)) => Err(format!("{id_column} is neither a text nor a number")),
        Some(other) => Ok(Some(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::rows::row_columns::RECORD_COLUMN;
    use encoding_rs::GBK;
    use jigo_record::finding::Code;
    use jigo_record::splitter::SplitState;

    #[test]
    fn row_without_identifier_or_text_is_an_error() {
        let row = RecordRow::parse(br#"{"sgf":"(;B[aa])","more":[1],"id":7}"#, RECORD_COLUMN.into()).unwrap();
        assert_eq!((row.id.as_deref(), row.sgf.as_slice()), (Some("7"), b"(;B[aa])".as_slice()));
        assert_eq!(row.part, FilePart::default());
        for (line, reason) in [
            (r#"{"id":null,"sgf":""}"#, "id is missing"),
            (r#"{"sgf":null}"#, "sgf is missing"),
            (r#"{"id":"a","sgf":null}"#, "sgf is missing; id is a"),
            (r#"{"id":["a"],"sgf":""}"#, "id is neither a text nor a number"),
            (r#"{"id":"a","sgf":["(;)"]}"#, "sgf is no text"),
            (r#"{"id":"a","sgf":"","game":-1}"#, "game is -1, no whole number"),
            (r#"{"id":"a","sgf":"","game":"1"}"#, "game is no whole number"),
            (r#"{"id":"a","sgf":"","state":"swahili"}"#, "which jigo split does not write"),
            ("[]", "not a JSON object"),
            ("{\"id\":\"a\",\"sgf\":\"", "not a JSON object"),
        ] {
            let error = RecordRow::parse(line.as_bytes(), RECORD_COLUMN.into()).unwrap_err();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }

    #[test]
    fn row_of_a_part_has_its_position() {
        let line = r#"{"id":"a","sgf":"","game":3,"offset":70,"line":5,"state":"charset=GBK lines","last":false,"fault":"I012 cut"}"#;
        let part = RecordRow::parse(line.as_bytes(), RECORD_COLUMN.into()).unwrap().part;
        assert_eq!((part.game, part.offset, part.line, part.is_last), (3, 70, 5, false));
        assert_eq!(part.fault, Some(SourceFault { code: Code::CorruptMember, detail: "cut".into() }));
        let split_state = SplitState { detected_charset: Some(GBK), lines_begin_games: true, ..SplitState::default() };
        assert_eq!(part.state, Some(PartState { split_state, ..PartState::default() }));
    }

    #[test]
    fn named_column_replaces_all_part_columns() {
        let line = br#"{"game":"Ito against Sato","state":"over","record":"(;)","sgf":7}"#;
        let row = RecordRow::parse(line, "record".into()).unwrap();
        assert_eq!((row.id, row.sgf.as_slice(), row.part), (None, b"(;)".as_slice(), FilePart::default()));
        assert_eq!(RecordRow::parse(line, "moves".into()), Err("moves is missing".into()));
    }
}

//! Rows of records: tables with one file of game records, or a part of one, and its identifier per
//! row.
//!
//! A row with only a text is a whole file. Rows written by `jigo split` also contain the position
//! of the part in its file, so that findings have the same positions as in the whole file.

use std::fmt;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use jigo_record::finding::Code;
use jigo_record::splitter::Learned;
use jigo_record::splitter::RecordKind;

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

/// The position of a row's text in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// The number of the first game, from 1.
    pub game: u64,
    /// The first byte in the file, from 0.
    pub offset: u64,
    /// The first line in the file, from 1.
    pub line: u64,
    /// The state that the preceding parts of the file determine; `None` if it is unknown.
    pub state: Option<PartState>,
    /// True for the last part of the file.
    pub is_last: bool,
    /// The reason why the file ends here before its real end.
    pub fault: Option<SourceFault>,
}

/// The reason why a source is not read to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct SourceFault {
    /// The finding code of the fault.
    pub code: Code,
    /// The description of the fault.
    pub detail: String,
}

/// The properties of a file that its beginning determines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartState {
    /// The UTF-16 encoding of the file. The text of the row is already UTF-8.
    pub utf16: Option<&'static Encoding>,
    /// The splitter's state.
    pub learned: Learned,
    /// The format of the file's records, which may not be evident from a part alone.
    pub kind: RecordKind,
}

impl Default for FilePart {
    /// Returns the position of a whole file.
    fn default() -> FilePart {
        FilePart { game: 1, offset: 0, line: 1, state: None, is_last: true, fault: None }
    }
}

impl RecordRow {
    /// Reads a line of `--input-format jsonl`.
    ///
    /// # Errors
    /// Returns a message with the name of the missing or malformed field.
    pub fn parse(line: &[u8], columns: RowColumns<'_>) -> Result<RecordRow, String> {
        let column = columns.record;
        let mut fields = fields(line, |name| is_read(name, columns))?;
        let id = json_id(&mut fields, columns)?;
        let fault = text(&mut fields, "fault")?.map(|text| SourceFault::parse(&text)).transpose()?;
        let sgf = match text(&mut fields, column)? {
            Some(sgf) => sgf.into_bytes(),
            None if fault.is_some() => Vec::new(),
            None => return Err(missing(columns, id.as_deref())),
        };
        let whole = FilePart::default();
        let part = FilePart {
            game: number(&fields, "game")?.unwrap_or(whole.game),
            offset: number(&fields, "offset")?.unwrap_or(whole.offset),
            line: number(&fields, "line")?.unwrap_or(whole.line),
            state: text(&mut fields, "state")?.map(|text| PartState::parse(&text)).transpose()?,
            is_last: flag(&fields, "last")?.unwrap_or(whole.is_last),
            fault,
        };
        Ok(RecordRow { id, sgf, part: part.checked()? })
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
        let is_needed = |name: &str| name != columns.record && is_read(name, columns);
        let mut fields = fields(line, is_needed).ok()?;
        let id = json_id(&mut fields, columns).ok()??;
        let whole = FilePart::default();
        let game = number(&fields, "game").ok()?.unwrap_or(whole.game);
        let offset = number(&fields, "offset").ok()?.unwrap_or(whole.offset);
        Some(RowKey { id, game, offset })
    }
}

/// Reads the fields of a line whose names `is_needed` accepts.
fn fields(line: &[u8], is_needed: impl Fn(&str) -> bool) -> Result<Map<String, Value>, String> {
    let mut line = serde_json::Deserializer::from_slice(line);
    let fields = Fields { is_needed }.deserialize(&mut line).and_then(|fields| line.end().map(|()| fields));
    fields.map_err(|error| format!("not a JSON object: {error}"))
}

/// Takes the identifier from the fields of a row; `None` if the table has no such column.
fn json_id(fields: &mut Map<String, Value>, columns: RowColumns<'_>) -> Result<Option<String>, String> {
    let RowColumns { record: column, id: id_column } = columns;
    let id = if id_column == column { None } else { fields.remove(id_column) };
    match id {
        None if id_column == ID_COLUMN || id_column == column => Ok(None),
        Some(Value::String(id)) => Ok(Some(id)),
        None | Some(Value::Null) => Err(format!("{id_column} is missing")),
        Some(Value::Array(_) | Value::Object(_)) => Err(format!("{id_column} is neither a text nor a number")),
        Some(other) => Ok(Some(other.to_string())),
    }
}

/// The maximum value of a position in a row. Sums with it can't overflow, and every JSON reader
/// represents it exactly.
const LARGEST: u64 = 1 << 53;

impl FilePart {
    /// Returns the part if its numbers are valid.
    ///
    /// # Errors
    /// Returns a message with the name of the invalid number.
    pub(super) fn checked(self) -> Result<FilePart, String> {
        for (name, number, least) in [("game", self.game, 1), ("offset", self.offset, 0), ("line", self.line, 1)] {
            if !(least..=LARGEST).contains(&number) {
                return Err(format!("{name} is {number}; it is a number from {least} to {LARGEST}"));
            }
        }
        Ok(self)
    }
}

/// Returns the error message for a row without a text.
pub(super) fn missing(columns: RowColumns<'_>, id: Option<&str>) -> String {
    let RowColumns { record, id: column } = columns;
    id.map_or_else(|| format!("{record} is missing"), |id| format!("{record} is missing; {column} is {id}"))
}

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

impl<'a> From<&'a str> for RowColumns<'a> {
    /// Names the column of the text; that of the identifier is [`ID_COLUMN`].
    fn from(record: &'a str) -> RowColumns<'a> {
        RowColumns { record, id: ID_COLUMN }
    }
}

/// The names of the columns, apart from the identifier, that describe a part of a file.
const OF_PART: [&str; 6] = ["game", "offset", "line", "state", "last", "fault"];

/// Returns true if a column is read.
///
/// In tables written for jigo, the columns of [`OF_PART`] describe a part of a file. In other
/// tables, columns with these names have another meaning.
pub(super) fn is_read(name: &str, columns: RowColumns<'_>) -> bool {
    let is_part = columns == RowColumns::from(RECORD_COLUMN) && OF_PART.contains(&name);
    name == columns.record || name == columns.id || is_part
}

/// Deserializes the needed fields of a row.
///
/// Other fields are skipped, and so is the content of arrays and objects. As values they would take
/// many times the memory of the line.
struct Fields<F> {
    is_needed: F,
}

impl<'de, F: Fn(&str) -> bool> DeserializeSeed<'de> for Fields<F> {
    type Value = Map<String, Value>;

    fn deserialize<D: Deserializer<'de>>(self, line: D) -> Result<Self::Value, D::Error> {
        line.deserialize_map(self)
    }
}

impl<'de, F: Fn(&str) -> bool> Visitor<'de> for Fields<F> {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut row: A) -> Result<Self::Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = row.next_key::<String>()? {
            if (self.is_needed)(&name) {
                let Scalar(value) = row.next_value()?;
                fields.insert(name, value);
            } else {
                row.next_value::<IgnoredAny>()?;
            }
        }
        Ok(fields)
    }
}

/// A value. The content of an array or object is discarded.
struct Scalar(Value);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Scalar, D::Error> {
        struct OfField;
        impl<'de> Visitor<'de> for OfField {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Scalar, E> {
                Ok(Scalar(Value::Null))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_string<E>(self, value: String) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Scalar, A::Error> {
                while array.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar(Value::Array(Vec::new())))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Scalar, A::Error> {
                while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar(Value::Object(Map::new())))
            }
        }
        value.deserialize_any(OfField)
    }
}

fn text(fields: &mut Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match fields.remove(name) {
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Null) | None => Ok(None),
        Some(_) => Err(format!("{name} is no text")),
    }
}

fn number(fields: &Map<String, Value>, name: &str) -> Result<Option<u64>, String> {
    match fields.get(name) {
        Some(Value::Null) | None => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(|| format!("{name} is no whole number")),
    }
}

fn flag(fields: &Map<String, Value>, name: &str) -> Result<Option<bool>, String> {
    match fields.get(name) {
        Some(Value::Null) | None => Ok(None),
        Some(value) => value.as_bool().map(Some).ok_or_else(|| format!("{name} is neither true nor false")),
    }
}

impl SourceFault {
    /// Returns the fault as text for a cell: the code and the description.
    pub fn text(&self) -> String {
        format!("{} {}", self.code.id(), self.detail)
    }

    /// Parses a text written by [`text`](SourceFault::text).
    ///
    /// # Errors
    /// Fails if the text does not start with a finding code.
    pub fn parse(text: &str) -> Result<SourceFault, String> {
        let (id, detail) = text.split_once(' ').unwrap_or((text, ""));
        match Code::select(id).as_slice() {
            [code] => Ok(SourceFault { code: *code, detail: detail.into() }),
            _ => Err(format!("fault begins with {id:?}, which is no code of a finding")),
        }
    }
}

impl PartState {
    const LINES: &str = "lines";
    const VARIATIONS: &str = "variations";
    const OVERSIZED: &str = "oversized";
    const FIRST: &str = "first=";
    const CHARSET: &str = "charset=";
    const KIND: &str = "kind=";

    /// Returns the state as text for a cell: words separated by spaces, empty for an unknown state.
    pub fn text(&self) -> String {
        let utf16 = self.utf16.map(|encoding| encoding.name().to_owned());
        let kind = (self.kind != RecordKind::default()).then(|| format!("{}{}", PartState::KIND, self.kind.name()));
        let charset = self.learned.detected.map(|encoding| format!("{}{}", PartState::CHARSET, encoding.name()));
        let lines = self.learned.lines_begin_games.then(|| PartState::LINES.to_owned());
        let variations = self.learned.has_variations.then(|| PartState::VARIATIONS.to_owned());
        let oversized = self.learned.in_oversized.then(|| PartState::OVERSIZED.to_owned());
        let neighbour = String::from_utf8_lossy(&self.learned.neighbour);
        let first = (!neighbour.is_empty()).then(|| format!("{}{neighbour}", PartState::FIRST));
        [utf16, kind, charset, lines, variations, oversized, first].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Parses a text written by [`text`](PartState::text).
    ///
    /// # Errors
    /// Fails if a word is unknown.
    pub fn parse(text: &str) -> Result<PartState, String> {
        let mut state = PartState::default();
        for word in text.split_whitespace() {
            let charset = word.strip_prefix(PartState::CHARSET).and_then(|name| Encoding::for_label(name.as_bytes()));
            let kind = word.strip_prefix(PartState::KIND);
            let kind = kind.and_then(|name| RecordKind::all().find(|kind| kind.name() == name));
            match word {
                PartState::LINES => state.learned.lines_begin_games = true,
                PartState::VARIATIONS => state.learned.has_variations = true,
                PartState::OVERSIZED => state.learned.in_oversized = true,
                _ if word == UTF_16LE.name() => state.utf16 = Some(UTF_16LE),
                _ if word == UTF_16BE.name() => state.utf16 = Some(UTF_16BE),
                _ if charset.is_some() => state.learned.detected = charset,
                _ if kind.is_some() => state.kind = kind.unwrap_or_default(),
                _ if word.starts_with(PartState::FIRST) => {
                    state.learned.neighbour = word.as_bytes()[PartState::FIRST.len()..].to_vec();
                }
                _ => return Err(format!("state has the word {word:?}, which jigo split does not write")),
            }
        }
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1252};

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
            (r#"{"id":"a","sgf":"","game":-1}"#, "game is no whole number"),
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
        let learned = Learned { detected: Some(GBK), lines_begin_games: true, ..Learned::default() };
        assert_eq!(part.state, Some(PartState { learned, ..PartState::default() }));
    }

    #[test]
    fn named_column_replaces_all_part_columns() {
        let line = br#"{"game":"Ito against Sato","state":"over","record":"(;)","sgf":7}"#;
        let row = RecordRow::parse(line, "record".into()).unwrap();
        assert_eq!((row.id, row.sgf.as_slice(), row.part), (None, b"(;)".as_slice(), FilePart::default()));
        assert_eq!(RecordRow::parse(line, "moves".into()), Err("moves is missing".into()));
    }

    #[test]
    fn states_and_faults_round_trip_as_text() {
        for detected in [None, Some(GBK), Some(BIG5), Some(SHIFT_JIS), Some(EUC_KR), Some(WINDOWS_1252)] {
            for utf16 in [None, Some(UTF_16LE), Some(UTF_16BE)] {
                for lines_begin_games in [false, true] {
                    let neighbour = if lines_begin_games { b"GM".to_vec() } else { Vec::new() };
                    let (has_variations, in_oversized) = (utf16.is_some(), detected.is_some());
                    let learned = Learned { detected, lines_begin_games, neighbour, has_variations, in_oversized };
                    let kind = RecordKind::all().nth(usize::from(lines_begin_games)).unwrap();
                    let state = PartState { utf16, learned, kind };
                    assert_eq!(PartState::parse(&state.text()), Ok(state));
                }
            }
        }
        let fault = SourceFault { code: Code::ArchiveLimit, detail: "more than 7 files".into() };
        assert_eq!(SourceFault::parse(&fault.text()), Ok(fault));
        assert!(SourceFault::parse("no code").is_err());
    }
}

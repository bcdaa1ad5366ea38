//! Detection of other content by its first bytes: tables of records, and files unrelated to games.

use crate::source::compression::format::ArchiveFormat;
use crate::source::rows::csv_table::CsvColumns;
use crate::source::rows::row_columns::{RECORD_COLUMN, RowColumns};
use jigo_record::sgf::encoding::byte_order_mark::without_mark;

/// The maximum number of first bytes that detection uses.
pub const START_BYTES: usize = 4096;

/// A table of records, one text per row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// One JSON object per line.
    JsonLines,
    /// CSV, with commas, tabs or semicolons.
    Csv(CsvColumns),
    /// An Arrow IPC stream, or a file that wraps one.
    #[cfg(feature = "columnar")]
    Arrow,
    /// Parquet.
    #[cfg(feature = "columnar")]
    Parquet,
}

impl TableFormat {
    /// Returns the table that the name and the first bytes of a text show.
    ///
    /// In a file named as CSV, the first line may be the name of the only column.
    pub fn detect(name: &str, start: &[u8], columns: RowColumns<'_>) -> Option<TableFormat> {
        let single_column = || CsvColumns::find(start, columns).filter(|_| is_named_table(name)).map(TableFormat::Csv);
        TableFormat::detect_from_start(start, columns).or_else(single_column)
    }

    /// Returns the table that the first bytes of a text show.
    pub fn detect_from_start(start: &[u8], columns: RowColumns<'_>) -> Option<TableFormat> {
        let column = columns.record;
        match start {
            #[cfg(feature = "columnar")]
            [b'P', b'A', b'R', b'1', ..] => Some(TableFormat::Parquet),
            // A stream starts with the continuation marker and the length of a message, whose
            // highest byte is 0 for any real message.
            #[cfg(feature = "columnar")]
            [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0, ..] | [0xFF, 0xFF, 0xFF, 0xFF, _, _, _, 0, ..] => {
                Some(TableFormat::Arrow)
            }
            _ if is_json_rows(start, column) => Some(TableFormat::JsonLines),
            _ => {
                let csv = CsvColumns::find(start, columns)?;
                // A single word in the first line may be anything, but it is hardly a coincidence
                // if the user names this column.
                (csv.has_several_columns() || column != RECORD_COLUMN).then_some(TableFormat::Csv(csv))
            }
        }
    }
}

/// Returns true if the name is that of a CSV table.
pub(super) fn is_named_table(name: &str) -> bool {
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    ["csv", "tsv"].iter().any(|table_suffix| suffix.eq_ignore_ascii_case(table_suffix))
}

#[cfg(feature = "columnar")]
impl TableFormat {
    /// Returns true if the table arrives in record batches, not as text.
    pub(crate) fn is_columnar(self) -> bool {
        matches!(self, TableFormat::Arrow | TableFormat::Parquet)
    }
}

/// Returns true if a text starts with JSON objects of which one contains the record column, or may
/// contain it after the first bytes.
fn is_json_rows(start: &[u8], column: &str) -> bool {
    let start = trim_json_start(start);
    if !matches!(start, [b'{', rest @ ..] if matches!(rest.trim_ascii_start(), [b'"', ..]))
        || is_sarif(start)
        || start.starts_with(MERGE_START)
    {
        return false;
    }
    let is_whole = start.contains(&b'\n') || start.len() < START_BYTES / 2;
    has_field(start, column.as_bytes()) || !is_whole
}

/// Returns true if a JSON text starts like SARIF. The single line of such a file is longer than the
/// first bytes.
fn is_sarif(text: &[u8]) -> bool {
    has_field(&text[..text.len().min(200)], b"$schema") && memchr::memmem::find(text, b"sarif").is_some()
}

/// The message for a table that jigo wrote.
pub(super) const OWN_TABLE_MESSAGE: &str =
    "this looks like a table that jigo wrote: name the records that it was made of";

/// The first columns of the tables that jigo writes.
const OWN_COLUMNS: [[&str; 2]; 3] = [["file", "game"], ["id", "game"], ["cluster", "class"]];

/// Returns true if a table has the first columns of one of jigo's own tables.
#[cfg(feature = "columnar")]
pub(super) fn has_own_columns<'c>(names: impl Iterator<Item = &'c str>) -> bool {
    let first: Vec<&str> = names.take(2).collect();
    OWN_COLUMNS.iter().any(|own| first == own)
}

/// The start of the file that `jigo merge` reads, a single line.
const MERGE_START: &[u8] = b"{\"build\":\"jigo ";

/// Returns true if a text is one of jigo's own tables.
///
/// A CSV table of jigo has these first columns and no cell that starts a record. In JSON, the first
/// column is the first field and `game` is a number.
fn is_own_table(text: &[u8]) -> bool {
    let starts_with = |prefix: String| text.starts_with(prefix.as_bytes());
    text.starts_with(MERGE_START)
        || OWN_COLUMNS.iter().any(|[first, second]| {
            let is_csv = starts_with(format!("{first},{second},"));
            let is_json = starts_with(format!("{{\"{first}\":"));
            (is_csv && memchr::memmem::find(text, b"\"(;").is_none()) || (is_json && has_numbered_game(text))
        })
}

/// Returns true if a JSON text has a field `game` with a number.
fn has_numbered_game(text: &[u8]) -> bool {
    let name = b"\"game\":";
    memchr::memmem::find_iter(text, name)
        .any(|offset| text[offset + name.len()..].trim_ascii_start().first().is_some_and(u8::is_ascii_digit))
}

fn trim_json_start(start: &[u8]) -> &[u8] {
    without_mark(start).trim_ascii_start()
}

/// Returns true if a JSON text contains a field with this name.
fn has_field(text: &[u8], name: &[u8]) -> bool {
    let quoted = [b"\"", name, b"\""].concat();
    memchr::memmem::find_iter(text, &quoted)
        .any(|offset| text[offset + quoted.len()..].trim_ascii_start().first() == Some(&b':'))
}

/// Returns true if a text begins with this signature, in letters of any case.
fn begins_with(text: &[u8], signature: &[u8]) -> bool {
    text.get(..signature.len()).is_some_and(|prefix| prefix.eq_ignore_ascii_case(signature))
}

/// Returns a sentence about a file of any name that contains something else: a pointer of Git LFS,
/// or a web page, such as the error page of a download.
pub fn replaced_content_message(start: &[u8]) -> Option<&'static str> {
    let starts_with = |signature: &[u8]| begins_with(trim_json_start(start), signature);
    if starts_with(b"version https://git-lfs.github.com/spec/") {
        return Some("this is a pointer of Git LFS: git lfs pull fetches the file");
    }
    (starts_with(b"<!DOCTYPE html") || starts_with(b"<html"))
        .then_some("this looks like a web page: save the record that it shows, not the page")
}

/// Returns a sentence about a text without records: what it looks like and what to do with it.
///
/// `has_game_name` is true if the name is that of a game file. Then only signatures count that no
/// text starts with.
pub fn foreign_content_message(start: &[u8], has_game_name: bool) -> Option<&'static str> {
    if let Some((_, sentence)) = BINARY_SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature)) {
        return Some(sentence);
    }
    if ArchiveFormat::from_start(start).is_some() {
        return Some("this is compressed; rename it with the ending of an archive, such as .zip or .gz");
    }
    // A web page may contain a record.
    if has_game_name {
        return None;
    }
    if let Some(sentence) = replaced_content_message(start) {
        return Some(sentence);
    }
    let text = trim_json_start(start);
    match text {
        _ if is_own_table(text) => Some(OWN_TABLE_MESSAGE),
        [b'{', ..] if is_sarif(text) => Some("this looks like SARIF, which holds findings and no game record"),
        [b'{', ..] if has_field(text, b"jigo_baseline") => Some(
            "this looks like a file of known findings: --baseline FILE takes it, and the games are named beside it",
        ),
        [b'{', ..] if has_field(text, b"board") => {
            Some("this looks like bare positions, which are read by jigo score --input-format positions")
        }
        [b'{', rest @ ..] if matches!(rest.trim_ascii_start(), [b'"' | b'}', ..]) => {
            Some("this looks like JSON without the field sgf: --column names the field that has the records")
        }
        [b'[', rest @ ..] if rest.trim_ascii_start().first() == Some(&b'{') => Some(
            "this looks like an array of JSON: rows of records are objects, one a line, with the fields id and sgf",
        ),
        _ if begins_with(text, b"<?xml") => Some("this looks like XML, which holds no game record that is read"),
        _ if begins_with(text, b"{\\rtf") => Some("this looks like RTF: save it as plain text"),
        _ => None,
    }
}

/// The signatures of binary files, which no text starts with, and their messages.
const BINARY_SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n", "this looks like a PNG picture, which holds no game record"),
    (b"\xFF\xD8\xFF", "this looks like a JPEG picture, which holds no game record"),
    (b"GIF87a", "this looks like a GIF picture, which holds no game record"),
    (b"GIF89a", "this looks like a GIF picture, which holds no game record"),
    (b"RIFF", "this looks like a picture, sound or film, which holds no game record"),
    (b"%PDF-", "this looks like a PDF: the records have to come as text"),
    (b"\x7FELF", "this looks like a program (ELF), which holds no game record"),
    (b"MZ\x90\0", "this looks like a program for Windows, which holds no game record"),
    (b"\xCA\xFE\xBA\xBE", "this looks like a program, which holds no game record"),
    (b"\xD0\xCF\x11\xE0", "this looks like a document of Microsoft Office: save it as plain text"),
    (
        b"SQLite format 3\0",
        "this looks like a database of SQLite: write its records to JSON lines with the fields id and sgf",
    ),
    (b"Rar!\x1A\x07", "this looks like a RAR archive, which is not unpacked here: unpack it first"),
    (b"MSCF", "this looks like a CAB archive, which is not unpacked here: unpack it first"),
    (b"LZIP", "this looks packed by lzip, which is not unpacked here: unpack it first"),
    (b"\x04\x22\x4D\x18", "this looks packed by lz4, which is not unpacked here: unpack it first"),
    (b"\x1F\x9D", "this looks packed by compress, which is not unpacked here: unpack it first"),
    (b"!<arch>\n", "this looks like an archive of ar, which is not unpacked here: unpack it first"),
    (b"Obj\x01", "this looks like Avro: write its records to Parquet or JSON lines with the fields id and sgf"),
    (b"ORC", "this looks like ORC: write its records to Parquet or JSON lines with the fields id and sgf"),
    (b"\x93NUMPY", "this looks like an array of NumPy, which holds no game record"),
    (b"\x89HDF\r\n", "this looks like HDF5: write its records to Parquet or JSON lines with the fields id and sgf"),
    (b"PAR1", PARQUET_MESSAGE),
    (b"ARROW1\0\0", ARROW_MESSAGE),
];

#[cfg(feature = "columnar")]
const PARQUET_MESSAGE: &str = "this looks like Parquet, which is read from a file that is not packed and not named as a record: unpack or rename it";
#[cfg(feature = "columnar")]
const ARROW_MESSAGE: &str = "this looks like an Arrow file, which is read where it is not packed and not named as a record: unpack or rename it";
#[cfg(not(feature = "columnar"))]
const PARQUET_MESSAGE: &str =
    "this looks like Parquet, which this jigo was built without: build it with --features columnar";
#[cfg(not(feature = "columnar"))]
const ARROW_MESSAGE: &str =
    "this looks like an Arrow file, which this jigo was built without: build it with --features columnar";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_rows_are_detected_by_their_fields() {
        let sarif = format!("{{\"$schema\":\"sarif-2.1.0.json\",\"runs\":\"{}", "x".repeat(START_BYTES));
        let long = format!("{{\"id\":\"{}", "x".repeat(START_BYTES));
        for (text, is_table) in [
            ("{\"id\":1,\"sgf\":\"(;)\"}\n", true),
            ("\u{FEFF}\n { \"a\": [], \"sgf\" : \"(;)\"}", true),
            (long.as_str(), true),
            ("{\"id\":1}\n{\"id\":2,\"sgf\":\"(;)\"}\n", true),
            ("{\"id\":1,\"text\":\"the word \\\"sgf\\\" in it\"}\n", false),
            ("{\n  \"name\": \"package\"\n}", false),
            ("{\\rtf1", false),
            (sarif.as_str(), false),
            ("[{\"sgf\":\"\"}]", false),
            ("(;C[{\"sgf\":1}])", false),
            ("", false),
        ] {
            let expected = is_table.then_some(TableFormat::JsonLines);
            assert_eq!(
                TableFormat::detect_from_start(text.as_bytes(), RECORD_COLUMN.into()),
                expected,
                "{}",
                &text[..text.len().min(60)]
            );
        }
    }

    #[test]
    fn json_rows_are_detected_by_the_named_column() {
        let of_start = |text: &str, column: &str| TableFormat::detect_from_start(text.as_bytes(), column.into());
        let is_csv = |detected| matches!(detected, Some(TableFormat::Csv(_)));
        assert_eq!(of_start("{\"record\":\"(;)\"}\n", "record"), Some(TableFormat::JsonLines));
        assert!(is_csv(of_start("id,sgf\n1,(;)\n", "sgf")) && is_csv(of_start("moves\n;B[aa]\n", "moves")));
        for (text, column) in [("sgf\n(;)\n", "sgf"), ("id,sgf\n1,(;)\n", "record"), ("(;GM[1]C[id,sgf])", "sgf")] {
            assert_eq!(of_start(text, column), None, "{text}");
        }
    }

    #[test]
    fn foreign_content_is_named() {
        for (start, has_game_name, word) in [
            (&b"\x89PNG\r\n\x1A\n"[..], true, Some("PNG")),
            (b"\x1F\x8B\x08\0", true, Some("ending of an archive")),
            (b"%PDF-1.7", false, Some("PDF")),
            (b"{\"board\": [\"x.\"]}", false, Some("--input-format positions")),
            (b"file,game,offset,line\na.sgf,1,0,1\n", false, Some("a table that jigo wrote")),
            (b"{\"id\":7,\"game\":1,\"code\":\"K001\"}\n", false, Some("a table that jigo wrote")),
            (b"{\"id\":\"a\",\"game\":\"(;GM[1];B[aa])\"}\n", false, Some("--column")),
            (b"{\"$schema\":\"https://example.org/sarif-2.1.0.json\",\"runs\":[", false, Some("SARIF")),
            (b"{\"jigo_baseline\":1}\n", false, Some("--baseline FILE")),
            (b"id,game,black\n1,\"(;GM[1];B[aa])\",x\n", false, None),
            (b"file,games\n", false, None),
            (b"file,game,offset\n", true, None),
            (b"{\n \"name\": 1}", false, Some("field sgf")),
            (b" <HTML><body>", false, Some("web page")),
            (b"<html>", true, None),
            (b"dear all", false, None),
            (b"(;GM[1])", false, None),
            (b"", false, None),
        ] {
            let message = foreign_content_message(start, has_game_name);
            assert_eq!(message.is_some(), word.is_some(), "{message:?}");
            assert!(message.unwrap_or_default().contains(word.unwrap_or_default()), "{message:?}");
        }
    }
}

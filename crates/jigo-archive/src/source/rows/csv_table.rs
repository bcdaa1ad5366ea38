//! Rows of records in CSV: the columns named in the first line, and the cells of a row.

use jigo_record::sgf::encoding::byte_order_mark::without_mark;
use std::borrow::Cow;
use std::io::Read;

use csv::{ByteRecord, ReaderBuilder};
use serde_json::Value;

use super::row::{RecordRow, RowKey};
use super::row_columns::{ID_COLUMN, RowColumns};
use jigo_record::sgf::encoding::utf16::{Transcoder, utf16};
use jigo_record::splitter::Unit;

/// The supported delimiters.
const DELIMITERS: [u8; 3] = [b',', b'\t', b';'];

/// The buffer size of the reader of a row in bytes. A short row needs less.
const MAX_BUFFER_BYTES: usize = 8 << 10;

/// The positions of the columns that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvColumns {
    delimiter: u8,
    /// The number of columns in the table.
    count: u16,
    id: Option<u16>,
    record: u16,
}

impl CsvColumns {
    /// Finds the columns in the first bytes of a table. Returns `None` if a required column is
    /// missing.
    pub fn find(start: &[u8], columns: RowColumns<'_>) -> Option<CsvColumns> {
        let RowColumns { record: column, id: id_column } = columns;
        let start = utf8(start);
        if !may_contain_cell(&start, column) {
            return None;
        }
        DELIMITERS.into_iter().find_map(|delimiter| {
            let names = parse_cells(&start, delimiter)?;
            let column_index = |name: &str| {
                let column_index = names.iter().position(|cell| cell.trim_ascii() == name.as_bytes());
                column_index.and_then(|column_index| u16::try_from(column_index).ok())
            };
            let count = u16::try_from(names.len()).ok()?;
            let id = column_index(id_column).filter(|_| column != id_column);
            let is_complete = id.is_some() || id_column == ID_COLUMN || column == id_column;
            is_complete.then_some(CsvColumns { delimiter, count, id, record: column_index(column)? })
        })
    }

    /// Returns true if the table has more than one column. A text whose first line is one word may
    /// be something else.
    pub fn has_several_columns(self) -> bool {
        self.count > 1
    }

    /// Returns the unit that the splitter divides the table into.
    pub fn unit(self) -> Unit {
        Unit::CsvRow { delimiter: self.delimiter, columns: self.count }
    }

    /// Returns true if the table has a column with identifiers.
    pub fn has_id(self) -> bool {
        self.id.is_some()
    }

    /// Returns the key of a row, or `None` if the row has no identifier.
    pub(crate) fn key(self, row: &[u8], columns: RowColumns<'_>) -> Option<RowKey> {
        let cells = parse_cells(row, self.delimiter)?;
        RowKey::from_fields(|name| self.field(&cells, name, columns), columns)
    }

    /// Parses a row.
    ///
    /// # Errors
    /// Returns a message with the name of the empty column.
    pub fn row(self, row: &[u8], columns: RowColumns<'_>) -> Result<RecordRow, String> {
        let cells = parse_cells(row, self.delimiter).unwrap_or_default();
        let text = cell(&cells, self.record).map(<[u8]>::to_vec);
        RecordRow::from_fields(|name| self.field(&cells, name, columns), Ok(text), columns)
    }

    /// Returns a field of a row. Only the column with identifiers is read.
    fn field(self, cells: &ByteRecord, name: &str, columns: RowColumns<'_>) -> Option<Value> {
        let index = self.id.filter(|_| name == columns.id)?;
        Some(cell(cells, index).map(|id| String::from_utf8_lossy(id).trim().to_owned()).into())
    }
}

/// Returns a cell of a row, unless it is blank.
fn cell(cells: &ByteRecord, index: u16) -> Option<&[u8]> {
    cells.get(usize::from(index)).filter(|cell| !cell.trim_ascii().is_empty())
}

/// Returns the delimiter that gives the most columns in the first bytes of a table.
pub(crate) fn delimiter(start: &[u8]) -> u8 {
    let columns = |delimiter: &u8| parse_cells(start, *delimiter).map_or(0, |row| row.len());
    // Of several, the first.
    DELIMITERS.into_iter().rev().max_by_key(columns).unwrap_or(b',')
}

/// Returns the column names in the first bytes of a table.
pub(crate) fn column_names(start: &[u8]) -> Vec<String> {
    let start = utf8(start);
    let row = parse_cells(&start, delimiter(&start)).unwrap_or_default();
    row.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()).into_owned()).collect()
}

/// Returns the first bytes of a text without its byte order mark, converted from UTF-16 to UTF-8 if
/// necessary.
fn utf8(start: &[u8]) -> Cow<'_, [u8]> {
    let Some(encoding) = utf16(start) else {
        return Cow::Borrowed(without_mark(start));
    };
    let mut text = Vec::new();
    // Reading from memory can't fail.
    let _ = Transcoder::new(start, encoding).read_to_end(&mut text);
    Cow::Owned(without_mark(&text).to_vec())
}

/// Returns true if a cell of the text may be equal to `column`.
///
/// Most texts are records, and this search is a hundred times as fast as parsing rows.
fn may_contain_cell(text: &[u8], column: &str) -> bool {
    // Quotes are doubled in quoted cells, so a search would miss the name.
    column.contains('"') || memchr::memmem::find(text, column.as_bytes()).is_some()
}

/// Returns the cells of the first row.
pub(crate) fn parse_cells(row: &[u8], delimiter: u8) -> Option<ByteRecord> {
    let mut cells = ByteRecord::new();
    let mut reader = ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(delimiter).buffer_capacity(row.len().min(MAX_BUFFER_BYTES));
    let mut reader = reader.from_reader(row);
    // Reading bytes from memory can't fail.
    reader.read_byte_record(&mut cells).ok().filter(|has_row| *has_row)?;
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::sgf::Limits;
    use jigo_record::splitter::{Piece, Splitter};

    #[test]
    fn first_line_names_the_columns() {
        for (start, column, expected) in [
            ("id,sgf\n", "sgf", Some((b',', 2, Some(0), 1))),
            ("\u{FEFF}\"sgf\";\"a;b\"; id \r\n1", "sgf", Some((b';', 3, Some(2), 0))),
            ("a\trecord\n", "record", Some((b'\t', 2, None, 1))),
            ("sgf\n(;)", "sgf", Some((b',', 1, None, 0))),
            ("id,sgf\n", "record", None),
            ("id,\"a \"\"b\"\"\"\n", "a \"b\"", Some((b',', 2, Some(0), 1))),
            ("", "sgf", None),
        ] {
            let found = CsvColumns::find(start.as_bytes(), column.into());
            let found = found.map(|columns| (columns.delimiter, columns.count, columns.id, columns.record));
            assert_eq!(found, expected, "{start:?}");
        }
        let utf16: Vec<u8> = "\u{FEFF}id\tsgf\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(CsvColumns::find(&utf16, "sgf".into()).is_some());
        assert_eq!(column_names(&utf16), ["id", "sgf"]);
        assert_eq!(column_names(b"\xEF\xBB\xBF\"a,b\"; moves ;c\n1;2;3\n"), ["a,b", "moves", "c"]);
    }

    /// Compares two ways to the same cells: the splitter's rows one by one, and the csv crate over
    /// the whole table.
    #[test]
    fn rows_end_where_the_csv_crate_ends_them() {
        let letters = [b'"', b'"', b',', b'\n', b'\r', b'a', b' '];
        let mut state = 7_u32;
        let mut compared = 0;
        for _ in 0..20_000 {
            let text: Vec<u8> = (0..14)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    letters[(state >> 16) as usize % letters.len()]
                })
                .collect();
            let mut splitter = Splitter::new(Unit::CsvRow { delimiter: b',', columns: 2 }, Limits::default());
            let (mut rows, mut is_valid) = (Vec::new(), true);
            splitter.split(&text, true, |piece| {
                if let Piece::Game(range, close, _) = piece {
                    is_valid &= close == jigo_record::splitter::Close::Parenthesis;
                    rows.extend(parse_cells(&text[range], b','));
                }
            });
            let mut reader = ReaderBuilder::new();
            let mut reader = reader.has_headers(false).flexible(true).from_reader(text.as_slice());
            let expected: Vec<ByteRecord> = reader.byte_records().map(Result::unwrap).collect();
            // The splitter ignores rows of white space.
            let is_row = |row: &ByteRecord| row.len() > 1 || row.iter().any(|cell| !cell.trim_ascii().is_empty());
            if is_valid {
                compared += 1;
                rows.retain(is_row);
                let expected: Vec<ByteRecord> = expected.into_iter().filter(is_row).collect();
                assert_eq!(rows, expected, "{:?}", String::from_utf8_lossy(&text));
            }
        }
        assert!(compared > 10_000, "{compared}");
    }
}

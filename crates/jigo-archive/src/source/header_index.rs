//! The index of a list of moves: a table with the header of each game.

use jigo_record::sgf::encoding::byte_order_mark::without_mark;
use std::borrow::Cow;
use std::fs;
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder, Trim};

use jigo_record::Date;
use jigo_record::sgf::charset::decide_for_lines;
use jigo_record::splitter::Index;
use jigo_record::splitter::index::TooLarge;

/// The reason why an index can't be used.
#[derive(Debug, thiserror::Error)]
pub enum HeaderIndexError {
    /// The file can't be read.
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    /// The file is not a text table.
    #[error("{0}")]
    InvalidTable(#[from] csv::Error),
    /// The columns are unknown.
    #[error(
        "the first line names no columns that are known (id, and black, white, black_rank, white_rank, komi, handicap, size, rules, result, date, event, place, source, or SGF properties), and it is no index of Tygem or TOM games"
    )]
    UnknownColumns,
    /// The index exceeds the size limit.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// The maximum number of games to reserve memory for. More lines may follow, and lines may be
/// empty.
const MAX_RESERVED: usize = 1 << 20;

/// The meaning of the columns of an index.
enum HeaderColumns {
    /// The column of the identifier, and the property of each other known column. Columns of the
    /// same property follow each other.
    Named(usize, Vec<(usize, &'static str)>),
    /// The columns of a collection whose index has no column names.
    Collection(&'static Collection),
}

/// A collection whose index has no column names.
struct Collection {
    /// The columns and their properties. If a property has two columns, they follow each other, and
    /// the first non-empty one counts.
    columns: &'static [(usize, &'static str)],
    /// Properties with the same value in all games.
    constants: &'static [(&'static str, &'static str)],
    /// Returns true if a row has the form of this collection. The time has already been joined to
    /// its date.
    is_row: fn(&[Cow<str>]) -> bool,
}

/// The collections of computer-go-dataset, in the columns of its description.
///
/// - Tygem: identifier, date, White, White in English, nation, Black, Black in English, nation,
///   result, turns, clock.
/// - TOM: identifier, date, White, Black, komi, result, turns, clock.
const COLLECTIONS: [Collection; 2] = [
    Collection {
        columns: &[(1, "DT"), (2, "PW"), (3, "PW"), (5, "PB"), (6, "PB"), (8, "RE")],
        constants: &[("KM", "6.5"), ("WR", "9d"), ("BR", "9d"), ("RU", "Korean"), ("PC", "Tygem")],
        is_row: |row| row.len() >= 9 && is_nation(&row[4]) && is_nation(&row[7]) && is_result(&row[8]),
    },
    Collection {
        columns: &[(1, "DT"), (2, "PW"), (3, "PB"), (4, "KM"), (5, "RE")],
        constants: &[("WR", "9d"), ("BR", "9d"), ("PC", "TOM")],
        is_row: |row| row.len() >= 6 && row[4].parse::<f32>().is_ok() && is_result(&row[5]),
    },
];

fn is_nation(text: &str) -> bool {
    matches!(text.as_bytes(), [b'0'..=b'9'])
}

fn is_result(text: &str) -> bool {
    text.starts_with("B+") || text.starts_with("W+") || matches!(text, "0" | "Draw" | "Void" | "?")
}

/// Reads an index that starts with its column names, or that belongs to a known collection. Tabs,
/// commas or spaces separate columns.
///
/// # Errors
/// Fails if the index can't be read or its columns are unknown.
pub fn read_header_index(path: &Path) -> Result<Index, HeaderIndexError> {
    parse(&fs::read(path)?)
}

fn parse(bytes: &[u8]) -> Result<Index, HeaderIndexError> {
    let bytes = without_mark(bytes);
    let lines = memchr::memchr_iter(b'\n', bytes).count();
    let mut index = Index::with_capacity(lines.min(MAX_RESERVED));
    let mut columns = None;
    let mut detected = None;
    let mut add = |row: &ByteRecord| -> Result<(), HeaderIndexError> {
        let charset = decide_for_lines(row.as_slice(), None, &mut detected);
        let row: Vec<Cow<str>> = row.iter().map(|cell| charset.encoding.decode_without_bom_handling(cell).0).collect();
        match &columns {
            None => {
                let (header_columns, is_row) = detect_columns(&row).ok_or(HeaderIndexError::UnknownColumns)?;
                if is_row {
                    add_row(&mut index, &header_columns, row)?;
                }
                columns = Some(header_columns);
                Ok(())
            }
            Some(columns) => add_row(&mut index, columns, row),
        }
    };
    for_each_row(bytes, &mut add)?;
    Ok(index)
}

/// Calls `add` with the cells of each row. Tabs or commas separate cells if the first line contains
/// any, and spaces otherwise.
fn for_each_row(
    bytes: &[u8],
    add: &mut impl FnMut(&ByteRecord) -> Result<(), HeaderIndexError>,
) -> Result<(), HeaderIndexError> {
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if first.contains(&b'\t') || first.contains(&b',') {
        let is_tabs = first.contains(&b'\t');
        let mut reader = ReaderBuilder::new();
        reader
            .has_headers(false)
            .flexible(true)
            .delimiter(if is_tabs { b'\t' } else { b',' })
            .quoting(!is_tabs)
            .trim(Trim::All);
        let mut reader = reader.from_reader(bytes);
        let mut row = ByteRecord::new();
        while reader.read_byte_record(&mut row)? {
            add(&row)?;
        }
        return Ok(());
    }
    for line in bytes.split(|byte| *byte == b'\n') {
        let cells = line.split(u8::is_ascii_whitespace).filter(|cell| !cell.is_empty());
        let row: ByteRecord = cells.collect();
        if !row.is_empty() {
            add(&row)?;
        }
    }
    Ok(())
}

/// Detects the columns from the first row. Also returns true if the first row is a game, not a row
/// of names.
fn detect_columns(first: &[Cow<str>]) -> Option<(HeaderColumns, bool)> {
    let joined = join_time(first.to_vec());
    if let Some(collection) = COLLECTIONS.iter().find(|collection| (collection.is_row)(&joined)) {
        return Some((HeaderColumns::Collection(collection), true));
    }
    let is_id = |name: &Cow<str>| matches!(name.to_lowercase().as_str(), "id" | "game_id" | "gameid");
    let id = first.iter().position(is_id).unwrap_or(0);
    let columns = first.iter().enumerate().filter(|(column, _)| *column != id);
    let mut properties: Vec<_> = columns.filter_map(|(column, name)| Some((column, Index::property(name)?))).collect();
    let order: Vec<&str> = properties.iter().map(|(_, property)| *property).collect();
    properties.sort_by_key(|(_, property)| order.iter().position(|name| name == property));
    (!properties.is_empty()).then_some((HeaderColumns::Named(id, properties), false))
}

/// Joins a time in the third column to the date in the second one.
fn join_time(mut row: Vec<Cow<str>>) -> Vec<Cow<str>> {
    if row.len() > 2 && row[2].contains(':') && !row[1].contains(':') {
        let time = row.remove(2);
        row[1] = Cow::Owned(format!("{} {time}", row[1]));
    }
    row
}

fn add_row(index: &mut Index, columns: &HeaderColumns, row: Vec<Cow<str>>) -> Result<(), HeaderIndexError> {
    let (id, columns, constants, row) = match columns {
        HeaderColumns::Named(id, columns) => (*id, columns.as_slice(), &[][..], row),
        HeaderColumns::Collection(collection) => (0, collection.columns, collection.constants, join_time(row)),
    };
    let Some(name) = row.get(id).filter(|id| !id.is_empty()) else { return Ok(()) };
    let mut header: Vec<(&'static str, Cow<str>)> = Vec::with_capacity(columns.len());
    for (column, property) in columns {
        let cell = row.get(*column).map_or("", |cell| cell);
        let is_filled = || header.last().is_some_and(|(name, _)| name == property);
        if !cell.is_empty() && !is_filled() {
            let is_free_text = *property == "DT" && !Date::is_standard_date(cell);
            let date = is_free_text.then(|| Date::find(cell)).flatten();
            header.push((property, date.map_or(Cow::Borrowed(cell), |date| Cow::Owned(date.iso()))));
        }
    }
    let header = header.iter().map(|(property, value)| (*property, value.as_ref()));
    Ok(index.add(name, header.chain(constants.iter().copied()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str, id: &str) -> String {
        parse(text.as_bytes())
            .unwrap()
            .header(id)
            .map_or("-".into(), |header| String::from_utf8_lossy(header).into_owned())
    }

    #[test]
    fn column_names_select_the_properties() {
        let text = "game,id,Black,WHITE,KM,unknown,date\nx,7,\"Ito, K.\",Sato,6.5,?,[2005.11.02 10:33]\ny,8,b]c,,,,\n";
        assert_eq!(header(text, "7"), "PB[Ito, K.]PW[Sato]KM[6.5]DT[2005-11-02]SZ[19]");
        assert_eq!(header(text, "8"), "PB[b\\]c]SZ[19]");
        assert_eq!(header(text, "9"), "-");
        assert_eq!(header("id\tsize\n7\t9\n7\t13\n", "7"), "SZ[9]");
        let repeated = "id,komi,size,KM\n7,,9,6.5\n8,5.5,9,6.5\n";
        assert_eq!((header(repeated, "7").as_str(), header(repeated, "8").as_str()), ("KM[6.5]SZ[9]", "KM[5.5]SZ[9]"));
    }

    #[test]
    fn known_collections_need_no_column_names() {
        let tygem = "PW[w]PB[b]RE[B+Resign]KM[6.5]WR[9d]BR[9d]RU[Korean]PC[Tygem]SZ[19]";
        for (tabs, id) in [
            ("7\t2005.11.02 10:33\tw\twe\t2\tb\tbe\t2\tB+Resign\t111\t3/20\n", "7"),
            ("8 [2005.11.02 10:33] w we 2 b be 2 B+Resign 111 3 20\n", "8"),
        ] {
            assert_eq!(header(tabs, id), format!("DT[2005-11-02]{tygem}"));
        }
        let tom = "7\t2005.11.02 10:33\tw\tb\t7.5\tW+0.5\t111\t20\n";
        assert_eq!(header(tom, "7"), "DT[2005-11-02]PW[w]PB[b]KM[7.5]RE[W+0.5]WR[9d]BR[9d]PC[TOM]SZ[19]");
    }

    #[test]
    fn table_without_known_columns_is_rejected() {
        for text in ["", "a,b,c\n1,2,3\n", "17\t;B[dd]\n"] {
            assert_eq!(parse(text.as_bytes()).is_ok(), text.is_empty(), "{text:?}");
        }
    }
}

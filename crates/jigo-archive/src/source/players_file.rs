//! The list of players by name: a CSV table with the columns `id` and `name`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder, Trim};

use jigo_record::{NameConflict, PlayerList};
use jigo_rules::board::fnv1a;

/// The largest file in bytes, for about two million names.
const MAX_BYTES: u64 = 64 << 20;
/// The names of the columns.
const COLUMNS: [&str; 2] = ["id", "name"];

/// The reason why a list of players can't be used. Lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum PlayersFileError {
    /// The file can't be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// The file is not a text table.
    #[error("{0}")]
    InvalidTable(#[from] csv::Error),
    /// The file is larger than 64 MiB.
    #[error("it is larger than 64M; list only players of the archive")]
    TooLarge,
    /// A line is not UTF-8.
    #[error("line {0} is not UTF-8; save the list as UTF-8 (spreadsheets call it CSV UTF-8)")]
    NotUtf8(u64),
    /// The first line lacks a column, or has it twice.
    #[error("line 1 needs one column {0}; begin the list with the line id,name")]
    MissingColumn(&'static str),
    /// A cell is empty.
    #[error("line {0} has no {1}; fill it in or remove the line")]
    EmptyCell(u64, &'static str),
    /// A name belongs to two players.
    #[error("line {0}: {1}; remove one of the lines, or use one id")]
    Conflict(u64, NameConflict),
}

/// Reads a list of players. Commas, semicolons or tabs separate its columns.
///
/// # Errors
/// See [`PlayersFileError`].
pub fn read_player_list(path: &Path) -> Result<PlayerList, PlayersFileError> {
    let bytes = read_bytes(path)?;
    parse(&bytes, PlayerList::with_text_hash(fnv1a(&bytes)))
}

/// Reads a list of events or places, as [`read_player_list`] reads players.
///
/// # Errors
/// See [`PlayersFileError`].
pub fn read_name_list(path: &Path) -> Result<PlayerList, PlayersFileError> {
    parse(&read_bytes(path)?, PlayerList::default().of_events())
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Adds the rows of a text to an empty list.
fn parse(bytes: &[u8], mut players: PlayerList) -> Result<PlayerList, PlayersFileError> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(PlayersFileError::TooLarge);
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let first_line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let delimiter = [b',', b'\t', b';'].into_iter().find(|delimiter| first_line.contains(delimiter)).unwrap_or(b',');
    let mut reader = ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(delimiter).trim(Trim::All);
    let mut reader = reader.from_reader(text);
    let (mut row, mut columns) = (ByteRecord::new(), None);
    while reader.read_byte_record(&mut row)? {
        let line = row.position().map_or(1, |position| line_of_row(position, text));
        let cells: Vec<&str> =
            row.iter().map(str::from_utf8).collect::<Result<_, _>>().map_err(|_| PlayersFileError::NotUtf8(line))?;
        match columns {
            None => columns = Some(find_columns(&cells)?),
            Some(columns) => add_row(&mut players, columns, &cells, line)?,
        }
    }
    columns.ok_or(PlayersFileError::MissingColumn(COLUMNS[0]))?;
    players.add_ids();
    Ok(players)
}

/// Returns the line of a row. Its position is that of the empty lines before it.
fn line_of_row(position: &csv::Position, text: &[u8]) -> u64 {
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX).min(text.len());
    let before = text[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    position.line() + before.filter(|byte| **byte == b'\n').count() as u64
}

/// Returns the places of the columns in the first line.
fn find_columns(names: &[&str]) -> Result<[usize; 2], PlayersFileError> {
    let find = |column: &'static str| {
        let mut places = (0..names.len()).filter(|place| names[*place].eq_ignore_ascii_case(column));
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            _ => Err(PlayersFileError::MissingColumn(column)),
        }
    };
    Ok([find(COLUMNS[0])?, find(COLUMNS[1])?])
}

/// Adds the name of a line. Lines with only empty cells, which spreadsheets write, are skipped.
fn add_row(players: &mut PlayerList, columns: [usize; 2], cells: &[&str], line: u64) -> Result<(), PlayersFileError> {
    if cells.iter().all(|cell| cell.is_empty()) {
        return Ok(());
    }
    let [id, name] = columns.map(|column| cells.get(column).copied().unwrap_or_default());
    for (cell, column) in [id, name].into_iter().zip(COLUMNS) {
        if cell.is_empty() {
            return Err(PlayersFileError::EmptyCell(line, column));
        }
    }
    players.add(id, name, line).map_err(|conflict| PlayersFileError::Conflict(line, conflict))
}

#[cfg(test)]
mod tests {
    use jigo_record::PlayerId;

    use super::*;

    fn id(players: &PlayerList, name: &str) -> String {
        PlayerId::new(name, Some(players)).listed_id()
    }

    #[test]
    fn list_is_read_with_any_separator() {
        for text in [
            "id,name\ncho,趙治勲\ncho,\"Cho, Chikun\"\nlee,이세돌\n",
            "\u{FEFF}name;Id;note\r\n趙治勲;cho;\r\n\"Cho, Chikun\"; cho\r\n이세돌;lee;x\r\n;;\r\n",
            "ID\tName\ncho\t趙治勲\ncho\tCho, Chikun\n\nlee\t이세돌",
        ] {
            let players = parse(text.as_bytes(), PlayerList::default()).unwrap();
            assert_eq!(
                ["趙治勲 九段", "CHO, CHIKUN", "이세돌9단"].map(|name| id(&players, name)),
                ["cho", "cho", "lee"],
                "{text}"
            );
        }
        assert_eq!(id(&parse(b"id,name\n", PlayerList::default()).unwrap(), "x"), "");
    }

    #[test]
    fn mistakes_name_the_line_and_the_remedy() {
        let message = |text: &[u8]| parse(text, PlayerList::default()).unwrap_err().to_string();
        for (text, expected) in [
            (&b""[..], "line 1 needs one column id; begin the list with the line id,name"),
            (b"cho,Cho Chikun\n", "line 1 needs one column id"),
            (b"id,alias\na,b\n", "line 1 needs one column name"),
            (b"id,name,name\na,b,c\n", "line 1 needs one column name"),
            (b"id,name\na,b\n\n,c\n", "line 4 has no id; fill it in or remove the line"),
            (b"id,name\na\n", "line 2 has no name"),
            (b"id,name\na,b\na,\x8e\xa1\n", "line 3 is not UTF-8; save the list as UTF-8"),
            (b"\xFF\xFEi\0d\0", "line 1 is not UTF-8"),
            (
                b"id,name\na,Lee 9p\nb,lee\n",
                "line 3: 'lee' is a name of 'b', and of 'a' in line 2; case, width, ranks and titles make no difference between names; remove one of the lines, or use one id",
            ),
        ] {
            let message = message(text);
            assert!(message.starts_with(expected), "{message}");
        }
        let large = vec![b'a'; MAX_BYTES as usize + 1];
        assert_eq!(message(&large), "it is larger than 64M; list only players of the archive");
    }
}

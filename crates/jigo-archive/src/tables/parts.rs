//! The parts table: one row per part of a file.

use std::fmt;

use crate::row::line::Line;
use crate::row::shared_columns::{ID, column, table};
use crate::row::{Cells, Column, ColumnType, Row, Table, Value};
use crate::source::rows::file_part::{FilePart, PartState, SourceFault};

/// A part of a file with its text.
pub struct PartRow<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The text.
    pub text: &'a [u8],
    /// The number of games in the part.
    pub games: u64,
    /// The position of the part in the file.
    pub part: &'a FilePart,
}

/// The identifier. Each part has its own text, unlike the rows of other tables.
const PART_ID: Column = Column { kind: ColumnType::Text, ..ID };

impl Row for PartRow<'_> {
    table! {
        "parts", "one row for each part of a file, written by jigo split, and for each game by jigo extract; read with --input-format arrow", key ["id", "offset"], |row|
        let FilePart { game, offset, line, state, is_last, fault } = row.part;
        PART_ID => row.file,
        column("game", ColumnType::Integer, "number of the part's first game in its file, from 1").not_null() => *game,
        column("games", ColumnType::Integer, "games in the part").not_null() => row.games,
        column("offset", ColumnType::Integer, "byte of the file where the part begins, from 0").not_null() => *offset,
        column("line", ColumnType::Integer, "line of the file where the part begins, from 1").not_null() => *line,
        column("bytes", ColumnType::Integer, "length of the part; of its UTF-8 text if the file is UTF-16").not_null() => row.text.len(),
        column("state", ColumnType::Text, "state of the splitter before the part: charset, and how games end")
            => state.as_ref().map(PartState::text).as_deref(),
        column("last", ColumnType::Flag, "whether this is the last part of the file").not_null() => *is_last,
        column("fault", ColumnType::Text, "code and reason if the rest of the file is unreadable")
            => fault.as_ref().map(SourceFault::text).as_deref(),
        column("sgf", ColumnType::Bytes, "text of the part").not_null() => Value::Bytes(row.text),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        use fmt::Write as _;
        write!(line, "{}#{} {} games, {} bytes", self.file, self.part.game, self.games, self.text.len())
    }
}

//! The parts table.

use std::fmt;

use super::{ID, column};
use crate::source::row::{Fault, FilePart, State};
use crate::tables::formats::text::Line;
use crate::tables::table::{Cells, Kind, Row, Table, Value};

/// A part of a file, with its text.
pub struct PartRow<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The text.
    pub text: &'a [u8],
    /// How many games are in it.
    pub games: u64,
    /// Where it stands in the file.
    pub part: &'a FilePart,
}

impl Row for PartRow<'_> {
    const TABLE: &'static Table = &Table {
        name: "parts",
        what: "one row for each part of a file, written by jigo split and read with --input-format arrow",
        columns: &[
            ID,
            column("game", Kind::Integer, "number of the part's first game in its file, from 1").always(),
            column("games", Kind::Integer, "games in the part").always(),
            column("offset", Kind::Integer, "byte of the file that the part begins at, from 0").always(),
            column("line", Kind::Integer, "line of the file that the part begins in, from 1").always(),
            column("bytes", Kind::Integer, "length of the part, as UTF-8 where the file is UTF-16").always(),
            column("state", Kind::Text, "what the file up to here says about its text: charset, how games end"),
            column("last", Kind::Flag, "whether no part of the file follows").always(),
            column("fault", Kind::Text, "code and reason, where the file can't be read any further"),
            column("sgf", Kind::Bytes, "the text").always(),
        ],
    };

    fn cells(&self, cells: &mut impl Cells) {
        let FilePart { game, offset, line, state, is_last, fault } = self.part;
        cells.put(self.file);
        cells.put(*game);
        cells.put(self.games);
        cells.put(*offset);
        cells.put(*line);
        cells.put(self.text.len());
        cells.put(state.as_ref().map(State::text).as_deref());
        cells.put(*is_last);
        cells.put(fault.as_ref().map(Fault::text).as_deref());
        cells.value(Value::Bytes(self.text));
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        use fmt::Write as _;
        write!(line, "{}#{} {} games, {} bytes", self.file, self.part.game, self.games, self.text.len())
    }
}

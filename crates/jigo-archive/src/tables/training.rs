//! The training table: one row per game in each file of rows for a network.

use std::fmt::{self, Write as _};

use crate::row::line::{LOCATION, Line};
use crate::row::shared_columns::{FILE, GAME, column, table};
use crate::row::{Cells, ColumnType, Row, Table};

/// The rows of a game in a file. They are the turns of the game in order, without gaps.
#[derive(Clone, Debug)]
pub struct TrainingRow {
    /// The game's source.
    pub file: String,
    /// The number of the game in the source, from 1.
    pub game: u64,
    /// The name of the file with the rows.
    pub npz: String,
    /// The first row, from 0.
    pub row: usize,
    /// The number of rows.
    pub rows: usize,
    /// The turn of the first row, from 1.
    pub turn: usize,
}

impl Row for TrainingRow {
    table! {
        "training", "one row for each game in each file of rows for a network, written by jigo extract --as npz", key ["file", "game", "npz"], |row|
        FILE => row.file.as_str(),
        GAME.not_null() => row.game,
        column("npz", ColumnType::Text, "name of the file with the rows").not_null() => row.npz.as_str(),
        column("row", ColumnType::Integer, "first row of the game in that file, from 0").not_null() => row.row,
        column("rows", ColumnType::Integer, "rows of the game in that file, one for each turn").not_null() => row.rows,
        column("turn", ColumnType::Integer, "number of the turn of the first row, from 1").not_null() => row.turn,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        line.styled(LOCATION, format_args!("{}#{}", self.file, self.game))?;
        write!(line, " from turn {}: {} rows of {} from {}", self.turn, self.rows, self.npz, self.row)
    }
}

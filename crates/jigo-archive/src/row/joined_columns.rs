//! Tables that can also have the columns of the games table.

use super::table::{Cells, Column, ColumnSet, Row};
use super::value::Value;

/// The columns of a table, followed by those of games that it lacks. Those are written on request.
pub(crate) struct JoinedColumns {
    columns: [Column; ColumnSet::MAX],
    length: usize,
}

impl JoinedColumns {
    /// Joins the columns of a table with those of games. Tables are constants, so one with more than
    /// [`ColumnSet::MAX`] columns does not compile.
    pub(crate) const fn new(own: &[Column], games: &[Column]) -> JoinedColumns {
        let (mut columns, mut length) = ([own[0]; ColumnSet::MAX], 0);
        while length < own.len() {
            columns[length] = own[length];
            length += 1;
        }
        // The first column of any table is the file, or the identifier in its place.
        let mut index = 1;
        while index < games.len() {
            if find(own, games[index].name).is_none() {
                columns[length] = Column { on_request: true, of_games: true, ..games[index] };
                length += 1;
            }
            index += 1;
        }
        JoinedColumns { columns, length }
    }

    /// Returns the columns.
    pub(crate) const fn columns(&self) -> &[Column] {
        self.columns.split_at(self.length).0
    }
}

/// Returns the column of this name.
const fn find<'a>(columns: &'a [Column], name: &str) -> Option<&'a Column> {
    let mut index = 0;
    while index < columns.len() {
        let (one, other) = (columns[index].name.as_bytes(), name.as_bytes());
        let mut byte = 0;
        while byte < one.len() && byte < other.len() && one[byte] == other[byte] {
            byte += 1;
        }
        if byte == one.len() && byte == other.len() {
            return Some(&columns[index]);
        }
        index += 1;
    }
    None
}

/// Returns the columns of the games table that another table has joined.
pub(crate) const fn joined(columns: &[Column], games: &[Column]) -> [bool; ColumnSet::MAX] {
    let (mut joined, mut index) = ([false; ColumnSet::MAX], 0);
    while index < games.len() {
        joined[index] = matches!(find(columns, games[index].name), Some(Column { of_games: true, .. }));
        index += 1;
    }
    joined
}

/// Passes on the joined cells of a game's row.
pub(crate) fn add_joined(joined: &[bool], game: &impl Row, cells: &mut impl Cells) {
    let mut joined = joined.iter();
    game.cells(&mut |value: Value<'_>| {
        if joined.next() == Some(&true) {
            cells.value(value);
        }
    });
}

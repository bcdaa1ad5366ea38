//! The diversity table.

use std::fmt::{self, Write as _};

use super::column;
use crate::tables::formats::text::Line;
use crate::tables::table::{Cells, Kind, Row, Table, table};

/// The number of different positions after a turn.
pub struct DiversityRow {
    /// The turn.
    pub turn: u32,
    /// The number of games with this turn.
    pub games: u64,
    /// The number of different positions after it. The eight symmetries of a position count as one.
    pub positions: u64,
    /// The number of games with the most common position.
    pub most_common: u64,
}

impl Row for DiversityRow {
    table! {
        "diversity", "one row for each of eight turns from 1 to 100, written by jigo duplicates --table diversity", |row|
        column("turn", Kind::Integer, "number of the turn, from 1").always() => row.turn,
        column("games", Kind::Integer, "games with at least this number of turns").always() => row.games,
        column("positions", Kind::Integer, "distinct positions after the turn; the eight symmetries of a position count as one").always() => row.positions,
        column("most_common", Kind::Integer, "games that share the commonest position").always() => row.most_common,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let DiversityRow { turn, games, positions, most_common } = self;
        write!(line, "turn {turn:>3}: {positions} positions in {games} games, the commonest in {most_common}")
    }
}

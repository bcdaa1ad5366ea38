//! The duplicates table: one row per game with a duplicate.

use std::fmt::{self, Write as _};

use crate::row::line::{DOUBTFUL, LOCATION, Line, POSITIVE, SECONDARY};
use crate::row::shared_columns::{FILE, GAME, OFFSET, column, table};
use crate::row::{Cells, ColumnType, Row, Table};
use jigo_core::similarity::{Class, RecordComparison};

/// A game with a duplicate.
pub struct DuplicateRow<'a> {
    /// The number of the cluster, from 1.
    pub cluster: u64,
    /// The source's name, the number of the game, and the byte of its `(`.
    pub location: (&'a str, u64, u64),
    /// The number of B and W properties of its main line.
    pub turns: u32,
    /// True if the game is to be kept.
    pub keep: bool,
    /// The file and number of the game that it was compared with, and the result.
    pub compared_with: Option<((&'a str, u64), &'a RecordComparison)>,
    /// The reason why this game, or another one, is kept.
    pub reason: &'a str,
}

impl Row for DuplicateRow<'_> {
    table! {
        "duplicates", "one row for each game with a duplicate or a collision, written by jigo duplicates", |row|
        let (file, game, offset) = row.location;
        let found = row.compared_with.map(|(_, found)| found);
        let agreeing = found.map_or(String::new(), |found| found.agreeing.names());
        let conflicting = found.map_or(String::new(), |found| found.conflicting.names());
        let view = found.map_or(String::new(), |found| found.view.to_string());
        column("cluster", ColumnType::Integer, "number of the cluster, from 1 in input order; its games are duplicates of each other").not_null() => row.cluster,
        column("class", ColumnType::Word(&Class::WORDS), "relation to the other game, from certain to doubtful; empty for the representative")
            => found.map_or("", |found| found.class.name()),
        FILE => file,
        GAME.not_null() => game,
        OFFSET.not_null() => offset,
        column("keep", ColumnType::Flag, "whether to keep the game; true for every game of a collision").not_null() => row.keep,
        column("of_file", ColumnType::Text, "file of the other game: the representative, or a duplicate that is more similar")
            => row.compared_with.map_or("", |((file, _), _)| file),
        column("of_game", ColumnType::Integer, "number of the other game in its file, from 1") => row.compared_with.map(|((_, game), _)| game),
        column("symmetry", ColumnType::Text, "transformation of the other game into this one: none, rotate-90, rotate-180, rotate-270, mirror-left-right, mirror-top-bottom, mirror-diagonal, mirror-antidiagonal; ;colors-swapped follows if the colours are exchanged")
            => view.as_str(),
        column("common_turns", ColumnType::Integer, "turns that both games share, without passes at the end") => found.map(|found| found.common_turns),
        column("turns", ColumnType::Integer, "number of turns on the main line").not_null() => row.turns,
        column("edits", ColumnType::Integer, "edits between the games: a different point, a missing turn, two swapped turns; different last turns count as one")
            => found.map(|found| found.edits),
        column("agreeing", ColumnType::Text, "header fields, and clocks, that agree, separated by semicolons") => agreeing.as_str(),
        column("conflicting", ColumnType::Text, "header fields, and clocks, that differ, separated by semicolons; colors if only the points of the turns agree") => conflicting.as_str(),
        column("reason", ColumnType::Text, "why the game is kept or dropped").not_null() => row.reason,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let (file, game, _) = self.location;
        write!(line, "{:>6} ", self.cluster)?;
        line.styled(LOCATION, format_args!("{file}#{game}"))?;
        line.styled(
            if self.keep { POSITIVE } else { DOUBTFUL },
            format_args!(" {}", if self.keep { "keep" } else { "drop" }),
        )?;
        if let Some(((file, game), comparison)) = self.compared_with {
            write!(line, " {} of {file}#{game}", comparison.class.name())?;
            if !comparison.view.is_identity() {
                write!(line, " {}", comparison.view)?;
            }
            write!(line, ", {} of {} turns", comparison.common_turns, self.turns)?;
            if comparison.edits > 0 {
                write!(line, ", {} edits", comparison.edits)?;
            }
        }
        line.styled(SECONDARY, format_args!(" ({})", self.reason))
    }
}

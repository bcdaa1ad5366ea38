//! The aliases table: one row for each further name of a player.

use std::fmt::{self, Write as _};

use crate::row::line::{LOCATION, Line};
use crate::row::shared_columns::{column, table};
use crate::row::{Cells, ColumnType, Row, Table};

/// A further name of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasRow {
    /// The identifier of the player in the user's list, or the name that most records have.
    pub id: String,
    /// The further name.
    pub name: String,
    /// The number of games that are recorded under this name and another one of the player.
    pub games: u64,
    /// The number of records and games that contradict.
    pub contradictions: u64,
}

impl Row for AliasRow {
    table! {
        "aliases", "one row for each further name of a player, written by jigo duplicates --table aliases; a list for --players and players.aliases", |row|
        column("id", ColumnType::Text, "identifier of the player in the file of --players, or the name that most records have").not_null() => row.id.as_str(),
        column("name", ColumnType::Text, "further name, in the form of black_id of games").not_null() => row.name.as_str(),
        column("games", ColumnType::Integer, "games recorded under this name and another one of the player, who has the same colour").not_null() => row.games,
        column("contradicting", ColumnType::Integer, "records in which both names meet, and games under a third name that meets one of them or clearly differs from it; at most a quarter of games").not_null() => row.contradictions,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let AliasRow { id, name, games, contradictions } = self;
        line.styled(LOCATION, format_args!("{id}"))?;
        write!(line, " is also {name}: {games} games say so, {contradictions} contradict")
    }
}

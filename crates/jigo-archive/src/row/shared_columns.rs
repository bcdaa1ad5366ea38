//! The columns of more than one table, and the macro that defines tables.

use super::table::{Column, ColumnType, PROBABILITY};
use jigo_record::header::dialect::DIALECTS;

/// Returns a column that may have empty cells.
pub(crate) const fn column(name: &'static str, kind: ColumnType, meaning: &'static str) -> Column {
    Column::new(name, kind, meaning)
}

// Columns of more than one table.

pub(crate) const ID: Column =
    column("id", ColumnType::RepeatedText, "identifier of the row that the record came in").not_null();
pub(crate) const FILE: Column =
    column("file", ColumnType::RepeatedText, "path of the file, as given or found").not_null();
pub(crate) const GAME: Column = column("game", ColumnType::Integer, "number of the game in its file, from 1");
pub(crate) const OFFSET: Column = column("offset", ColumnType::Integer, "byte of the game's ( in the file, from 0");
pub(crate) const COLOR: ColumnType = ColumnType::Word(&["B", "W"]);
pub(crate) const DEAD_SOURCE: Column = column(
    "dead_source",
    ColumnType::Word(&["markup", "settled", "playouts", "engine", "given", "static", "as_is"]),
    "source of the dead stones; as_is if the ruleset removes none",
);
pub(crate) const CONFIDENCE: Column = column(
    "confidence",
    PROBABILITY,
    "probability that the dead stones are right and, if the number depends on it, the territory reading; empty if certain",
);
/// The winner by points or by a record.
pub(crate) const WINNER: ColumnType = ColumnType::Word(&["B", "W", "draw"]);
/// The names of all statuses of an ending.
pub const STATUSES: &[&str] = &["counted", "estimated", "unsettled", "not_counted", "not_replayed"];
pub(crate) const STATUS: Column =
    column("status", ColumnType::Word(STATUSES), "whether the ending was counted").not_null();
/// The names of all kinds of recorded results.
pub const RESULT_KINDS: &[&str] =
    &["score", "draw", "win", "resignation", "time", "forfeit", "void", "unknown", "missing", "unreadable"];
/// The names of all ways in which play ends in a record.
pub const ENDINGS: &[&str] = &["two_passes", "one_pass", "no_pass", "no_turns", "stopped", "unreadable"];

/// The names of all dialects.
pub(crate) const DIALECT_NAMES: [&str; DIALECTS.len()] = {
    let mut names = [""; DIALECTS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = DIALECTS[index].name;
        index += 1;
    }
    names
};

/// Returns the column in a table for rows of records: their identifier in place of the file.
pub(crate) const fn by_id(column: Column) -> Column {
    match column.name.as_bytes() {
        b"file" => ID,
        _ => column,
    }
}

/// Defines the schema of a table and the cells of its rows in one list of columns and expressions.
/// Bindings before the list compute values that several cells need. `with game: GameRow` adds the
/// columns of games, which are empty unless the field `game` contains a row.
macro_rules! table {
    ($name:literal, $what:literal, $(key [$($key:literal),*],)? $(with $game:ident: $games:ty,)? |$row:ident| $(let $part:pat = $value:expr;)* $($column:expr => $cell:expr),* $(,)?) => {
        const TABLE: &'static Table = &Table {
            columns: $crate::row::shared_columns::columns!([$($column),*] $($games)?),
            written: $crate::row::ColumnSet::ALL,
            by_id: Some(&Table {
                columns: $crate::row::shared_columns::columns!([$($crate::row::shared_columns::by_id($column)),*] $($games)?),
                written: $crate::row::ColumnSet::ALL,
                by_id: None,
                name: $name,
                description: $what,
                key: &[$($($key),*)?],
            }),
            name: $name,
            description: $what,
            key: &[$($($key),*)?],
        };

        fn cells(&self, cells: &mut impl Cells) {
            let $row = self;
            $(let $part = $value;)*
            $(cells.add($cell);)*
            $(if let Some(game) = $row.$game {
                let joined = const { $crate::row::joined(Self::TABLE.columns, <$games>::TABLE.columns) };
                $crate::row::add_joined(&joined, game, cells);
            })?
        }
    };
}

/// Returns the columns of a table, with those of games if the type of their rows follows.
macro_rules! columns {
    ([$($column:expr),*]) => { &[$($column),*] };
    ([$($column:expr),*] $games:ty) => {{
        const JOINED: &$crate::row::JoinedColumns =
            &$crate::row::JoinedColumns::new(&[$($column),*], <$games>::TABLE.columns);
        JOINED.columns()
    }};
}
pub(crate) use {columns, table};

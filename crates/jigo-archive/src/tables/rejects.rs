//! The rejects table: one row per rejected game, and one per game that a conversion shortens.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};

use crate::row::line::{LOCATION, Line, SECONDARY};
use crate::row::shared_columns::{FILE, GAME, OFFSET, column, table};
use crate::row::{Cells, ColumnType, Row, Table};

jigo_rules::named! {
    /// The kind of reason why `jigo extract` rejects or shortens a game.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum RejectKind {
        /// The run already has as many games as `--limit` allows.
        Limit = "limit",
        /// `--games` does not list the game.
        List = "list",
        /// `--dedupe` keeps another game of the cluster.
        Duplicate = "duplicate",
        /// The game is not in the sample.
        Sample = "sample",
        /// The game does not meet a condition of `--where`.
        Filter = "filter",
        /// `--clean`: the game has an error.
        Code = "code",
        /// `--clean`: the first error of the game is an unmet expectation.
        Expectation = "expectation",
        /// `--broken`: the game has no error.
        Clean = "clean",
        /// The game is larger than `--max game`.
        Size = "size",
        /// The game has no normal form, or no rows for a network.
        Form = "form",
        /// The normal form lacks properties of the game. Such a game is not rejected for this
        /// reason.
        Omission = "omission",
    }
}

/// The reason why a game is rejected or shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectReason<'a> {
    /// The kind.
    pub kind: RejectKind,
    /// The condition, the code and name of the first error, the name of the expectation, the
    /// representative of a duplicate, or the omitted properties. Empty for the other kinds.
    pub reason: Cow<'a, str>,
    /// The turn of the first error.
    pub turn: Option<u32>,
    /// The codes of all errors, separated by semicolons.
    pub codes: String,
    /// Further facts, in words.
    pub detail: Cow<'a, str>,
}

impl<'a> RejectReason<'a> {
    /// Creates a reason without errors.
    pub fn new(kind: RejectKind, reason: impl Into<Cow<'a, str>>) -> RejectReason<'a> {
        RejectReason { kind, reason: reason.into(), turn: None, codes: String::new(), detail: Cow::default() }
    }
}

/// A rejected or shortened game with the reason.
pub struct RejectRow<'a> {
    /// The source's name.
    pub file: &'a str,
    /// The number of the game in the source, from 1.
    pub game: u64,
    /// The byte in the source of the game's `(`.
    pub offset: u64,
    /// The reason.
    pub reason: &'a RejectReason<'a>,
}

impl Row for RejectRow<'_> {
    table! {
        "rejects", "one row for each rejected game, and for each game that a conversion shortens (kind omission), written by jigo extract --rejects-table", |row|
        FILE => row.file,
        GAME.not_null() => row.game,
        OFFSET.not_null() => row.offset,
        column("kind", ColumnType::Word(&RejectKind::WORDS), "kind of reason").not_null() => row.reason.kind.name(),
        column("reason", ColumnType::Text, "condition of --where that the game does not meet, code and name of the first error, name of the expectation, game that is kept instead of a duplicate, or properties that the conversion omits")
            => &*row.reason.reason,
        column("turn", ColumnType::Integer, "turn of the first error, from 1; 0 is the setup") => row.reason.turn,
        column("codes", ColumnType::Text, "codes of all errors in the order of the game, separated by semicolons") => row.reason.codes.as_str(),
        column("detail", ColumnType::Text, "further facts, in words") => &*row.reason.detail,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let RejectReason { kind, reason, turn, detail, .. } = self.reason;
        line.styled(LOCATION, format_args!("{}#{}", self.file, self.game))?;
        write!(line, " {}", kind.name())?;
        if !reason.is_empty() {
            write!(line, ": {reason}")?;
        }
        turn.map_or(Ok(()), |turn| write!(line, ", turn {turn}"))?;
        if detail.is_empty() { Ok(()) } else { line.styled(SECONDARY, format_args!(" ({detail})")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_stored_by_their_names() {
        for (index, (name, kind)) in RejectKind::NAMES.into_iter().enumerate() {
            assert_eq!((kind as usize, kind.name()), (index, name));
            assert_eq!(serde_json::to_value(kind).unwrap(), name);
        }
    }
}

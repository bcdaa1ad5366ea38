//! The differences table: one row for each difference of two reports.

use std::fmt::{self, Write as _};

use crate::row::line::{LOCATION, Line, SECONDARY};
use crate::row::shared_columns::{FILE, GAME, column, table};
use crate::row::{Cells, ColumnType, Row, Table};

jigo_rules::named! {
    /// The kind of a difference.
    pub enum ReportChange {
        /// Only the new report has the game.
        New = "new",
        /// Only the old report has the game.
        Gone = "gone",
        /// The game has another place.
        Moved = "moved",
        /// Another game has the place of the old one.
        Changed = "changed",
        /// The recorded result differs.
        Result = "result",
        /// The verdict on the recorded result differs.
        Verdict = "verdict",
        /// Only the new report has the finding.
        Found = "found",
        /// Only the old report has the finding, and the new one has its game or file.
        Fixed = "fixed",
    }
}

/// A difference of two reports.
pub struct DifferenceRow<'a> {
    /// The file in the new report, or in the old one if the game is gone.
    pub file: &'a str,
    /// The number of the game in the file; empty outside games.
    pub game: &'a str,
    /// The kind.
    pub change: ReportChange,
    /// The code of a finding.
    pub code: &'a str,
    /// The turn of a finding.
    pub turn: &'a str,
    /// The point of a finding.
    pub point: &'a str,
    /// The old value.
    pub old: &'a str,
    /// The new value.
    pub new: &'a str,
}

impl Row for DifferenceRow<'_> {
    table! {
        "differences", "one row for each difference of two reports, written by jigo diff", |row|
        FILE => row.file,
        GAME => row.game.parse::<u64>().ok(),
        column("change", ColumnType::Word(&ReportChange::WORDS), "new or gone: one report has the game; moved: it has another place; changed: another game has its place; result: RE differs; verdict: the verdict differs; found or fixed: one report has the finding").not_null()
            => row.change.name(),
        column("code", ColumnType::Text, "code of the finding") => row.code,
        column("turn", ColumnType::Integer, "turn of the finding, from 1; 0 is the setup") => row.turn.parse::<u32>().ok(),
        column("point", ColumnType::Text, "point of the finding as an SGF pair") => row.point,
        column("old", ColumnType::Text, "value in the old report: place, game_hash, RE or verdict") => row.old,
        column("new", ColumnType::Text, "value in the new report") => row.new,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let game = if self.game.is_empty() { String::new() } else { format!("#{}", self.game) };
        line.styled(LOCATION, format_args!("{}{game}", self.file))?;
        write!(line, " {}", self.change.name())?;
        if !self.code.is_empty() {
            write!(line, " {}", self.code)?;
        }
        if !self.turn.is_empty() {
            write!(line, " turn {}", self.turn)?;
        }
        if !self.point.is_empty() {
            write!(line, " {}", self.point)?;
        }
        match [self.old, self.new] {
            ["", ""] => Ok(()),
            values => {
                let [old, new] = values.map(|value| if value.is_empty() { "none" } else { value });
                line.styled(SECONDARY, format_args!(" {old} -> {new}"))
            }
        }
    }
}

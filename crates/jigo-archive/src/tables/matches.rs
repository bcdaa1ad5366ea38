//! The matches table: one row per match of a pattern in a game.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::VisitedGame;
use crate::row::line::{LOCATION, Line, SECONDARY};
use crate::row::shared_columns::{COLOR, FILE, GAME, OFFSET, column, table};
use crate::row::{Cells, ColumnType, Row, Table, Value};
use crate::visit::{note, players};
use jigo_core::analysis::{GameReport, Settings};
use jigo_core::pattern::{NextPlace, NextTurn, PatternMatch, PatternSearch};
use jigo_record::splitter::GameText;
use jigo_rules::board::Color;

/// A match of a pattern in a game.
pub struct MatchRow<'a> {
    /// The game's text and position.
    pub text: GameText<'a>,
    /// The report of the game.
    pub report: &'a GameReport,
    /// The match.
    pub found: &'a PatternMatch,
}

/// Returns the word for the place of a next turn: an SGF pair in the frame of the pattern, `pass`
/// or `elsewhere`.
pub(super) fn next_word(next: Option<NextTurn>) -> String {
    next.map_or(String::new(), |next| match next.place {
        NextPlace::Inside(point) => point.to_string(),
        NextPlace::Elsewhere => "elsewhere".into(),
        NextPlace::Pass => "pass".into(),
    })
}

impl Row for MatchRow<'_> {
    table! {
        "matches", "one row for each game with the pattern, or with --all for each match, written by jigo find", |row|
        let header = &row.report.header;
        let next = next_word(row.found.next);
        let winner = header.result.winner.map_or("", Color::letter);
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        OFFSET.not_null() => row.text.offset,
        column("turn", ColumnType::Integer, "the first searched turn after which the pattern matches; 0 is the initial position").not_null() => row.found.turn,
        column("symmetry", ColumnType::Text, "transformation of the pattern into its match: none, rotate-90 (clockwise), rotate-180, rotate-270, mirror-left-right, mirror-top-bottom, mirror-diagonal, mirror-antidiagonal").not_null()
            => row.found.view.symmetry.name(),
        column("swapped", ColumnType::Flag, "whether the pattern matches with exchanged colours").not_null() => row.found.view.colors_swapped,
        column("point", ColumnType::Point, "top left point of the match on the board of the game, as an SGF pair").not_null() => Value::Point(row.found.corner),
        column("next_color", COLOR, "player of the next turn, as the pattern shows it; empty if there is no readable turn") => row.found.next.map(|next| next.color),
        column("next", ColumnType::Text, "next turn in the pattern: an SGF pair whose aa is the top left point of the pattern as written, or pass or elsewhere; equivalent points of a symmetric pattern are equal")
            => next.as_str(),
        column("black", ColumnType::Text, "PB") => header.black.as_str(),
        column("white", ColumnType::Text, "PW") => header.white.as_str(),
        column("date", ColumnType::Date, "first day that DT names") => header.first_date().map(|(date, _)| date),
        column("result", ColumnType::Text, "RE as written") => header.result_text.as_str(),
        column("winner", COLOR, "winner that RE names, as in the game") => winner,
        column("variation", ColumnType::Text, "variation of the match: the number of the child at each branch, from 1; empty for the main line") => row.found.variation.as_str(),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let (header, found) = (&self.report.header, self.found);
        line.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        write!(line, " turn {}", found.turn)?;
        if !found.variation.is_empty() {
            write!(line, " in variation {}", found.variation)?;
        }
        if !found.view.is_identity() {
            write!(line, ", {}", found.view)?;
        }
        if let Some(next) = found.next {
            write!(line, ", next {} {}", next.color.letter(), next_word(found.next))?;
        }
        line.styled(SECONDARY, format_args!(" ({}, {})", players(header), note(header)))
    }
}

/// Writes the matches of a search.
pub struct MatchRows {
    /// The search.
    pub search: Arc<PatternSearch>,
}

impl GameTable for MatchRows {
    const TABLE: &'static Table = MatchRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        settings.pattern = Some(Arc::clone(&self.search));
    }

    fn add_game(&self, game: &VisitedGame<'_>, rows: &mut Rows) {
        for found in &game.report.matches {
            rows.push(&MatchRow { text: *game.text, report: game.report, found });
        }
    }
}

//! The endings table: one row per game, with its last position.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::games::GameRow;
use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::VisitedGame;
use crate::row::line::{DOUBTFUL, LOCATION, Line, POSITIVE};
use crate::row::shared_columns::{CONFIDENCE, DEAD_SOURCE, FILE, GAME, STATUS, column, table};
use crate::row::{Cells, ColumnType, Row, Table, Value};
use jigo_core::analysis::{CountedEnding, GameReport, Outcome, Settings};
use jigo_record::splitter::GameText;
use jigo_rules::Tally;
use jigo_rules::board::{BoardSize, Color, Position};
use jigo_score::{Counts, Owner, UncountedReason};

/// The last position of one game, or an earlier one.
pub struct EndingRow<'a> {
    text: GameText<'a>,
    report: &'a GameReport,
    /// The stones, including dead ones; `None` for an unreadable game.
    position: Option<&'a Position>,
    tally: &'a Tally,
    /// The ending with its dead stones; `None` if they were not determined.
    ending: Option<&'a CountedEnding>,
    status: &'static str,
    reason: Cow<'static, str>,
    /// The row of the game, if it has columns in the table.
    game: Option<&'a GameRow<'a>>,
}

impl<'a> EndingRow<'a> {
    /// Returns the row of a game whose last position was
    /// [kept](jigo_core::analysis::Settings::position).
    pub fn new(text: GameText<'a>, report: &'a GameReport) -> EndingRow<'a> {
        let reason: Cow<'static, str> = match report.count_fault() {
            Some(fault) => format!("{}: {fault}", EndingRow::reason(report)).into(),
            None => EndingRow::reason(report).into(),
        };
        EndingRow {
            text,
            report,
            position: report.position.as_deref(),
            tally: &report.tally,
            ending: report.ending.as_ref().and_then(|ending| ending.as_ref().ok()),
            status: report.status(),
            reason,
            game: None,
        }
    }

    /// Returns the reason why a position is not counted.
    fn reason(report: &GameReport) -> &'static str {
        match &report.ending {
            _ if report.outcome == Outcome::Unreadable => "unreadable",
            Some(Err(reason)) => reason.name(),
            Some(Ok(counted_ending)) if counted_ending.is_certain => "",
            Some(Ok(counted_ending)) if counted_ending.ending.is_open => UncountedReason::Open.name(),
            Some(Ok(_)) => UncountedReason::Doubtful.name(),
            None => "",
        }
    }

    /// Returns the row of a position before the end, which is not counted.
    pub fn before_end(
        text: GameText<'a>,
        report: &'a GameReport,
        position: &'a Position,
        tally: &'a Tally,
    ) -> EndingRow<'a> {
        let reason = format!("turn {} of {}", tally.turns, report.tally.turns).into();
        let position = Some(position);
        EndingRow { text, report, position, tally, ending: None, status: "not_counted", reason, game: None }
    }

    /// Returns the ending if it is certain enough to be counted.
    fn certain_ending(&self) -> Option<&'a CountedEnding> {
        self.ending.filter(|ending| ending.is_certain)
    }

    /// Returns the symbols of all points as rows separated by `/`, for the columns `board` and
    /// `ownership`.
    fn join_points(size: BoardSize, symbols: impl Iterator<Item = char>) -> String {
        let mut text = String::with_capacity(size.points() + usize::from(size.height()));
        for (index, symbol) in symbols.enumerate() {
            if index > 0 && index % usize::from(size.width()) == 0 {
                text.push('/');
            }
            text.push(symbol);
        }
        text
    }

    fn board(&self) -> String {
        let Some(position) = self.position else { return String::new() };
        let symbol = |stone| match stone {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        };
        let size = position.size();
        EndingRow::join_points(size, size.iter().map(|point| symbol(position.stone(point))))
    }

    fn ownership(&self) -> String {
        let (Some(position), Some(ending)) = (self.position, self.certain_ending()) else { return String::new() };
        let owners = ending.ending.owners(position);
        EndingRow::join_points(position.size(), owners.into_iter().map(Owner::sign))
    }

    fn dead(&self) -> String {
        let dead = self.certain_ending().map_or(&[][..], |ending| &ending.ending.dead);
        dead.iter().map(ToString::to_string).collect::<Vec<_>>().join(";")
    }
}

impl Row for EndingRow<'_> {
    table! {
        "endings", "one row for each game, written by jigo score --table endings and jigo show --format json", key ["file", "game"], with game: GameRow, |row|
        let size = row.position.map(Position::size);
        let [board, ownership, dead] = [row.board(), row.ownership(), row.dead()];
        let counts = row.certain_ending().map(|counted| &counted.counts);
        let area = counts.map(Counts::area);
        let lost = row.position.map(|_| row.tally.lost);
        let to_fill = counts.map(Counts::points_to_fill);
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        column("turns", ColumnType::Integer, "number of turns up to this position") => row.position.map(|_| row.tally.turns),
        column("width", ColumnType::Integer, "columns of the board") => size.map(BoardSize::width),
        column("height", ColumnType::Integer, "rows of the board") => size.map(BoardSize::height),
        column("board", ColumnType::Text, "all stones, including dead ones: rows from the top separated by /; X Black, O White, . empty") => board.as_str(),
        column("dead", ColumnType::Text, "dead stones as SGF pairs separated by semicolons; empty if there are none, or they are unsettled") => dead.as_str(),
        column("ownership", ColumnType::Text, "owner of each point, in the layout of board: B, W; b and w in seki; . neutral; empty if unsettled") => ownership.as_str(),
        column("black_area", ColumnType::Integer, "Black's living stones and the points that they alone surround: B and b in ownership") => area.map(|area| area[0]),
        column("white_area", ColumnType::Integer, "the same for White") => area.map(|area| area[1]),
        column("black_territory", ColumnType::Integer, "points of Black's area without a living stone, including eyes in seki and points to fill")
            => counts.map(|counts| counts.territory[0]),
        column("white_territory", ColumnType::Integer, "the same for White") => counts.map(|counts| counts.territory[1]),
        column("black_seki", ColumnType::Integer, "points of black_territory that are eyes of groups in seki") => counts.map(|counts| counts.seki[0]),
        column("white_seki", ColumnType::Integer, "the same for White") => counts.map(|counts| counts.seki[1]),
        column("black_to_fill", ColumnType::Integer, "points of black_territory outside seki to fill before counting; ownership does not mark them")
            => to_fill.map(|to_fill| to_fill[0]),
        column("white_to_fill", ColumnType::Integer, "the same for White") => to_fill.map(|to_fill| to_fill[1]),
        column("dame", ColumnType::Integer, "neutral points, which touch both colours") => counts.map(|counts| counts.dame),
        column("black_lost", ColumnType::Integer, "stones that Black lost during play, without dead stones") => lost.map(|lost| lost[0]),
        column("white_lost", ColumnType::Integer, "the same for White") => lost.map(|lost| lost[1]),
        DEAD_SOURCE => row.ending.map_or("", |counted| counted.ending.source.name()),
        CONFIDENCE => row.ending.and_then(|counted| counted.ending.confidence).map_or(Value::Empty, Value::Probability),
        STATUS => row.status,
        column("reason", ColumnType::Text, "why the position is not counted") => row.reason.as_ref(),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        line.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        let style = if self.status == "counted" { POSITIVE } else { DOUBTFUL };
        line.styled(style, format_args!(" {}", self.status))?;
        if let Some(ending) = self.certain_ending() {
            let ([black, white], [dead_black, dead_white]) = (ending.counts.area(), ending.counts.dead);
            write!(line, ", area {black} to {white}, dead {dead_black} and {dead_white}")?;
        }
        line.end_of_count(&self.reason, &self.report.header.result_text)
    }
}

/// Writes the last positions of games, with dead stones and ownership.
pub struct EndingRows;

impl GameTable for EndingRows {
    const TABLE: &'static Table = EndingRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        settings.position = true;
    }

    fn add_game(&self, &VisitedGame { text, report, reported, .. }: &VisitedGame<'_>, rows: &mut Rows) {
        let game = rows.has_games_columns().then(|| GameRow::new(*text, report, reported.len()));
        rows.push(&EndingRow { game: game.as_ref(), ..EndingRow::new(*text, report) });
    }
}

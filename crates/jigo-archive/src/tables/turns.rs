//! The turns table: one row per replayed turn and per setup stone.

use std::fmt::{self, Write as _};

use super::games::GameRow;
use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::VisitedGame;
use crate::row::line::{LOCATION, Line, SECONDARY};
use crate::row::shared_columns::{COLOR, FILE, GAME, WINNER, column, table};
use crate::row::{Cells, ColumnType, POINTS, Row, SECONDS, Table, Value};
use jigo_core::analysis::{GameReport, Settings, TurnEffects, TurnKind};
use jigo_record::ResultKind;
use jigo_record::splitter::GameText;
use jigo_rules::HalfPoints;
use jigo_rules::board::{BoardSize, Color};
use jigo_score::Score;

/// The result of a game, which its turns repeat.
#[derive(Clone, Copy)]
pub struct GameResult {
    /// The letter of the recorded winner, `draw`, or an empty text if it is unknown.
    winner: &'static str,
    /// The recorded margin, Black minus White.
    stated: Option<HalfPoints>,
    /// The counted margin, Black minus White, if a count was requested.
    counted: Option<HalfPoints>,
}

impl GameResult {
    /// Returns the result of a game.
    pub fn new(report: &GameReport) -> GameResult {
        let recorded = &report.header.result;
        let draw = if recorded.kind == ResultKind::Draw { "draw" } else { "" };
        let score = || report.scores.iter().find_map(|(_, score)| score.as_ref().ok());
        GameResult {
            winner: recorded.winner.map_or(draw, Color::letter),
            stated: recorded.black_minus_white,
            counted: report.audit.as_ref().map_or_else(|| score().map(Score::black_minus_white), |audit| audit.counted),
        }
    }
}

/// One turn of a game, or one stone of its setup.
pub struct TurnRow<'a> {
    /// The game's text and position.
    pub text: GameText<'a>,
    /// The size of the board.
    pub size: BoardSize,
    /// The number of the row among the rows of its game, from 1.
    pub step: usize,
    /// The turn.
    pub turn: &'a TurnEffects,
    /// The result of the game.
    pub result: GameResult,
    /// The row of the game, if it has columns in the table.
    pub game: Option<&'a GameRow<'a>>,
}

impl TurnRow<'_> {
    fn removed(&self) -> String {
        let mut removed = String::new();
        for point in &self.turn.removed {
            removed.push_str(if removed.is_empty() { "" } else { ";" });
            removed.extend(point.letters());
        }
        removed
    }
}

impl Row for TurnRow<'_> {
    table! {
        "turns", "one row for each replayed turn of the main line and for each setup stone, in the order of play, written by jigo check --table turns", key ["file", "game", "step"], with game: GameRow, |row|
        let turn = row.turn;
        let removed = row.removed();
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        column("turn", ColumnType::Integer, "number of the turn, from 1; for setup, the turn before it, or 0").not_null() => turn.number,
        column("color", COLOR, "player of the turn, or colour of the stone; empty if setup removes a stone") => turn.color,
        column("point", ColumnType::Point, "point as an SGF pair, column first; empty for a pass and for an unreadable value") => turn.point,
        column("pass", ColumnType::Flag, "whether the turn is a pass").not_null() => turn.kind == TurnKind::Pass,
        column("captures", ColumnType::Integer, "opponent's stones that the turn captured").not_null() => turn.captures,
        column("suicide", ColumnType::Integer, "own stones that the turn captured").not_null() => turn.suicide,
        column("hash", ColumnType::Hash, "hash of the stones after the turn, or after the whole setup node; equal stones have equal hashes in every run and version").not_null()
            => Value::Hash(turn.hash),
        column("legal", ColumnType::Flag, "whether the turn is playable and the judging rulesets allow it; true for setup").not_null() => turn.is_legal,
        column("seconds_left", SECONDS, "BL or WL: seconds left on the player's clock after the turn")
            => turn.clock.milliseconds.map_or(Value::Empty, |time| Value::Decimal(time, 3)),
        column("overtime_turns", ColumnType::Integer, "OB or OW: turns to take in that time") => turn.clock.turns,
        column("step", ColumnType::Integer, "number of the row in its game, from 1").not_null() => row.step,
        column("kind", ColumnType::Word(&TurnKind::WORDS), "kind of the row; skipped turns are off the board or unreadable").not_null() => turn.kind.name(),
        column("removed", ColumnType::Text, "stones that the play captured, own ones included, as SGF pairs separated by semicolons") => removed.as_str(),
        column("width", ColumnType::Integer, "columns of the board").not_null() => row.size.width(),
        column("height", ColumnType::Integer, "rows of the board").not_null() => row.size.height(),
        column("winner", WINNER, "recorded winner of the game").on_request() => row.result.winner,
        column("stated_black_minus_white", POINTS, "recorded margin of the game").on_request() => row.result.stated,
        column("counted_black_minus_white", POINTS, "counted margin of the game, as in results; of a game without a recorded result, under its ruleset; empty if the game did not end by counting or its dead stones are unsettled").on_request().counted()
            => row.result.counted,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let turn = self.turn;
        line.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        let point = turn.point.map_or(String::new(), |point| point.to_string());
        let color = turn.color.map_or("empty", Color::letter);
        match turn.kind {
            TurnKind::Setup => write!(line, " setup after turn {} {color}[{point}]", turn.number)?,
            _ => write!(line, " turn {} {color}[{point}]", turn.number)?,
        }
        for (stones, verb) in [(turn.captures, "captures"), (turn.suicide, "loses")] {
            if stones > 0 {
                write!(line, " {verb} {stones}")?;
            }
        }
        if !turn.is_legal {
            write!(line, " illegal")?;
        }
        line.styled(SECONDARY, format_args!(" {:016x}", turn.hash))
    }
}

/// Writes the turns of games.
pub struct TurnRows;

impl GameTable for TurnRows {
    const TABLE: &'static Table = TurnRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        settings.turns = true;
    }

    fn add_game(&self, game: &VisitedGame<'_>, rows: &mut Rows) {
        let (text, size, result) = (*game.text, game.report.header.size, GameResult::new(game.report));
        let game_row = rows.has_games_columns().then(|| GameRow::new(text, game.report, game.reported.len()));
        for (index, turn) in game.report.turns.iter().enumerate() {
            rows.push(&TurnRow { text, size, step: index + 1, turn, result, game: game_row.as_ref() });
        }
    }
}

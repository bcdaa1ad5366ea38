//! The evaluations table: one row per turn and form of evaluation that the record contains.

use std::fmt::{self, Write as _};

use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::VisitedGame;
use crate::row::line::{LOCATION, Line};
use crate::row::shared_columns::{COLOR, FILE, GAME, column, table};
use crate::row::{Cells, ColumnType, Row, Table, Value};
use jigo_core::analysis::Settings;
use jigo_record::splitter::GameText;
use jigo_record::{Evaluation, EvaluationForm};

/// The decimals of chances and leads.
const DECIMALS: u8 = 4;

/// One evaluation.
pub struct EvaluationRow<'a> {
    /// The game's text and position.
    pub text: GameText<'a>,
    /// The evaluation.
    pub evaluation: &'a Evaluation,
}

impl Row for EvaluationRow<'_> {
    table! {
        "evaluations", "one row for each position of the main line that a program evaluated, and for each form of evaluation, written by jigo check --table evaluations", key ["file", "game", "turn", "form"], |row|
        let evaluation = row.evaluation;
        let decimal = |number: Option<i64>| number.map_or(Value::Empty, |number| Value::Decimal(number, DECIMALS));
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        column("turn", ColumnType::Integer, "number of the turn before the position, or 0 for the first position; a comment of KataGo belongs to the position before its turn").not_null() => evaluation.turn,
        column("color", COLOR, "player of the turn; empty for turn 0") => evaluation.color,
        column("form", ColumnType::Word(&EvaluationForm::WORDS), "form: sabaki is SBKV with SBKS or OGSC (Sabaki, Ogatak), lizzie is LZ or LZOP, lizzie2 is LZ2 or LZOP2, katrain is KT, katago is a comment").not_null()
            => evaluation.form.name(),
        column("black_winrate", ColumnType::Decimal(DECIMALS), "Black's chance to win, from 0 to 1, after the turn") => decimal(evaluation.black_winrate),
        column("black_lead", ColumnType::Decimal(DECIMALS), "points, Black minus White") => decimal(evaluation.black_lead),
        column("visits", ColumnType::Integer, "visits or playouts of the search") => evaluation.visits,
        column("points_lost", ColumnType::Decimal(DECIMALS), "lead that the player lost by the turn, negative for a gain; empty without a lead of the same form after the turn before, and if stones were set up after it")
            => decimal(evaluation.points_lost),
        column("engine", ColumnType::Text, "name of the engine, which only LizzieYzy writes") => evaluation.engine.as_str(),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let evaluation = self.evaluation;
        line.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        write!(line, " turn {} {}", evaluation.turn, evaluation.form.name())?;
        if let Some(winrate) = evaluation.black_winrate {
            write!(line, " Black wins {:.1} %", winrate as f64 / 100.0)?;
        }
        if let Some(lead) = evaluation.black_lead {
            write!(line, " Black leads by {:.1}", lead as f64 / 10_000.0)?;
        }
        Ok(())
    }
}

/// Writes the evaluations of games.
pub struct EvaluationRows;

impl GameTable for EvaluationRows {
    const TABLE: &'static Table = EvaluationRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        settings.evaluations = true;
    }

    fn add_game(&self, game: &VisitedGame<'_>, rows: &mut Rows) {
        for evaluation in &game.report.evaluations {
            rows.push(&EvaluationRow { text: *game.text, evaluation });
        }
    }
}

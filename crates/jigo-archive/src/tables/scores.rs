//! The scores table: one row per game and ruleset.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::VisitedGame;
use crate::row::line::{DOUBTFUL, LOCATION, Line, POSITIVE};
use crate::row::shared_columns::{CONFIDENCE, DEAD_SOURCE, FILE, GAME, STATUS, WINNER, column, table};
use crate::row::{Cells, ColumnType, POINTS, Row, Table, Value, ZI};
use jigo_core::analysis::{GameReport, Unscored};
use jigo_core::audit::{Cause, agrees, unfinished_note};
use jigo_record::splitter::GameText;
use jigo_rules::board::Color;
use jigo_rules::{Ruleset, Scoring};
use jigo_score::{Ending, Score};

/// One game under one ruleset.
pub struct ScoreRow<'a> {
    text: GameText<'a>,
    report: &'a GameReport,
    ruleset: Option<&'a Ruleset>,
    score: Option<&'a Score>,
    dead_source: &'static str,
    confidence: Option<f32>,
    status: &'static str,
    reason: Cow<'static, str>,
}

impl<'a> ScoreRow<'a> {
    /// Returns the row of a game under a ruleset.
    ///
    /// `scored` is `None` if there is no ruleset to count under. In that case the game is
    /// unreadable, or only the recorded ruleset was requested and the record names no known one.
    pub fn new(
        text: GameText<'a>,
        report: &'a GameReport,
        scored: Option<&'a (Ruleset, Result<Score, Unscored>)>,
    ) -> ScoreRow<'a> {
        let counted_ending = report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
        let is_as_is = scored.is_some_and(|(ruleset, score)| ruleset.axes.counts_as_is() && score.is_ok());
        let ending = counted_ending.map(|counted_ending| &counted_ending.ending).filter(|_| !is_as_is);
        let (status, mut reason) = match scored {
            Some((_, score)) => ScoreRow::status(score, ending),
            None => ScoreRow::status_without_ruleset(report),
        };
        if let Some(fault) = report.count_fault() {
            reason = format!("{reason}: {fault}").into();
        }
        if let (true, Some(counted), Some((_, Ok(_)))) = (reason.is_empty(), counted_ending, scored) {
            reason = counted.estimate_note(report.header.size).unwrap_or_default().into();
        }
        if let (true, Some((ruleset, Ok(_)))) = (reason.is_empty(), scored) {
            reason = matching_readings(report, ruleset).into();
        }
        ScoreRow {
            text,
            report,
            ruleset: scored.map(|(ruleset, _)| ruleset),
            score: scored.and_then(|(_, score)| score.as_ref().ok()),
            dead_source: if is_as_is { "as_is" } else { ending.map_or("", |ending| ending.source.name()) },
            confidence: counted_ending
                .zip(scored)
                .and_then(|(counted_ending, (ruleset, _))| counted_ending.confidence(ruleset)),
            status,
            reason,
        }
    }

    fn status(scored: &Result<Score, Unscored>, ending: Option<&Ending>) -> (&'static str, Cow<'static, str>) {
        match scored {
            Ok(score) => {
                let is_estimate = ending.is_some_and(|ending| ending.source.is_estimate());
                let status = if is_estimate { "estimated" } else { "counted" };
                let note = ending.and_then(|ending| unfinished_note(ending, score)).map(Cow::from);
                let remark = score.remark.map_or("", |remark| remark.text());
                (status, note.unwrap_or_else(|| remark.into()))
            }
            Err(unscored) => (unscored.status(), unscored.reason()),
        }
    }

    fn status_without_ruleset(report: &GameReport) -> (&'static str, Cow<'static, str>) {
        match &report.ending {
            None => ("not_replayed", "unreadable".into()),
            Some(Err(reason)) => (reason.status(), reason.name().into()),
            Some(Ok(_)) => ("not_counted", "no ruleset known".into()),
        }
    }
}

impl Row for ScoreRow<'_> {
    table! {
        "scores", "one row for each game and ruleset, written by jigo score and report", key ["file", "game", "ruleset"], |row|
        let (ruleset, score) = (row.ruleset, row.score);
        let zi = score.filter(|_| ruleset.is_some_and(|ruleset| ruleset.axes.in_zi));
        let agreement = score.and_then(|score| agrees(score, &row.report.header.result));
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        column("ruleset", ColumnType::Text, "ruleset of the count; empty for an unreadable game, and with --rules recorded if the record names none")
            => ruleset.map_or("", |ruleset| ruleset.name.as_ref()),
        column("scoring", ColumnType::Word(&Scoring::WORDS), "scoring method of the ruleset")
            => ruleset.map_or("", |ruleset| ruleset.axes.scoring.name()),
        column("komi", POINTS, "komi in points") => score.map(|score| score.komi),
        column("bonus", POINTS, "White's compensation for handicap stones") => score.map(|score| score.bonus),
        column("black", POINTS, "Black's points: area, or territory minus Black's lost stones") => score.map(|score| score.black),
        column("white", POINTS, "White's points, with komi and bonus") => score.map(|score| score.white),
        column("black_minus_white", POINTS, "final margin, with komi and bonus") => score.map(Score::black_minus_white),
        column("winner", WINNER, "player with more points")
            => score.map_or("", |score| score.winner.map_or("draw", Color::letter)),
        DEAD_SOURCE => row.dead_source,
        CONFIDENCE => row.confidence.map_or(Value::Empty, Value::Probability),
        STATUS => row.status,
        column("reason", ColumnType::Text, "why there is no score, or a note about it") => row.reason.as_ref(),
        column("stated", ColumnType::Text, "RE as written") => row.report.header.result_text.as_str(),
        column("agrees", ColumnType::Flag, "whether the count agrees with RE; empty if the count or the recorded winner is unknown")
            => agreement,
        column("zi", ZI, "final margin in zi of two points, under rulesets that use zi")
            => zi.map_or(Value::Empty, |score| Value::Zi(score.black_minus_white())),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let name = self.ruleset.map_or("-", |ruleset| ruleset.name.as_ref());
        let result = self.score.map_or("?".into(), Score::result_text);
        line.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        write!(line, " {name:<14} ")?;
        let style = if self.status == "counted" { POSITIVE } else { DOUBTFUL };
        line.styled(style, format_args!("{result:<8} {}", self.status))?;
        if let Some(confidence) = self.confidence {
            write!(line, " {confidence:.3}")?;
        }
        line.end_of_count(&self.reason, &self.report.header.result_text)
    }
}

/// Returns the territory readings that give the recorded margin. Empty unless the reading is
/// unknown and the readings differ.
fn matching_readings(report: &GameReport, ruleset: &Ruleset) -> String {
    let Some(audit) = report.audit.as_ref().filter(|audit| audit.ruleset == ruleset.name) else { return String::new() };
    let readings = audit.causes.iter().filter(|cause| matches!(cause, Cause::Reading(_)));
    let readings: Vec<String> = readings.map(Cause::to_string).collect();
    if readings.is_empty() { String::new() } else { format!("stated margin by {}", readings.join(" or ")) }
}

/// Writes the scores of games. An unreadable game also has a row.
pub struct ScoreRows;

impl GameTable for ScoreRows {
    const TABLE: &'static Table = ScoreRow::TABLE;

    fn add_game(&self, &VisitedGame { text, report, .. }: &VisitedGame<'_>, rows: &mut Rows) {
        if report.scores.is_empty() {
            rows.push(&ScoreRow::new(*text, report, None));
        }
        for scored in &report.scores {
            rows.push(&ScoreRow::new(*text, report, Some(scored)));
        }
    }
}

//! The tables: findings, scores, games.

use std::fmt;

use super::summary::Outcome;
use super::table::{Column, Kind, Row, Value};
use crate::analyze::{GameReport, Unscored};
use crate::board::Color;
use crate::finding::Finding;
use crate::input::GameText;
use crate::rules::ruleset::{Scoring, name_of};
use crate::rules::{HalfPoints, Ruleset};
use crate::score::Score;
use crate::score::audit::{Difference, Unit, agrees, explains};

const fn column(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
    Column { name, kind, meaning }
}

/// One finding, with its place in the input.
pub struct FindingRow<'a> {
    /// The source's name.
    pub file: &'a str,
    /// Which game of the source, from 1, with the byte of its `(`; `None` for a finding outside games.
    pub game: Option<(u64, u64)>,
    /// Byte in the source that the finding is at.
    pub byte: u64,
    /// Line in the source that the finding is at, from 1.
    pub line: Option<u64>,
    /// The finding.
    pub finding: &'a Finding,
}

impl<'a> FindingRow<'a> {
    /// The row of a finding in a game.
    pub fn in_game(text: &GameText<'a>, finding: &'a Finding) -> FindingRow<'a> {
        let at = finding.place.at.min(text.bytes.len());
        let lines = memchr::memchr_iter(b'\n', &text.bytes[..at]).count();
        FindingRow {
            file: text.file,
            game: Some((text.game, text.offset)),
            byte: text.source_byte(at),
            line: Some(text.line + lines as u64),
            finding,
        }
    }
}

impl Row for FindingRow<'_> {
    const TABLE: &'static str = "findings";
    const COLUMNS: &'static [Column] = &[
        column("file", Kind::Text, "path as given or found"),
        column("game", Kind::Integer, "number of the game in its file, from 1"),
        column(
            "offset",
            Kind::Integer,
            "byte of the game's ( in the file, from 0; of the text for a finding outside games",
        ),
        column("line", Kind::Integer, "line of the finding in the file, from 1"),
        column("turn", Kind::Integer, "B and W properties of the main line, from 1; 0 is the setup"),
        column("color", Kind::Word, "B or W"),
        column("point", Kind::Text, "SGF pair, column first"),
        column("code", Kind::Word, "identifier of the finding; jigo explain CODE"),
        column("name", Kind::Word, "name of the finding"),
        column("severity", Kind::Word, "error, warning or info"),
        column(
            "rules",
            Kind::Text,
            "rulesets that give this verdict, with ; between; none where the record's rules are unknown",
        ),
        column(
            "repeats_turn",
            Kind::Integer,
            "turn after which the repeated position stood before; 0 is the initial position",
        ),
        column("cycle", Kind::Integer, "turns from there to this one"),
        column("forbidden_by", Kind::Text, "repetition rules that forbid it, with ; between"),
        column("detail", Kind::Text, "what else there is to know"),
        column(
            "variation",
            Kind::Text,
            "which child, from 1, at every node with more than one; empty on the main line",
        ),
    ];

    fn values(&self) -> impl IntoIterator<Item = Value<'_>> {
        let finding = self.finding;
        let repetition = finding.repetition.as_ref();
        [
            self.file.into(),
            self.game.map(|(game, _)| game).into(),
            self.game.map_or(self.byte, |(_, offset)| offset).into(),
            self.line.into(),
            finding.place.turn.into(),
            finding.place.color.into(),
            finding.place.point.into(),
            finding.code.id().into(),
            finding.code.name().into(),
            severity(finding).into(),
            finding.rules.as_str().into(),
            repetition.map(|earlier| earlier.turn).into(),
            repetition.map(|earlier| earlier.cycle).into(),
            repetition.map_or(Value::Empty, |earlier| earlier.forbidden_by.as_str().into()),
            finding.detail.as_str().into(),
            finding.variation.as_str().into(),
        ]
    }

    fn line(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let finding = self.finding;
        write!(out, "{}", self.file)?;
        self.line.map_or(Ok(()), |line| write!(out, ":{line}"))?;
        self.game.map_or(Ok(()), |(game, _)| write!(out, ":{game}"))?;
        if !finding.variation.is_empty() {
            write!(out, " variation {}", finding.variation)?;
        }
        finding.place.turn.map_or(Ok(()), |turn| write!(out, " turn {turn}"))?;
        let point = finding.place.point.map_or(String::new(), |point| format!("[{point}]"));
        finding.place.color.map_or(Ok(()), |color| write!(out, " {}{point}", color.letter()))?;
        write!(out, " {} {} {}", severity(finding), finding.code.id(), finding.code.name())?;
        if !finding.detail.is_empty() {
            write!(out, ": {}", finding.detail)?;
        }
        if !finding.rules.is_empty() {
            write!(out, " [{}]", finding.rules)?;
        }
        Ok(())
    }
}

fn severity(finding: &Finding) -> &'static str {
    finding.severity.name()
}

/// One game under one ruleset.
pub struct ScoreRow<'a> {
    /// Where the game is.
    pub text: GameText<'a>,
    /// The game.
    pub report: &'a GameReport,
    /// The ruleset with its count; `None` for a game that could not be read.
    pub scored: Option<&'a (Ruleset, Result<Score, Unscored>)>,
}

impl ScoreRow<'_> {
    fn score(&self) -> Option<&Score> {
        self.scored.and_then(|(_, score)| score.as_ref().ok())
    }

    fn status(&self) -> (&'static str, &'static str) {
        match self.scored.map(|(_, score)| score) {
            None => ("not_replayed", "unreadable"),
            Some(Ok(score)) => ("counted", score.remark.map_or("", |remark| remark.text())),
            Some(Err(Unscored::Ruleset(reason))) => ("unsettled", reason.text()),
            Some(Err(Unscored::Ending(reason))) => (reason.status(), reason.name()),
        }
    }
}

impl Row for ScoreRow<'_> {
    const TABLE: &'static str = "scores";
    const COLUMNS: &'static [Column] = &[
        column("file", Kind::Text, "path as given or found"),
        column("game", Kind::Integer, "number of the game in its file, from 1"),
        column("ruleset", Kind::Text, "the ruleset that is counted under; empty for an unreadable game"),
        column("scoring", Kind::Word, "area, territory, pass-stones or group-tax"),
        column("komi", Kind::Points, "points for White that were counted"),
        column("bonus", Kind::Points, "points for White for handicap stones"),
        column("black", Kind::Points, "Black's points: area, or territory less the own stones lost"),
        column("white", Kind::Points, "White's points, komi and bonus included"),
        column("black_minus_white", Kind::Points, "final margin, komi and bonus included"),
        column("winner", Kind::Word, "B, W or draw"),
        column("dead_source", Kind::Word, "who decided which stones are dead: markup or settled"),
        column("confidence", Kind::Probability, "how sure an estimate is; empty where nothing was estimated"),
        column("status", Kind::Word, "counted, unsettled, not_counted or not_replayed"),
        column("reason", Kind::Text, "why there is no number, or what to know of it"),
        column("stated", Kind::Text, "RE as written"),
        column("agrees", Kind::Word, "yes or no where both a count and a stated winner or margin are known"),
        column("zi", Kind::Points, "black_minus_white in zi, two points each, under rulesets that state results so"),
    ];

    fn values(&self) -> impl IntoIterator<Item = Value<'_>> {
        let ruleset = self.scored.map(|(ruleset, _)| ruleset);
        let score = self.score();
        let ending = self.report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
        let (status, reason) = self.status();
        let zi = score.filter(|_| ruleset.is_some_and(|ruleset| ruleset.axes.in_zi));
        let agreement = score.and_then(|score| agrees(score, &self.report.header.result));
        [
            self.text.file.into(),
            self.text.game.into(),
            ruleset.map_or("", |ruleset| ruleset.name.as_ref()).into(),
            ruleset.map_or("", |ruleset| name_of(&Scoring::NAMED, ruleset.axes.scoring)).into(),
            score.map(|score| score.komi).into(),
            score.map(|score| score.bonus).into(),
            score.map(|score| score.black).into(),
            score.map(|score| score.white).into(),
            score.map(Score::black_minus_white).into(),
            score.map_or("", |score| score.winner.map_or("draw", Color::letter)).into(),
            ending.map_or("", |ending| ending.ending.source.name()).into(),
            Value::Empty,
            status.into(),
            reason.into(),
            self.report.header.result_text.as_str().into(),
            agreement.map_or("", |agrees| if agrees { "yes" } else { "no" }).into(),
            zi.map_or(Value::Empty, |score| Value::Zi(score.black_minus_white())),
        ]
    }

    fn line(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let name = self.scored.map_or("-", |(ruleset, _)| ruleset.name.as_ref());
        let result = self.score().map_or("?".into(), result_text);
        let (status, reason) = self.status();
        write!(out, "{}#{} {name:<14} {result:<8} {status}", self.text.file, self.text.game)?;
        if !reason.is_empty() {
            write!(out, " ({reason})")?;
        }
        match self.report.header.result_text.as_str() {
            "" => Ok(()),
            stated => write!(out, ", stated {stated}"),
        }
    }
}

/// A count as RE writes it.
fn result_text(score: &Score) -> String {
    let margin = score.black_minus_white();
    let margin = if margin < HalfPoints::ZERO { -margin } else { margin };
    match score.winner {
        None => "0".into(),
        Some(winner) => format!("{}+{margin}", winner.letter()),
    }
}

/// One game.
pub struct GameRow<'a> {
    /// Where the game is.
    pub text: GameText<'a>,
    /// The game.
    pub report: &'a GameReport,
    /// How many of its findings are reported.
    findings: usize,
    explained_by: String,
}

impl<'a> GameRow<'a> {
    /// The row of a game of which so many findings are reported.
    pub fn new(text: GameText<'a>, report: &'a GameReport, findings: usize) -> GameRow<'a> {
        let explaining = report.scores.iter().filter_map(|(ruleset, score)| {
            let name = ruleset.name.as_ref();
            match explains(score.as_ref().ok()?, &ruleset.axes, &report.header)? {
                Unit::Points => Some(name.to_owned()),
                Unit::Zi => Some(format!("{name} (zi)")),
            }
        });
        let explained_by = explaining.collect::<Vec<_>>().join(";");
        GameRow { text, report, findings, explained_by }
    }

    /// How the record's play ends.
    fn ending(&self) -> &'static str {
        let tally = &self.report.tally;
        match (self.report.outcome, tally.closing_passes) {
            (Outcome::Unreadable, _) => "unreadable",
            (Outcome::Stopped, _) => "stopped",
            (Outcome::Replayed, _) if tally.turns == 0 => "no_turns",
            (Outcome::Replayed, 0) => "no_pass",
            (Outcome::Replayed, 1) => "one_pass",
            (Outcome::Replayed, _) => "two_passes",
        }
    }
}

impl Row for GameRow<'_> {
    const TABLE: &'static str = "games";
    const COLUMNS: &'static [Column] = &[
        column("file", Kind::Text, "path as given or found"),
        column("game", Kind::Integer, "number of the game in its file, from 1"),
        column("offset", Kind::Integer, "byte of the game's ( in the file, from 0"),
        column("black", Kind::Text, "PB"),
        column("white", Kind::Text, "PW"),
        column("black_rank", Kind::Text, "BR"),
        column("white_rank", Kind::Text, "WR"),
        column("event", Kind::Text, "EV"),
        column("date", Kind::Text, "DT"),
        column("width", Kind::Integer, "columns of the board"),
        column("height", Kind::Integer, "rows of the board"),
        column("handicap", Kind::Integer, "handicap stones on the board, whatever HA says"),
        column("komi", Kind::Points, "KM as understood"),
        column("rules_stated", Kind::Text, "RU as written"),
        column("ruleset", Kind::Text, "the ruleset that RU names, or the assumed one"),
        column("result", Kind::Text, "RE as written"),
        column(
            "result_kind",
            Kind::Word,
            "score, draw, win, resignation, time, forfeit, void, unknown, missing or unreadable",
        ),
        column("stated_black_minus_white", Kind::Points, "margin that RE states"),
        column("turns", Kind::Integer, "B and W properties of the main line"),
        column("black_passes", Kind::Integer, "recorded passes of Black"),
        column("white_passes", Kind::Integer, "recorded passes of White"),
        column("ending", Kind::Word, "two_passes, one_pass, no_pass, no_turns, stopped or unreadable"),
        column("illegal", Kind::Integer, "turns that broke the rules judged by, the turn order, or could not be made"),
        column("repetitions", Kind::Integer, "plays that brought back an earlier position, legal or not"),
        column("findings", Kind::Integer, "rows in findings"),
        column("area_black_minus_white", Kind::Points, "margin of area, without komi"),
        column(
            "territory_black_minus_white",
            Kind::Points,
            "margin of territory less stones lost, eyes in seki not counted, without komi",
        ),
        column("difference", Kind::Points, "area less territory"),
        column("parity", Kind::Points, "part of it: stones that Black played less those White played"),
        column("setup", Kind::Points, "part of it: stones set up for Black less those for White"),
        column(
            "seki",
            Kind::Points,
            "part of it: eyes in seki and false eyes that only area counts, Black's less White's",
        ),
        column("dame", Kind::Integer, "open points that touch both colours"),
        column("dead_stones", Kind::Integer, "stones taken off as dead"),
        column("dead_source", Kind::Word, "who decided which stones are dead: markup or settled"),
        column("confidence", Kind::Probability, "how sure an estimate is; empty where nothing was estimated"),
        column("status", Kind::Word, "counted, unsettled, not_counted or not_replayed"),
        column(
            "explained_by",
            Kind::Text,
            "rulesets whose count is the stated margin, with ; between; (zi) where it is when read as zi",
        ),
        column("game_hash", Kind::Text, "the same for the eight symmetries of a game"),
    ];

    fn values(&self) -> impl IntoIterator<Item = Value<'_>> {
        let GameReport { header, tally, .. } = self.report;
        let ruleset = self.report.ruleset.as_ref();
        let readable = self.report.outcome != Outcome::Unreadable;
        let when = |value: Value<'static>| if readable { value } else { Value::Empty };
        let counted = self.report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
        let margins = counted.map(|counted| Difference::of(&counted.counts, tally));
        let status = match &self.report.ending {
            Some(Ok(_)) => "counted",
            Some(Err(reason)) => reason.status(),
            None => "not_replayed",
        };
        [
            self.text.file.into(),
            self.text.game.into(),
            self.text.offset.into(),
            header.black.as_str().into(),
            header.white.as_str().into(),
            header.black_rank.as_str().into(),
            header.white_rank.as_str().into(),
            header.event.as_str().into(),
            header.date.as_str().into(),
            when(header.size.width().into()),
            when(header.size.height().into()),
            when(tally.handicap.into()),
            header.komi.into(),
            header.rules.as_str().into(),
            ruleset.map_or("", |ruleset| ruleset.name.as_ref()).into(),
            header.result_text.as_str().into(),
            header.result.kind.name().into(),
            header.result.black_minus_white.into(),
            when(tally.turns.into()),
            when(tally.passes[0].into()),
            when(tally.passes[1].into()),
            self.ending().into(),
            when(tally.illegal.into()),
            when(tally.repetitions.into()),
            self.findings.into(),
            margins.as_ref().map(|margins| margins.area).into(),
            margins.as_ref().map(|margins| margins.territory).into(),
            margins.as_ref().map(|margins| margins.area - margins.territory).into(),
            margins.as_ref().map(|margins| margins.parity).into(),
            margins.as_ref().map(|margins| margins.setup).into(),
            margins.as_ref().map(|margins| margins.seki).into(),
            counted.map(|counted| counted.counts.dame).into(),
            counted.map(|counted| counted.ending.dead.len()).into(),
            counted.map_or("", |counted| counted.ending.source.name()).into(),
            Value::Empty,
            status.into(),
            self.explained_by.as_str().into(),
            when(Value::Hash(self.report.hash)),
        ]
    }

    fn line(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let GameReport { header, tally, .. } = self.report;
        write!(out, "{}#{} {} - {}", self.text.file, self.text.game, header.black, header.white)?;
        write!(
            out,
            ", {} turns, {}",
            tally.turns,
            if header.result_text.is_empty() { "?" } else { &header.result_text }
        )
    }
}

//! The games table: one row per game.

use std::fmt::{self, Write as _};

use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::VisitedGame;
use crate::row::line::{LOCATION, Line};
use crate::row::shared_columns::{
    CONFIDENCE, DEAD_SOURCE, DIALECT_NAMES, ENDINGS, FILE, GAME, OFFSET, RESULT_KINDS, STATUS, column, table,
};
use crate::row::{Cells, ColumnType, POINTS, Row, SECONDS, Table, Value};
use jigo_core::analysis::{GameReport, Outcome, Settings};
use jigo_core::audit::{Audit, MarginDifference, Verdict};
use jigo_record::splitter::GameText;
use jigo_record::{GameDetails, OvertimeKind, Precision, TimeControl};

/// One game.
pub struct GameRow<'a> {
    /// The game's text and position.
    pub text: GameText<'a>,
    /// The report of the game.
    pub report: &'a GameReport,
    /// The number of its reported findings.
    findings: usize,
    explained_by: String,
}

impl<'a> GameRow<'a> {
    /// Returns the row of a game with this number of reported findings.
    pub fn new(text: GameText<'a>, report: &'a GameReport, findings: usize) -> GameRow<'a> {
        let explained_by = report.audit.as_ref().map_or(String::new(), Audit::explained_by);
        GameRow { text, report, findings, explained_by }
    }
}

impl Row for GameRow<'_> {
    table! {
        "games", "one row for each game, written by jigo report and jigo check --table games", key ["file", "game"], |row|
        let GameReport { header, tally, .. } = row.report;
        let ruleset = row.report.ruleset.as_ref();
        let readable = row.report.outcome != Outcome::Unreadable;
        let if_readable = |value: Value<'static>| if readable { value } else { Value::Empty };
        let ending = row.report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
        let certain_ending = ending.filter(|counted| counted.is_certain);
        let date = header.first_date();
        let margins = row.report.difference();
        let details = row.report.details.as_deref();
        let TimeControl { main, overtime } = details.map_or(TimeControl::default(), |details| details.time_control);
        let bots = details.map_or([None; 2], |details| details.are_bots);
        let seconds = |time: Option<i64>| time.map_or(Value::Empty, |time| Value::Decimal(time, 3));
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        OFFSET.not_null() => row.text.offset,
        column("black", ColumnType::Text, "PB") => header.black.as_str(),
        column("white", ColumnType::Text, "PW") => header.white.as_str(),
        column("black_rank", ColumnType::Text, "BR") => header.black_rank.as_str(),
        column("white_rank", ColumnType::Text, "WR") => header.white_rank.as_str(),
        column("event", ColumnType::Text, "EV") => header.event.as_str(),
        column("date", ColumnType::Date, "first day that DT names; see date_precision") => date.map(|(date, _)| date),
        column("width", ColumnType::Integer, "columns of the board") => if_readable(header.size.width().into()),
        column("height", ColumnType::Integer, "rows of the board") => if_readable(header.size.height().into()),
        column("handicap", ColumnType::Integer, "handicap stones on the board, regardless of HA") => if_readable(tally.handicap.stones().into()),
        column("komi", POINTS, "KM in points") => header.komi,
        column("rules_stated", ColumnType::Text, "RU as written") => header.rules.as_str(),
        column("ruleset", ColumnType::Text, "ruleset that RU names, or the assumed one")
            => ruleset.map_or("", |ruleset| ruleset.name.as_ref()),
        column("result", ColumnType::Text, "RE as written") => header.result_text.as_str(),
        column("result_kind", ColumnType::Word(RESULT_KINDS), "kind of the recorded result").not_null()
            => header.result.kind.name(),
        column("stated_black_minus_white", POINTS, "recorded margin") => header.result.black_minus_white,
        column("turns", ColumnType::Integer, "number of turns on the main line") => if_readable(tally.turns.into()),
        column("black_passes", ColumnType::Integer, "recorded passes of Black") => if_readable(tally.passes[0].into()),
        column("white_passes", ColumnType::Integer, "recorded passes of White") => if_readable(tally.passes[1].into()),
        column("ending", ColumnType::Word(ENDINGS), "how play ends in the record").not_null()
            => row.report.end_of_play(),
        column("illegal", ColumnType::Integer, "turns that break the rules or the turn order, or that can't be played")
            => if_readable(tally.illegal.into()),
        column("repetitions", ColumnType::Integer, "plays that brought back an earlier position, legal or not") => if_readable(tally.repetitions.into()),
        column("findings", ColumnType::Integer, "rows in findings").not_null().counted() => row.findings,
        column("area_black_minus_white", POINTS, "margin by area, without komi").counted() => margins.as_ref().map(|margins| margins.area),
        column("territory_black_minus_white", POINTS, "margin by territory minus lost stones, without komi; every region of one colour counts").counted()
            => margins.as_ref().map(|margins| margins.territory),
        column("difference", POINTS, "area minus strict territory: the sum of parity, passes, handicap_stones, setup, seki and dame").counted()
            => margins.as_ref().map(MarginDifference::total),
        column("parity", POINTS, "part of the difference: Black's turns minus White's turns").counted()
            => margins.as_ref().map(|margins| margins.parity),
        column("setup", POINTS, "part of the difference: setup stones of Black minus those of White, without handicap").counted()
            => margins.as_ref().map(|margins| margins.setup),
        column("seki", POINTS, "part of the difference: eyes in seki, Black's minus White's").counted() => margins.as_ref().map(|margins| margins.seki),
        column("dame", POINTS, "part of the difference: points to fill before counting, Black's minus White's").counted()
            => margins.as_ref().map(|margins| margins.dame),
        column("dead_stones", ColumnType::Integer, "stones removed as dead").counted() => certain_ending.map(|certain_ending| certain_ending.ending.dead.len()),
        DEAD_SOURCE.counted() => ending.map_or("", |counted| counted.ending.source.name()),
        CONFIDENCE.counted() => ending.and_then(|counted| counted.ending.confidence).map_or(Value::Empty, Value::Probability),
        STATUS.counted() => row.report.status(),
        column("explained_by", ColumnType::Text, "ruleset that counts the recorded margin, or the likeliest causes of another count, separated by semicolons").counted()
            => row.explained_by.as_str(),
        column("game_hash", ColumnType::Hash, "hash that the eight symmetries of a game share; empty without turns and setup") => match row.report.hash { 0 => Value::Empty, hash => Value::Hash(hash) },
        column("strict_territory_black_minus_white", POINTS, "margin by territory without eyes in seki and points to fill, as Japanese rules count; without komi").counted()
            => margins.as_ref().map(|margins| margins.strict_territory),
        column("passes", POINTS, "part of the difference: White's passes minus Black's passes").counted()
            => margins.as_ref().map(|margins| margins.passes),
        column("handicap_stones", POINTS, "part of the difference: handicap stones for which White took no turns").counted()
            => margins.as_ref().map(|margins| margins.handicap),
        column("open_dame", ColumnType::Integer, "neutral points: empty points that touch both colours").counted() => certain_ending.map(|certain_ending| certain_ending.counts.dame),
        column("dialect", ColumnType::Word(&DIALECT_NAMES), "server or program that wrote the record, if the root shows it; see jigo dialects")
            => header.dialect.map_or("", |dialect| dialect.name),
        column("length", ColumnType::Integer, "bytes of the game in the file; offset and length locate its text").not_null() => row.text.source_length(row.text.bytes),
        column("year", ColumnType::Integer, "first year that DT names") => header.year(),
        column("date_precision", ColumnType::Word(&Precision::WORDS), "precision of DT: one day, several days, a month or a year; date is the first day of them")
            => date.map_or("", |(_, precision)| precision.name()),
        column("date_stated", ColumnType::Text, "DT as written") => header.date.as_str(),
        column("place", ColumnType::Text, "PC") => header.place.as_str(),
        column("round", ColumnType::Text, "RO") => details.map_or("", |details: &GameDetails| details.round.as_str()),
        column("time_main", SECONDS, "main time that TM names, in seconds") => seconds(main),
        column("overtime", ColumnType::Word(&OvertimeKind::WORDS), "kind of overtime, from OT or the server's properties; empty if unknown")
            => overtime.map_or("", |overtime| overtime.kind.name()),
        column("overtime_periods", ColumnType::Integer, "periods of byo-yomi") => overtime.and_then(|overtime| overtime.periods),
        column("overtime_period_time", SECONDS, "seconds of a period: for one turn in byo-yomi, for overtime_stones stones in Canadian overtime; the seconds that each turn adds in Fischer time")
            => seconds(overtime.and_then(|overtime| overtime.period_time)),
        column("overtime_stones", ColumnType::Integer, "stones to play in a period of Canadian overtime") => overtime.and_then(|overtime| overtime.stones),
        column("rated", ColumnType::Flag, "whether the game counts for ratings; empty unless the server's record tells it") => details.and_then(|details| details.is_rated),
        column("black_is_bot", ColumnType::Flag, "whether Black is a program; empty if unknown") => bots[0],
        column("white_is_bot", ColumnType::Flag, "whether White is a program; empty if unknown") => bots[1],
        column("verdict", ColumnType::Word(&Verdict::WORDS), "verdict on the recorded result, as in results; empty without one").counted()
            => row.report.audit.as_ref().map_or("", |audit| audit.verdict.name()),
        column("first_pass", ColumnType::Integer, "turn of the first recorded pass; empty without a pass") => row.report.first_pass,
        column("black_id", ColumnType::Text, "Black's id in the file of --players, or else the name in lower case and half width, without ranks and titles; empty if PB names no player")
            => details.map_or("", |details| details.player_ids[0].id.as_str()),
        column("white_id", ColumnType::Text, "White's id, as black_id")
            => details.map_or("", |details| details.player_ids[1].id.as_str()),
        column("decade", ColumnType::Integer, "first year of the decade of year") => header.year().map(|year| year / 10 * 10),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let GameReport { header, tally, .. } = self.report;
        line.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        let result = if header.result_text.is_empty() { "?" } else { &header.result_text };
        write!(line, " {} - {}, {} turns, {result}", header.black, header.white, tally.turns)
    }
}

/// Writes the data of each game.
pub struct GameRows;

impl GameTable for GameRows {
    const TABLE: &'static Table = GameRow::TABLE;

    fn configure(&self, settings: &mut Settings) {
        settings.game_hash = true;
        settings.details = true;
    }

    fn add_game(&self, game: &VisitedGame<'_>, rows: &mut Rows) {
        rows.push(&GameRow::new(*game.text, game.report, game.reported.len()));
    }
}

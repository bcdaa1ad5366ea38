//! The games table.

use std::fmt::{self, Write as _};

use super::{CONFIDENCE, DEAD_SOURCE, FILE, GAME, OFFSET, STATUS, column};
use crate::tables::formats::text::{Line, PLACE};
use crate::tables::table::{Cells, Kind, POINTS, Row, Table, table, words_of};
use crate::tables::value::Value;
use jigo_core::analyze::{GameReport, Outcome};
use jigo_core::audit::{Audit, Difference};
use jigo_core::record::Precision;
use jigo_core::record::dialect::DIALECTS;
use jigo_core::sgf::GameText;

/// The names of all dialects.
const DIALECT_NAMES: [&str; DIALECTS.len()] = {
    let mut names = [""; DIALECTS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = DIALECTS[index].name;
        index += 1;
    }
    names
};

/// The names of all precisions of a date.
const PRECISIONS: [&str; Precision::NAMED.len()] = words_of(&Precision::NAMED);

/// The names of all kinds of recorded results.
pub const RESULT_KINDS: &[&str] =
    &["score", "draw", "win", "resignation", "time", "forfeit", "void", "unknown", "missing", "unreadable"];
/// The names of all ways in which play ends in a record.
pub const ENDINGS: &[&str] = &["two_passes", "one_pass", "no_pass", "no_turns", "stopped", "unreadable"];

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
        "games", "one row for each game, written by jigo report", key ["file", "game"], |row|
        let GameReport { header, tally, .. } = row.report;
        let ruleset = row.report.ruleset.as_ref();
        let readable = row.report.outcome != Outcome::Unreadable;
        let when = |value: Value<'static>| if readable { value } else { Value::Empty };
        let decided = row.report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
        let counted = decided.filter(|counted| counted.is_sure);
        let date = header.first_date();
        let margins = row.report.difference();
        FILE => row.text.file,
        GAME.always() => row.text.game,
        OFFSET.always() => row.text.offset,
        column("black", Kind::Text, "PB") => header.black.as_str(),
        column("white", Kind::Text, "PW") => header.white.as_str(),
        column("black_rank", Kind::Text, "BR") => header.black_rank.as_str(),
        column("white_rank", Kind::Text, "WR") => header.white_rank.as_str(),
        column("event", Kind::Text, "EV") => header.event.as_str(),
        column("date", Kind::Date, "the first day that DT may name, as far as date_precision says") => date.map(|(date, _)| date),
        column("width", Kind::Integer, "columns of the board") => when(header.size.width().into()),
        column("height", Kind::Integer, "rows of the board") => when(header.size.height().into()),
        column("handicap", Kind::Integer, "handicap stones on the board, whatever HA says") => when(tally.handicap.into()),
        column("komi", POINTS, "KM as understood") => header.komi,
        column("rules_stated", Kind::Text, "RU as written") => header.rules.as_str(),
        column("ruleset", Kind::Text, "the ruleset that RU names, or the assumed one")
            => ruleset.map_or("", |ruleset| ruleset.name.as_ref()),
        column("result", Kind::Text, "RE as written") => header.result_text.as_str(),
        column("result_kind", Kind::Word(RESULT_KINDS), "what kind of result RE states").always()
            => header.result.kind.name(),
        column("stated_black_minus_white", POINTS, "margin that RE states") => header.result.black_minus_white,
        column("turns", Kind::Integer, "B and W properties of the main line") => when(tally.turns.into()),
        column("black_passes", Kind::Integer, "recorded passes of Black") => when(tally.passes[0].into()),
        column("white_passes", Kind::Integer, "recorded passes of White") => when(tally.passes[1].into()),
        column("ending", Kind::Word(ENDINGS), "how the record's play ends").always()
            => row.report.end_of_play(),
        column("illegal", Kind::Integer, "turns that broke the rules judged by, the turn order, or could not be made")
            => when(tally.illegal.into()),
        column("repetitions", Kind::Integer, "plays that brought back an earlier position, legal or not") => when(tally.repetitions.into()),
        column("findings", Kind::Integer, "rows in findings").always() => row.findings,
        column("area_black_minus_white", POINTS, "margin of area, without komi") => margins.as_ref().map(|margins| margins.area),
        column("territory_black_minus_white", POINTS, "margin of territory less stones lost, every region of one colour counted, without komi")
            => margins.as_ref().map(|margins| margins.territory),
        column("difference", POINTS, "area less strict territory, the sum of parity, setup, seki, dame, passes and handicap")
            => margins.as_ref().map(Difference::total),
        column("parity", POINTS, "part of the difference: turns that Black took less those White took")
            => margins.as_ref().map(|margins| margins.parity),
        column("setup", POINTS, "part of it: stones set up for Black less those for White, handicap apart")
            => margins.as_ref().map(|margins| margins.setup),
        column("seki", POINTS, "part of it: eyes in seki, Black's less White's") => margins.as_ref().map(|margins| margins.seki),
        column("dame", POINTS, "part of it: points that have to be filled in the end, Black's less White's")
            => margins.as_ref().map(|margins| margins.dame),
        column("dead_stones", Kind::Integer, "stones taken off as dead") => counted.map(|counted| counted.ending.dead.len()),
        DEAD_SOURCE => decided.map_or("", |counted| counted.ending.source.name()),
        CONFIDENCE => decided.and_then(|counted| counted.ending.confidence).map_or(Value::Empty, Value::Probability),
        STATUS => row.report.status(),
        column("explained_by", Kind::Text, "what gives the stated margin: the ruleset that counts it, or what would have to be otherwise, the likeliest first, with ; between")
            => row.explained_by.as_str(),
        column("game_hash", Kind::Text, "the same for the eight symmetries of a game; empty for one without turns and setup") => match row.report.hash { 0 => Value::Empty, hash => Value::Hash(hash) },
        column("strict_territory_black_minus_white", POINTS, "margin of territory as Japanese rules count it: without eyes in seki and points that have to be filled")
            => margins.as_ref().map(|margins| margins.strict_territory),
        column("passes", POINTS, "part of the difference: passes of White less those of Black")
            => margins.as_ref().map(|margins| margins.passes),
        column("handicap_stones", POINTS, "part of it: handicap stones that White had no turns for")
            => margins.as_ref().map(|margins| margins.handicap),
        column("open_dame", Kind::Integer, "open points that touch both colours") => counted.map(|counted| counted.counts.dame),
        column("dialect", Kind::Word(&DIALECT_NAMES), "what the record is written in, where it shows; jigo dialects")
            => header.dialect.map_or("", |dialect| dialect.name),
        column("length", Kind::Integer, "bytes of the game in the file: offset and length cut it out").always() => row.text.source_length(row.text.bytes),
        column("year", Kind::Integer, "the first year that DT names") => header.year(),
        column("date_precision", Kind::Word(&PRECISIONS), "what DT says: one day, the first of several days, a month of which date is the first day, or a year")
            => date.map_or("", |(_, precision)| precision.name()),
        column("date_stated", Kind::Text, "DT as written") => header.date.as_str(),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let GameReport { header, tally, .. } = self.report;
        line.styled(PLACE, format_args!("{}#{}", self.text.file, self.text.game))?;
        let result = if header.result_text.is_empty() { "?" } else { &header.result_text };
        write!(line, " {} - {}, {} turns, {result}", header.black, header.white, tally.turns)
    }
}

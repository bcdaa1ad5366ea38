//! The games table.

use std::fmt::{self, Write as _};

use super::{CONFIDENCE, DEAD_SOURCE, FILE, GAME, STATUS, column};
use crate::tables::formats::text::{Line, PLACE};
use crate::tables::table::{Cells, Kind, POINTS, Row, Table, Value};
use jigo_core::analyze::{GameReport, Outcome};
use jigo_core::audit::{Difference, explanations};
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
        let counted = report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
        let explanations = counted.map_or(Vec::new(), |counted| {
            explanations((&counted.counts, &counted.other_readings), &report.tally, &report.header)
        });
        let explained_by = explanations.join(";");
        GameRow { text, report, findings, explained_by }
    }

    /// The rulesets whose count is the stated margin, with ; between.
    pub fn explained_by(&self) -> &str {
        &self.explained_by
    }
}

impl Row for GameRow<'_> {
    const TABLE: &'static Table = &Table {
        name: "games",
        what: "one row for each game, written by jigo report",
        columns: &[
            FILE,
            GAME.always(),
            column("offset", Kind::Integer, "byte of the game's ( in the file, from 0").always(),
            column("black", Kind::Text, "PB"),
            column("white", Kind::Text, "PW"),
            column("black_rank", Kind::Text, "BR"),
            column("white_rank", Kind::Text, "WR"),
            column("event", Kind::Text, "EV"),
            column("date", Kind::Text, "DT"),
            column("width", Kind::Integer, "columns of the board"),
            column("height", Kind::Integer, "rows of the board"),
            column("handicap", Kind::Integer, "handicap stones on the board, whatever HA says"),
            column("komi", POINTS, "KM as understood"),
            column("rules_stated", Kind::Text, "RU as written"),
            column("ruleset", Kind::Text, "the ruleset that RU names, or the assumed one"),
            column("result", Kind::Text, "RE as written"),
            column(
                "result_kind",
                Kind::Word(&[
                    "score",
                    "draw",
                    "win",
                    "resignation",
                    "time",
                    "forfeit",
                    "void",
                    "unknown",
                    "missing",
                    "unreadable",
                ]),
                "what kind of result RE states",
            )
            .always(),
            column("stated_black_minus_white", POINTS, "margin that RE states"),
            column("turns", Kind::Integer, "B and W properties of the main line"),
            column("black_passes", Kind::Integer, "recorded passes of Black"),
            column("white_passes", Kind::Integer, "recorded passes of White"),
            column(
                "ending",
                Kind::Word(&["two_passes", "one_pass", "no_pass", "no_turns", "stopped", "unreadable"]),
                "how the record's play ends",
            )
            .always(),
            column(
                "illegal",
                Kind::Integer,
                "turns that broke the rules judged by, the turn order, or could not be made",
            ),
            column("repetitions", Kind::Integer, "plays that brought back an earlier position, legal or not"),
            column("findings", Kind::Integer, "rows in findings").always(),
            column("area_black_minus_white", POINTS, "margin of area, without komi"),
            column(
                "territory_black_minus_white",
                POINTS,
                "margin of territory less stones lost, every region of one colour counted, without komi",
            ),
            column(
                "difference",
                POINTS,
                "area less strict territory, the sum of parity, setup, seki, dame, passes and handicap",
            ),
            column("parity", POINTS, "part of the difference: turns that Black took less those White took"),
            column("setup", POINTS, "part of it: stones set up for Black less those for White, handicap apart"),
            column("seki", POINTS, "part of it: eyes in seki, Black's less White's"),
            column("dame", POINTS, "part of it: points that have to be filled in the end, Black's less White's"),
            column("dead_stones", Kind::Integer, "stones taken off as dead"),
            DEAD_SOURCE,
            CONFIDENCE,
            STATUS,
            column(
                "explained_by",
                Kind::Text,
                "rulesets whose count is the stated margin, with ; between; (zi) where it is when read as zi",
            ),
            column("game_hash", Kind::Text, "the same for the eight symmetries of a game"),
            column(
                "strict_territory_black_minus_white",
                POINTS,
                "margin of territory as Japanese rules count it: without eyes in seki and points that have to be filled",
            ),
            column("passes", POINTS, "part of the difference: passes of White less those of Black"),
            column("handicap_stones", POINTS, "part of it: handicap stones that White had no turns for"),
            column("open_dame", Kind::Integer, "open points that touch both colours"),
            column(
                "dialect",
                Kind::Word(&DIALECT_NAMES),
                "what the record is written in, where it shows; jigo dialects",
            ),
        ],
    };

    fn cells(&self, cells: &mut impl Cells) {
        let GameReport { header, tally, .. } = self.report;
        let ruleset = self.report.ruleset.as_ref();
        let readable = self.report.outcome != Outcome::Unreadable;
        let when = |value: Value<'static>| if readable { value } else { Value::Empty };
        let decided = self.report.ending.as_ref().and_then(|ending| ending.as_ref().ok());
        let counted = decided.filter(|counted| counted.is_sure);
        let margins = self.report.difference();
        cells.put(self.text.file);
        cells.put(self.text.game);
        cells.put(self.text.offset);
        cells.put(header.black.as_str());
        cells.put(header.white.as_str());
        cells.put(header.black_rank.as_str());
        cells.put(header.white_rank.as_str());
        cells.put(header.event.as_str());
        cells.put(header.date.as_str());
        cells.put(when(header.size.width().into()));
        cells.put(when(header.size.height().into()));
        cells.put(when(tally.handicap.into()));
        cells.put(header.komi);
        cells.put(header.rules.as_str());
        cells.put(ruleset.map_or("", |ruleset| ruleset.name.as_ref()));
        cells.put(header.result_text.as_str());
        cells.put(header.result.kind.name());
        cells.put(header.result.black_minus_white);
        cells.put(when(tally.turns.into()));
        cells.put(when(tally.passes[0].into()));
        cells.put(when(tally.passes[1].into()));
        cells.put(self.report.end_of_play());
        cells.put(when(tally.illegal.into()));
        cells.put(when(tally.repetitions.into()));
        cells.put(self.findings);
        cells.put(margins.as_ref().map(|margins| margins.area));
        cells.put(margins.as_ref().map(|margins| margins.territory));
        cells.put(margins.as_ref().map(Difference::total));
        cells.put(margins.as_ref().map(|margins| margins.parity));
        cells.put(margins.as_ref().map(|margins| margins.setup));
        cells.put(margins.as_ref().map(|margins| margins.seki));
        cells.put(margins.as_ref().map(|margins| margins.dame));
        cells.put(counted.map(|counted| counted.ending.dead.len()));
        cells.put(decided.map_or("", |counted| counted.ending.source.name()));
        cells.put(decided.and_then(|counted| counted.ending.confidence).map_or(Value::Empty, Value::Probability));
        cells.put(self.report.status());
        cells.put(self.explained_by.as_str());
        cells.put(when(Value::Hash(self.report.hash)));
        cells.put(margins.as_ref().map(|margins| margins.strict_territory));
        cells.put(margins.as_ref().map(|margins| margins.passes));
        cells.put(margins.as_ref().map(|margins| margins.handicap));
        cells.put(counted.map(|counted| counted.counts.dame));
        cells.put(header.dialect.map_or("", |dialect| dialect.name));
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let GameReport { header, tally, .. } = self.report;
        line.styled(PLACE, format_args!("{}#{}", self.text.file, self.text.game))?;
        let result = if header.result_text.is_empty() { "?" } else { &header.result_text };
        write!(line, " {} - {}, {} turns, {result}", header.black, header.white, tally.turns)
    }
}

//! The columns of a filter, with their types and the origin of their values.

use jigo_core::analysis::{GameReport, Outcome};
use jigo_core::audit::{Verdict, agrees};
use jigo_record::finding::{Code, Finding, FoundBy, Severity};
use jigo_record::{
    Date, GameDetails, Header, OvertimeKind, Rank, RecordedResult, ResultKind, ResultOddity, TimeControl,
};
use jigo_rules::HalfPoints;
use jigo_rules::cycle::{Cycle, CycleKind};

use crate::row::shared_columns::{DIALECT_NAMES, ENDINGS, RESULT_KINDS, STATUSES};

/// The step of the analysis that determines a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnalysisStep {
    /// The header of the record.
    Header,
    /// The replay and its findings.
    Replay,
    /// The count of the ending.
    Count,
    /// The comparison with the expectations of a configuration file.
    Expectations,
    /// The search for duplicates, which needs all games.
    Duplicates,
}

impl AnalysisStep {
    /// Returns the step after which it is known whether a game has a finding. Findings on the
    /// header are reported with the others, after the replay.
    pub fn for_finding(code: Code) -> AnalysisStep {
        match code.found_by() {
            FoundBy::Copies => AnalysisStep::Duplicates,
            FoundBy::Expectations => AnalysisStep::Expectations,
            FoundBy::Engine | FoundBy::Count => AnalysisStep::Count,
            FoundBy::Replay | FoundBy::Reading | FoundBy::Problems => AnalysisStep::Replay,
        }
    }
}

/// A game that a filter examines, before or after the analysis.
#[derive(Clone, Copy)]
pub struct FilteredGame<'a> {
    /// The header. That of an unreadable game contains defaults, which are not values.
    pub header: &'a Header,
    /// The details of the root; `None` if no column needs them or if the game is unreadable.
    pub details: Option<&'a GameDetails>,
    /// False if the game is unreadable.
    pub is_readable: bool,
    /// The result of the analysis; `None` before it.
    pub analysis: Option<GameAnalysis<'a>>,
}

/// The report on a game, and the findings to report.
pub type GameAnalysis<'a> = (&'a GameReport, &'a [&'a Finding]);

impl<'a> FilteredGame<'a> {
    /// Returns an analysed game. Columns of the header have the same value as before.
    pub(super) fn analyzed(report: &'a GameReport, reported: &'a [&'a Finding]) -> FilteredGame<'a> {
        FilteredGame {
            header: &report.header,
            details: report.details.as_deref(),
            is_readable: report.outcome != Outcome::Unreadable,
            analysis: Some((report, reported)),
        }
    }
}

/// The value of a cell. Each type has its own comparisons.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    /// A number.
    Number(f64),
    /// A text as recorded.
    Text(&'a str),
    /// A word from a fixed list.
    Word(&'static str),
    /// A rank, with its recorded text.
    Rank(&'a str, Option<Rank>),
    /// A date, with its recorded text.
    Date(&'a str, Option<Date>),
    /// A recorded result, with its text.
    Result(&'a str, RecordedResult),
    /// The worst severity of the findings; `None` without findings.
    Severity(Option<Severity>),
    /// Yes or no.
    Flag(bool),
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterType {
    /// A number.
    Number,
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A rank, in the order from 30k to 9p.
    Rank,
    /// A date, which may be a whole month or year.
    Date,
    /// A recorded result.
    Result,
    /// A severity of findings.
    Severity,
    /// Yes or no.
    Flag,
}

/// The origin of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnOrigin {
    /// The header.
    Header,
    /// The details of the root.
    Details,
    /// The replay and its findings.
    Replay,
    /// A repeated position, of which a game may have several.
    Cycle,
    /// The count of the ending.
    Count,
}

macro_rules! columns {
    (
        |$game:ident| $(let $part:pat = $let_value:expr;)*
        { $($column:ident $name:literal $kind:expr, $origin:ident => $value:expr;)* }
    ) => {
        /// A column of a filter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum FilterColumn {
            $(#[doc = concat!("`", $name, "`")] $column),*
        }

        impl FilterColumn {
            /// All columns, those of the header first.
            pub const ALL: &'static [FilterColumn] = &[$(FilterColumn::$column),*];

            /// Returns the name, as in the tables.
            pub const fn name(self) -> &'static str {
                match self {
                    $(FilterColumn::$column => $name),*
                }
            }

            /// Returns the type.
            pub const fn column_type(self) -> FilterType {
                match self {
                    $(FilterColumn::$column => $kind),*
                }
            }

            /// Returns the origin of the values.
            const fn origin(self) -> ColumnOrigin {
                match self {
                    $(FilterColumn::$column => ColumnOrigin::$origin),*
                }
            }

            /// Returns the value of a game. `None` means that the game has no such value, or that
            /// the analysis will determine it.
            pub(super) fn value<'a>(self, $game: FilteredGame<'a>) -> Option<Cell<'a>> {
                $(let $part = $let_value;)*
                match self {
                    $(FilterColumn::$column => $value),*
                }
            }
        }
    };
}

columns! {
    |game|
    let FilteredGame { header, details, is_readable, analysis } = game;
    let (width, height) = (header.size.width(), header.size.height());
    let clock = details.map_or(TimeControl::default(), |details| details.time_control);
    let report = analysis.map(|(report, _)| report);
    let cycle = || analysis.and_then(|(_, reported)| reported.iter().find_map(|finding| cycle_of(finding)));
    let tally = report.filter(|_| is_readable).map(|report| &report.tally);
    {
    Size "size" FilterType::Number, Header => number((is_readable && width == height).then_some(width));
    Width "width" FilterType::Number, Header => number(is_readable.then_some(width));
    Height "height" FilterType::Number, Header => number(is_readable.then_some(height));
    Komi "komi" FilterType::Number, Header => points(header.komi);
    Handicap "handicap" FilterType::Number, Header => number(header.handicap.or(is_readable.then_some(0)));
    Year "year" FilterType::Number, Header => number(header.year());
    Black "black" FilterType::Text, Header => Some(Cell::Text(&header.black));
    White "white" FilterType::Text, Header => Some(Cell::Text(&header.white));
    BlackRank "black_rank" FilterType::Rank, Header => rank(&header.black_rank);
    WhiteRank "white_rank" FilterType::Rank, Header => rank(&header.white_rank);
    BlackId "black_id" FilterType::Text, Details => details.map(|details| Cell::Text(&details.player_ids[0].id));
    WhiteId "white_id" FilterType::Text, Details => details.map(|details| Cell::Text(&details.player_ids[1].id));
    Event "event" FilterType::Text, Header => Some(Cell::Text(&header.event));
    Date "date" FilterType::Date, Header => Some(Cell::Date(&header.date, header.first_date().map(|(date, _)| date)));
    Rules "rules" FilterType::Text, Header => Some(Cell::Text(&header.rules));
    Place "place" FilterType::Text, Header => Some(Cell::Text(&header.place));
    Round "round" FilterType::Text, Details => details.map(|details| Cell::Text(&details.round));
    Dialect "dialect" FilterType::Word(&DIALECT_NAMES), Header => header.dialect.map(|dialect| Cell::Word(dialect.name));
    MainTime "time_main" FilterType::Number, Details => thousandths(clock.main);
    Overtime "overtime" FilterType::Word(&OvertimeKind::WORDS), Details => Some(Cell::Word(clock.overtime?.kind.name()));
    OvertimePeriods "overtime_periods" FilterType::Number, Details => number(clock.overtime?.periods);
    OvertimePeriodTime "overtime_period_time" FilterType::Number, Details => thousandths(clock.overtime?.period_time);
    OvertimeStones "overtime_stones" FilterType::Number, Details => number(clock.overtime?.stones);
    Rated "rated" FilterType::Flag, Details => details?.is_rated.map(Cell::Flag);
    BlackIsBot "black_is_bot" FilterType::Flag, Details => details?.are_bots[0].map(Cell::Flag);
    WhiteIsBot "white_is_bot" FilterType::Flag, Details => details?.are_bots[1].map(Cell::Flag);
    Result "result" FilterType::Result, Header => Some(Cell::Result(&header.result_text, header.result));
    ResultKind "result_kind" FilterType::Word(RESULT_KINDS), Header => Some(Cell::Word(header.result.kind.name()));
    Stated "stated_black_minus_white" FilterType::Number, Header => points(header.result.black_minus_white);
    Turns "turns" FilterType::Number, Replay => number(tally.map(|tally| tally.turns));
    FirstPass "first_pass" FilterType::Number, Replay => number(report?.first_pass);
    Ending "ending" FilterType::Word(ENDINGS), Replay => Some(Cell::Word(report?.end_of_play()));
    Illegal "illegal" FilterType::Number, Replay => number(tally.map(|tally| tally.illegal));
    Repetitions "repetitions" FilterType::Number, Replay => number(tally.map(|tally| tally.repetitions));
    Findings "findings" FilterType::Number, Replay => Some(Cell::Number(analysis?.1.len() as f64));
    Severity "severity" FilterType::Severity, Replay
        => Some(Cell::Severity(analysis?.1.iter().map(|finding| finding.severity).max()));
    CycleKind "cycle_kind" FilterType::Word(&CycleKind::WORDS), Cycle => Some(Cell::Word(cycle()?.kind.name()));
    CycleLength "cycle_length" FilterType::Number, Cycle => number(cycle().map(|cycle| cycle.length as u32));
    CycleBlackLost "cycle_black_lost" FilterType::Number, Cycle => number(cycle().map(|cycle| cycle.lost_black));
    CycleWhiteLost "cycle_white_lost" FilterType::Number, Cycle => number(cycle().map(|cycle| cycle.lost_white));
    Status "status" FilterType::Word(STATUSES), Count => Some(Cell::Word(report?.status()));
    Confidence "confidence" FilterType::Number, Count => thousandths(report?.confidence().map(i64::from));
    Agrees "agrees" FilterType::Flag, Count => agrees_with_any_count(report?).map(Cell::Flag);
    Verdict "verdict" FilterType::Word(&Verdict::WORDS), Count => Some(Cell::Word(report?.audit.as_ref()?.verdict.name()));
    }
}

impl FilterColumn {
    /// Returns the step that determines the value.
    pub const fn step(self) -> AnalysisStep {
        match self.origin() {
            ColumnOrigin::Header | ColumnOrigin::Details => AnalysisStep::Header,
            ColumnOrigin::Replay | ColumnOrigin::Cycle => AnalysisStep::Replay,
            ColumnOrigin::Count => AnalysisStep::Count,
        }
    }

    /// Returns the games to compare instead of an analysed game. Any of them decides: a column of
    /// cycles has a value for each repeated position.
    pub(super) fn alternatives<'a>(self, game: FilteredGame<'a>) -> Option<impl Iterator<Item = FilteredGame<'a>>> {
        let (report, reported) = game.analysis.filter(|_| self.origin() == ColumnOrigin::Cycle)?;
        let repeated = reported.chunks(1).filter(|findings| cycle_of(findings[0]).is_some());
        Some(repeated.map(move |findings| FilteredGame { analysis: Some((report, findings)), ..game }))
    }

    /// Returns true if the value needs [`GameDetails`] or the first pass.
    pub fn needs_details(self) -> bool {
        self.origin() == ColumnOrigin::Details || self == FilterColumn::FirstPass
    }
}

/// Returns the cycle of a repeated position.
fn cycle_of(finding: &Finding) -> Option<&Cycle> {
    finding.repetition.as_ref().map(|repeated| &repeated.cycle)
}

fn number<'a>(number: Option<impl Into<f64>>) -> Option<Cell<'a>> {
    number.map(|number| Cell::Number(number.into()))
}

fn points<'a>(points: Option<HalfPoints>) -> Option<Cell<'a>> {
    points.map(|points| Cell::Number(f64::from(points.0) / 2.0))
}

/// Returns a number of thousandths.
fn thousandths<'a>(number: Option<i64>) -> Option<Cell<'a>> {
    number.map(|number| Cell::Number(number as f64 / 1000.0))
}

fn rank(text: &str) -> Option<Cell<'_>> {
    Some(Cell::Rank(text, Rank::parse(text)))
}

/// Returns true if the recorded result equals the count under at least one ruleset; `None` if no
/// result is recorded or nothing was counted.
fn agrees_with_any_count(report: &GameReport) -> Option<bool> {
    let scores = report.scores.iter().filter_map(|(_, score)| score.as_ref().ok());
    scores.filter_map(|score| agrees(score, &report.header.result)).reduce(|first, second| first || second)
}

/// Returns the result that a filter value names, or `None` if its form is unknown, such as a
/// misspelt reason.
pub(super) fn parse_result(text: &str) -> Option<RecordedResult> {
    let result = RecordedResult::parse(text);
    let is_result = result.kind != ResultKind::Unreadable && result.oddity != Some(ResultOddity::UnknownReason);
    is_result.then_some(result)
}

//! The columns of a filter, with their types and the origin of their values.

use jigo_core::analysis::{GameReport, Outcome};
use jigo_core::audit::agrees;
use jigo_record::finding::{Code, Finding, FoundBy, Severity};
use jigo_record::{Date, GameDetails, Header, Rank, RecordedResult, ResultKind, ResultOddity, TimeControl};
use jigo_rules::HalfPoints;

use crate::row::shared_columns::{DIALECT_NAMES, ENDINGS, OVERTIME_KINDS, RESULT_KINDS, STATUSES, VERDICTS};

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
            FoundBy::Replay | FoundBy::Reading => AnalysisStep::Replay,
        }
    }
}

/// A game after the analysis.
#[derive(Clone, Copy)]
pub struct AnalyzedGame<'a> {
    /// The report of the analysis.
    pub report: &'a GameReport,
    /// The findings to report.
    pub reported: &'a [&'a Finding],
}

/// The header of a game, for columns whose values do not depend on the analysis.
#[derive(Clone, Copy)]
pub struct HeaderValues<'a> {
    /// The header. That of an unreadable game contains defaults, which are not values.
    pub header: &'a Header,
    /// The details of the root; `None` if no column needs them or if the game is unreadable.
    pub details: Option<&'a GameDetails>,
    /// False if the game is unreadable.
    pub is_readable: bool,
}

/// The value of a cell. Each type has its own comparisons.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
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
    /// The count of the ending.
    Count,
}

macro_rules! columns {
    ($($column:ident $name:literal $kind:expr, $origin:ident;)*) => {
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
        }
    };
}

columns! {
    Size "size" FilterType::Number, Header;
    Width "width" FilterType::Number, Header;
    Height "height" FilterType::Number, Header;
    Komi "komi" FilterType::Number, Header;
    Handicap "handicap" FilterType::Number, Header;
    Year "year" FilterType::Number, Header;
    Black "black" FilterType::Text, Header;
    White "white" FilterType::Text, Header;
    BlackRank "black_rank" FilterType::Rank, Header;
    WhiteRank "white_rank" FilterType::Rank, Header;
    BlackId "black_id" FilterType::Text, Details;
    WhiteId "white_id" FilterType::Text, Details;
    Event "event" FilterType::Text, Header;
    Date "date" FilterType::Date, Header;
    Rules "rules" FilterType::Text, Header;
    Place "place" FilterType::Text, Header;
    Round "round" FilterType::Text, Details;
    Dialect "dialect" FilterType::Word(&DIALECT_NAMES), Header;
    MainTime "time_main" FilterType::Number, Details;
    Overtime "overtime" FilterType::Word(&OVERTIME_KINDS), Details;
    OvertimePeriods "overtime_periods" FilterType::Number, Details;
    OvertimePeriodTime "overtime_period_time" FilterType::Number, Details;
    OvertimeStones "overtime_stones" FilterType::Number, Details;
    Rated "rated" FilterType::Flag, Details;
    BlackIsBot "black_is_bot" FilterType::Flag, Details;
    WhiteIsBot "white_is_bot" FilterType::Flag, Details;
    Result "result" FilterType::Result, Header;
    ResultKind "result_kind" FilterType::Word(RESULT_KINDS), Header;
    Stated "stated_black_minus_white" FilterType::Number, Header;
    Turns "turns" FilterType::Number, Replay;
    FirstPass "first_pass" FilterType::Number, Replay;
    Ending "ending" FilterType::Word(ENDINGS), Replay;
    Illegal "illegal" FilterType::Number, Replay;
    Repetitions "repetitions" FilterType::Number, Replay;
    Findings "findings" FilterType::Number, Replay;
    Severity "severity" FilterType::Severity, Replay;
    Status "status" FilterType::Word(STATUSES), Count;
    Confidence "confidence" FilterType::Number, Count;
    Agrees "agrees" FilterType::Flag, Count;
    Verdict "verdict" FilterType::Word(&VERDICTS), Count;
}

impl FilterColumn {
    /// Returns the step that determines the value.
    pub const fn step(self) -> AnalysisStep {
        match self.origin() {
            ColumnOrigin::Header | ColumnOrigin::Details => AnalysisStep::Header,
            ColumnOrigin::Replay => AnalysisStep::Replay,
            ColumnOrigin::Count => AnalysisStep::Count,
        }
    }

    /// Returns true if the value needs [`GameDetails`] or the first pass.
    pub fn needs_details(self) -> bool {
        self.origin() == ColumnOrigin::Details || self == FilterColumn::FirstPass
    }

    /// Returns the value of a column that the details of the root determine.
    fn details_value(self, details: &GameDetails) -> Option<Cell<'_>> {
        let TimeControl { main, overtime } = details.time_control;
        let seconds = |milliseconds: i64| Cell::Number(milliseconds as f64 / 1000.0);
        let number = |number: u32| Cell::Number(number.into());
        match self {
            FilterColumn::BlackId => Some(Cell::Text(&details.player_ids[0].id)),
            FilterColumn::WhiteId => Some(Cell::Text(&details.player_ids[1].id)),
            FilterColumn::Round => Some(Cell::Text(&details.round)),
            FilterColumn::MainTime => main.map(seconds),
            FilterColumn::Overtime => overtime.map(|overtime| Cell::Word(overtime.kind.name())),
            FilterColumn::OvertimePeriods => overtime?.periods.map(number),
            FilterColumn::OvertimePeriodTime => overtime?.period_time.map(seconds),
            FilterColumn::OvertimeStones => overtime?.stones.map(number),
            FilterColumn::Rated => details.is_rated.map(Cell::Flag),
            FilterColumn::BlackIsBot => details.are_bots[0].map(Cell::Flag),
            FilterColumn::WhiteIsBot => details.are_bots[1].map(Cell::Flag),
            _ => None,
        }
    }

    /// Returns the header's value in this column.
    ///
    /// `None` means that the header has no such value, or that the column does not describe
    /// headers.
    pub fn header_value(self, values: HeaderValues<'_>) -> Option<Cell<'_>> {
        let HeaderValues { header, details, is_readable } = values;
        if self.origin() == ColumnOrigin::Details {
            return self.details_value(details?);
        }
        let is_default = match self {
            FilterColumn::Size | FilterColumn::Width | FilterColumn::Height => true,
            FilterColumn::Handicap => header.handicap.is_none(),
            _ => false,
        };
        if is_default && !is_readable {
            return None;
        }
        let (width, height) = (header.size.width(), header.size.height());
        let points = |points: HalfPoints| Cell::Number(f64::from(points.0) / 2.0);
        Some(match self {
            FilterColumn::Size => Cell::Number((width == height).then_some(width)?.into()),
            FilterColumn::Width => Cell::Number(width.into()),
            FilterColumn::Height => Cell::Number(height.into()),
            FilterColumn::Komi => points(header.komi?),
            FilterColumn::Handicap => Cell::Number(header.handicap.unwrap_or(0).into()),
            FilterColumn::Year => Cell::Number(header.year()?.into()),
            FilterColumn::Black => Cell::Text(&header.black),
            FilterColumn::White => Cell::Text(&header.white),
            FilterColumn::BlackRank => Cell::Rank(&header.black_rank, Rank::parse(&header.black_rank)),
            FilterColumn::WhiteRank => Cell::Rank(&header.white_rank, Rank::parse(&header.white_rank)),
            FilterColumn::Event => Cell::Text(&header.event),
            FilterColumn::Date => Cell::Date(&header.date, header.first_date().map(|(date, _)| date)),
            FilterColumn::Rules => Cell::Text(&header.rules),
            FilterColumn::Place => Cell::Text(&header.place),
            FilterColumn::Dialect => Cell::Word(header.dialect?.name),
            FilterColumn::Result => Cell::Result(&header.result_text, header.result),
            FilterColumn::ResultKind => Cell::Word(header.result.kind.name()),
            FilterColumn::Stated => points(header.result.black_minus_white?),
            // Other steps of the analysis determine the rest.
            _ => return None,
        })
    }

    /// Returns the value after the analysis. Columns of the header have the same value as before.
    pub fn game_value<'a>(self, game: AnalyzedGame<'a>) -> Option<Cell<'a>> {
        let AnalyzedGame { report, reported } = game;
        let is_readable = report.outcome != Outcome::Unreadable;
        let counts_turns = matches!(self, FilterColumn::Turns | FilterColumn::Illegal | FilterColumn::Repetitions);
        if counts_turns && !is_readable {
            return None;
        }
        Some(match self {
            FilterColumn::Turns => Cell::Number(report.tally.turns.into()),
            FilterColumn::FirstPass => Cell::Number(report.first_pass?.into()),
            FilterColumn::Ending => Cell::Word(report.end_of_play()),
            FilterColumn::Illegal => Cell::Number(report.tally.illegal.into()),
            FilterColumn::Repetitions => Cell::Number(report.tally.repetitions.into()),
            FilterColumn::Findings => Cell::Number(reported.len() as f64),
            FilterColumn::Severity => Cell::Severity(reported.iter().map(|finding| finding.severity).max()),
            FilterColumn::Status => Cell::Word(report.status()),
            FilterColumn::Confidence => Cell::Number(f64::from(report.confidence()?) / 1000.0),
            FilterColumn::Agrees => Cell::Flag(agrees_with_any_count(report)?),
            FilterColumn::Verdict => Cell::Word(report.audit.as_ref()?.verdict.name()),
            _ => {
                let details = report.details.as_deref();
                return self.header_value(HeaderValues { header: &report.header, details, is_readable });
            }
        })
    }
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

//! `--where`: an expression over the columns of a game, parsed to a typed tree.
//!
//! A filter is evaluated twice: with the header, to skip the analysis of games that can't match,
//! and with the complete report.
//!
//! As in SQL, an unknown value is neither true nor false. A comparison with it is undecided, and so
//! is its negation. A game is selected only if the whole expression is true. Only `~` always
//! decides: an empty cell contains nothing.

mod column;
mod comparison;
mod difference;
mod expression;
mod parser;

use jigo_core::analysis::{GameReport, Settings};
use jigo_record::finding::Finding;

pub use column::{AnalysisStep, FilterColumn, FilterType, FilteredGame, GameAnalysis};
use difference::differences;
use expression::{Condition, Expression};
pub use parser::FilterError;

/// The conditions on games, all of which a selected game meets.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    conditions: Vec<Condition>,
}

/// The reason why a command can't use a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndeterminedColumn {
    /// The command reads only headers.
    #[error("'{0}' is available if games are replayed, which --quick does not do")]
    Replay(&'static str),
    /// The command does not count endings.
    #[error(
        "'{0}' is available if endings are counted: in jigo score, jigo report, jigo compare, jigo extract, jigo check --results and jigo check --table turns"
    )]
    Count(&'static str),
    /// No command knows the duplicates while it selects games.
    #[error("'{0}' of duplicates is known only after the last game; use jigo duplicates or jigo extract --dedupe")]
    Duplicates(&'static str),
}

impl Filter {
    /// Parses a filter such as `size = 19 and (black_rank >= 5d or year < 1950) and not black ~
    /// 'Lee'`.
    ///
    /// # Errors
    /// [`FilterError`] contains the reason and the position.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        parser::parse(text).map(|conditions| Filter { conditions })
    }

    /// Checks that a command determines every value of the filter.
    ///
    /// # Errors
    /// [`UndeterminedColumn`] names a missing column and the commands that determine it.
    pub fn check(&self, settings: &Settings) -> Result<(), UndeterminedColumn> {
        let (is_replayed, counts_endings) = (!settings.header_only, !settings.scored_rulesets.is_empty());
        for (step, name) in self.columns() {
            match step {
                AnalysisStep::Replay if !is_replayed => return Err(UndeterminedColumn::Replay(name)),
                AnalysisStep::Count if !counts_endings => return Err(UndeterminedColumn::Count(name)),
                AnalysisStep::Duplicates => return Err(UndeterminedColumn::Duplicates(name)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns true if the filter uses a value that this step determines. A value of the header has
    /// to be read before the analysis.
    pub fn uses(&self, step: AnalysisStep) -> bool {
        self.columns().any(|(used, _)| used == step)
    }

    /// Returns the first condition that a game can't meet, whatever its analysis finds; `None` if it
    /// may match.
    pub fn unmet_by_header(&self, game: FilteredGame<'_>) -> Option<&str> {
        let can_meet = |condition: &&Condition| {
            let result = condition.expression.decide(game);
            result == Some(true) || (result.is_none() && condition.expression.uses_analysis())
        };
        self.first_unmet(can_meet)
    }

    /// Returns the first condition that an analysed game does not meet; `None` if it matches.
    pub fn unmet_condition(&self, report: &GameReport, reported: &[&Finding]) -> Option<&str> {
        let game = FilteredGame::analyzed(report, reported);
        self.first_unmet(|condition| condition.expression.decide(game) == Some(true))
    }

    /// Returns true if an analysed game matches.
    pub fn matches(&self, report: &GameReport, reported: &[&Finding]) -> bool {
        self.unmet_condition(report, reported).is_none()
    }

    /// Returns the values because of which an analysed game does not match, as in `komi = 5.5,
    /// black_rank unknown`. Empty if it matches.
    pub fn differences(&self, report: &GameReport, reported: &[&Finding]) -> String {
        let expressions = self.conditions.iter().map(|condition| &condition.expression);
        differences(expressions, report, reported)
    }

    fn first_unmet(&self, is_met: impl Fn(&&Condition) -> bool) -> Option<&str> {
        self.conditions.iter().find(|condition| !is_met(condition)).map(|condition| condition.text.as_str())
    }

    /// Returns true if the filter uses values that the analysis computes only on request.
    pub fn needs_details(&self) -> bool {
        let needs_details =
            |leaf: &Expression| matches!(leaf, Expression::Compare(comparison) if comparison.column.needs_details());
        self.leaves().any(needs_details)
    }

    /// Returns the names of the used columns and the step that determines each.
    fn columns(&self) -> impl Iterator<Item = (AnalysisStep, &'static str)> {
        self.leaves().filter_map(Expression::column)
    }

    fn leaves(&self) -> impl Iterator<Item = &Expression> {
        self.conditions.iter().flat_map(|condition| condition.expression.leaves())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::{Header, RecordedResult};
    use jigo_rules::HalfPoints;
    use jigo_rules::board::BoardSize;
    use jigo_rules::select::Choice;

    fn header() -> Header {
        Header {
            size: BoardSize::square(13).unwrap(),
            komi: Some(HalfPoints(15)),
            date: "Published on 2016-03-09".into(),
            black: "Lee and Co (old)".into(),
            black_rank: "初段".into(),
            white_rank: "9p".into(),
            result: RecordedResult::parse("W+Resign"),
            result_text: "W+Resign".into(),
            ..Header::default()
        }
    }

    fn is_selected(text: &str) -> bool {
        let filter = Filter::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        filter
            .unmet_by_header(FilteredGame { header: &header(), details: None, is_readable: true, analysis: None })
            .is_none()
    }

    #[test]
    fn header_matches_only_if_the_expression_is_true() {
        for yes in [
            "size = 13",
            "size=13 and komi>=7.5 AND year >= 2010",
            "black = 'lee and co (old)' and width < 19",
            "black ~ LEE",
            "handicap = 0 and result_kind = resignation",
            "year != 2015",
            "size = 9 or size = 13",
            "size = 9 and size = 9 or size = 13",
            "not size = 9 and not (size = 19 or komi < 7)",
            "(black ~ (old))",
            "black_rank >= 1k and black_rank < 2d and white_rank > 9d",
            "black_rank ~ 初",
            "date >= 2016-03 and date = 2016 and date < 2016-03-10 and not date > 2016-03-09",
            "date ~ published",
            "result = W+R and result != B+R and result ~ Resign",
            "white_rank != 3p",
            "not white ~ lee",
            "year > 3000 or black ~ ''",
        ] {
            assert!(is_selected(yes), "{yes}");
        }
        for no in [
            "size = 19",
            "size = 13 and komi < 7.5",
            "white != lee",
            "white ~ lee",
            "year > 2016",
            "rules = x",
            "size = 9 and (size = 9 or size = 13)",
            // An empty cell makes neither a comparison nor its negation true.
            "rules = x or not rules = x",
            "not white = lee",
            "black_rank >= 2d",
            "date > 2016",
        ] {
            assert!(!is_selected(no), "{no}");
        }
    }

    #[test]
    fn unreadable_game_has_no_size_and_no_turns() {
        let report = GameReport::default();
        for unknown in
            ["size = 19", "width >= 1", "height != 3", "turns = 0", "illegal < 1", "repetitions = 0", "handicap = 0"]
        {
            for text in [unknown.to_owned(), format!("not {unknown}")] {
                let filter = Filter::parse(&text).unwrap();
                assert_eq!(filter.unmet_condition(&report, &[]), Some(text.as_str()));
                let values = FilteredGame { header: &report.header, details: None, is_readable: false, analysis: None };
                let uses_analysis = filter.columns().any(|(step, _)| step != AnalysisStep::Header);
                assert!(uses_analysis || filter.unmet_by_header(values).is_some(), "{text}");
            }
        }
        for known in ["ending = unreadable", "findings = 0", "not black ~ x"] {
            assert_eq!(Filter::parse(known).unwrap().unmet_condition(&report, &[]), None, "{known}");
        }
    }

    #[test]
    fn values_unknown_before_the_analysis_reject_no_game() {
        for open in ["turns > 100", "has(K002)", "size = 19 or findings = 0", "not (turns > 5 and size = 13)", "agrees"]
        {
            assert!(is_selected(open), "{open}");
        }
        for no in ["size = 19 and turns > 100", "not (size = 13 or has(K))", "has(K) and rules = x and size = 9"] {
            assert!(!is_selected(no), "{no}");
        }
    }

    #[test]
    fn unmet_condition_is_the_first_and_has_its_text() {
        let header = header();
        let values = FilteredGame { header: &header, details: None, is_readable: true, analysis: None };
        let unmet = |text: &str| Filter::parse(text).unwrap().unmet_by_header(values).map(str::to_owned);
        for (text, expected) in [
            ("size = 13 and komi = 7.5", None),
            ("size=13  AND  komi < 7 and year = 1900", Some("komi < 7")),
            // Whether a game has a finding is unknown before its analysis.
            ("has(K002) and (size = 9 or komi < 7) ", Some("(size = 9 or komi < 7)")),
            (" size = 9 and year = 2016 or komi < 7 ", Some("size = 9 and year = 2016 or komi < 7")),
            ("not black ~ 'and Co' and size = 9", Some("not black ~ 'and Co'")),
            ("year = 2016 and rules = x", Some("rules = x")),
        ] {
            assert_eq!(unmet(text).as_deref(), expected, "{text}");
        }
        let filter = Filter::parse("findings = 0 and has(K002) and turns > 5").unwrap();
        assert_eq!(filter.unmet_condition(&GameReport::default(), &[]), Some("has(K002)"));
    }

    fn error(text: &str) -> String {
        Filter::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn malformed_filter_reports_position_and_suggestion() {
        for (text, message) in [
            ("sise = 9", "no column 'sise' (did you mean size?)"),
            ("komi = 7 and weather = 9", "there are size, width"),
            ("komi = 7 and weather = 9", "at 'weather = 9' (character 14)"),
            ("", "the filter is empty: write one such as size = 19"),
            (" ", "the filter is empty"),
            ("size = 9 and", "a comparison is missing: write one such as size = 19"),
            ("size 9", "size needs one of = !="),
            ("size == 19", "'==' is no operator: write size ="),
            ("size <> 19", "write size !="),
            ("komi = big", "komi is a number and can't be compared with 'big'"),
            ("year = NaN", "year is a number"),
            ("year = inf", "year is a number"),
            ("komi ~ 7", "komi is no text"),
            ("black ~ 'x", "the ' that opens a text is not closed, at ''x' (character 9)"),
            ("black = \"x", "the \" that opens a text is not closed"),
            ("black = 'x'y", "a blank is missing after a text in quotes"),
            ("black =", "a value is missing"),
            ("(size = 9", "the '(' at character 1 is not closed"),
            ("size = 9)", "')' closes nothing"),
            ("size = 9 & komi = 7", "only 'and' and 'or' join comparisons, not '&' (write and)"),
            ("size = 9 komi = 7", "only 'and' and 'or' join"),
            ("black_rank > strong", "'strong' is no rank"),
            ("date > March", "'March' is no date"),
            ("result = nonsense", "is no result such as"),
            ("result > B+3", "result is a result and has no order"),
            ("result_kind = resigned", "did you mean resignation?"),
            ("status < counted", "has no order"),
            ("severity >= awful", "one of none, info, warning, error"),
            ("agrees = perhaps", "agrees is true or false"),
            ("has K002", "such as has(K002)"),
            ("has(K02)", "did you mean K002"),
            ("has(superkoo)", "did you mean superko"),
            ("has(K002", "the '(' of has is not closed"),
            ("not", "a comparison is missing"),
            ("size = 9 or ()", "a comparison is missing"),
        ] {
            assert!(error(text).contains(message), "{text}: {}", error(text));
        }
        assert!(error(&"(".repeat(5_000)).contains("nested too deeply"));
        assert!(error(&"not ".repeat(5_000)).contains("nested too deeply"));
    }

    #[test]
    fn values_that_a_command_lacks_are_rejected() {
        let scored_rulesets = vec![Choice::Recorded];
        let check = |text: &str, is_counted: bool| {
            let scored_rulesets = if is_counted { scored_rulesets.clone() } else { Vec::new() };
            Filter::parse(text).unwrap().check(&Settings { scored_rulesets, ..Settings::default() })
        };
        assert_eq!(check("turns > 5 and size = 9", false), Ok(()));
        assert_eq!(check("size = 9 and not confidence > 0.5", false), Err(UndeterminedColumn::Count("confidence")));
        assert_eq!(check("has(K) and agrees", true), Ok(()));
        assert_eq!(check("has(K)", false), Ok(()));
        for of_results in ["not has(R001)", "has(R)", "has(margin-contradicted)"] {
            assert_eq!(check(of_results, false), Err(UndeterminedColumn::Count("has")));
            assert_eq!(check(of_results, true), Ok(()));
            assert!(Filter::parse(of_results).unwrap().uses(AnalysisStep::Count));
        }
        assert_eq!(check("size = 9 or not has(C001)", true), Err(UndeterminedColumn::Duplicates("has")));
        let of_header = |text: &str| {
            let scored_rulesets = scored_rulesets.clone();
            Filter::parse(text).unwrap().check(&Settings { header_only: true, scored_rulesets, ..Settings::default() })
        };
        assert_eq!(of_header("size = 9 or turns > 5"), Err(UndeterminedColumn::Replay("turns")));
        assert_eq!(of_header("has(K)"), Err(UndeterminedColumn::Replay("has")));
        assert_eq!(of_header("size = 9 and handicap > 2"), Ok(()));
    }
}

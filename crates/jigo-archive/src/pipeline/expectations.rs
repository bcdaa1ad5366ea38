//! Expectations: what an archive demands of its games.
//!
//! An expectation consists of two filters: the games to which it applies, and the condition that
//! these games should meet. A game that does not meet the condition has a finding
//! [`Code::UnmetExpectation`] with the name of the expectation.
//!
//! As for `--where`, an unknown value decides nothing. So an expectation does not apply to a game
//! if its first filter is undecided, and a game does not meet a condition that is undecided: an
//! unknown komi is not 6.5.

use std::sync::Arc;

use jigo_core::analysis::{GameReport, Settings};
use jigo_record::finding::{Code, Finding, Place, Severity};

use super::filter::{AnalysisStep, Filter};

/// The maximum number of expectations of a run. Each costs time for each game.
pub const MAX_EXPECTATIONS: usize = 1000;

/// A condition that games should meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The name, which is that of the findings.
    pub name: Arc<str>,
    /// The games to which it applies; `None` if it applies to all.
    pub when: Option<Filter>,
    /// The condition.
    pub that: Filter,
    /// The severity of the findings.
    pub severity: Severity,
}

impl Expectation {
    /// Returns the filters.
    pub fn filters(&self) -> impl Iterator<Item = &Filter> {
        self.when.iter().chain([&self.that])
    }

    /// Returns the finding on a game that does not meet the expectation. `findings` are those of
    /// the game.
    fn unmet(&self, report: &GameReport, findings: &[&Finding]) -> Option<Finding> {
        let applies = self.when.as_ref().is_none_or(|when| when.matches(report, findings));
        if !applies || self.that.matches(report, findings) {
            return None;
        }
        let detail = self.that.differences(report, findings);
        Some(Finding {
            severity: self.severity,
            expectation: Some(Arc::clone(&self.name)),
            ..Finding::new(Code::UnmetExpectation, Place::byte(0), detail)
        })
    }
}

/// The expectations of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectations(Vec<Expectation>);

impl Expectations {
    /// Returns the expectations in the order of their findings.
    pub fn new(expectations: Vec<Expectation>) -> Expectations {
        Expectations(expectations)
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if an expectation uses a value that the count determines.
    pub fn uses_count(&self) -> bool {
        self.filters().any(|filter| filter.uses(AnalysisStep::Count))
    }

    /// Returns true if an expectation uses values that the analysis computes only on request.
    pub fn needs_details(&self) -> bool {
        self.filters().any(Filter::needs_details)
    }

    /// Divides the expectations into those that an analysis with these settings can check, and the
    /// names of the others.
    pub fn checkable(self, settings: &Settings) -> (Expectations, Vec<Arc<str>>) {
        let is_checkable =
            |expectation: &Expectation| expectation.filters().all(|filter| filter.check(settings).is_ok());
        let (checkable, others): (Vec<_>, Vec<_>) = self.0.into_iter().partition(is_checkable);
        (Expectations(checkable), others.into_iter().map(|expectation| expectation.name).collect())
    }

    /// Returns the findings on the expectations that a game does not meet.
    ///
    /// The expectations see every finding of the game, whichever of them the run reports.
    pub fn unmet(&self, report: &GameReport) -> Vec<Finding> {
        let findings: Vec<&Finding> = report.findings.iter().collect();
        self.0.iter().filter_map(|expectation| expectation.unmet(report, &findings)).collect()
    }

    fn filters(&self) -> impl Iterator<Item = &Filter> {
        self.0.iter().flat_map(Expectation::filters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_core::analysis::Outcome;
    use jigo_record::Header;
    use jigo_rules::HalfPoints;
    use jigo_rules::board::BoardSize;

    fn expectation(when: Option<&str>, that: &str) -> Expectation {
        Expectation {
            name: "test".into(),
            when: when.map(|when| Filter::parse(when).unwrap()),
            that: Filter::parse(that).unwrap(),
            severity: Severity::Warning,
        }
    }

    fn report() -> GameReport {
        let header = Header {
            size: BoardSize::square(13).unwrap(),
            komi: Some(HalfPoints(11)),
            event: "27th Honinbo (final)".into(),
            black: "O'Hara".into(),
            black_rank: "strong".into(),
            ..Header::default()
        };
        let findings = [Code::Superko, Code::Ko].map(|code| Finding::new(code, Place::byte(0), ""));
        GameReport { outcome: Outcome::Replayed, header, findings: findings.into(), ..GameReport::default() }
    }

    /// Returns the detail of the finding on an unmet condition, if there is one.
    fn detail(when: Option<&str>, that: &str) -> Option<String> {
        let unmet = Expectations::new(vec![expectation(when, that)]).unmet(&report());
        unmet.into_iter().next().map(|finding| {
            assert_eq!((finding.code, finding.severity), (Code::UnmetExpectation, Severity::Warning));
            assert_eq!(finding.name(), "test");
            finding.detail
        })
    }

    #[test]
    fn detail_has_exactly_the_differing_values() {
        for (that, expected) in [
            ("komi = 6.5 and size = 13 and handicap = 0", "komi = 5.5"),
            ("komi = 6.5 and size = 19", "komi = 5.5, size = 13"),
            ("komi = 6.5 or komi = 7.5", "komi = 5.5"),
            ("size = 19 or komi = 6.5 and handicap = 0", "size = 13, komi = 5.5"),
            ("not (size = 13 and komi < 6)", "size = 13, komi = 5.5"),
            ("not (size = 9 or komi < 6)", "komi = 5.5"),
            ("event ~ Meijin", "event = '27th Honinbo (final)'"),
            ("black = Ito", "black = \"O'Hara\""),
            ("white = Ito", "white unknown"),
            ("black_rank >= 1d and white_rank >= 1d", "black_rank = strong, white_rank unknown"),
            ("not has(K)", "has(K001), has(K002)"),
            ("has(H017)", "not has(H017)"),
            ("severity < error", "severity = error"),
            ("result_kind = score", "result_kind = missing"),
        ] {
            assert_eq!(detail(None, that).as_deref(), Some(expected), "{that}");
        }
        assert_eq!(detail(None, "komi = 5.5 and not size = 19"), None);
    }

    #[test]
    fn unknown_value_meets_no_condition_and_fits_no_game() {
        assert_eq!(detail(None, "year >= 2002").as_deref(), Some("year unknown"));
        assert_eq!(detail(None, "not year >= 2002").as_deref(), Some("year unknown"));
        for when in ["year >= 2002", "not year >= 2002", "size = 19"] {
            assert_eq!(detail(Some(when), "komi = 6.5"), None, "{when}");
        }
        assert!(detail(Some("size = 13"), "komi = 6.5").is_some());
        let unreadable = GameReport::default();
        let of_unreadable = Expectations::new(vec![expectation(None, "size = 19")]).unmet(&unreadable);
        assert_eq!(of_unreadable[0].detail, "size unknown");
    }

    #[test]
    fn long_value_is_shortened() {
        let mut report = report();
        report.header.event = "é".repeat(10_000);
        let unmet = Expectations::new(vec![expectation(None, "event = x")]).unmet(&report);
        assert_eq!(unmet[0].detail, format!("event = {}…", "é".repeat(60)));
    }

    #[test]
    fn expectations_that_need_a_count_are_divided_from_others() {
        let all = Expectations::new(vec![expectation(None, "size = 19"), expectation(Some("size = 19"), "agrees")]);
        assert!(all.uses_count() && !all.needs_details());
        let (checkable, others) = all.checkable(&Settings::default());
        assert_eq!((checkable, others), (Expectations::new(vec![expectation(None, "size = 19")]), vec!["test".into()]));
    }
}

//! The outcome of an audit.

use super::cause::Cause;
use super::mark_faults::MarkedResult;
use jigo_record::Header;
use jigo_record::finding::{Code, Finding, Place};
use jigo_rules::board::{Color, Point};
use jigo_rules::{HalfPoints, format_margin};

jigo_rules::named! {
    /// The relation between the recorded result and the count.
    pub enum Verdict {
        /// They agree.
        Same = "same",
        /// They differ, but a cause explains the difference without an error of the record.
        Explained = "explained",
        /// They differ, and the record's own moves contradict its result.
        Contradicted = "contradicted",
        /// They differ, or there is no count, and the dead stones are too doubtful to say more.
        Unsettled = "unsettled",
        /// The game did not end by counting, or its replay stopped early.
        NotCounted = "not_counted",
    }
}

/// A recorded result and its comparison with the count.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// The relation between result and count.
    pub verdict: Verdict,
    /// The causes of a difference, the likeliest first. If result and count agree, the possible
    /// rules of a record without rules.
    ///
    /// Never empty if the verdict is contradicted or explained.
    pub causes: Vec<Cause>,
    /// The only additional turn at the end that gives the recorded result, if turns are missing
    /// there.
    pub last_turn: Option<(Color, Point)>,
    /// The record's ruleset as its server counts; empty if it is unknown.
    pub ruleset: String,
    /// The recorded result in the notation of the tables, or as written if it is unreadable.
    pub recorded: String,
    /// The counted margin, Black minus White, including komi and bonus.
    pub counted: Option<HalfPoints>,
    /// The recorded margin minus the counted one; `None` if either is missing.
    pub difference: Option<HalfPoints>,
    /// True if every possible way of counting has another winner than the record.
    pub contradicts_winner: bool,
    /// The probability, from 0 to 1, that the players counted this number; `None` without any
    /// doubt.
    pub confidence: Option<f32>,
    /// The margin and the faults of the record's marks; `None` without marks or without a count.
    pub marked: Option<MarkedResult>,
}

impl Audit {
    /// Returns a short explanation of the recorded result, separated by `;`: the ruleset that gives
    /// it, or the likeliest causes.
    ///
    /// Empty without a count or a known cause.
    pub fn explained_by(&self) -> String {
        const MAX_CAUSES: usize = 3;
        let ruleset = (self.verdict == Verdict::Same && !self.ruleset.is_empty()).then(|| self.ruleset.clone());
        let causes = self.causes.iter().filter(|cause| **cause != Cause::Unknown).map(Cause::to_string);
        ruleset.into_iter().chain(causes).take(MAX_CAUSES).collect::<Vec<_>>().join(";")
    }

    /// Returns true if this audit, of a count without the marks, replaces the audit of a count by
    /// the marks: it contradicts the record, or confirms a record that the marks don't give.
    pub(crate) fn overrules(&self, by_marks: Option<&Audit>) -> bool {
        match self.verdict {
            Verdict::Contradicted => true,
            Verdict::Same => by_marks.is_none_or(|audit| audit.verdict != Verdict::Same),
            Verdict::Explained | Verdict::Unsettled | Verdict::NotCounted => false,
        }
    }

    /// Returns the finding for this audit; `None` if result and count agree or there is no count.
    pub fn finding(&self, header: &Header) -> Option<Finding> {
        let code = match self.verdict {
            Verdict::Explained => Code::ResultExplained,
            Verdict::Contradicted if self.contradicts_winner => Code::WinnerContradicted,
            Verdict::Contradicted => Code::MarginContradicted,
            Verdict::Unsettled if self.counted.is_some() || !self.causes.is_empty() => Code::ResultInDoubt,
            Verdict::Same | Verdict::Unsettled | Verdict::NotCounted => return None,
        };
        let ruleset_text = if self.ruleset.is_empty() { String::new() } else { format!(" by {}", self.ruleset) };
        let counted_text =
            self.counted.map_or(String::new(), |margin| format!(", counted {}{ruleset_text}", format_margin(margin)));
        let confidence = self.confidence.map_or(String::new(), |probability| format!(", confidence {probability:.3}"));
        let cause = self.causes.first().map_or(String::new(), |cause| format!("; cause: {cause}"));
        let detail = format!("RE[{}]{counted_text}{confidence}{cause}", header.result_text);
        Some(Finding::new(code, Place::byte(0), detail))
    }
}

//! General statistics of the games of one server and year.

use serde::{Deserialize, Serialize};

use crate::partial_result::merge_fields;
use jigo_core::analysis::{GameReport, Outcome};
use jigo_core::audit::Verdict;
use jigo_record::finding::Severity;

/// The key of a group: the dialect of its records, empty if unknown, and the first year in DT.
pub type GroupKey = (String, Option<u16>);

/// The counts of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The number of games.
    pub games: u64,
    /// The number of turns in all games.
    pub turns: u64,
    /// Games with a finding of severity error.
    pub errors: u64,
    /// Games whose worst finding is a warning.
    pub warnings: u64,
    /// Games that were stopped or unreadable.
    pub not_replayed: u64,
    /// Games whose ending was counted, or estimated with enough confidence.
    pub counted: u64,
    /// Games with a recorded result.
    pub stated: u64,
    /// Games whose recorded result contradicts the count.
    pub contradicted: u64,
}

impl Group {
    /// Returns the counts of one game, given the severity of its worst reported finding.
    pub(super) fn from_report(report: &GameReport, worst: Option<Severity>) -> Group {
        let verdict = report.audit.as_ref().map(|audit| audit.verdict);
        Group {
            games: 1,
            turns: u64::from(report.tally.turns),
            errors: u64::from(worst == Some(Severity::Error)),
            warnings: u64::from(worst == Some(Severity::Warning)),
            not_replayed: u64::from(report.outcome != Outcome::Replayed),
            counted: u64::from(matches!(report.status(), "counted" | "estimated")),
            stated: u64::from(verdict.is_some()),
            contradicted: u64::from(verdict == Some(Verdict::Contradicted)),
        }
    }
}

merge_fields!(Group { games, turns, errors, warnings, not_replayed, counted, stated, contradicted });

//! The severity of a finding, and the safety of its fix.

use serde::{Deserialize, Serialize};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// Worth knowing; not a flaw.
    Info,
    /// The record is unusual or required interpretation.
    Warning,
    /// The record is damaged, or violates the rules that judge it. Sets exit code 1.
    Error,
}

impl Severity {
    /// Returns the word in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The fix for a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixDescription {
    /// The safety of the fix.
    pub safety: FixSafety,
    /// The description of the fix.
    pub what: &'static str,
}

/// The safety of a fix: whether it preserves the content of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixSafety {
    /// Turns, setup and the meaning of the header stay the same.
    Safe,
    /// The fix depends on a judgement.
    Unsafe,
    /// Safe or unsafe, depending on the record.
    Either,
    /// jigo suggests corrections and applies one only on request.
    Suggested,
}

impl FixSafety {
    /// Returns the word in texts.
    pub const fn name(self) -> &'static str {
        match self {
            FixSafety::Safe => "safe",
            FixSafety::Unsafe => "unsafe",
            FixSafety::Either => "safe or unsafe",
            FixSafety::Suggested => "suggested",
        }
    }

    /// Returns true if a safe fix is possible.
    pub const fn has_safe(self) -> bool {
        matches!(self, FixSafety::Safe | FixSafety::Either)
    }

    /// Returns true if an unsafe fix is possible.
    pub const fn has_unsafe(self) -> bool {
        matches!(self, FixSafety::Unsafe | FixSafety::Either)
    }
}

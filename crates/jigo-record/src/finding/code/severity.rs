//! The severity of a finding, and the safety of its fix.

use serde::{Deserialize, Serialize};

jigo_rules::named! {
    /// The severity of a finding.
    #[derive(Serialize, Deserialize)]
    pub enum Severity {
        /// Worth knowing; not a flaw.
        Info = "info",
        /// The record is unusual or required interpretation.
        Warning = "warning",
        /// The record is damaged, or violates the rules that judge it. Sets exit code 1.
        Error = "error",
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

jigo_rules::named! {
    /// The safety of a fix: whether it preserves the content of the record.
    pub enum FixSafety {
        /// Turns, setup and the meaning of the header stay the same.
        Safe = "safe",
        /// The fix depends on a judgement.
        Unsafe = "unsafe",
        /// Safe or unsafe, depending on the record.
        Either = "safe or unsafe",
        /// jigo suggests corrections and applies one only on request.
        Suggested = "suggested",
    }
}

impl FixSafety {
    /// Returns true if a safe fix is possible.
    pub const fn has_safe(self) -> bool {
        matches!(self, FixSafety::Safe | FixSafety::Either)
    }

    /// Returns true if an unsafe fix is possible.
    pub const fn has_unsafe(self) -> bool {
        matches!(self, FixSafety::Unsafe | FixSafety::Either)
    }
}

//! The counts of fixes.

use serde::{Deserialize, Serialize};

use crate::partial_result::merge_fields;

/// The counts of fixes and of remaining errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixCount {
    /// Safe fixes: they keep the meaning of the record.
    pub safe: u64,
    /// Unsafe fixes: they depend on a judgement.
    pub unsafe_fixes: u64,
    /// Rejected fixes: they would have changed the meaning of the record.
    pub rejected: u64,
    /// Games with a fix.
    pub games: u64,
    /// Games with suggested corrections, none of which was applied.
    pub suggested: u64,
    /// Games with a suggested correction that was applied.
    pub corrected: u64,
    /// Findings of severity error that no fix removed.
    pub errors_left: u64,
}

merge_fields!(FixCount { safe, unsafe_fixes, rejected, games, suggested, corrected, errors_left });

impl FixCount {
    /// Returns the number of applied fixes.
    pub fn applied(&self) -> u64 {
        self.safe + self.unsafe_fixes
    }
}

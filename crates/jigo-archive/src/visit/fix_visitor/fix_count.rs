//! The counts of fixes, and of the unsafe fixes that a run without `--unsafe` omits.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::partial_result::merge_fields;
use jigo_record::finding::Code;

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

/// The number of omitted unsafe fixes by code.
#[derive(Clone, Debug, Default)]
pub struct UnsafeFixes(BTreeMap<usize, u64>);

merge_fields!(UnsafeFixes { 0 });

impl UnsafeFixes {
    /// Adds a fix of this code.
    pub(super) fn count(&mut self, code: Code) {
        *self.0.entry(code as usize).or_default() += 1;
    }

    /// Returns the total number of omitted fixes.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }
}

/// Writes `I007 4, P006 3`.
impl fmt::Display for UnsafeFixes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts_by_code = self.0.iter().map(|(code, count)| format!("{} {count}", Code::TABLE[*code].id));
        f.write_str(&counts_by_code.collect::<Vec<_>>().join(", "))
    }
}

//! Unsafe fixes that a run without `--unsafe` omits.

use std::collections::BTreeMap;
use std::fmt;

use crate::partial_result::merge_fields;
use jigo_record::finding::Code;

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

//! The budget for fruitless scans of a text.

use std::cell::Cell;

/// The budget of bytes for fruitless scans, which look for another `]` after a value with a `]` in
/// its text.
///
/// Sound text uses none of it. A text full of stray brackets uses it up; after that, values end at
/// their first `]`. Any text is therefore scanned only a few times.
#[derive(Debug)]
pub struct ScanBudget(Cell<usize>);

impl ScanBudget {
    /// The budget of the smallest text.
    const MIN_BYTES: usize = 64 << 10;
    /// The additional budget for each byte.
    const BUDGET_PER_BYTE: usize = 16;

    /// Returns the budget for a text of `bytes` bytes.
    pub fn for_text(bytes: usize) -> ScanBudget {
        ScanBudget(Cell::new(bytes.saturating_mul(ScanBudget::BUDGET_PER_BYTE).saturating_add(ScanBudget::MIN_BYTES)))
    }

    /// Returns an empty budget.
    pub fn exhausted() -> ScanBudget {
        ScanBudget(Cell::new(0))
    }

    /// Returns the remaining budget in bytes.
    pub fn remaining(&self) -> usize {
        self.0.get()
    }

    pub(crate) fn spend(&self, bytes: usize) {
        self.0.set(self.0.get().saturating_sub(bytes));
    }
}

//! The budget for fruitless scans of a text.

use std::cell::{Cell, OnceCell};

use crate::sgf::boundaries::soundness::Soundness;

/// The budget of bytes for fruitless scans, which look for another `]` after a value with a `]` in
/// its text.
///
/// Sound text uses none of it. A text full of stray brackets uses it up; after that, values end at
/// their first `]`. Any text is therefore scanned only a few times.
#[derive(Debug)]
pub struct ScanBudget {
    remaining: Cell<usize>,
    /// The soundness of the text, once a lexer needs it.
    pub(crate) soundness: OnceCell<Soundness>,
    /// The maximum length of a sound game. A reader of a stream waits for this number of bytes.
    pub(crate) max_game: usize,
}

impl ScanBudget {
    /// The budget of the smallest text.
    const MIN_BYTES: usize = 64 << 10;
    /// The additional budget for each byte.
    const BUDGET_PER_BYTE: usize = 16;
    /// The default of [`ScanBudget::max_game`].
    const MAX_GAME: usize = 4 << 20;

    /// Returns the budget for a text of `bytes` bytes.
    pub fn for_text(bytes: usize) -> ScanBudget {
        let bytes = bytes.saturating_mul(ScanBudget::BUDGET_PER_BYTE).saturating_add(ScanBudget::MIN_BYTES);
        ScanBudget { remaining: Cell::new(bytes), soundness: OnceCell::new(), max_game: ScanBudget::MAX_GAME }
    }

    /// Returns the budget of a stream in which a game has at most `bytes` bytes.
    pub(crate) fn with_max_game(self, bytes: usize) -> ScanBudget {
        ScanBudget { max_game: self.max_game.min(bytes), ..self }
    }

    /// Returns an empty budget.
    pub fn exhausted() -> ScanBudget {
        ScanBudget { remaining: Cell::new(0), soundness: Soundness::Damaged.into(), max_game: 0 }
    }

    /// Returns the remaining budget in bytes.
    pub fn remaining(&self) -> usize {
        self.remaining.get()
    }

    pub(crate) fn spend(&self, bytes: usize) {
        self.remaining.set(self.remaining.get().saturating_sub(bytes));
    }
}

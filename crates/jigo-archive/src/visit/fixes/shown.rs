//! What a text was cut into, each part with its mends, until it is known which of them are made.

use super::FixCount;
use crate::tables::FixRow;
use jigo_core::finding::Code;
use jigo_core::sgf::Charset;
use jigo_core::write::Edit;

/// A part of a text: a game, text outside games, or what stands between.
pub(super) struct Shown {
    /// How many bytes it is.
    pub length: usize,
    /// What the text has to be cut into here.
    pub what: ShownKind,
    /// What is to be changed.
    pub fix: Option<PartFix>,
}

/// What a part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownKind {
    /// A game, read in this charset.
    Game(Charset),
    /// Text outside games.
    Outside,
    /// Blanks, or the rest of a game that is too large.
    Between,
}

/// The mends of a part, which are made together or not at all.
pub(super) struct PartFix {
    /// Edits of its bytes.
    pub changes: Vec<Edit>,
    /// What it is then.
    pub becomes: ShownKind,
    pub rows: Vec<MendRow>,
    /// What is counted when they are made.
    pub count: FixCount,
    /// Findings of severity error that are left when they are not.
    pub errors: u64,
    /// It has readings of a typing error.
    pub is_offered: bool,
}

/// A row of the table of mends.
pub(super) struct MendRow {
    /// Which game of the source it is in, from 1.
    pub game: Option<u64>,
    pub offset: u64,
    pub code: Code,
    pub is_safe: bool,
    pub byte: u64,
    pub before: String,
    pub after: String,
    pub is_made: bool,
    pub reason: String,
}

/// Why a mend is not made.
pub(super) const NOT_PROVED: &str = "it could not be shown that the record says the same then";

impl PartFix {
    /// What is told of it when none of its mends is made.
    pub(super) fn withheld(mut self) -> PartFix {
        for row in self.rows.iter_mut().filter(|row| row.is_made) {
            row.is_made = false;
            if row.reason.is_empty() {
                row.reason = NOT_PROVED.into();
            }
        }
        let FixCount { safe, judged, refused, .. } = self.count;
        let (refused, errors_left) = (refused + safe + judged, self.errors);
        let proposed = u64::from(self.is_offered);
        PartFix {
            changes: Vec::new(),
            count: FixCount { refused, errors_left, proposed, ..FixCount::default() },
            ..self
        }
    }
}

impl MendRow {
    /// As the table has it, in a source of this name.
    pub(super) fn of<'a>(&'a self, file: &'a str) -> FixRow<'a> {
        let &MendRow { game, offset, code, is_safe, byte, ref before, ref after, is_made, ref reason } = self;
        FixRow { file, game, offset, code, before, after, is_safe, byte, is_made, reason }
    }
}

//! Parts of a text with their fixes, until it is decided which fixes are applied.

use super::FixCount;
use crate::tables::FixRow;
use jigo_core::finding::Code;
use jigo_core::sgf::Charset;
use jigo_core::write::Edit;

/// A part of a text: a game, stray text, or white space between them.
pub(super) struct Shown {
    /// The length in bytes.
    pub length: usize,
    /// The kind of the recorded part.
    pub what: ShownKind,
    /// The fixes of the part.
    pub fix: Option<PartFix>,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownKind {
    /// A game with its charset.
    Game(Charset),
    /// Stray text.
    Outside,
    /// White space, or the rest of an oversized game.
    Between,
}

/// The fixes of a part, which are applied together or not at all.
pub(super) struct PartFix {
    /// The edits of the part's bytes.
    pub changes: Vec<Edit>,
    /// The kind of the part after the fixes.
    pub becomes: ShownKind,
    pub rows: Vec<MendRow>,
    /// The counts in case the fixes are applied.
    pub count: FixCount,
    /// The number of findings of severity error in case they are not applied.
    pub errors: u64,
    /// True if the part has suggested corrections.
    pub is_offered: bool,
}

/// A row of the fixes table.
pub(super) struct MendRow {
    /// The number of the game in its source, from 1.
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

/// The reason for a rejected fix.
pub(super) const NOT_PROVED: &str = "it could not be shown that the record says the same then";

impl PartFix {
    /// Returns the same part with all fixes rejected.
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
    /// Returns the table row, for a source with this name.
    pub(super) fn of<'a>(&'a self, file: &'a str) -> FixRow<'a> {
        let &MendRow { game, offset, code, is_safe, byte, ref before, ref after, is_made, ref reason } = self;
        FixRow { file, game, offset, code, before, after, is_safe, byte, is_made, reason }
    }
}

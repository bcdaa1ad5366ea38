//! Parts of a text with fixes that are not yet applied or rejected.

use super::FixCount;
use crate::tables::FixRow;
use jigo_core::fix::Edit;
use jigo_record::finding::Code;
use jigo_record::sgf::Charset;

/// A part of a text: a game, stray text, or white space between them.
pub(super) struct Shown {
    /// The length in bytes.
    pub length: usize,
    /// True if the part is UTF-16 in the source.
    pub is_utf16: bool,
    /// The kind of the recorded part.
    pub what: ShownKind,
    /// The fixes of the part.
    pub fix: Option<PartFix>,
    /// The row for the conversion of a UTF-16 game to UTF-8, if the conversion is selected.
    pub conversion: Option<MendRow>,
}

impl Shown {
    /// Returns true if a fix changes this part.
    pub(super) fn is_changed(&self) -> bool {
        !self.changes().is_empty()
    }

    /// Returns true if this part is a game of a UTF-16 source.
    pub(super) fn is_utf16_game(&self) -> bool {
        self.is_utf16 && matches!(self.what, ShownKind::Game(_))
    }

    /// Returns the edits of this part's bytes.
    pub(super) fn changes(&self) -> &[Edit] {
        self.fix.as_ref().map_or(&[], |fix| &fix.changes)
    }

    /// Returns the kind that a reader must find in the place of this part.
    pub(super) fn becomes(&self) -> ShownKind {
        self.fix.as_ref().filter(|fix| !fix.changes.is_empty()).map_or(self.what, |fix| fix.becomes)
    }

    /// Withholds the changes of this part for this reason.
    pub(super) fn withhold(&mut self, reason: &str) {
        if let Some(fix) = self.fix.take_if(|fix| !fix.changes.is_empty()) {
            self.fix = Some(fix.withheld(reason));
        }
    }

    /// Records in the rows of this part whether its source becomes UTF-8, or stays UTF-16 because a
    /// conversion would lose bytes.
    pub(super) fn settle_conversion(&mut self, is_converted: bool, is_lossy: bool) {
        let (Some(row), Some(fix)) = (self.conversion.take(), &mut self.fix) else { return };
        if is_converted {
            fix.count.safe += u64::from(row.is_safe);
            fix.count.judged += u64::from(!row.is_safe);
            fix.rows.insert(0, row);
        } else if is_lossy {
            fix.count.refused += 1;
            fix.rows.insert(0, MendRow { is_safe: false, is_made: false, reason: LOSSY.into(), ..row });
        }
    }

    /// Adds the counts and rows of this part. Returns its edits for a text in which the part begins
    /// at the byte `at`.
    pub(super) fn into_edits(self, at: usize, count: &mut FixCount, mut add_row: impl FnMut(&MendRow)) -> Vec<Edit> {
        let Some(PartFix { changes, rows, count: of_fix, .. }) = self.fix else { return Vec::new() };
        count.add(&of_fix);
        rows.iter().for_each(&mut add_row);
        let moved = |Edit { range, text }: Edit| Edit { range: range.start + at..range.end + at, text };
        changes.into_iter().map(moved).collect()
    }
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

/// The reason why a source stays UTF-16.
pub(super) const LOSSY: &str =
    "its file stays UTF-16: some of its bytes may be no characters, and UTF-8 would lose them";
/// The reason why a fix of a UTF-16 source is not applied.
pub(super) const NOT_CONVERTED: &str = "its file stays UTF-16: add I003 to --select to convert it";

impl PartFix {
    /// Returns this part with all fixes withheld for this reason.
    pub(super) fn withheld(mut self, reason: &str) -> PartFix {
        for row in self.rows.iter_mut().filter(|row| row.is_made) {
            row.is_made = false;
            if row.reason.is_empty() {
                row.reason = reason.into();
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

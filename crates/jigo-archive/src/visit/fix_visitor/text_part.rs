//! Parts of a text with fixes that are not yet applied or rejected, and the counts of fixes.

use super::utf16_source::EncodedKind;
use crate::partial_result::{PartialResult as _, merge_fields};
use jigo_core::fix::{Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::sgf::Charset;
use serde::{Deserialize, Serialize};

/// A part of a text: a game, stray text, or white space between them.
#[derive(Default)]
pub(super) struct TextPart {
    /// The length in bytes.
    pub length: usize,
    /// True if the part is UTF-16 in the source.
    pub is_utf16: bool,
    /// The kind of the recorded part.
    pub kind: PartKind,
    /// True if the recorded part is a game without its `)`.
    pub is_open: bool,
    /// The number of the game in its source, from 1, if the part is a game.
    pub game: Option<u64>,
    /// True if a lone parenthesis after the part may belong to a tree of it.
    pub is_damaged: bool,
    /// The offset of the part in its source.
    pub offset: u64,
    /// The fixes of the part.
    pub fixes: Option<PartFixes>,
    /// The conversion of a UTF-16 game to UTF-8, if it is selected.
    pub conversion: Option<Fix>,
}

impl TextPart {
    /// Returns true if a fix changes this part.
    pub(super) fn is_changed(&self) -> bool {
        !self.changes().is_empty()
    }

    /// Returns the kind of this part for the conversion of UTF-16.
    pub(super) fn encoded_kind(&self) -> EncodedKind {
        match self.kind {
            PartKind::Game(charset) if self.is_open => EncodedKind::OpenGame(charset.encoding),
            PartKind::Game(charset) => EncodedKind::Game(charset.encoding),
            PartKind::StrayText if self.is_changed() => EncodedKind::RemovedText,
            PartKind::StrayText => EncodedKind::StrayText,
            PartKind::Gap => EncodedKind::Gap,
        }
    }

    /// Returns the edits of this part's bytes.
    pub(super) fn changes(&self) -> &[Edit] {
        self.fixes.as_ref().map_or(&[], |fixes| &fixes.changes)
    }

    /// Returns the edits for a text in which the part begins at the byte `offset`.
    pub(super) fn shifted_changes(&self, offset: usize) -> impl Iterator<Item = Edit> {
        self.changes().iter().map(move |Edit { range, text }| Edit {
            range: range.start + offset..range.end + offset,
            text: text.clone(),
        })
    }

    /// Returns the kind that a reader must find in the place of this part.
    pub(super) fn expected_kind(&self) -> PartKind {
        self.fixes.as_ref().filter(|fixes| !fixes.changes.is_empty()).map_or(self.kind, |fixes| fixes.expected_kind)
    }

    /// Withholds the changes of this part for this reason.
    pub(super) fn withhold(&mut self, reason: &str) {
        if let Some(fixes) = self.fixes.take_if(|fixes| !fixes.changes.is_empty()) {
            self.fixes = Some(fixes.withhold_all(reason));
        }
    }

    /// Makes the removal of a lone parenthesis unsafe, or omits it if unsafe fixes are not
    /// selected.
    ///
    /// After a damaged game, the parenthesis may close a tree of that game. Returns true if the fix
    /// is omitted.
    pub(super) fn doubt_parenthesis(&mut self, includes_unsafe: bool) -> bool {
        let is_lone = |fix: &Fix| fix.code == Code::ExtraParenthesis && fix.is_safe;
        let Some(fixes) = self.fixes.as_mut().filter(|fixes| fixes.fixes.iter().any(is_lone)) else { return false };
        if self.kind != PartKind::StrayText {
            return false;
        }
        fixes.fixes.iter_mut().for_each(|fix| fix.is_safe = false);
        fixes.count = FixCount { safe: 0, unsafe_fixes: 1, ..fixes.count };
        if !includes_unsafe {
            self.fixes = None;
        }
        !includes_unsafe
    }

    /// Records in the fixes of this part what becomes of its conversion.
    pub(super) fn resolve_conversion(&mut self, outcome: Conversion) {
        let (Some(mut conversion), Some(PartFixes { fixes, count, .. })) = (self.conversion.take(), &mut self.fixes)
        else {
            return;
        };
        conversion.is_safe &= outcome == Conversion::Made;
        match outcome {
            Conversion::Made | Conversion::Unsafe => {
                count.safe += u64::from(conversion.is_safe);
                count.unsafe_fixes += u64::from(!conversion.is_safe);
                fixes.insert(0, conversion);
            }
            Conversion::Withheld => {
                count.rejected += 1;
                fixes.insert(0, conversion.rejected(LOSSY));
            }
            Conversion::None => {}
        }
    }

    /// Adds the counts of this part and passes its fixes to `add_row`.
    pub(super) fn report(&self, count: &mut FixCount, add_row: impl FnMut(&Fix)) {
        let Some(PartFixes { fixes, count: part_count, .. }) = &self.fixes else { return };
        count.add_part(*part_count);
        fixes.iter().for_each(add_row);
    }
}

/// The outcome of the conversion of a UTF-16 source to UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// The source stays as it is.
    None,
    /// The source becomes UTF-8.
    Made,
    /// The source becomes UTF-8, although this may lose or change a part of it.
    Unsafe,
    /// The source stays UTF-16, because a conversion might lose or change a part of it.
    Withheld,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PartKind {
    /// A game with its charset.
    Game(Charset),
    /// Stray text.
    StrayText,
    /// White space, or the rest of an oversized game.
    #[default]
    Gap,
}

/// The fixes of a part, which are applied together or not at all.
#[derive(Default)]
pub(super) struct PartFixes {
    /// The edits of the part's bytes.
    pub changes: Vec<Edit>,
    /// The kind of the part after the fixes.
    pub expected_kind: PartKind,
    /// The fixes: applied, rejected and suggested ones.
    pub fixes: Vec<Fix>,
    /// The counts in case the fixes are applied.
    pub count: FixCount,
    /// The number of findings of severity error in case they are not applied.
    pub errors: u64,
    /// True if the part has suggested corrections.
    pub has_suggestions: bool,
}

/// The reason why a source stays UTF-16.
pub(super) const LOSSY: &str =
    "its file stays UTF-16: some of its bytes may be no characters, or belong to a game in another encoding";
/// The reason why a fix of a UTF-16 source is not applied.
pub(super) const NOT_CONVERTED: &str = "its file stays UTF-16: add I003 to --select to convert it";

impl PartFixes {
    /// Returns this part with all fixes withheld for this reason.
    pub(super) fn withhold_all(self, reason: &str) -> PartFixes {
        let reject = |fix: Fix| if fix.is_made { fix.rejected(reason) } else { fix };
        let FixCount { safe, unsafe_fixes, rejected, .. } = self.count;
        let (rejected, errors_left) = (rejected + safe + unsafe_fixes, self.errors);
        let suggested = u64::from(self.has_suggestions);
        PartFixes {
            changes: Vec::new(),
            fixes: self.fixes.into_iter().map(reject).collect(),
            count: FixCount { rejected, errors_left, suggested, ..FixCount::default() },
            ..self
        }
    }
}

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

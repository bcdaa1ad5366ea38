//! Detected fixes of a text.

use super::fix_options::FixOptions;
use super::fixed_game::Fix;

/// The maximum number of edits of one game. Each takes some hundred bytes of memory, and a game can
/// need one for every byte.
pub(super) const MAX_EDITS: usize = 250_000;
/// The reason for a rejected fix of a game that needs more edits.
pub(super) const TOO_MANY_EDITS: &str = "the game needs more than 250000 edits, the limit for one game";

/// The requested fixes of a text. If they exceed the maximum number of edits, further ones are
/// dropped.
pub(super) struct FixList<'a> {
    options: &'a FixOptions,
    edit_count: usize,
    /// True if no fix is safe.
    is_doubtful: bool,
    pub fixes: Vec<Fix>,
    /// The first fix that exceeds the maximum.
    pub excess: Option<Fix>,
}

impl<'a> FixList<'a> {
    /// Returns an empty list for a game that already has `edit_count` edits. If `is_doubtful` is
    /// true, all its fixes are unsafe.
    pub(super) fn new(options: &'a FixOptions, edit_count: usize, is_doubtful: bool) -> FixList<'a> {
        FixList { options, edit_count, is_doubtful, fixes: Vec::new(), excess: None }
    }

    /// Adds a fix if it is requested and has edits.
    pub(super) fn push(&mut self, fix: Fix) {
        let fix = fix.unsafe_if(self.is_doubtful);
        if fix.edits.is_empty() || self.excess.is_some() || !self.options.includes(fix.code, fix.is_safe) {
            return;
        }
        self.edit_count += fix.edits.len();
        if self.edit_count <= MAX_EDITS {
            self.fixes.push(fix);
        } else {
            self.excess = Some(fix);
        }
    }
}

impl Extend<Fix> for FixList<'_> {
    fn extend<T: IntoIterator<Item = Fix>>(&mut self, fixes: T) {
        fixes.into_iter().for_each(|fix| self.push(fix));
    }
}

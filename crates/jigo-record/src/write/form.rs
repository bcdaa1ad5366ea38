//! The form of a written record.

use super::left_out::LeftOut;

/// The form of a written record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Break lines for human readers. Otherwise a game is one line, except for line breaks in its
    /// texts.
    pub is_pretty: bool,
    /// Omit variations.
    pub main_line: bool,
    /// Omit C and GC.
    pub without_comments: bool,
    /// Keep the texts of the parts that the normal form leaves out; see [`LeftOut::texts`]. Clocks
    /// with other values of the same node are written.
    pub keeps_left_out: bool,
}

impl Form {
    /// Returns an empty list for the parts that this form leaves out.
    pub(super) fn left_out(self) -> LeftOut {
        if self.keeps_left_out { LeftOut::with_texts() } else { LeftOut::default() }
    }
}

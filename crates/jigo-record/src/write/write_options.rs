//! The options of the normal form.

use super::omissions::Omissions;

/// The options of the normal form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Break lines for human readers. Otherwise a game is one line, except for line breaks in its
    /// texts.
    pub is_pretty: bool,
    /// Omit variations.
    pub is_main_line_only: bool,
    /// Omit C and GC.
    pub omits_comments: bool,
    /// Keep the texts of the parts that the normal form omits; see [`Omissions::texts`]. Clocks
    /// with other values of the same node are written.
    pub keeps_omitted_texts: bool,
}

impl WriteOptions {
    /// Returns an empty list for the parts that the normal form omits.
    pub(super) fn empty_omissions(self) -> Omissions {
        if self.keeps_omitted_texts { Omissions::with_texts() } else { Omissions::default() }
    }
}

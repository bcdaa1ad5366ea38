//! The conversion of UTF-16 sources to UTF-8, and the doubts that forbid it.

use super::text_part::{PartKind, TextPart};
use jigo_record::splitter::stray_text;

/// A byte order mark.
const MARK: char = '\u{FEFF}';

/// The facts about the parts of a source that is or may be UTF-16.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Utf16Source {
    /// True if the source is UTF-16.
    pub is_utf16: bool,
    /// True if the source is UTF-16 and has a game.
    pub has_game: bool,
    /// True if a part of the UTF-16 text may be something else, and its conversion may lose or
    /// change it. Such a part has units that are not characters, or letters outside values, which
    /// may be single bytes or the other byte order.
    pub is_lossy: bool,
}

impl Utf16Source {
    /// Adds a part with its bytes, which are UTF-8. Parts may be added repeatedly.
    pub(super) fn add(&mut self, part: &TextPart, bytes: &[u8]) {
        if !part.is_utf16 {
            return;
        }
        self.is_utf16 = true;
        let Ok(text) = std::str::from_utf8(bytes) else {
            self.is_lossy = true;
            return;
        };
        self.is_lossy |= match part.kind {
            PartKind::Game(_) => stray_text::may_have_other_encoding(text),
            PartKind::StrayText if !part.is_changed() => !text.is_ascii(),
            PartKind::StrayText | PartKind::Gap => text.chars().any(|c| !c.is_ascii() && c != MARK),
        };
        self.has_game |= matches!(part.kind, PartKind::Game(_));
    }
}

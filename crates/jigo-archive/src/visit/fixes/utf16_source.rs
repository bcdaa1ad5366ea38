//! The conversion of UTF-16 sources to UTF-8, and the doubts that forbid it.

use encoding_rs::Encoding;

use super::text_part::{PartKind, TextPart};
use jigo_record::sgf::byte_order::OrderEvidence;
use jigo_record::splitter::stray_text;

/// A byte order mark in UTF-8.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The facts about the parts of a source that are or may be UTF-16.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Utf16Source {
    /// True if a part is UTF-16.
    pub is_utf16: bool,
    /// True if a game is UTF-16.
    pub has_game: bool,
    /// True if a part of the UTF-16 text may be something else. Such a part has units that are not
    /// characters, or letters outside values, which may be single bytes.
    has_other_text: bool,
    /// True if the byte order may have changed within the source: it has parts in several
    /// encodings, or a letter that shifted text may have.
    has_sign_of_change: bool,
    /// True if a game reads otherwise in the other byte order, and nothing proves its own.
    has_unproven_game: bool,
    /// The encoding of the last game: a form of UTF-16, or `None` for single bytes.
    last: Option<Option<&'static Encoding>>,
}

impl Utf16Source {
    /// Adds parts with their recorded bytes. Parts may be added repeatedly.
    pub(super) fn add(&mut self, recorded: &[u8], parts: &[TextPart]) {
        self.is_utf16 |= parts.iter().any(|part| part.is_utf16);
        self.has_game |= parts.iter().any(TextPart::is_utf16_game);
        let mut at = 0;
        for part in parts {
            let (before, bytes) = (&recorded[..at], &recorded[at..at + part.length]);
            at += part.length;
            // The order of the first game is known by its start.
            let is_first = self.last.is_none() && before.trim_ascii().is_empty();
            self.add_encoding(part);
            if part.is_utf16 {
                self.add_part(part, bytes, is_first || before.ends_with(MARK));
            }
        }
    }

    /// Returns true if the conversion may lose or change a part of the source.
    pub(super) fn is_lossy(&self) -> bool {
        self.has_other_text || self.has_sign_of_change && self.has_unproven_game
    }

    fn add_encoding(&mut self, part: &TextPart) {
        let encoding = match part.kind {
            PartKind::Game(charset) => part.is_utf16.then_some(charset.encoding),
            PartKind::StrayText if !part.is_utf16 => None,
            PartKind::StrayText | PartKind::Gap => return,
        };
        self.has_sign_of_change |= self.last.replace(encoding).is_some_and(|last| last != encoding);
    }

    /// Adds a part in UTF-16. `is_proven` is true if its byte order is known by its start.
    fn add_part(&mut self, part: &TextPart, bytes: &[u8], is_proven: bool) {
        let Ok(text) = std::str::from_utf8(bytes) else {
            self.has_other_text = true;
            return;
        };
        match part.kind {
            PartKind::Game(charset) => {
                let evidence = OrderEvidence::of(text, charset.encoding);
                self.has_other_text |= stray_text::has_letters_outside_values(bytes);
                self.has_sign_of_change |= evidence.has_oddity;
                self.has_unproven_game |= !is_proven && !evidence.is_proven;
            }
            PartKind::StrayText => {
                self.has_other_text |= !part.is_changed() && !bytes.is_ascii();
                self.has_sign_of_change |= !bytes.is_ascii();
            }
            PartKind::Gap => self.has_sign_of_change |= text.chars().any(|c| !c.is_ascii() && c != '\u{FEFF}'),
        }
    }
}

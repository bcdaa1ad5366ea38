//! The conversion of UTF-16 sources to UTF-8, and the doubts that forbid it.

use encoding_rs::{Encoding, UTF_16LE};

use jigo_record::sgf::encoding::byte_order::OrderEvidence;
use jigo_record::splitter::stray_text;

/// A byte order mark in UTF-8.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// A part of a source that may be UTF-16, in UTF-8.
#[derive(Clone, Copy)]
pub(super) struct EncodedPart<'a> {
    /// The recorded bytes.
    pub bytes: &'a [u8],
    /// The recorded bytes before it, as far as known.
    pub before: &'a [u8],
    /// True if it is UTF-16 in the source.
    pub is_utf16: bool,
    /// Its kind.
    pub kind: EncodedKind,
}

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EncodedKind {
    /// A game and its encoding.
    Game(&'static Encoding),
    /// A game without its `)`, and its encoding.
    OpenGame(&'static Encoding),
    /// Stray text that stays.
    StrayText,
    /// Stray text that a fix removes.
    RemovedText,
    /// White space.
    Gap,
}

impl EncodedKind {
    /// Returns the encoding of a game.
    fn game(self) -> Option<&'static Encoding> {
        match self {
            EncodedKind::Game(encoding) | EncodedKind::OpenGame(encoding) => Some(encoding),
            EncodedKind::StrayText | EncodedKind::RemovedText | EncodedKind::Gap => None,
        }
    }
}

/// The facts about the parts of a source that are or may be UTF-16.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Utf16Source {
    /// True if a part is UTF-16.
    pub is_utf16: bool,
    /// True if a game is UTF-16.
    pub has_game: bool,
    /// True if a part of the UTF-16 text may be something else. Such a part has units that are not
    /// characters, or letters outside values, which may be single bytes. Or a game goes on in
    /// another encoding.
    has_other_text: bool,
    /// True if the last game has no `)`.
    is_open: bool,
    /// True if the byte order may have changed within the source: it has parts in several
    /// encodings, or a letter that shifted text may have.
    has_sign_of_change: bool,
    /// True if a game reads otherwise in the other byte order, and nothing proves its own.
    has_unproven_game: bool,
    /// The encoding of the last part with text: a form of UTF-16, or `None` for single bytes.
    last: Option<Option<&'static Encoding>>,
}

impl Utf16Source {
    /// Adds a part. Parts may be added repeatedly.
    pub(super) fn add(&mut self, part: EncodedPart) {
        let is_proven = part.before.ends_with(MARK) || self.is_proven_by_start(part);
        self.add_encoding(part);
        if part.is_utf16 {
            self.is_utf16 = true;
            self.add_utf16(part, is_proven);
        }
    }

    /// Returns true if the conversion may lose or change a part of the source.
    pub(super) fn is_lossy(&self) -> bool {
        self.has_other_text || self.has_sign_of_change && self.has_unproven_game
    }

    /// Returns true if the place of a game proves its byte order: nothing or single bytes precede
    /// it, so it begins at its `(`. In big-endian order a stray NUL may precede the `(`.
    fn is_proven_by_start(&self, part: EncodedPart) -> bool {
        let is_start = self.last.map_or(part.before.trim_ascii().is_empty(), |last| last.is_none());
        is_start && part.kind.game() == Some(UTF_16LE)
    }

    fn add_encoding(&mut self, part: EncodedPart) {
        let encoding = match (part.kind, part.kind.game()) {
            (_, Some(encoding)) => part.is_utf16.then_some(encoding),
            (EncodedKind::StrayText | EncodedKind::RemovedText, None) if !part.is_utf16 => None,
            _ => return,
        };
        let is_change = self.last.replace(encoding).is_some_and(|last| last != encoding);
        self.has_sign_of_change |= is_change;
        self.has_other_text |= is_change && self.is_open;
        self.is_open = matches!(part.kind, EncodedKind::OpenGame(_));
    }

    fn add_utf16(&mut self, part: EncodedPart, is_proven: bool) {
        let Ok(text) = std::str::from_utf8(part.bytes) else {
            self.has_other_text = true;
            return;
        };
        let has_letters = text.chars().any(|c| !c.is_ascii() && c != '\u{FEFF}');
        match part.kind {
            EncodedKind::Game(encoding) | EncodedKind::OpenGame(encoding) => {
                self.has_game = true;
                let evidence = OrderEvidence::from_text(text, encoding);
                self.has_other_text |= stray_text::has_letters_outside_values(part.bytes);
                self.has_sign_of_change |= evidence.has_oddity;
                self.has_unproven_game |= !is_proven && !evidence.is_proven;
            }
            EncodedKind::StrayText => self.has_other_text |= !text.is_ascii(),
            EncodedKind::RemovedText | EncodedKind::Gap => self.has_sign_of_change |= has_letters,
        }
    }
}

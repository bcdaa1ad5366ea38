//! The text of one game with its place in the source, and the format of records.

use super::{Close, Index};
use crate::sgf::encoding::utf16;
use crate::sgf::{Charset, charset};

/// The format of a record, as an index into the table of [`formats`](crate::formats). The default
/// is an SGF collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordKind(pub(crate) u8);

/// The text of one game, and its place in the source.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameText<'a> {
    /// The format.
    pub kind: RecordKind,
    /// The name of the source: its path as given or found, with forward slashes.
    pub file: &'a str,
    /// The number of the game in the source, from 1.
    pub game: u64,
    /// The offset of the game's `(` in the source, from 0.
    pub offset: u64,
    /// The line of the game's `(` in the source, from 1.
    pub line: u64,
    /// The bytes of the game, including its parentheses if present.
    pub bytes: &'a [u8],
    /// The way in which the game ends.
    pub close: Close,
    /// The charset of the bytes.
    pub charset: Charset,
    /// Headers for records that have none.
    pub index: Option<&'a Index>,
    /// True if an earlier game of the source has no header because its format has none.
    pub follows_headerless_game: bool,
    /// True if the source is known to contain no other game.
    pub is_only: bool,
}

impl<'a> GameText<'a> {
    /// Returns an SGF game as the only one of a source without a name. Callers change fields by a
    /// struct update.
    pub fn single(bytes: &'a [u8], close: Close, charset: Charset) -> GameText<'a> {
        GameText { file: "-", game: 1, line: 1, bytes, close, charset, is_only: true, ..GameText::default() }
    }

    /// Returns the offset in the source of the byte `offset` of the game.
    pub fn source_byte(&self, offset: usize) -> u64 {
        self.offset + self.source_length(&self.bytes[..offset.min(self.bytes.len())])
    }

    /// Returns the length in the source of a part of the game.
    pub fn source_length(&self, part: &[u8]) -> u64 {
        let length = match self.charset.basis {
            charset::CharsetBasis::Transcoded => utf16::utf16_length(part),
            _ => part.len(),
        };
        length as u64
    }
}

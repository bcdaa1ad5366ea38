//! Bytes to game texts: which bytes are one game, which charset they are in.

pub mod charset;
mod csv_rows;
pub mod decode;
pub(crate) mod escape;
pub(crate) mod extent;
pub(crate) mod ff4;
pub mod index;
mod legibility;
pub mod lexis;
pub mod limits;
pub mod lines;
pub mod outside;
pub mod resync;
pub mod split;
pub mod turns;
pub mod utf16;

pub use charset::Charset;
pub use index::Index;
pub use limits::Limits;
pub use lines::{LineFormat, LineKind};
pub use split::{Piece, Splitter, Unit, split};

/// What a record is written in, by its place in the table of [`kinds`](crate::record::kinds), which says the rest of it; an SGF collection by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordKind(pub(crate) u8);

/// The text of one game with its place in its source.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
    /// What it is written in.
    pub kind: RecordKind,
    /// The source's name: the path as given or found, with forward slashes.
    pub file: &'a str,
    /// Which game of the source, from 1.
    pub game: u64,
    /// Byte of the game's `(` in the source, from 0.
    pub offset: u64,
    /// Line of the game's `(` in the source, from 1.
    pub line: u64,
    /// The game's bytes, its parentheses included where they are there.
    pub bytes: &'a [u8],
    /// How it ends.
    pub close: split::Close,
    /// What its bytes mean.
    pub charset: Charset,
    /// Where headers are, for records that have none.
    pub index: Option<&'a Index>,
}

impl<'a> GameText<'a> {
    /// A game of SGF that is the only one of its source, which has no name. What of this is otherwise is said by a struct update.
    pub fn alone(bytes: &'a [u8], close: split::Close, charset: Charset) -> GameText<'a> {
        let kind = RecordKind::default();
        GameText { kind, file: "-", game: 1, offset: 0, line: 1, bytes, close, charset, index: None }
    }

    /// The byte of the source that the byte `at` of the game is.
    pub fn source_byte(&self, at: usize) -> u64 {
        self.offset + self.source_length(&self.bytes[..at.min(self.bytes.len())])
    }

    /// How many bytes of the source a part of the game is.
    pub fn source_length(&self, part: &[u8]) -> u64 {
        let length = match self.charset.basis {
            charset::Basis::Transcoded => utf16::utf16_length(part),
            _ => part.len(),
        };
        length as u64
    }
}

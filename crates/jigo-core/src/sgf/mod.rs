//! Bytes to game texts: where they are, which bytes are one game, which charset they are in.

pub mod archive;
#[cfg(feature = "columnar")]
pub mod arrow;
pub mod charset;
pub mod decode;
pub mod discover;
pub mod lexis;
pub mod limits;
pub mod one_game;
pub mod pack;
pub mod row;
pub mod split;
pub mod turns;
pub mod utf16;

pub use charset::Charset;
pub use discover::{Source, SourceKind};
pub use limits::Limits;
pub use one_game::OneGame;
pub use row::RecordRow;
pub use split::{Piece, Splitter, split};

/// What the bytes of an input are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputFormat {
    /// Game records.
    #[default]
    Sgf,
    /// Bare positions, a JSON object a line.
    Positions,
    /// Rows of records, a JSON object a line.
    Jsonl,
    /// Rows of records in an Arrow IPC stream.
    #[cfg(feature = "columnar")]
    Arrow,
}

impl InputFormat {
    /// Whether every row stands for a file of its own.
    pub fn is_rows(self) -> bool {
        !matches!(self, InputFormat::Sgf | InputFormat::Positions)
    }
}

/// The text of one game with its place in its source.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
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
}

impl GameText<'_> {
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

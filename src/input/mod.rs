//! Bytes to game texts: where they are, which bytes are one game.

pub mod discover;
pub mod split;

pub use discover::{Source, SourceKind};
pub use split::{Piece, split};

/// What the bytes of an input are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputFormat {
    /// Game records.
    #[default]
    Sgf,
    /// Bare positions, a JSON object a line.
    Positions,
}

impl InputFormat {
    /// Cuts bytes into games or lines: see [`split()`].
    pub fn cut(self, bytes: &[u8], end: bool, sink: impl FnMut(Piece)) -> usize {
        match self {
            InputFormat::Sgf => split(bytes, end, sink),
            InputFormat::Positions => split::lines(bytes, end, sink),
        }
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
}

//! A piece of a source, cut into games.

use std::io::Read;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::source::row::{Fault, FilePart, State};
use crate::source::{InputFormat, Source};
use jigo_core::sgf::split::Learned;
use jigo_core::sgf::utf16::{Transcoder, utf16};
use jigo_core::sgf::{Limits, Piece, Splitter};

/// A piece of a source with the games in it.
pub(super) struct Chunk {
    pub source: usize,
    /// The member of an archive that it is a piece of, and its place among the sources.
    pub member: Option<(Arc<Source>, u64)>,
    /// The form of UTF-16 that the source is in; `bytes` are UTF-8 then.
    pub utf16: Option<&'static Encoding>,
    /// What the splitter knew of the source before it, and the charset that it knew behind it: the same games come out of it by itself.
    pub learned: Learned,
    pub bytes: Vec<u8>,
    pub pieces: Vec<Piece>,
    /// Where `bytes` begins in the source: its byte and line.
    pub offset: u64,
    pub line: u64,
    /// Number of the first game in it.
    pub first_game: u64,
    /// Nothing follows it.
    pub is_last: bool,
    /// Why reading ended, when it was not the end of the source.
    pub error: Option<Fault>,
}

impl Chunk {
    /// A source that is there as a whole.
    pub fn whole(bytes: Vec<u8>, error: Option<Fault>, format: InputFormat, limits: Limits) -> Chunk {
        Chunk::of_part(bytes, FilePart { fault: error, ..FilePart::default() }, format, limits)
    }

    /// A part of a source.
    pub fn of_part(bytes: Vec<u8>, part: FilePart, format: InputFormat, limits: Limits) -> Chunk {
        let FilePart { game, offset, line, state, is_last, fault } = part;
        let (state, bytes) = match state {
            Some(state) => (state, bytes),
            None => unseen(bytes),
        };
        let mut splitter = Splitter::new(format.unit(), limits);
        splitter.learned.clone_from(&state.learned);
        let mut pieces = Vec::new();
        splitter.split(&bytes, true, |piece| pieces.push(piece));
        let learned = Learned { detected: splitter.learned.detected, ..state.learned };
        Chunk {
            source: 0,
            member: None,
            utf16: state.utf16,
            learned,
            bytes,
            pieces,
            offset,
            line,
            first_game: game,
            is_last,
            error: fault,
        }
    }

    /// Whether the whole source has been seen and holds no game.
    pub fn is_without_games(&self) -> bool {
        let is_game = |piece: &Piece| matches!(piece, Piece::Game(..));
        self.is_last && self.first_game == 1 && !self.pieces.iter().any(is_game)
    }
}

/// The state of a text that nobody has looked at, and the text as UTF-8 where it is UTF-16.
fn unseen(bytes: Vec<u8>) -> (State, Vec<u8>) {
    let utf16 = utf16(&bytes);
    let Some(encoding) = utf16 else { return (State::default(), bytes) };
    let mut text = Vec::new();
    // Reading from memory does not fail.
    let _ = Transcoder::new(bytes.as_slice(), encoding).read_to_end(&mut text);
    (State { utf16, ..State::default() }, text)
}

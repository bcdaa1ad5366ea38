//! A piece of a source, cut into games.

use std::io::Read;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::source::row::{FilePart, PartState, SourceFault};
use crate::source::{Holds, Source};
use jigo_core::sgf::charset::{Basis, Charset};
use jigo_core::sgf::split::Learned;
use jigo_core::sgf::utf16::{Transcoder, utf16, utf16_length};
use jigo_core::sgf::{GameText, Limits, Piece, Splitter};

/// A piece of a source with the games in it.
pub(crate) struct Chunk {
    pub source: usize,
    /// What the source holds.
    pub holds: Holds,
    /// The member of an archive that it is a piece of, and its place among the sources.
    pub member: Option<(Arc<Source>, u64)>,
    /// The form of UTF-16 that the source is in; `bytes` are UTF-8 then.
    pub utf16: Option<&'static Encoding>,
    /// What the splitter knew of the source before it, and the charset that it knew behind it: the same games come out of it by itself.
    pub learned: Learned,
    pub bytes: Vec<u8>,
    /// Some of what follows `bytes`, by which the last pieces were cut; nothing where they were cut as if nothing followed.
    pub ahead: Vec<u8>,
    pub pieces: Vec<Piece>,
    /// The line of the source that each piece begins in, from 1.
    pub lines: Vec<u64>,
    /// Where `bytes` begins in the source: its byte and line.
    pub offset: u64,
    pub line: u64,
    /// Number of the first game in it.
    pub first_game: u64,
    /// Nothing follows it.
    pub is_last: bool,
    /// Why reading ended, when it was not the end of the source.
    pub fault: Option<SourceFault>,
}

impl Chunk {
    /// A source that is there as a whole.
    pub(crate) fn whole(bytes: Vec<u8>, fault: Option<SourceFault>, holds: Holds, limits: Limits) -> Chunk {
        Chunk::of_part(bytes, FilePart { fault, ..FilePart::default() }, holds, limits)
    }

    /// A part of a source.
    pub(crate) fn of_part(bytes: Vec<u8>, part: FilePart, holds: Holds, limits: Limits) -> Chunk {
        let FilePart { game, offset, line, state, is_last, fault } = part;
        let (state, bytes) = match state {
            Some(state) => (state, bytes),
            None => unseen(bytes),
        };
        let mut splitter = Splitter::new(holds.unit(), limits);
        splitter.learned.clone_from(&state.learned);
        let mut pieces = Vec::new();
        splitter.split(&bytes, true, |piece| pieces.push(piece));
        let learned = Learned { detected: splitter.learned.detected, ..state.learned };
        Chunk {
            source: 0,
            holds,
            member: None,
            utf16: state.utf16,
            learned,
            lines: begins(&bytes, &pieces, line).0,
            bytes,
            ahead: Vec::new(),
            pieces,
            offset,
            line,
            first_game: game,
            is_last,
            fault,
        }
    }

    /// Whether the whole source has been seen and holds no game.
    pub(crate) fn is_without_games(&self) -> bool {
        let is_game = |piece: &Piece| matches!(piece, Piece::Game(..));
        self.is_last && self.first_game == 1 && !self.pieces.iter().any(is_game)
    }

    /// Returns true if the whole source is empty, but for a byte order mark and white space.
    pub(crate) fn is_empty_source(&self) -> bool {
        let text = self.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.bytes);
        self.is_without_games() && self.offset == 0 && text.trim_ascii().is_empty()
    }

    /// What stands in it, in order, as parts of a source of this name.
    pub(crate) fn items<'a>(&'a self, file: &'a str) -> impl Iterator<Item = Item<'a>> {
        let kind = self.holds.record_kind();
        let mut game = self.first_game;
        let (mut offset, mut counted_to) = (self.offset, 0);
        self.pieces.iter().zip(&self.lines).map(move |(piece, &line)| {
            let (Piece::Game(range, ..) | Piece::Outside(range)) = piece;
            let before = &self.bytes[counted_to..range.start];
            offset += self.utf16.map_or(before.len(), |_| utf16_length(before)) as u64;
            counted_to = range.start;
            let bytes = &self.bytes[range.clone()];
            match piece {
                Piece::Game(_, close, charset) => {
                    let transcoded = self.utf16.map(|encoding| Charset { encoding, basis: Basis::Transcoded });
                    let (close, charset) = (*close, transcoded.unwrap_or(*charset));
                    game += 1;
                    Item::Game(GameText {
                        kind,
                        file,
                        game: game - 1,
                        offset,
                        line,
                        bytes,
                        close,
                        charset,
                        index: None,
                    })
                }
                Piece::Outside(_) => Item::Outside { bytes, offset, line },
            }
        })
    }
}

/// The lines that pieces of a text begin in, and the line that the text ends in, where it begins in line `line`.
pub(super) fn begins(bytes: &[u8], pieces: &[Piece], mut line: u64) -> (Vec<u64>, u64) {
    let mut counted_to = 0;
    let mut count_to = |at: usize| {
        line += memchr::memchr_iter(b'\n', &bytes[counted_to..at]).count() as u64;
        counted_to = at;
        line
    };
    let begins = pieces.iter().map(|(Piece::Game(range, ..) | Piece::Outside(range))| count_to(range.start)).collect();
    (begins, count_to(bytes.len()))
}

/// What stands in a chunk.
pub(crate) enum Item<'a> {
    /// A game, or a line of positions or rows.
    Game(GameText<'a>),
    /// Text outside games, with its place in the source: byte from 0, line from 1.
    Outside { bytes: &'a [u8], offset: u64, line: u64 },
}

/// The state of a text that nobody has looked at, and the text as UTF-8 where it is UTF-16.
fn unseen(bytes: Vec<u8>) -> (PartState, Vec<u8>) {
    let utf16 = utf16(&bytes);
    let Some(encoding) = utf16 else { return (PartState::default(), bytes) };
    let mut text = Vec::new();
    // Reading from memory does not fail.
    let _ = Transcoder::new(bytes.as_slice(), encoding).read_to_end(&mut text);
    (PartState { utf16, ..PartState::default() }, text)
}

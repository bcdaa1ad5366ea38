//! A piece of a source, split into games.

use jigo_record::sgf::encoding::byte_order_mark::without_mark;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::source::rows::file_part::SourceFault;
use crate::source::{ContentKind, Source};
use jigo_record::sgf::charset::{Charset, CharsetBasis};
use jigo_record::sgf::encoding::utf16::utf16_length;
use jigo_record::splitter::{GameText, Piece, SplitState};

/// The approximate size of the game text in a batch, in bytes. A batch of this size takes a good
/// part of a second if endings are estimated.
pub(super) const BATCH_BYTES: u64 = 256 << 10;

/// A piece of a source with its games.
#[derive(Default)]
pub(crate) struct Chunk {
    pub source: usize,
    /// The content of the source.
    pub content_kind: ContentKind,
    /// The archive member that the piece belongs to, and the member's index among the sources.
    pub member: Option<(Arc<Source>, u64)>,
    /// The UTF-16 encoding of the source; if it is set, `bytes` are already UTF-8.
    pub utf16: Option<&'static Encoding>,
    /// The splitter's state before the piece, with the charset that it knew after the piece. From
    /// this state the piece alone splits into the same games.
    pub split_state: SplitState,
    pub bytes: Vec<u8>,
    pub pieces: Vec<Piece>,
    /// The first line of each piece in the source, from 1.
    pub lines: Vec<u64>,
    /// The position of `bytes` in the source: byte and line.
    pub offset: u64,
    pub line: u64,
    /// The number of the first game in the piece.
    pub first_game: u64,
    /// True for the last piece of a source.
    pub is_last: bool,
    /// The reason why reading ended before the end of the source.
    pub fault: Option<SourceFault>,
    /// The rows of a table in the piece whose identifiers occurred before, in order.
    pub repeated_ids: Vec<RepeatedId>,
}

/// A row whose key an earlier row of the same table has. Rows count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RepeatedId {
    /// The row.
    pub row: u64,
    /// The first row with this key.
    pub first: u64,
}

impl Chunk {
    /// Returns a chunk without text.
    pub(crate) fn without_text(fault: SourceFault) -> Chunk {
        let ChunkPosition { game: first_game, offset, line } = ChunkPosition::START;
        Chunk { first_game, offset, line, is_last: true, fault: Some(fault), ..Chunk::default() }
    }

    /// Returns true if the piece is the whole source and contains no game.
    pub(crate) fn is_without_games(&self) -> bool {
        self.total_games() == Some(0)
    }

    /// Returns the number of games in the source if the piece contains all of them.
    fn total_games(&self) -> Option<usize> {
        let games = || self.pieces.iter().filter(|piece| matches!(piece, Piece::Game(..))).count();
        (self.is_last && self.first_game == 1).then(games)
    }

    /// Returns true if the whole source is empty, but for a byte order mark and white space.
    pub(crate) fn is_empty_source(&self) -> bool {
        let text = without_mark(&self.bytes);
        self.is_without_games() && self.offset == 0 && text.trim_ascii().is_empty()
    }

    /// Returns the items of the piece in order, for a source with this name.
    pub(crate) fn items<'a>(&'a self, file: &'a str) -> impl Iterator<Item = ChunkItem<'a>> {
        let kind = self.content_kind.record_kind();
        let mut game = self.first_game;
        let is_only = self.total_games() == Some(1);
        let mut has_headerless_game = self.split_state.has_headerless_game;
        let (mut offset, mut previous_start) = (self.offset, 0);
        self.pieces.iter().zip(&self.lines).map(move |(piece, &line)| {
            let (Piece::Game(range, ..) | Piece::StrayText(range)) = piece;
            let before = &self.bytes[previous_start..range.start];
            offset += self.utf16.map_or(before.len(), |_| utf16_length(before)) as u64;
            previous_start = range.start;
            let bytes = &self.bytes[range.clone()];
            match piece {
                Piece::Game(_, close, charset) => {
                    let transcoded = self.utf16.map(|encoding| Charset { encoding, basis: CharsetBasis::Transcoded });
                    let (close, charset) = (*close, transcoded.unwrap_or(*charset));
                    game += 1;
                    let follows_headerless_game = has_headerless_game;
                    has_headerless_game |= !has_headerless_game && kind.is_headerless(bytes);
                    ChunkItem::Game(GameText {
                        kind,
                        file,
                        game: game - 1,
                        offset,
                        line,
                        bytes,
                        close,
                        charset,
                        index: None,
                        follows_headerless_game,
                        is_only,
                    })
                }
                Piece::StrayText(_) => ChunkItem::StrayText { bytes, offset, line },
            }
        })
    }
}

/// The position of a chunk in its source: the number of its first game, its byte and its line.
pub(super) struct ChunkPosition {
    pub(super) game: u64,
    pub(super) offset: u64,
    pub(super) line: u64,
}

impl ChunkPosition {
    /// The first chunk of a source.
    pub(super) const START: ChunkPosition = ChunkPosition { game: 1, offset: 0, line: 1 };

    /// Returns the chunk with this text, and moves to its end. The chunk belongs to the first source,
    /// is not the last one and has no fault.
    pub(super) fn next_chunk(
        &mut self,
        bytes: Vec<u8>,
        pieces: Vec<Piece>,
        split_state: SplitState,
        content_kind: ContentKind,
        utf16: Option<&'static Encoding>,
    ) -> Chunk {
        let ChunkPosition { game, offset, line } = *self;
        let (lines, last_line) = line_numbers(&bytes, &pieces, line);
        let games = pieces.iter().filter(|piece| matches!(piece, Piece::Game(..))).count() as u64;
        let length = utf16.map_or(bytes.len(), |_| utf16_length(&bytes)) as u64;
        *self = ChunkPosition { game: game + games, offset: offset + length, line: last_line };
        Chunk {
            content_kind,
            utf16,
            split_state,
            bytes,
            pieces,
            lines,
            offset,
            line,
            first_game: game,
            ..Chunk::default()
        }
    }
}

/// Returns the first line of each piece of a text, and the last line of the text. The text starts
/// in line `line`.
fn line_numbers(bytes: &[u8], pieces: &[Piece], mut line: u64) -> (Vec<u64>, u64) {
    let mut counted_bytes = 0;
    let mut line_at = |offset: usize| {
        line += memchr::memchr_iter(b'\n', &bytes[counted_bytes..offset]).count() as u64;
        counted_bytes = offset;
        line
    };
    let line_numbers =
        pieces.iter().map(|(Piece::Game(range, ..) | Piece::StrayText(range))| line_at(range.start)).collect();
    (line_numbers, line_at(bytes.len()))
}

/// An item of a chunk.
pub(crate) enum ChunkItem<'a> {
    /// A game, or a line of positions or rows.
    Game(GameText<'a>),
    /// Stray text with its position in the source: byte from 0, line from 1.
    StrayText { bytes: &'a [u8], offset: u64, line: u64 },
}

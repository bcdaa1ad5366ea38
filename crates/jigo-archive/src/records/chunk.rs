//! A piece of a source, split into games.

use jigo_record::sgf::encoding::byte_order_mark::without_mark;
use std::borrow::Cow;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::source::rows::file_part::{FilePart, PartState, SourceFault};
use crate::source::{ContentKind, Source};
use jigo_record::sgf::Limits;
use jigo_record::sgf::charset::{Charset, CharsetBasis};
use jigo_record::sgf::encoding::utf16::{ReadablePart, UnreadPart, utf16_length};
use jigo_record::splitter::{GameText, Piece, Split, SplitState, Splitter};

/// The approximate size of the game text in a batch, in bytes. A batch of this size takes a good
/// part of a second if endings are estimated.
pub(super) const BATCH_BYTES: u64 = 256 << 10;

/// A piece of a source with its games.
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
    /// Splits a part of a source into chunks of one format each.
    pub(crate) fn from_part(bytes: Vec<u8>, part: FilePart, content_kind: ContentKind, limits: Limits) -> Chunks {
        let FilePart { game, offset, line, state, is_last, fault } = part;
        let (state, bytes, unread) = match state {
            Some(state) => (state, bytes, None),
            None => initial_state(bytes, content_kind),
        };
        let fault = fault.or_else(|| unread.map(SourceFault::unreadable));
        let mut splitter = Splitter::new(content_kind.unit(), limits);
        splitter.split_state.clone_from(&state.split_state);
        let position = ChunkPosition { game, offset, line };
        Chunks {
            bytes,
            consumed: 0,
            position,
            utf16: state.utf16,
            content_kind,
            splitter,
            is_last,
            fault,
            is_finished: false,
        }
    }

    /// Returns a chunk without text.
    pub(crate) fn without_text(fault: SourceFault) -> Chunk {
        let (content_kind, split_state) = Default::default();
        let mut start = ChunkPosition::START;
        let chunk = start.next_chunk(Vec::new(), Vec::new(), split_state, content_kind, None);
        Chunk { is_last: true, fault: Some(fault), ..chunk }
    }

    /// Returns true if the piece is the whole source and contains no game.
    pub(crate) fn is_without_games(&self) -> bool {
        let is_game = |piece: &Piece| matches!(piece, Piece::Game(..));
        self.is_last && self.first_game == 1 && !self.pieces.iter().any(is_game)
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
                    })
                }
                Piece::StrayText(_) => ChunkItem::StrayText { bytes, offset, line },
            }
        })
    }
}

/// The position of a chunk in its source: the number of its first game, its byte and its line.
pub(super) struct ChunkPosition {
    game: u64,
    pub(super) offset: u64,
    line: u64,
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
            source: 0,
            content_kind,
            member: None,
            utf16,
            split_state,
            bytes,
            pieces,
            lines,
            offset,
            line,
            first_game: game,
            is_last: false,
            fault: None,
            repeated_ids: Vec::new(),
        }
    }
}

/// The chunks of a text that is in memory. A chunk ends where the format of the records changes.
pub(crate) struct Chunks {
    bytes: Vec<u8>,
    /// The number of bytes in earlier chunks.
    consumed: usize,
    position: ChunkPosition,
    utf16: Option<&'static Encoding>,
    content_kind: ContentKind,
    splitter: Splitter,
    is_last: bool,
    fault: Option<SourceFault>,
    is_finished: bool,
}

impl Iterator for Chunks {
    type Item = Chunk;

    fn next(&mut self) -> Option<Chunk> {
        if self.is_finished {
            return None;
        }
        let before = self.splitter.split_state.clone();
        let mut pieces = Vec::new();
        let rest = &self.bytes[self.consumed..];
        let Split { consumed, change } = self.splitter.split_until_change(rest, true, |piece| pieces.push(piece));
        let split_state = SplitState { detected_charset: self.splitter.split_state.detected_charset, ..before };
        let content_kind = self.content_kind;
        if let Some(format) = change {
            self.splitter.change_to(format);
            self.content_kind = ContentKind::Records(format);
            if consumed == 0 {
                return self.next();
            }
        }
        self.is_finished = change.is_none();
        // Most texts have one format and need no copy.
        let bytes = match self.is_finished && self.consumed == 0 {
            true => std::mem::take(&mut self.bytes),
            false => rest[..consumed].to_vec(),
        };
        self.consumed += consumed;
        let mut chunk = self.position.next_chunk(bytes, pieces, split_state, content_kind, self.utf16);
        if self.is_finished {
            (chunk.is_last, chunk.fault) = (self.is_last, self.fault.take());
        }
        Some(chunk)
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

/// Returns the initial state of a text, and the part of the text in the encoding of its start, in
/// UTF-8 if it is UTF-16. A row of a table may have another encoding.
fn initial_state(mut bytes: Vec<u8>, content_kind: ContentKind) -> (PartState, Vec<u8>, Option<UnreadPart>) {
    let ReadablePart { text, utf16, unread } = ReadablePart::of_source(&bytes);
    let state = PartState { utf16, ..PartState::default() };
    match text {
        Cow::Owned(text) => (state, text, unread),
        Cow::Borrowed(text) if matches!(content_kind, ContentKind::Records(_)) => {
            let length = text.len();
            bytes.truncate(length);
            (state, bytes, unread)
        }
        Cow::Borrowed(_) => (state, bytes, None),
    }
}

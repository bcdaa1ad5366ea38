//! Parts of sources, split between games, for workers in other processes.

use std::ops::{ControlFlow, Range};

use crate::records::chunk::Chunk;
use crate::records::{ReadSettings, Records, RowFinding, WorkItemContent};
use crate::source::rows::file_part::{FilePart, PartState, SourceFault};
use jigo_record::finding::Code;
use jigo_record::sgf::Limits;
use jigo_record::sgf::encoding::utf16::utf16_length;
use jigo_record::splitter::{Close, Piece, SplitState, Splitter};

/// A part of a source: whole games and the text between them. [`FilePart`] describes its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePart {
    /// The name of the source.
    pub file: String,
    /// The text of the part; UTF-8 if the source is UTF-16.
    pub text: Vec<u8>,
    /// The number of games in the part.
    pub games: u64,
    /// The position of the part in its source.
    pub part: FilePart,
}

/// The size of a part. A part ends with the game that reaches one of these limits, if that game is
/// closed.
#[derive(Clone, Copy, Debug)]
pub struct PartSize {
    /// The number of bytes, at least 1.
    pub bytes: u64,
    /// The number of games, at least 1.
    pub games: u64,
}

/// Splits all sources into parts, in input order. An unreadable source becomes a part without text
/// and with a fault.
///
/// # Errors
/// Fails if `sink` fails.
pub fn split_sources(
    read_settings: ReadSettings<'_>,
    size: PartSize,
    mut sink: impl FnMut(SourcePart) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut records = Records::new(read_settings, 1);
    let read_settings = records.read_settings;
    let mut repartitioner =
        Repartitioner { size, limits: read_settings.limits, open_part: None, split_state: Default::default() };
    let mut result = Ok(());
    while let (Ok(()), Some(items)) = (&result, records.next()) {
        let flow = items.iter().try_for_each(|item| {
            item.open(read_settings, &mut |origin, content| {
                result = repartitioner.add_content(&origin.source.name, content, &mut sink);
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        });
        if flow.is_continue() {
            records.recycle(items);
        }
    }
    result
}

/// Joins and splits the chunks of one source after the other.
struct Repartitioner {
    size: PartSize,
    limits: Limits,
    /// The part that may still grow.
    open_part: Option<OpenPart>,
    /// A byte of the chunk, and the splitter's state at this byte.
    split_state: (usize, SplitState),
}

struct OpenPart {
    part: SourcePart,
    /// True if the part's last game is closed, so that the part may end there.
    is_closed: bool,
}

impl Repartitioner {
    fn add_content(
        &mut self,
        file: &str,
        content: WorkItemContent<'_>,
        sink: &mut impl FnMut(SourcePart) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let fault = match content {
            WorkItemContent::Text(chunk) => return self.add_chunk(file, chunk, sink),
            WorkItemContent::Empty(reason) => SourceFault { code: Code::NoGame, detail: reason },
            WorkItemContent::Failed(fault) => fault,
            // Both rows are split, and the repetition is a finding on the parts as well.
            WorkItemContent::Row(RowFinding { code: Code::RepeatedId, .. }) => return Ok(()),
            WorkItemContent::Row(RowFinding { code, detail, .. }) => SourceFault { code, detail },
        };
        self.add_chunk(file, &Chunk::without_text(fault), sink)
    }

    fn add_chunk(
        &mut self,
        file: &str,
        chunk: &Chunk,
        sink: &mut impl FnMut(SourcePart) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        // The last part of a file may be missing among the rows. A part has one format.
        let kind = chunk.content_kind.record_kind();
        let is_other_format = |part: &SourcePart| part.part.state.as_ref().is_some_and(|state| state.kind != kind);
        if let Some(open_part) =
            self.open_part.take_if(|open_part| open_part.part.file != file || is_other_format(&open_part.part))
        {
            sink(open_part.part)?;
        }
        let mut appended_to = 0;
        self.split_state = (0, chunk.split_state.clone());
        for piece in &chunk.pieces {
            let (Piece::Game(range, ..) | Piece::StrayText(range)) = piece;
            if self.is_full() {
                self.append(file, chunk, appended_to..range.start);
                appended_to = range.start;
                self.open_part.take().map_or(Ok(()), |open_part| sink(open_part.part))?;
            }
            self.append(file, chunk, appended_to..range.end);
            appended_to = range.end;
            // If the next piece is a game, it belongs to the part that this piece opened.
            if let (Piece::Game(_, close, _), Some(open_part)) = (piece, &mut self.open_part) {
                open_part.part.games += 1;
                open_part.is_closed = *close == Close::Parenthesis;
            }
        }
        self.append(file, chunk, appended_to..chunk.bytes.len());
        let ends_in_game = matches!(chunk.pieces.last(), Some(Piece::Game(..)));
        if let Some(open_part) = self.open_part.take_if(|_| chunk.is_last || !ends_in_game) {
            let mut part = open_part.part;
            part.part.is_last = chunk.is_last;
            part.part.fault.clone_from(&chunk.fault);
            sink(part)?;
        }
        Ok(())
    }

    /// Returns true if the open part is large enough and may end.
    fn is_full(&self) -> bool {
        let Some(OpenPart { part, is_closed }) = &self.open_part else { return false };
        let is_large = part.games >= self.size.games || part.text.len() as u64 >= self.size.bytes;
        // No part may grow without limit, even if its games are never closed.
        (is_large && *is_closed && part.games > 0) || part.text.len() > 2 * self.limits.game() as usize
    }

    /// Returns the splitter's state at a byte of the chunk that lies between games. Calls come in
    /// ascending order of `offset`.
    fn split_state_at(&mut self, chunk: &Chunk, offset: usize) -> SplitState {
        let (start, split_state) = &mut self.split_state;
        let mut splitter = Splitter::new(chunk.content_kind.unit(), self.limits);
        splitter.split_state = std::mem::take(split_state);
        splitter.split_all(&chunk.bytes[*start..offset], |_| {});
        self.split_state =
            (offset, SplitState { detected_charset: chunk.split_state.detected_charset, ..splitter.split_state });
        self.split_state.1.clone()
    }

    /// Appends bytes of a chunk to the open part, or opens a part with them.
    fn append(&mut self, file: &str, chunk: &Chunk, range: Range<usize>) {
        if self.open_part.is_none() {
            let split_state = self.split_state_at(chunk, range.start);
            self.open_part = Some(OpenPart { part: new_part(file, chunk, range.start, split_state), is_closed: true });
        }
        let Some(open_part) = &mut self.open_part else { return };
        open_part.part.text.extend_from_slice(&chunk.bytes[range]);
        // The detected charset is final.
        if let Some(state) = &mut open_part.part.part.state {
            state.split_state.detected_charset = chunk.split_state.detected_charset;
        }
    }
}

/// Returns an empty part that starts at a byte of a chunk.
fn new_part(file: &str, chunk: &Chunk, offset: usize, split_state: SplitState) -> SourcePart {
    let before = &chunk.bytes[..offset];
    let length = chunk.utf16.map_or(offset, |_| utf16_length(before));
    let starts_before = |piece: &&Piece| matches!(piece, Piece::Game(range, ..) if range.start < offset);
    SourcePart {
        file: file.into(),
        text: Vec::new(),
        games: 0,
        part: FilePart {
            game: chunk.first_game + chunk.pieces.iter().filter(starts_before).count() as u64,
            offset: chunk.offset + length as u64,
            line: chunk.line + memchr::memchr_iter(b'\n', before).count() as u64,
            state: Some(PartState { utf16: chunk.utf16, split_state, kind: chunk.content_kind.record_kind() }),
            is_last: false,
            fault: None,
        },
    }
}

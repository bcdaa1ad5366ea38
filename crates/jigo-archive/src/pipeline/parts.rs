//! Sources cut into parts at the ends of games, for whoever works on them elsewhere.

use std::ops::{ControlFlow, Range};

use crate::records::chunk::Chunk;
use crate::records::{Found, Opening, Records};
use crate::source::row::{FilePart, PartState, SourceFault};
use crate::source::{Holds, InputFormat, RowColumns, Source};
use jigo_core::finding::Code;
use jigo_core::sgf::split::{Close, Learned};
use jigo_core::sgf::utf16::utf16_length;
use jigo_core::sgf::{Limits, Piece, Splitter};

/// A part of a source, which [`FilePart`] describes: whole games, and what stands between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePart {
    /// The source's name.
    pub file: String,
    /// Its text; UTF-8 where the source is UTF-16.
    pub text: Vec<u8>,
    /// How many games are in it.
    pub games: u64,
    /// Where it stands.
    pub part: FilePart,
}

/// How large a part gets: it ends with the game that reaches one of these, as long as that game is closed.
#[derive(Clone, Copy, Debug)]
pub struct PartSize {
    /// Bytes of text, from 1.
    pub bytes: u64,
    /// Games, from 1.
    pub games: u64,
}

/// Cuts all sources in their order. What can't be read is a part without text that says so.
///
/// # Errors
/// Whatever `sink` fails with.
pub fn parts(
    sources: &[Source],
    (format, columns, limits): (InputFormat, RowColumns<'_>, Limits),
    size: PartSize,
    mut sink: impl FnMut(SourcePart) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut records = Records::new(Opening { sources, format, columns, limits }, 1);
    let opening = records.opening();
    let mut cutter = Cutter { size, limits, open: None, known: Default::default() };
    let mut cut = Ok(());
    while let (Ok(()), Some(parts)) = (&cut, records.next()) {
        let taken = parts.iter().try_for_each(|part| {
            part.open(opening, &mut |origin, found| {
                cut = cutter.found(&origin.source.name, found, &mut sink);
                if cut.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        });
        if taken.is_continue() {
            records.recycle(parts);
        }
    }
    cut
}

/// Joins and cuts the chunks of one source after the other.
struct Cutter {
    size: PartSize,
    limits: Limits,
    /// The part that may go on.
    open: Option<OpenPart>,
    /// A byte of the chunk, and what the splitter knows there.
    known: (usize, Learned),
}

struct OpenPart {
    part: SourcePart,
    /// Whether its last game is closed, so that it may end there.
    is_closed: bool,
}

impl Cutter {
    fn found(
        &mut self,
        file: &str,
        found: Found<'_>,
        sink: &mut impl FnMut(SourcePart) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let fault = match found {
            Found::Text(chunk) => return self.chunk(file, chunk, sink),
            Found::Nothing(reason) => SourceFault { code: Code::NoGame, detail: reason },
            Found::Failed(fault) => fault,
            Found::Unreadable { reason, .. } => SourceFault { code: Code::UnreadableRow, detail: reason },
        };
        self.chunk(file, &Chunk::whole(Vec::new(), Some(fault), Holds::default(), self.limits), sink)
    }

    fn chunk(
        &mut self,
        file: &str,
        chunk: &Chunk,
        sink: &mut impl FnMut(SourcePart) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        // Rows may be parts of files that are never ended.
        if let Some(open) = self.open.take_if(|open| open.part.file != file) {
            sink(open.part)?;
        }
        let mut taken = 0;
        self.known = (0, chunk.learned.clone());
        for piece in &chunk.pieces {
            let (Piece::Game(range, ..) | Piece::Outside(range)) = piece;
            if self.is_full() {
                self.take(file, chunk, taken..range.start);
                taken = range.start;
                self.open.take().map_or(Ok(()), |open| sink(open.part))?;
            }
            self.take(file, chunk, taken..range.end);
            taken = range.end;
            // The next piece is taken into a part that this one has opened.
            if let (Piece::Game(_, close, _), Some(open)) = (piece, &mut self.open) {
                open.part.games += 1;
                open.is_closed = *close == Close::Parenthesis;
            }
        }
        self.take(file, chunk, taken..chunk.bytes.len());
        let ends_in_game = matches!(chunk.pieces.last(), Some(Piece::Game(..)));
        if let Some(open) = self.open.take_if(|_| chunk.is_last || !ends_in_game) {
            let mut part = open.part;
            part.part.is_last = chunk.is_last;
            part.part.fault.clone_from(&chunk.fault);
            sink(part)?;
        }
        Ok(())
    }

    /// Whether the open part is large enough, and may end.
    fn is_full(&self) -> bool {
        let Some(OpenPart { part, is_closed }) = &self.open else { return false };
        let is_large = part.games >= self.size.games || part.text.len() as u64 >= self.size.bytes;
        // Without end no part may grow, whatever is wrong with its games.
        (is_large && *is_closed && part.games > 0) || part.text.len() > 2 * self.limits.game() as usize
    }

    /// What the splitter knows at a byte of the chunk, between games: parts are begun in their order.
    fn learned(&mut self, chunk: &Chunk, at: usize) -> Learned {
        let (from, learned) = &mut self.known;
        let mut splitter = Splitter::new(chunk.holds.unit(), self.limits);
        splitter.learned = std::mem::take(learned);
        splitter.split(&chunk.bytes[*from..at], true, |_| {});
        self.known = (at, Learned { detected: chunk.learned.detected, ..splitter.learned });
        self.known.1.clone()
    }

    /// Appends bytes of a chunk to the open part, or begins one with them.
    fn take(&mut self, file: &str, chunk: &Chunk, range: Range<usize>) {
        if self.open.is_none() {
            let learned = self.learned(chunk, range.start);
            self.open = Some(OpenPart { part: begin(file, chunk, range.start, learned), is_closed: true });
        }
        let Some(open) = &mut self.open else { return };
        open.part.text.extend_from_slice(&chunk.bytes[range]);
        // What a charset was detected as does not change any more.
        if let Some(state) = &mut open.part.part.state {
            state.learned.detected = chunk.learned.detected;
        }
    }
}

/// A part that begins at a byte of a chunk.
fn begin(file: &str, chunk: &Chunk, at: usize, learned: Learned) -> SourcePart {
    let before = &chunk.bytes[..at];
    let length = chunk.utf16.map_or(at, |_| utf16_length(before));
    let starts = |piece: &&Piece| matches!(piece, Piece::Game(range, ..) if range.start < at);
    SourcePart {
        file: file.into(),
        text: Vec::new(),
        games: 0,
        part: FilePart {
            game: chunk.first_game + chunk.pieces.iter().filter(starts).count() as u64,
            offset: chunk.offset + length as u64,
            line: chunk.line + memchr::memchr_iter(b'\n', before).count() as u64,
            state: Some(PartState { utf16: chunk.utf16, learned, kind: chunk.holds.record_kind() }),
            is_last: false,
            fault: None,
        },
    }
}

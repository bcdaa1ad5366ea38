//! Sources to batches: small files by name, large ones in pieces cut between games.

use std::fs::File;
use std::io::{self, Read};

use super::batch::{Batch, Chunk, Part};
use crate::input::{InputFormat, Piece, Source, SourceKind, split::MAX_GAME_BYTES};

/// Bytes of game text in a batch, about: with endings to estimate, that many take a good part of a second.
const BATCH_BYTES: u64 = 256 << 10;
/// Sources in a batch, at most.
const BATCH_SOURCES: usize = 256;

/// Reads sources in order.
pub struct Reader<'a> {
    sources: &'a [Source],
    format: InputFormat,
    /// The next source to begin with.
    next: usize,
    open: Option<OpenSource>,
}

/// A large source that is being read.
struct OpenSource {
    source: usize,
    input: Box<dyn Read + Send>,
    /// Bytes read and not yet handed on.
    pending: Vec<u8>,
    /// Where `pending` begins in the source.
    offset: u64,
    line: u64,
    games: u64,
}

impl<'a> Reader<'a> {
    /// A reader at the start of the first source.
    pub fn new(sources: &'a [Source], format: InputFormat) -> Reader<'a> {
        Reader { sources, format, next: 0, open: None }
    }

    /// Up to `count` batches; none at the end of the last source.
    pub fn window(&mut self, count: usize) -> Vec<Batch> {
        std::iter::from_fn(|| self.batch()).take(count).collect()
    }

    fn batch(&mut self) -> Option<Batch> {
        let mut parts = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH_BYTES && parts.len() < BATCH_SOURCES {
            if let Some(open) = &mut self.open {
                let chunk = open.chunk(self.format);
                bytes += chunk.bytes.len() as u64;
                if chunk.is_last {
                    self.open = None;
                }
                parts.push(Part::Chunk(chunk));
                continue;
            }
            let Some(source) = self.sources.get(self.next) else { break };
            let index = self.next;
            self.next += 1;
            match &source.kind {
                SourceKind::File(path, length) if *length > BATCH_BYTES => match File::open(path) {
                    Ok(file) => self.open = Some(OpenSource::new(index, Box::new(file))),
                    Err(error) => parts.push(Part::Failed(index, error.to_string())),
                },
                SourceKind::File(_, length) => {
                    bytes += length;
                    parts.push(Part::File(index));
                }
                SourceKind::Stdin => self.open = Some(OpenSource::new(index, Box::new(io::stdin()))),
                SourceKind::EmptyFolder => parts.push(Part::EmptyFolder(index)),
                SourceKind::Failed(reason) => parts.push(Part::Failed(index, reason.clone())),
            }
        }
        (!parts.is_empty()).then_some(Batch { parts })
    }
}

impl OpenSource {
    fn new(source: usize, input: Box<dyn Read + Send>) -> OpenSource {
        OpenSource { source, input, pending: Vec::new(), offset: 0, line: 1, games: 0 }
    }

    /// Reads on until there is at least one game, or the source ends. A read error ends the source and is kept.
    fn chunk(&mut self, format: InputFormat) -> Chunk {
        let mut wanted = BATCH_BYTES as usize;
        loop {
            let missing = wanted.saturating_sub(self.pending.len()) as u64;
            let read = self.input.by_ref().take(missing).read_to_end(&mut self.pending);
            let is_last = !matches!(read, Ok(count) if count as u64 == missing);
            let mut pieces = Vec::new();
            let consumed = format.cut(&self.pending, is_last, |piece| pieces.push(piece));
            if consumed == 0 && !is_last {
                // Twice as much each time, so that one endless game is scanned a few times only.
                wanted = (wanted * 2).min(MAX_GAME_BYTES + BATCH_BYTES as usize);
                continue;
            }
            return self.hand_on(consumed, pieces, is_last, read.err());
        }
    }

    fn hand_on(&mut self, consumed: usize, pieces: Vec<Piece>, is_last: bool, error: Option<io::Error>) -> Chunk {
        let rest = self.pending.split_off(consumed);
        let bytes = std::mem::replace(&mut self.pending, rest);
        let games = pieces.iter().filter(|piece| matches!(piece, Piece::Game(..))).count() as u64;
        let chunk = Chunk {
            source: self.source,
            offset: self.offset,
            line: self.line,
            first_game: self.games + 1,
            is_last,
            error: error.map(|error| error.to_string()),
            pieces,
            bytes,
        };
        self.offset += consumed as u64;
        self.line += memchr::memchr_iter(b'\n', &chunk.bytes).count() as u64;
        self.games += games;
        chunk
    }
}

//! A source that is read piece by piece, each cut between games.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use encoding_rs::Encoding;

use super::BATCH_BYTES;
use super::chunk::{Chunk, begins};
use super::part::{MemberPart, Opening, foreign, unreadable};
use crate::source::row::SourceFault;
use crate::source::signs::START_BYTES;
use crate::source::{Holds, Source};
use jigo_core::sgf::split::Learned;
use jigo_core::sgf::utf16::{Transcoder, utf16, utf16_length};
use jigo_core::sgf::{Piece, Splitter};

/// Bytes behind a piece of a large source that stay with it.
const AHEAD_BYTES: usize = 16 << 10;

/// A large source that is being read.
pub(super) struct OpenSource<'a> {
    opening: Opening<'a>,
    source: usize,
    /// What it holds, once bytes were read.
    holds: Holds,
    /// The member of an archive, if it is one, and its place among the sources.
    member: Option<(Arc<Source>, u64)>,
    input: Box<dyn Read + Send>,
    splitter: Splitter,
    /// The form of UTF-16 that the source is in; `None` for any other charset, once bytes were read.
    utf16: Option<&'static Encoding>,
    is_begun: bool,
    /// Bytes read and not yet handed on.
    pending: Vec<u8>,
    /// Where `pending` begins in the source.
    offset: u64,
    line: u64,
    games: u64,
}

impl OpenSource<'_> {
    pub(super) fn new(source: usize, input: Box<dyn Read + Send>, opening: Opening<'_>) -> OpenSource<'_> {
        OpenSource {
            opening,
            source,
            holds: Holds::default(),
            member: None,
            input,
            splitter: Splitter::default(),
            utf16: None,
            is_begun: false,
            pending: Vec::new(),
            offset: 0,
            line: 1,
            games: 0,
        }
    }

    /// A large member, of which the first bytes are there.
    pub(super) fn of_member(
        source: usize,
        member: MemberPart,
        rest: impl Read + Send + 'static,
        opening: Opening<'_>,
    ) -> OpenSource<'_> {
        let MemberPart { source: member, index, bytes, .. } = member;
        let input = Box::new(Cursor::new(bytes).chain(rest));
        OpenSource { member: Some((Arc::new(member), index)), ..OpenSource::new(source, input, opening) }
    }

    /// Looks what the source holds and whether it is UTF-16, and reads it as UTF-8 then.
    fn begin(&mut self) -> io::Result<()> {
        self.is_begun = true;
        let mut start = Vec::new();
        let read = self.input.by_ref().take(START_BYTES as u64).read_to_end(&mut start);
        let Opening { sources, format, columns, limits } = self.opening;
        let name = self.member.as_ref().map_or(&sources[self.source].name, |(member, _)| &member.name);
        self.holds = format.holds(name, &start, columns);
        if let Some(sentence) = self.holds.without_records(&start, columns) {
            self.input = Box::new(io::empty());
            return Err(io::Error::other(foreign(&sentence)));
        }
        self.splitter = Splitter::new(self.holds.unit(), limits);
        self.utf16 = utf16(&start);
        let rest = match &read {
            Ok(_) => std::mem::replace(&mut self.input, Box::new(io::empty())),
            Err(_) => Box::new(io::empty()),
        };
        let whole = Cursor::new(start).chain(rest);
        self.input = match self.utf16 {
            Some(encoding) => Box::new(Transcoder::new(whole, encoding)),
            None => Box::new(whole),
        };
        read.map(drop)
    }

    /// Reads on until there is at least one game, or the source ends. A read error ends the source and is kept.
    pub(super) fn chunk(&mut self, spare: &mut Vec<Vec<u8>>) -> Chunk {
        let begun = if self.is_begun { Ok(()) } else { self.begin() };
        loop {
            // What is left needs more bytes to be cut: twice as many each time, so that one endless game is scanned a few times only.
            // With enough of them the splitter always goes on, so no source is read in vain.
            let wanted =
                (self.pending.len() * 2).clamp(BATCH_BYTES as usize, self.splitter.enough().max(BATCH_BYTES as usize));
            let missing = wanted.saturating_sub(self.pending.len()) as u64;
            self.pending.reserve(missing as usize);
            let read = self.input.by_ref().take(missing).read_to_end(&mut self.pending);
            let is_last = begun.is_err() || !matches!(read, Ok(count) if count as u64 == missing);
            let mut pieces = Vec::new();
            let before = self.splitter.learned.clone();
            let consumed = self.splitter.split(&self.pending, is_last, |piece| pieces.push(piece));
            if consumed == 0 && !is_last {
                debug_assert!(missing > 0, "neither read nor cut");
                continue;
            }
            let mut rest = spare.pop().unwrap_or_default();
            rest.clear();
            rest.extend_from_slice(&self.pending[consumed..]);
            self.pending.truncate(consumed);
            let bytes = std::mem::replace(&mut self.pending, rest);
            let learned = Learned { detected: self.splitter.learned.detected, ..before };
            return self.hand_on(bytes, (pieces, learned), is_last, begun.err().or(read.err()));
        }
    }

    fn hand_on(
        &mut self,
        bytes: Vec<u8>,
        (pieces, learned): (Vec<Piece>, Learned),
        is_last: bool,
        error: Option<io::Error>,
    ) -> Chunk {
        let games = pieces.iter().filter(|piece| matches!(piece, Piece::Game(..))).count() as u64;
        let (lines, line) = begins(&bytes, &pieces, self.line);
        let ahead = self.pending[..self.pending.len().min(AHEAD_BYTES)].to_vec();
        let chunk = Chunk {
            source: self.source,
            holds: self.holds,
            member: self.member.clone(),
            offset: self.offset,
            line: self.line,
            first_game: self.games + 1,
            is_last,
            fault: error.map(fault),
            utf16: self.utf16,
            learned,
            pieces,
            lines,
            bytes,
            ahead,
        };
        self.offset += match self.utf16 {
            Some(_) => utf16_length(&chunk.bytes) as u64,
            None => chunk.bytes.len() as u64,
        };
        self.line = line;
        self.games += games;
        chunk
    }
}

/// The fault of a read error: that of an archive, or that the source can't be read.
fn fault(error: io::Error) -> SourceFault {
    match error.downcast::<SourceFault>() {
        Ok(fault) => fault,
        Err(error) => unreadable(error),
    }
}

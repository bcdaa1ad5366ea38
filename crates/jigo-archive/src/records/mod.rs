//! The way in: sources opened, unpacked, decoded and cut into games, for whoever works on games.
//!
//! `Records` goes through the sources and hands on their parts: small files by name, large ones in pieces cut between games, members of
//! archives, rows. `Part::open` does the rest of the way, on whatever thread, and gives texts with their games.

mod ahead;
pub(crate) mod chunk;
mod members;
mod one_game;
pub(crate) mod part;

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use encoding_rs::Encoding;

use crate::source::archive::{Packed, unpack};
#[cfg(feature = "columnar")]
use crate::source::arrow::ArrowRows;
use crate::source::given::Input;
use crate::source::pack::PackFormat;
use crate::source::row::SourceFault;
use crate::source::signs::{START_BYTES, TableFormat};
#[cfg(feature = "columnar")]
use crate::source::temporary::spooled;
use crate::source::{Given, Holds, InputFormat, Source, SourceKind};
use ahead::Ahead;
use chunk::{Chunk, begins};
use jigo_core::sgf::split::Learned;
use jigo_core::sgf::utf16::{Transcoder, utf16, utf16_length};
use jigo_core::sgf::{Piece, RecordKind, Splitter};
use members::{Members, Next};
pub use one_game::{NotFound, OneGame};
pub(crate) use part::{Found, Opening, Origin};
use part::{MemberPart, Part, foreign, unreadable};

/// Bytes of game text in a batch, about: with endings to estimate, that many take a good part of a second.
const BATCH_BYTES: u64 = 256 << 10;
/// Sources in a batch, at most.
const BATCH_SOURCES: usize = 256;
/// Bytes behind a piece of a large source that stay with it.
const AHEAD_BYTES: usize = 16 << 10;

/// Goes through sources in their order. What comes next are parts to work on together: about as many bytes of game text as a thread likes to take at once.
pub(crate) struct Records<'a> {
    opening: Opening<'a>,
    /// The next source to begin with.
    next: usize,
    open: Option<OpenSource<'a>>,
    archive: Option<Members>,
    /// Archives that are begun before their turn.
    ahead: Ahead,
    /// Sources without rows among those that were counted for none before they were opened.
    late_sources: u64,
    /// Memory of batches that are done.
    spare: Vec<Vec<u8>>,
    #[cfg(feature = "columnar")]
    rows: Option<(usize, ArrowRows)>,
}

/// A large source that is being read.
struct OpenSource<'a> {
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

impl<'a> Records<'a> {
    /// At the start of the first source, for a run of so many threads: with more than one it has to be read by one of theirs.
    pub fn new(opening: Opening<'a>, jobs: usize) -> Records<'a> {
        let limits = opening.limits;
        Records {
            opening,
            next: 0,
            open: None,
            archive: None,
            ahead: Ahead::new(jobs, limits),
            late_sources: 0,
            spare: Vec::new(),
            #[cfg(feature = "columnar")]
            rows: None,
        }
    }

    /// How the parts are opened.
    pub fn opening(&self) -> Opening<'a> {
        self.opening
    }

    /// How many of the sources are no tables, whose rows are counted one by one. What shows only when it is read is counted then.
    pub fn sources_known(&self) -> u64 {
        let Opening { sources, format, .. } = self.opening;
        let is_known = |source: &&Source| {
            let is_late = matches!(source.kind, SourceKind::Table(..) | SourceKind::Stream(_) | SourceKind::Given(_));
            !(format.is_rows() || is_late && format == InputFormat::Auto)
        };
        sources.iter().filter(is_known).count() as u64
    }

    /// How many more there are, since it was asked last.
    pub fn take_late_sources(&mut self) -> u64 {
        let late = std::mem::take(&mut self.late_sources);
        if self.opening.format == InputFormat::Auto { late } else { 0 }
    }

    /// Takes the memory of parts that are done back.
    pub fn recycle(&mut self, parts: Vec<Part>) {
        self.spare.extend(parts.into_iter().filter_map(Part::into_memory));
    }

    /// Leaves out so many times what comes next, unless there is an interrupt. What they hold is read, to know where they end, but not worked on.
    pub fn pass_over(&mut self, count: u64, interrupt: &AtomicUsize) {
        let is_interrupted = || interrupt.load(Ordering::Relaxed) != 0;
        (0..count).take_while(|_| !is_interrupted()).map_while(|_| self.next()).for_each(drop);
    }

    /// Begins the next source; gives the bytes of a small one.
    fn begin(&mut self, source: &Source, parts: &mut Vec<Part>) -> u64 {
        let index = self.next;
        self.next += 1;
        let failed = |error: io::Error| Part::Failed(index, error.to_string());
        #[cfg(feature = "columnar")]
        if let Some(format) = self.opening.format.columns(&source.kind) {
            parts.extend(self.begin_rows(index, format).err().map(|reason| Part::Failed(index, reason)));
            return 0;
        }
        match &source.kind {
            SourceKind::File(path, length) | SourceKind::Table(path, length, _) if *length > BATCH_BYTES => {
                match File::open(path) {
                    Ok(file) => self.open = Some(OpenSource::new(index, Box::new(file), self.opening)),
                    Err(error) => parts.push(failed(error)),
                }
            }
            SourceKind::File(_, length) | SourceKind::Table(_, length, _) => {
                parts.push(Part::File(index));
                return *length;
            }
            SourceKind::Archive(..) => match self.ahead.open(self.opening.sources, index) {
                Ok(members) => self.archive = Some(members),
                Err(error) => parts.push(failed(error)),
            },
            SourceKind::Stream(path) => match open(path.as_deref()).and_then(|input| self.stream(index, input)) {
                Ok(()) => {}
                Err(error) => parts.push(failed(error)),
            },
            SourceKind::Given(given) => match given_bytes(given).and_then(|input| self.stream(index, input)) {
                Ok(()) => {}
                Err(error) => parts.push(failed(error)),
            },
            SourceKind::EmptyFolder => parts.push(Part::EmptyFolder(index)),
            SourceKind::Failed(reason) => parts.push(Part::Failed(index, reason.clone())),
            // Members come out of archives and are no sources of their own.
            SourceKind::Member => {}
        }
        0
    }

    /// Begins a source of rows, whatever its name.
    #[cfg(feature = "columnar")]
    fn begin_rows(&mut self, index: usize, format: TableFormat) -> Result<(), String> {
        let input: Box<dyn Read + Send> = match &self.opening.sources[index].kind {
            SourceKind::File(path, _) | SourceKind::Archive(path, ..) | SourceKind::Table(path, ..) => {
                let file = File::open(path).map_err(|error| error.to_string())?;
                if format == TableFormat::Parquet {
                    self.rows = Some((index, ArrowRows::of_parquet(file, self.opening.limits, self.opening.column)?));
                    return Ok(());
                }
                Box::new(file)
            }
            SourceKind::Stream(path) => open(path.as_deref()).map_err(|error| error.to_string())?,
            SourceKind::Given(given) => match given.take().map_err(|error| error.to_string())? {
                Input::Bytes(bytes) => bytes,
                Input::Rows(rows) => {
                    self.rows = Some((index, ArrowRows::of_batches(rows, self.opening.column)?));
                    return Ok(());
                }
            },
            SourceKind::Failed(reason) => return Err(reason.clone()),
            SourceKind::EmptyFolder | SourceKind::Member => return Err("a folder is no table".into()),
        };
        self.rows_of(index, input, format)
    }

    /// Begins rows that come as bytes, which can be read only once.
    #[cfg(feature = "columnar")]
    fn rows_of(&mut self, index: usize, input: Box<dyn Read + Send>, format: TableFormat) -> Result<(), String> {
        let rows = match format {
            TableFormat::Parquet => {
                // What describes it stands at its end.
                let (file, _) = spooled(input).map_err(|error| error.to_string())?;
                ArrowRows::of_parquet(file, self.opening.limits, self.opening.column)?
            }
            _ => ArrowRows::new(input, self.opening.limits, self.opening.column)?,
        };
        self.rows = Some((index, rows));
        Ok(())
    }

    /// The next rows of a source of rows, with their length.
    #[cfg(feature = "columnar")]
    fn rows(&mut self) -> Option<(Part, u64)> {
        let (index, rows) = self.rows.as_mut()?;
        match rows.slice(BATCH_BYTES) {
            Some(Ok(slice)) => {
                let length = slice.bytes;
                Some((Part::Rows(*index, slice), length))
            }
            Some(Err(reason)) => Some((Part::FailedRows(*index, reason), 0)),
            None => {
                self.rows = None;
                None
            }
        }
    }

    #[cfg(not(feature = "columnar"))]
    fn rows(&mut self) -> Option<(Part, u64)> {
        None
    }

    /// What can be read only once: games, rows, or an archive. What it is shows in the bytes that are read first.
    fn stream(&mut self, index: usize, mut input: Box<dyn Read + Send>) -> io::Result<()> {
        let mut start = Vec::new();
        let read = input.by_ref().take(START_BYTES as u64).read_to_end(&mut start);
        let name = &self.opening.sources[index].name;
        let is_game = RecordKind::of_name(name).is_some();
        let format = if is_game { None } else { PackFormat::of_start(&start).or_else(|| PackFormat::of_name(name)) };
        let is_unknown = !is_game && format.is_none() && self.opening.format == InputFormat::Auto;
        let table = if is_unknown { TableFormat::of_start(&start, self.opening.column) } else { None };
        self.late_sources += u64::from(table.is_none());
        let rest: Box<dyn Read + Send> = match read {
            Ok(_) => input,
            Err(error) => Box::new(Broken(Some(error))),
        };
        let input = Box::new(Cursor::new(start).chain(rest));
        #[cfg(feature = "columnar")]
        if let Some(format) = table.filter(|format| format.is_columnar()) {
            return self.rows_of(index, input, format).map_err(io::Error::other);
        }
        match format {
            Some(format) => {
                let source = &self.opening.sources[index];
                let events = unpack(source.name.clone(), Packed::Stream(input), format, self.opening.limits)?;
                self.archive = Some(Members::new(index, source, events.into_iter()));
            }
            None => self.open = Some(OpenSource::new(index, input, self.opening)),
        }
        Ok(())
    }
}

impl Iterator for Records<'_> {
    type Item = Vec<Part>;

    fn next(&mut self) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH_BYTES && parts.len() < BATCH_SOURCES {
            if let Some(open) = &mut self.open {
                let chunk = open.chunk(&mut self.spare);
                bytes += chunk.bytes.len() as u64;
                if chunk.is_last {
                    self.open = None;
                }
                parts.push(Part::Chunk(chunk));
            } else if let Some(members) = &mut self.archive {
                match members.next() {
                    Next::Small(member) => {
                        bytes += member.bytes.len() as u64;
                        parts.push(Part::Member(member));
                    }
                    Next::Large(member, input) => {
                        self.open = Some(OpenSource::of_member(members.source, member, input, self.opening))
                    }
                    Next::Fault(source, index, fault) => parts.push(Part::Fault(source, index, fault)),
                    Next::End { is_empty } => {
                        parts.extend(is_empty.then_some(Part::EmptyArchive(members.source)));
                        self.archive = None;
                    }
                }
            } else if let Some((part, length)) = self.rows() {
                bytes += length;
                parts.push(part);
            } else {
                let Some(source) = self.opening.sources.get(self.next) else { break };
                bytes += self.begin(source, &mut parts);
            }
        }
        (!parts.is_empty()).then_some(parts)
    }
}

impl OpenSource<'_> {
    fn new(source: usize, input: Box<dyn Read + Send>, opening: Opening<'_>) -> OpenSource<'_> {
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
    fn of_member(
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
        let Opening { sources, format, column, limits } = self.opening;
        let name = self.member.as_ref().map_or(&sources[self.source].name, |(member, _)| &member.name);
        self.holds = format.holds(name, &start, column);
        if let Holds::Foreign(sentence) = self.holds {
            self.input = Box::new(io::empty());
            return Err(io::Error::other(foreign(sentence)));
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
    fn chunk(&mut self, spare: &mut Vec<Vec<u8>>) -> Chunk {
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

/// A file, or standard input.
fn open(path: Option<&Path>) -> io::Result<Box<dyn Read + Send>> {
    Ok(match path {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::stdin()),
    })
}

/// The bytes of what another program hands over.
fn given_bytes(given: &Given) -> io::Result<Box<dyn Read + Send>> {
    match given.take()? {
        Input::Bytes(bytes) => Ok(bytes),
        #[cfg(feature = "columnar")]
        Input::Rows(_) => Err(io::Error::other("rows of records are no game records: read them as rows")),
    }
}

/// What stands where an input could not be read: the error, once.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The fault of a read error: that of an archive, or that the source can't be read.
fn fault(error: io::Error) -> SourceFault {
    match error.downcast::<SourceFault>() {
        Ok(fault) => fault,
        Err(error) => unreadable(error),
    }
}

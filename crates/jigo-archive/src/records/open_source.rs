//! A source, read in pieces that end between games.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use encoding_rs::Encoding;

use super::chunk::{BATCH_BYTES, Chunk, ChunkPosition};
use super::members::MemberBytes;
use super::row_ids::RowIds;
use crate::source::rows::file_part::{FilePart, SourceFault};
use crate::source::signatures::START_BYTES;
use crate::source::{ContentKind, InputFormat, RowColumns, Source};
use jigo_record::sgf::Limits;
use jigo_record::sgf::encoding::utf16::{Transcoder, encoding_change, utf16};
use jigo_record::splitter::{Piece, Split, SplitState, Splitter};

/// The number of bytes before a block in which the mark of UTF-16 may begin.
const UTF16_LOOKBEHIND: usize = 64;

/// Returns the number of bytes that the buffer should contain before the next split. `remaining`
/// bytes remain after the last split.
///
/// After a change of the format, the buffer needs to grow no further.
pub(crate) fn window(splitter: &Splitter, remaining: usize, is_changed: bool) -> usize {
    let minimum = BATCH_BYTES as usize;
    let length = if is_changed { remaining } else { remaining * 2 };
    length.clamp(minimum, splitter.progress_length().max(minimum))
}

/// The settings for reading sources.
#[derive(Clone, Copy)]
pub struct ReadSettings<'a> {
    /// The sources.
    pub sources: &'a [Source],
    /// The format of the sources.
    pub format: InputFormat,
    /// The columns of tables that are read.
    pub columns: RowColumns<'a>,
    /// The limits on games and archives.
    pub limits: Limits,
}

/// The first bytes of a segment, and the rest of the input.
type EncodedSegment = (Vec<u8>, Box<dyn Read + Send>);

/// A source that is being read: a large one, or a text in memory.
pub(super) struct OpenSource<'a> {
    read_settings: ReadSettings<'a>,
    source: usize,
    /// The content of the source, known after the first read.
    content_kind: ContentKind,
    /// The archive member that is read, if any, and its index among the sources.
    member: Option<(Arc<Source>, u64)>,
    input: EncodedInput,
    splitter: Splitter,
    /// The form of UTF-16 of the current segment. `None` before the first read and for other
    /// charsets.
    utf16: Option<&'static Encoding>,
    has_started: bool,
    /// True if the current segment has been read to its end.
    is_segment_read: bool,
    /// True if the format of the records changes before the next byte to return.
    has_format_change: bool,
    next_segment: Option<EncodedSegment>,
    /// The error that ended the source early.
    error: Option<io::Error>,
    /// Bytes that were read.
    pending: Vec<u8>,
    /// The number of bytes of `pending` that are already returned. They stay after a change of the
    /// format, so that many changes do not move the other bytes each time.
    returned: usize,
    /// The position in the source of the next byte to return.
    position: ChunkPosition,
    /// The identifiers of the rows so far, if the source is a table.
    ids: RowIds,
}

/// The rest of a source. It changes at each segment, which is a part with or without UTF-16.
enum EncodedInput {
    Bytes(Box<dyn Read + Send>),
    Utf16(Transcoder<Box<dyn Read + Send>>),
}

impl EncodedInput {
    /// Appends up to `limit` bytes to a buffer and returns their number.
    ///
    /// Each reader fills the buffer itself. Through an implementation of [`Read`] for this enum,
    /// the standard library would first set the buffer to zero.
    fn append_to(&mut self, buffer: &mut Vec<u8>, limit: u64) -> io::Result<usize> {
        match self {
            EncodedInput::Bytes(input) => input.by_ref().take(limit).read_to_end(buffer),
            EncodedInput::Utf16(input) => input.by_ref().take(limit).read_to_end(buffer),
        }
    }
}

impl OpenSource<'_> {
    pub(super) fn new(source: usize, input: Box<dyn Read + Send>, read_settings: ReadSettings<'_>) -> OpenSource<'_> {
        OpenSource {
            read_settings,
            source,
            content_kind: ContentKind::default(),
            member: None,
            input: EncodedInput::Bytes(input),
            splitter: Splitter::default(),
            utf16: None,
            has_started: false,
            is_segment_read: false,
            has_format_change: false,
            next_segment: None,
            error: None,
            pending: Vec::new(),
            returned: 0,
            position: ChunkPosition::START,
            ids: RowIds::default(),
        }
    }

    /// Opens a large member whose first bytes have already arrived.
    pub(super) fn from_member(
        source: usize,
        member: MemberBytes,
        rest: impl Read + Send + 'static,
        read_settings: ReadSettings<'_>,
    ) -> OpenSource<'_> {
        let MemberBytes { source: member, index, bytes, .. } = member;
        let input = Box::new(Cursor::new(bytes).chain(rest));
        OpenSource { member: Some((Arc::new(member), index)), ..OpenSource::new(source, input, read_settings) }
    }

    /// Starts with a text in memory: a source, or a part of one. Only a text with UTF-16 is copied.
    pub(super) fn from_memory<'a>(
        bytes: Vec<u8>,
        part: &FilePart,
        content_kind: ContentKind,
        read_settings: ReadSettings<'a>,
    ) -> OpenSource<'a> {
        let FilePart { game, offset, line, ref state, .. } = *part;
        let mut source = OpenSource {
            content_kind,
            splitter: Splitter::new(content_kind.unit(), read_settings.limits),
            has_started: true,
            position: ChunkPosition { game, offset, line },
            ..OpenSource::new(0, Box::new(io::empty()), read_settings)
        };
        if let Some(state) = state {
            source.splitter.split_state.clone_from(&state.split_state);
            source.utf16 = state.utf16;
        } else if utf16(&bytes).is_some() || encoding_change(&bytes, None).is_some() {
            source.start_segment(bytes, Box::new(io::empty()));
            return source;
        }
        (source.pending, source.is_segment_read) = (bytes, true);
        source
    }

    /// Detects the content of the source.
    fn start(&mut self) -> io::Result<()> {
        self.has_started = true;
        let mut start = Vec::new();
        let read = self.input.append_to(&mut start, START_BYTES as u64);
        let ReadSettings { sources, format, columns, limits } = self.read_settings;
        let name = self.member.as_ref().map_or(&sources[self.source].name, |(member, _)| &member.name);
        self.content_kind = format.content_kind(name, &start, columns);
        let rest = std::mem::replace(&mut self.input, EncodedInput::Bytes(Box::new(io::empty())));
        if let Some(message) = self.content_kind.no_records_message(&start, columns) {
            return Err(io::Error::other(SourceFault::foreign_content(&message)));
        }
        self.splitter = Splitter::new(self.content_kind.unit(), limits);
        let rest: Box<dyn Read + Send> = match (&read, rest) {
            (Ok(_), EncodedInput::Bytes(rest)) => rest,
            _ => Box::new(io::empty()),
        };
        self.start_segment(start, rest);
        read.map(drop)
    }

    /// Begins a segment with its first bytes. A segment in UTF-16 is converted to UTF-8.
    fn start_segment(&mut self, start: Vec<u8>, rest: Box<dyn Read + Send>) {
        self.utf16 = utf16(&start);
        let segment: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(rest));
        self.input = match self.utf16 {
            Some(encoding) => EncodedInput::Utf16(Transcoder::new(segment, encoding)),
            None => EncodedInput::Bytes(segment),
        };
    }

    /// Reads up to `missing` bytes. Returns true if the segment ends with them.
    fn read_more(&mut self, missing: u64) -> io::Result<bool> {
        let old_length = self.pending.len();
        let count = self.input.append_to(&mut self.pending, missing)?;
        // The mark of UTF-16 may begin in earlier bytes.
        let search_start = old_length.saturating_sub(UTF16_LOOKBEHIND);
        let is_byte_text =
            matches!((&self.input, self.content_kind), (EncodedInput::Bytes(_), ContentKind::Records(_)));
        let encoding_change = if is_byte_text { encoding_change(&self.pending[search_start..], None) } else { None };
        // Bytes before the first game of a source have the encoding of its start.
        let Some(change_offset) = encoding_change
            .map(|change_offset| search_start + change_offset)
            .filter(|change_offset| *change_offset > 0)
        else {
            return Ok((count as u64) < missing);
        };
        let start = self.pending.split_off(change_offset);
        if let EncodedInput::Bytes(rest) = &mut self.input {
            let rest = std::mem::replace(rest, Box::new(io::empty()));
            self.next_segment = Some((start, rest));
        }
        Ok(true)
    }

    /// Returns the segment after the one that ended, if there is one.
    fn take_next_segment(&mut self) -> Option<EncodedSegment> {
        if let EncodedInput::Utf16(_) = self.input
            && let EncodedInput::Utf16(input) =
                std::mem::replace(&mut self.input, EncodedInput::Bytes(Box::new(io::empty())))
        {
            return input.into_remainder();
        }
        self.next_segment.take()
    }

    /// Reads until there is at least one game, the format changes, or the source ends.
    ///
    /// A read error ends the source and becomes the fault of the last chunk.
    pub(super) fn chunk(&mut self, spare: &mut Vec<Vec<u8>>) -> Chunk {
        if !self.has_started
            && let Err(error) = self.start()
        {
            // The bytes before the error are still to be read.
            self.error = Some(error);
        }
        loop {
            self.fill();
            let is_end = self.is_segment_read;
            let mut pieces = Vec::new();
            let before = self.splitter.split_state.clone();
            let text = &self.pending[self.returned..];
            let Split { consumed, change } = self.splitter.split_until_change(text, is_end, |piece| pieces.push(piece));
            if consumed == 0 && change.is_none() && !is_end {
                continue;
            }
            let split_state = SplitState { detected_charset: self.splitter.split_state.detected_charset, ..before };
            if let Some(format) = change {
                let chunk = (consumed > 0).then(|| {
                    let bytes = self.pending[self.returned..self.returned + consumed].to_vec();
                    self.finish_chunk(bytes, pieces, split_state, false, None)
                });
                self.returned += consumed;
                self.splitter.change_to(format);
                (self.content_kind, self.has_format_change) = (ContentKind::Records(format), true);
                match chunk {
                    Some(chunk) => return chunk,
                    None => continue,
                }
            }
            let bytes = self.take_pending(consumed, spare);
            let error = if is_end { self.error.take() } else { None };
            let next = if is_end && error.is_none() { self.take_next_segment() } else { None };
            let chunk = self.finish_chunk(bytes, pieces, split_state, is_end && next.is_none(), error);
            if let Some((start, rest)) = next {
                self.start_segment(start, rest);
                self.is_segment_read = false;
            }
            return chunk;
        }
    }

    /// Reads the bytes that the next split needs.
    ///
    /// The amount doubles each time, so one very long game is scanned only a few times. With as
    /// many bytes as [`Splitter::progress_length`] returns, the splitter always makes progress.
    fn fill(&mut self) {
        let buffered = self.pending.len() - self.returned;
        let length = window(&self.splitter, buffered, std::mem::take(&mut self.has_format_change));
        let missing = length.saturating_sub(buffered);
        if self.is_segment_read || missing == 0 {
            return;
        }
        self.pending.drain(..std::mem::take(&mut self.returned));
        self.pending.reserve(missing);
        match self.read_more(missing as u64) {
            Ok(is_segment_read) => self.is_segment_read = is_segment_read,
            Err(error) => (self.is_segment_read, self.error) = (true, Some(error)),
        }
    }

    /// Removes the bytes of the next chunk from the read ones.
    fn take_pending(&mut self, consumed: usize, spare: &mut Vec<Vec<u8>>) -> Vec<u8> {
        let end = self.returned + consumed;
        let mut rest = spare.pop().unwrap_or_default();
        rest.clear();
        rest.extend_from_slice(&self.pending[end..]);
        self.pending.truncate(end);
        let mut bytes = std::mem::replace(&mut self.pending, rest);
        bytes.drain(..std::mem::take(&mut self.returned));
        bytes
    }

    fn finish_chunk(
        &mut self,
        bytes: Vec<u8>,
        pieces: Vec<Piece>,
        split_state: SplitState,
        is_last: bool,
        error: Option<io::Error>,
    ) -> Chunk {
        let chunk = self.position.next_chunk(bytes, pieces, split_state, self.content_kind, self.utf16);
        let (source, member) = (self.source, self.member.clone());
        let mut chunk = Chunk { source, member, is_last, fault: error.map(fault), ..chunk };
        chunk.repeated_ids = self.ids.repeated_in_chunk(&chunk, self.read_settings.columns);
        chunk
    }
}

/// Returns the fault of a read error: that of an archive, or else an unreadable source.
fn fault(error: io::Error) -> SourceFault {
    match error.downcast::<SourceFault>() {
        Ok(fault) => fault,
        Err(error) => SourceFault::unreadable(error),
    }
}

//! Work items, which batches consist of. This module alone converts sources to texts with
//! games.

use std::io::Read;
use std::iter::Peekable;
use std::ops::ControlFlow;

use super::chunk::{Chunk, ChunkItem, RepeatedId};
use super::members::MemberBytes;
use super::open_source::{OpenSource, ReadSettings};
use crate::source::files::display_name::shorten;
#[cfg(feature = "columnar")]
use crate::source::rows::arrow::RowSlice;
use crate::source::rows::csv_table::CsvColumns;
use crate::source::rows::file_part::{FilePart, SourceFault};
use crate::source::signatures::START_BYTES;
use crate::source::{ContentKind, RecordRow, Source, SourceKind, open_file};
use jigo_record::finding::Code;
use jigo_record::splitter::{Close, GameText, RecordKind};

/// A source, or a piece of one.
pub(crate) enum WorkItem {
    /// A small file. The thread that processes the batch reads it.
    File(usize),
    /// A piece of a large source, split between games.
    Chunk(Chunk),
    /// A small member of an archive.
    Member(MemberBytes),
    /// A fault of an archive or of one of its files, with its index among the sources.
    Fault(Source, u64, SourceFault),
    /// Rows of a source, and those of them whose identifiers occurred before.
    #[cfg(feature = "columnar")]
    Rows(usize, RowSlice, Vec<RepeatedId>),
    /// Unreadable rows of a source, and the reason.
    #[cfg(feature = "columnar")]
    FailedRows(usize, String),
    /// A folder without games.
    EmptyFolder(usize),
    /// An archive without games.
    EmptyArchive(usize),
    /// An unreadable source, and the reason.
    Failed(usize, String),
}

/// The origin of a text or fault: a source, or a row that counts as one, and its index among the
/// sources.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub source: &'a Source,
    pub index: u64,
    /// True for a row, which counts as a separate source.
    pub is_row: bool,
}

/// The content of a work item.
pub(crate) enum WorkItemContent<'a> {
    /// A source, or a piece of it, after decoding and splitting. Its fault applies after its games.
    Text(&'a Chunk),
    /// A source without content.
    Empty(String),
    /// A source that can't be read, at least not to its end.
    Failed(SourceFault),
    /// A finding on a row of a table. The source is named after the number of the row.
    Row(RowFinding),
}

/// A finding on a row of a table.
pub(crate) struct RowFinding {
    pub code: Code,
    pub detail: String,
    /// The position of the row in the source, if it is known.
    pub position: Option<TextPosition>,
}

/// A position in a source: byte from 0, line from 1.
#[derive(Clone, Copy)]
pub(crate) struct TextPosition {
    pub byte: u64,
    pub line: u64,
}

/// Receives the content of an item, and breaks when it needs no more.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(Origin<'_>, WorkItemContent<'_>) -> ControlFlow<()>;

impl WorkItem {
    /// Returns the buffer of a piece of a large source, for reuse.
    pub(crate) fn into_memory(self) -> Option<Vec<u8>> {
        match self {
            WorkItem::Chunk(chunk) => Some(chunk.bytes),
            _ => None,
        }
    }

    /// Reads, unpacks, decodes and splits the item as far as necessary. Passes its content to
    /// `sink` in order.
    pub(crate) fn open(&self, read_settings: ReadSettings<'_>, sink: Sink<'_>) -> ControlFlow<()> {
        let ReadSettings { sources, .. } = read_settings;
        let origin = |source, index| Origin { source, index, is_row: false };
        let origin_at = |index: usize| origin(&sources[index], index as u64);
        match self {
            WorkItem::File(index) => read_settings.file(origin_at(*index), sink),
            WorkItem::Chunk(chunk) => match &chunk.member {
                Some((member, index)) => read_settings.text(origin(member, *index), chunk, sink),
                None => read_settings.text(origin_at(chunk.source), chunk, sink),
            },
            WorkItem::Member(member) => {
                let MemberBytes { source, index, bytes, fault } = member;
                read_settings.pass_in_memory_source(origin(source, *index), bytes.clone(), fault.clone(), sink)
            }
            WorkItem::Fault(source, index, fault) => {
                sink(origin(source, *index), WorkItemContent::Failed(fault.clone()))
            }
            #[cfg(feature = "columnar")]
            WorkItem::Rows(index, slice, repeated) => {
                let mut repeated = repeated.iter().peekable();
                slice.rows(read_settings.columns).try_for_each(|(number, row)| {
                    let first_row = first_row(&mut repeated, number);
                    read_settings.row(origin_at(*index), row, TableRow { number, first_row, position: None }, sink)
                })
            }
            #[cfg(feature = "columnar")]
            WorkItem::FailedRows(index, reason) => sink(
                origin_at(*index),
                WorkItemContent::Row(RowFinding { code: Code::UnreadableRow, detail: reason.clone(), position: None }),
            ),
            WorkItem::EmptyFolder(index) => sink(origin_at(*index), WorkItemContent::Empty(empty_folder())),
            WorkItem::EmptyArchive(index) => sink(origin_at(*index), WorkItemContent::Empty(empty_archive())),
            WorkItem::Failed(index, reason) => {
                sink(origin_at(*index), WorkItemContent::Failed(SourceFault::unreadable(reason)))
            }
        }
    }
}

impl ReadSettings<'_> {
    fn file(&self, origin: Origin<'_>, sink: Sink<'_>) -> ControlFlow<()> {
        let (SourceKind::File(path, _) | SourceKind::Table(path, ..)) = &origin.source.kind else {
            return ControlFlow::Continue(());
        };
        let mut bytes = Vec::new();
        // The bytes before a read error are still analysed.
        let read = open_file(path).and_then(|mut file| file.read_to_end(&mut bytes));
        self.pass_in_memory_source(origin, bytes, read.err().map(SourceFault::unreadable), sink)
    }

    /// Passes on a source that is in memory as a whole.
    fn pass_in_memory_source(
        &self,
        origin: Origin<'_>,
        bytes: Vec<u8>,
        fault: Option<SourceFault>,
        sink: Sink<'_>,
    ) -> ControlFlow<()> {
        let content_kind = self.format.content_kind(&origin.source.name, &bytes, self.columns);
        let (bytes, fault, content_kind) = match content_kind.no_records_message(&bytes, self.columns) {
            Some(message) => (Vec::new(), Some(SourceFault::foreign_content(&message)), ContentKind::default()),
            None => (bytes, fault, content_kind),
        };
        let part = FilePart { fault, ..FilePart::default() };
        self.pass_chunks(bytes, part, content_kind, |chunk| self.text(origin, chunk, sink))
    }

    /// Splits a part of a source that is in memory, and passes on its chunks.
    fn pass_chunks(
        &self,
        bytes: Vec<u8>,
        part: FilePart,
        content_kind: ContentKind,
        mut sink: impl FnMut(&Chunk) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut source = OpenSource::from_memory(bytes, &part, content_kind, *self);
        loop {
            let mut chunk = source.chunk(&mut Vec::new());
            if chunk.is_last {
                (chunk.is_last, chunk.fault) = (part.is_last, part.fault);
                return sink(&chunk);
            }
            sink(&chunk)?;
        }
    }

    fn text(&self, origin: Origin<'_>, chunk: &Chunk, sink: Sink<'_>) -> ControlFlow<()> {
        // The first line of a CSV table contains the column names.
        let (columns, header) = match chunk.content_kind {
            ContentKind::JsonRows => (None, 0),
            ContentKind::CsvRows(columns) => (Some(columns), 1),
            _ => return sink(origin, WorkItemContent::Text(chunk)),
        };
        let mut repeated = chunk.repeated_ids.iter().peekable();
        for item in chunk.items(&origin.source.name) {
            let ChunkItem::Game(line) = item else { continue };
            if line.game == header {
                continue;
            }
            let number = line.game - header;
            let position = Some(TextPosition { byte: line.offset, line: line.line });
            let table_row = TableRow { number, first_row: first_row(&mut repeated, number), position };
            self.row(origin, self.table_row(&line, columns), table_row, sink)?;
        }
        chunk.fault.clone().map_or(ControlFlow::Continue(()), |fault| sink(origin, WorkItemContent::Failed(fault)))
    }

    /// Parses a row of a text table.
    fn table_row(&self, line: &GameText, columns: Option<CsvColumns>) -> Result<RecordRow, String> {
        if line.close == Close::Oversized {
            return Err("the row is longer than four times --max game".into());
        }
        match columns {
            None => RecordRow::parse(line.bytes, self.columns),
            Some(columns) => columns.row(line.bytes, self.columns),
        }
    }

    /// Passes on a row as if it were a file. A row without an identifier is named after its number.
    fn row(
        &self,
        origin: Origin<'_>,
        row: Result<RecordRow, String>,
        place: TableRow,
        sink: Sink<'_>,
    ) -> ControlFlow<()> {
        let TableRow { number, first_row, position } = place;
        let row = match row {
            Ok(row) => row,
            Err(detail) => {
                let finding = RowFinding { code: Code::UnreadableRow, detail, position };
                return row_finding(origin, number, finding, sink);
            }
        };
        if let (Some(first_row), Some(id)) = (first_row, &row.id) {
            let id = shorten(id.clone());
            let detail = format!("{} {id:?} also belongs to row {first_row}", self.columns.id);
            let row_origin = Origin { index: origin.index + number - 1, ..origin };
            row_finding(row_origin, number, RowFinding { code: Code::RepeatedId, detail, position }, sink)?;
        }
        let name = row.id.unwrap_or_else(|| row_name(origin.source, number));
        let source = &Source { name: shorten(name), kind: SourceKind::Member, is_named: false };
        let origin = Origin { source, index: origin.index + number - 1, is_row: true };
        // A part of a file has the format of the file, even if its own text looks different.
        let detect = || detect_row_format(&row.sgf).or_else(|| RecordKind::from_name(&source.name)).unwrap_or_default();
        let content_kind = ContentKind::Records(row.part.state.as_ref().map_or_else(detect, |state| state.kind));
        self.pass_chunks(row.sgf, row.part, content_kind, |chunk| sink(origin, WorkItemContent::Text(chunk)))
    }
}

/// The position of a row in its table.
struct TableRow {
    /// The number of the row, from 1.
    number: u64,
    /// The first row with the same identifier, if that is an earlier row.
    first_row: Option<u64>,
    position: Option<TextPosition>,
}

/// Returns the first row with the identifier of row `number`, if that is an earlier row. Takes the
/// entry of the row from `repeated`.
fn first_row<'a>(repeated: &mut Peekable<impl Iterator<Item = &'a RepeatedId>>, number: u64) -> Option<u64> {
    repeated.next_if(|repeated| repeated.row == number).map(|repeated| repeated.first)
}

/// Passes on a finding about a row. The row is named after its number, even if it has an
/// identifier.
fn row_finding(origin: Origin<'_>, number: u64, finding: RowFinding, sink: Sink<'_>) -> ControlFlow<()> {
    let name = shorten(row_name(origin.source, number));
    let source = &Source { name, kind: SourceKind::Member, is_named: false };
    sink(Origin { source, ..origin }, WorkItemContent::Row(finding))
}

/// Returns the name of a row without an identifier: `games.jsonl!7` is the seventh row.
fn row_name(source: &Source, number: u64) -> String {
    format!("{}!{number}", source.name)
}

/// Detects the format of a row's text.
///
/// Elsewhere, SGF nodes without a game may be a fragment. In a row that consists of one such line
/// they are a line of a list of moves whose identifier is in another column.
fn detect_row_format(text: &[u8]) -> Option<RecordKind> {
    let start = &text[..text.len().min(START_BYTES)];
    let is_line = || text.starts_with(b";") && memchr::memchr(b'\n', text.trim_ascii()).is_none();
    RecordKind::from_start(start)
        .or_else(|| is_line().then(|| RecordKind::from_start(&[b"0\t", start].concat())).flatten())
}

/// Returns the detail of the finding on a folder without records.
fn empty_folder() -> String {
    format!(
        "no {} or archive in this folder; tables of records (.jsonl, .csv, .parquet, .arrow) and lists of moves (.txt) are read where they are named",
        RecordKind::patterns().join(", ")
    )
}

/// Returns the detail of the finding on an archive without records.
fn empty_archive() -> String {
    let patterns = RecordKind::patterns();
    let (last, front) = patterns.split_last().map_or(("", patterns.as_slice()), |(last, front)| (last, front));
    format!(
        "no {} or {last} in this archive; unpack tables of records and lists of moves to read them",
        front.join(", ")
    )
}

//! What is handed on together, and what comes out of it: the one place where sources become texts with their games.

use std::io::Read;
use std::ops::ControlFlow;

use super::chunk::{Chunk, Item};
#[cfg(feature = "columnar")]
use crate::source::arrow::RowSlice;
use crate::source::csv_table::CsvColumns;
use crate::source::name::shortened;
use crate::source::row::SourceFault;
use crate::source::signs::START_BYTES;
use crate::source::{Holds, InputFormat, RecordRow, RowColumns, Source, SourceKind, open_file};
use jigo_core::finding::Code;
use jigo_core::sgf::split::Close;
use jigo_core::sgf::{GameText, Limits, RecordKind};

/// A source, or a piece of one.
pub(crate) enum Part {
    /// A small file, to be read by whoever works on it.
    File(usize),
    /// A piece of a large source, cut between games.
    Chunk(Chunk),
    /// A small member of an archive.
    Member(MemberPart),
    /// A file in an archive, or the archive, that can't be read; its place among the sources.
    Fault(Source, u64, SourceFault),
    /// Rows of a source.
    #[cfg(feature = "columnar")]
    Rows(usize, RowSlice),
    /// Rows of a source that can't be read, and why.
    #[cfg(feature = "columnar")]
    FailedRows(usize, String),
    /// A folder without games.
    EmptyFolder(usize),
    /// An archive without games.
    EmptyArchive(usize),
    /// A source that can't be read, and why.
    Failed(usize, String),
}

/// A member of an archive with its bytes.
pub(crate) struct MemberPart {
    pub source: Source,
    /// Its place among the sources, for sharding.
    pub index: u64,
    pub bytes: Vec<u8>,
    /// What ended it before its end.
    pub fault: Option<SourceFault>,
}

/// Where something was found: a source or a row, which stands for one, and its place among the sources.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub source: &'a Source,
    pub index: u64,
    /// Whether it is a row, which is counted as a source of its own.
    pub is_row: bool,
}

/// What comes out of a part.
pub(crate) enum Found<'a> {
    /// A source, or a piece of it, read, decoded and cut. Its fault comes behind its games.
    Text(&'a Chunk),
    /// A source that holds nothing.
    Nothing(String),
    /// A source that can't be read, or not to its end.
    Failed(SourceFault),
    /// A row that can't be read, why, and its place in the source, where it has one: byte from 0, line from 1.
    Unreadable { reason: String, at: Option<(u64, u64)> },
}

/// How parts are opened.
#[derive(Clone, Copy)]
pub(crate) struct Opening<'a> {
    pub sources: &'a [Source],
    pub format: InputFormat,
    /// The columns of tables that are read.
    pub columns: RowColumns<'a>,
    pub limits: Limits,
}

/// Takes what comes out of a part, until it has enough.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(Origin<'_>, Found<'_>) -> ControlFlow<()>;

impl Part {
    /// The memory of a piece of a large source.
    pub(crate) fn into_memory(self) -> Option<Vec<u8>> {
        match self {
            Part::Chunk(chunk) => Some(chunk.bytes),
            _ => None,
        }
    }

    /// Reads, unpacks, decodes and cuts what is not yet, and hands everything to `sink` in order.
    pub(crate) fn open(&self, opening: Opening<'_>, sink: Sink<'_>) -> ControlFlow<()> {
        let Opening { sources, .. } = opening;
        let origin = |source, index| Origin { source, index, is_row: false };
        let of = |index: usize| origin(&sources[index], index as u64);
        match self {
            Part::File(index) => opening.file(of(*index), sink),
            Part::Chunk(chunk) => match &chunk.member {
                Some((member, index)) => opening.text(origin(member, *index), chunk, sink),
                None => opening.text(of(chunk.source), chunk, sink),
            },
            Part::Member(member) => {
                let MemberPart { source, index, bytes, fault } = member;
                opening.whole(origin(source, *index), bytes.clone(), fault.clone(), sink)
            }
            Part::Fault(source, index, fault) => sink(origin(source, *index), Found::Failed(fault.clone())),
            #[cfg(feature = "columnar")]
            Part::Rows(index, slice) => slice.rows(opening.columns).try_for_each(|(number, row)| match row {
                Ok(row) => opening.row(of(*index), row, number, sink),
                Err(reason) => unreadable_row(of(*index), number, Found::Unreadable { reason, at: None }, sink),
            }),
            #[cfg(feature = "columnar")]
            Part::FailedRows(index, reason) => sink(of(*index), Found::Unreadable { reason: reason.clone(), at: None }),
            Part::EmptyFolder(index) => sink(of(*index), Found::Nothing(empty_folder())),
            Part::EmptyArchive(index) => sink(of(*index), Found::Nothing(empty_archive())),
            Part::Failed(index, reason) => sink(of(*index), Found::Failed(unreadable(reason))),
        }
    }
}

impl Opening<'_> {
    fn file(&self, origin: Origin<'_>, sink: Sink<'_>) -> ControlFlow<()> {
        let (SourceKind::File(path, _) | SourceKind::Table(path, ..)) = &origin.source.kind else {
            return ControlFlow::Continue(());
        };
        let mut bytes = Vec::new();
        // What stands before an error is worked on.
        let read = open_file(path).and_then(|mut file| file.read_to_end(&mut bytes));
        self.whole(origin, bytes, read.err().map(unreadable), sink)
    }

    /// A source that is there as a whole.
    fn whole(&self, origin: Origin<'_>, bytes: Vec<u8>, fault: Option<SourceFault>, sink: Sink<'_>) -> ControlFlow<()> {
        let holds = self.format.holds(&origin.source.name, &bytes, self.columns);
        let (bytes, fault, holds) = match holds.without_records(&bytes, self.columns) {
            Some(sentence) => (Vec::new(), Some(foreign(&sentence)), Holds::default()),
            None => (bytes, fault, holds),
        };
        self.text(origin, &Chunk::whole(bytes, fault, holds, self.limits), sink)
    }

    fn text(&self, origin: Origin<'_>, chunk: &Chunk, sink: Sink<'_>) -> ControlFlow<()> {
        // The first line of comma separated values names the columns.
        let (columns, header) = match chunk.holds {
            Holds::JsonRows => (None, 0),
            Holds::CsvRows(columns) => (Some(columns), 1),
            _ => return sink(origin, Found::Text(chunk)),
        };
        for item in chunk.items(&origin.source.name) {
            let Item::Game(line) = item else { continue };
            if line.game == header {
                continue;
            }
            match self.table_row(&line, columns) {
                Ok(row) => self.row(origin, row, line.game - header, sink)?,
                Err(reason) => {
                    let found = Found::Unreadable { reason, at: Some((line.offset, line.line)) };
                    unreadable_row(origin, line.game - header, found, sink)?;
                }
            }
        }
        chunk.fault.clone().map_or(ControlFlow::Continue(()), |fault| sink(origin, Found::Failed(fault)))
    }

    /// A row of a table that is text.
    fn table_row(&self, line: &GameText, columns: Option<CsvColumns>) -> Result<RecordRow, String> {
        if line.close == Close::Oversized {
            return Err("the row is longer than four times --max-game".into());
        }
        match columns {
            None => RecordRow::parse(line.bytes, self.columns),
            Some(columns) => columns.row(line.bytes, self.columns),
        }
    }

    /// The row of this number, from 1, which is as a file; one without an identifier is called by its place.
    fn row(&self, origin: Origin<'_>, row: RecordRow, number: u64, sink: Sink<'_>) -> ControlFlow<()> {
        let name = row.id.unwrap_or_else(|| place_of_row(origin.source, number));
        let source = &Source { name: shortened(name), kind: SourceKind::Member, named: false };
        let origin = Origin { source, index: origin.index + number - 1, is_row: true };
        // A part of a file is of the file's kind, whatever it looks like by itself.
        let shown = || kind_of_row(&row.sgf).or_else(|| RecordKind::of_name(&source.name)).unwrap_or_default();
        let holds = Holds::Records(row.part.state.as_ref().map_or_else(shown, |state| state.kind));
        sink(origin, Found::Text(&Chunk::of_part(row.sgf, row.part, holds, self.limits)))
    }
}

/// Hands on a row that cannot be read, under the name of its place, whatever identifier it may have.
fn unreadable_row(origin: Origin<'_>, number: u64, found: Found<'_>, sink: Sink<'_>) -> ControlFlow<()> {
    let name = shortened(place_of_row(origin.source, number));
    let source = &Source { name, kind: SourceKind::Member, named: false };
    sink(Origin { source, ..origin }, found)
}

/// Returns the name of a row without an identifier: `games.jsonl!7` is the seventh row.
fn place_of_row(source: &Source, number: u64) -> String {
    format!("{}!{number}", source.name)
}

/// The kind that the text of a row shows. Nodes of SGF alone may be what is left of a game, but where a row has nothing else they are a line of a list of moves, whose identifier stands in
/// another column.
fn kind_of_row(text: &[u8]) -> Option<RecordKind> {
    let start = &text[..text.len().min(START_BYTES)];
    let is_line = || text.starts_with(b";") && memchr::memchr(b'\n', text.trim_ascii()).is_none();
    RecordKind::of_start(start).or_else(|| is_line().then(|| RecordKind::of_start(&[b"0\t", start].concat())).flatten())
}

pub(super) fn unreadable(reason: impl ToString) -> SourceFault {
    SourceFault { code: Code::UnreadableSource, detail: reason.to_string() }
}

/// What is wrong with an input that holds something else than records.
pub(super) fn foreign(sentence: &str) -> SourceFault {
    SourceFault { code: Code::NoGame, detail: sentence.into() }
}

/// What is wrong with a folder of other files.
fn empty_folder() -> String {
    format!(
        "no {} or archive in this folder; tables of records (.jsonl, .csv, .parquet, .arrow) and lists of moves (.txt) are read where they are named",
        RecordKind::patterns().join(", ")
    )
}

/// The same of an archive.
fn empty_archive() -> String {
    let patterns = RecordKind::patterns();
    let (last, others) = patterns.split_last().map_or(("", patterns.as_slice()), |(last, others)| (last, others));
    format!("no {} or {last} in this archive", others.join(", "))
}

//! Input: sources are opened, unpacked, decoded and split into games.
//!
//! `Records` walks through the sources and returns their parts: small files by name, pieces of
//! large files split between games, members of archives, and rows. `WorkItem::open` does the
//! remaining work on any thread and returns texts with their games.

pub(crate) mod chunk;
mod row_ids;
mod members;
mod open_source;
mod work_item;
mod prefetch;

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::source::archive::{ArchiveInput, unpack};
use crate::source::compression::format::ArchiveFormat;
use crate::source::files::in_memory::InMemoryInput;
#[cfg(feature = "columnar")]
use crate::source::files::in_memory::copy_to_temp_file;
#[cfg(feature = "columnar")]
use crate::source::rows::arrow::ArrowRows;
use crate::source::signatures::{START_BYTES, TableFormat};
use crate::source::watched_reader::ErrorReader;
use crate::source::{InMemorySource, InputFormat, Source, SourceKind, open_file};
use chunk::BATCH_BYTES;
use jigo_record::splitter::RecordKind;
use members::{Members, NextMember};
use open_source::OpenSource;
pub use open_source::ReadSettings;
pub(crate) use open_source::window;
use prefetch::Prefetch;
#[cfg(feature = "columnar")]
use row_ids::RowIds;
pub(crate) use work_item::{Origin, RowFinding, WorkItem, WorkItemContent};

/// The maximum number of sources in a batch.
const BATCH_SOURCES: usize = 256;

/// Walks through sources in order and returns batches of work items. A batch has about as many
/// bytes of game text as a thread should process at once.
pub(crate) struct Records<'a> {
    /// The settings for reading the sources.
    pub(crate) read_settings: ReadSettings<'a>,
    /// The index of the next source.
    next_source: usize,
    open_source: Option<OpenSource<'a>>,
    archive: Option<Members>,
    /// The prefetched archives.
    prefetch: Prefetch,
    /// The number of opened sources that turned out not to be tables, and that were not counted
    /// before.
    late_sources: u64,
    /// The buffers of completed batches, for reuse.
    spare_buffers: Vec<Vec<u8>>,
    #[cfg(feature = "columnar")]
    rows: Option<(usize, ArrowRows, RowIds)>,
}

impl<'a> Records<'a> {
    /// Starts at the first source, for a run with `jobs` threads. If there is more than one, a
    /// thread of the run's pool must read the records.
    pub(crate) fn new(read_settings: ReadSettings<'a>, jobs: usize) -> Records<'a> {
        let limits = read_settings.limits;
        Records {
            read_settings,
            next_source: 0,
            open_source: None,
            archive: None,
            prefetch: Prefetch::new(jobs, limits),
            late_sources: 0,
            spare_buffers: Vec::new(),
            #[cfg(feature = "columnar")]
            rows: None,
        }
    }

    /// Returns the number of sources that are certainly not tables. Rows of tables count one by one
    /// instead.
    ///
    /// Sources whose format appears only in their first bytes are counted later, by
    /// [`Records::take_late_sources`].
    pub(crate) fn non_table_count(&self) -> u64 {
        let ReadSettings { sources, format, .. } = self.read_settings;
        let is_non_table = |source: &&Source| {
            let needs_content =
                matches!(source.kind, SourceKind::Table(..) | SourceKind::Stream(_) | SourceKind::InMemory(_));
            !(format.is_rows() || needs_content && format == InputFormat::Auto)
        };
        sources.iter().filter(is_non_table).count() as u64
    }

    /// Returns the number of further sources since the last call.
    pub(crate) fn take_late_sources(&mut self) -> u64 {
        let late = std::mem::take(&mut self.late_sources);
        if self.read_settings.format == InputFormat::Auto { late } else { 0 }
    }

    /// Takes back the buffers of completed work items.
    pub(crate) fn recycle(&mut self, items: Vec<WorkItem>) {
        self.spare_buffers.extend(items.into_iter().filter_map(WorkItem::into_memory));
    }

    /// Skips `count` batches, unless the run is interrupted. Their sources are read to find the
    /// ends of the batches, but not analysed.
    pub(crate) fn skip_batches(&mut self, count: u64, interrupt: &AtomicUsize) {
        let is_interrupted = || interrupt.load(Ordering::Relaxed) != 0;
        (0..count).take_while(|_| !is_interrupted()).map_while(|_| self.next()).for_each(drop);
    }

    /// Opens the next source. Returns the length of a small one.
    fn open_next(&mut self, source: &Source, items: &mut Vec<WorkItem>) -> u64 {
        let index = self.next_source;
        self.next_source += 1;
        let failed = |error: io::Error| WorkItem::Failed(index, error.to_string());
        #[cfg(feature = "columnar")]
        if let Some(format) = self.read_settings.format.table_format(&source.kind) {
            items.extend(self.open_table(index, format).err().map(|reason| WorkItem::Failed(index, reason)));
            return 0;
        }
        match &source.kind {
            SourceKind::File(path, length) | SourceKind::Table(path, length, _) if *length > BATCH_BYTES => {
                match open_file(path) {
                    Ok(file) => self.open_source = Some(OpenSource::new(index, Box::new(file), self.read_settings)),
                    Err(error) => items.push(failed(error)),
                }
            }
            SourceKind::File(_, length) | SourceKind::Table(_, length, _) => {
                items.push(WorkItem::File(index));
                return *length;
            }
            // An empty file is not an archive of any format, and nothing is missing from it.
            SourceKind::Archive(_, 0, _) => {}
            SourceKind::Archive(..) => match self.prefetch.open(self.read_settings.sources, index) {
                Ok(members) => self.archive = Some(members),
                Err(error) => items.push(failed(error)),
            },
            SourceKind::Stream(path) => {
                let opened = open(path.as_deref()).and_then(|input| self.open_stream(index, input));
                items.extend(opened.err().map(failed));
            }
            SourceKind::InMemory(source_input) => {
                let opened = in_memory_bytes(source_input).and_then(|input| self.open_stream(index, input));
                items.extend(opened.err().map(failed));
            }
            SourceKind::EmptyFolder => items.push(WorkItem::EmptyFolder(index)),
            SourceKind::Failed(reason) => items.push(WorkItem::Failed(index, reason.clone())),
            // Members come out of archives and are never among the sources.
            SourceKind::Member => {}
        }
        0
    }

    /// Opens a source of rows, regardless of its name.
    #[cfg(feature = "columnar")]
    fn open_table(&mut self, index: usize, format: TableFormat) -> Result<(), String> {
        let input: Box<dyn Read + Send> = match &self.read_settings.sources[index].kind {
            SourceKind::File(path, _) | SourceKind::Archive(path, ..) | SourceKind::Table(path, ..) => {
                let file = open_file(path).map_err(|error| error.to_string())?;
                if file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0) {
                    return Ok(());
                }
                if format == TableFormat::Parquet {
                    let rows = ArrowRows::from_parquet(file, self.read_settings.limits, self.read_settings.columns)?;
                    self.rows = Some((index, rows, RowIds::default()));
                    return Ok(());
                }
                Box::new(file)
            }
            SourceKind::Stream(path) => open(path.as_deref()).map_err(|error| error.to_string())?,
            SourceKind::InMemory(source_input) => match source_input.take().map_err(|error| error.to_string())? {
                InMemoryInput::Bytes(bytes) => bytes,
                InMemoryInput::Rows(rows) => {
                    let rows = ArrowRows::from_batches(rows, self.read_settings.columns)?;
                    self.rows = Some((index, rows, RowIds::default()));
                    return Ok(());
                }
            },
            SourceKind::Failed(reason) => return Err(reason.clone()),
            SourceKind::EmptyFolder | SourceKind::Member => return Err("a folder is no table".into()),
        };
        self.open_rows(index, input, format)
    }

    /// Opens rows in a stream, which can be read only once.
    #[cfg(feature = "columnar")]
    fn open_rows(&mut self, index: usize, mut input: Box<dyn Read + Send>, format: TableFormat) -> Result<(), String> {
        let mut start = Vec::new();
        let count = input.by_ref().take(1).read_to_end(&mut start).map_err(|error| error.to_string())?;
        if count == 0 {
            return Ok(());
        }
        let input = Box::new(Cursor::new(start).chain(input));
        let rows = match format {
            TableFormat::Parquet => {
                // The footer at the end of the file describes its contents.
                let (file, _) = copy_to_temp_file(input).map_err(|error| error.to_string())?;
                ArrowRows::from_parquet(file, self.read_settings.limits, self.read_settings.columns)?
            }
            _ => ArrowRows::new(input, self.read_settings.limits, self.read_settings.columns)?,
        };
        self.rows = Some((index, rows, RowIds::default()));
        Ok(())
    }

    /// Returns the next rows of a source of rows, with their length.
    #[cfg(feature = "columnar")]
    fn rows(&mut self) -> Option<(WorkItem, u64)> {
        let (index, rows, ids) = self.rows.as_mut()?;
        match rows.slice(BATCH_BYTES) {
            Some(Ok(slice)) => {
                let length = slice.bytes;
                let repeated = ids.repeated_rows(slice.keys(self.read_settings.columns));
                Some((WorkItem::Rows(*index, slice, repeated), length))
            }
            Some(Err(reason)) => Some((WorkItem::FailedRows(*index, reason), 0)),
            None => {
                self.rows = None;
                None
            }
        }
    }

    #[cfg(not(feature = "columnar"))]
    fn rows(&mut self) -> Option<(WorkItem, u64)> {
        None
    }

    /// Opens a stream of games, rows or an archive. Its first bytes determine the format.
    fn open_stream(&mut self, index: usize, mut input: Box<dyn Read + Send>) -> io::Result<()> {
        let mut start = Vec::new();
        let start_length = input.by_ref().take(START_BYTES as u64).read_to_end(&mut start);
        let name = &self.read_settings.sources[index].name;
        let is_game = RecordKind::from_name(name).is_some();
        let format = if is_game || start.is_empty() {
            None
        } else {
            ArchiveFormat::from_start(&start).or_else(|| ArchiveFormat::from_name(name))
        };
        let is_unknown = !is_game && format.is_none() && self.read_settings.format == InputFormat::Auto;
        let table = if is_unknown { TableFormat::detect(name, &start, self.read_settings.columns) } else { None };
        self.late_sources += u64::from(table.is_none());
        let rest: Box<dyn Read + Send> = match start_length {
            Ok(_) => input,
            Err(error) => Box::new(ErrorReader(Some(error))),
        };
        let input = Box::new(Cursor::new(start).chain(rest));
        #[cfg(feature = "columnar")]
        if let Some(format) = table.filter(|format| format.is_columnar()) {
            return self.open_rows(index, input, format).map_err(io::Error::other);
        }
        match format {
            Some(format) => {
                let source = &self.read_settings.sources[index];
                let events =
                    unpack(source.name.clone(), ArchiveInput::Stream(input), format, self.read_settings.limits)?;
                self.archive = Some(Members::new(index, source, events.into_iter()));
            }
            None => self.open_source = Some(OpenSource::new(index, input, self.read_settings)),
        }
        Ok(())
    }
}

impl Iterator for Records<'_> {
    type Item = Vec<WorkItem>;

    fn next(&mut self) -> Option<Vec<WorkItem>> {
        let mut items = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH_BYTES && items.len() < BATCH_SOURCES {
            if let Some(open) = &mut self.open_source {
                let chunk = open.chunk(&mut self.spare_buffers);
                bytes += chunk.bytes.len() as u64;
                if chunk.is_last {
                    self.open_source = None;
                }
                items.push(WorkItem::Chunk(chunk));
            } else if let Some(members) = &mut self.archive {
                match members.next() {
                    NextMember::Small(member) => {
                        bytes += member.bytes.len() as u64;
                        items.push(WorkItem::Member(member));
                    }
                    NextMember::Large(member, input) => {
                        self.open_source =
                            Some(OpenSource::from_member(members.source, member, input, self.read_settings))
                    }
                    NextMember::Fault(source, index, fault) => items.push(WorkItem::Fault(source, index, fault)),
                    NextMember::End { is_empty } => {
                        items.extend(is_empty.then_some(WorkItem::EmptyArchive(members.source)));
                        self.archive = None;
                    }
                }
            } else if let Some((item, length)) = self.rows() {
                bytes += length;
                items.push(item);
            } else {
                let Some(source) = self.read_settings.sources.get(self.next_source) else { break };
                bytes += self.open_next(source, &mut items);
            }
        }
        (!items.is_empty()).then_some(items)
    }
}

/// Opens a file, or standard input for `None`.
fn open(path: Option<&Path>) -> io::Result<Box<dyn Read + Send>> {
    Ok(match path {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::stdin()),
    })
}

/// Opens the bytes that another program handed over.
fn in_memory_bytes(input: &InMemorySource) -> io::Result<Box<dyn Read + Send>> {
    match input.take()? {
        InMemoryInput::Bytes(bytes) => Ok(bytes),
        #[cfg(feature = "columnar")]
        InMemoryInput::Rows(_) => Err(io::Error::other("rows of records are no game records: read them as rows")),
    }
}

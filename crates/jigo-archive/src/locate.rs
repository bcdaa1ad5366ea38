//! Locates one game by its name: `FILE#GAME`, where FILE may be `archive.zip!inner/name.sgf`.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::records::chunk::{Chunk, ChunkItem};
use crate::records::{Origin, ReadSettings, Records, RowFinding, WorkItemContent};
use crate::source::compression::format::ArchiveFormat;
use crate::source::files::discover::{Source, SourceKind, discover_with, path_from_bytes};
use crate::source::files::display_name::{display_name, resolve_path};
use crate::source::{InMemorySource, InputFormat, RECORD_COLUMN, RowColumns};
use jigo_record::finding::Code;
use jigo_record::sgf::Limits;
use jigo_record::sgf::charset::Charset;
use jigo_record::splitter::{Close, GameText, RecordKind};

/// A game with its text.
#[derive(Debug)]
pub struct LocatedGame {
    kind: RecordKind,
    file: String,
    game: u64,
    offset: u64,
    line: u64,
    bytes: Vec<u8>,
    close: Close,
    charset: Charset,
}

/// The reason why a name refers to no game.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// The file, or its archive, can't be read.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// The name is a folder.
    #[error("{0} is a folder: name one of its files")]
    Folder(String),
    /// The archive or table has several files and the name selects none of them.
    #[error("{0} holds {1} files: name one of them, such as '{2}'")]
    SeveralFiles(String, usize, String),
    /// The archive or table has no file with this name.
    #[error("{0} has no file '{1}'")]
    NoMember(String, String),
    /// The file contains no game.
    #[error("{0} holds no game")]
    NoGame(String),
    /// The file has several games and the name selects none of them.
    #[error("{0} holds {1} games: say which, {0}#1 to {0}#{1}")]
    SeveralGames(String, u64),
    /// The file has fewer games.
    #[error("{0} holds {1} {games}, there is no game {2}", games = if *.1 == 1 { "game" } else { "games" })]
    NoSuchGame(String, u64, u64),
}

impl LocatedGame {
    /// Returns the game with this name, read as by any command. Tables have these columns.
    ///
    /// A file's only game needs no number. `-` is standard input.
    ///
    /// # Errors
    /// [`LocateError`] describes the available games.
    pub fn find(name: &OsStr, columns: RowColumns<'_>, limits: Limits) -> Result<LocatedGame, LocateError> {
        let (path, number) = split_number(name).unwrap_or_else(|| (name.into(), None));
        let (sources, member) = split_member(&path, columns)?;
        LocatedGame::search(&sources, member.as_deref(), number, columns, limits)
    }

    /// Finds the only game in the bytes of a file of any format.
    ///
    /// # Errors
    /// [`LocateError`] describes the content of a text without a game or with several.
    pub fn from_bytes(bytes: Vec<u8>, limits: Limits) -> Result<LocatedGame, LocateError> {
        let length = bytes.len() as u64;
        let input = InMemorySource::from_bytes(Box::new(io::Cursor::new(bytes)), Some(length));
        let source = Source { name: "the text".into(), kind: SourceKind::InMemory(input), is_named: true };
        LocatedGame::search(&[source], None, None, RECORD_COLUMN.into(), limits)
    }

    fn search(
        sources: &[Source],
        member: Option<&str>,
        number: Option<u64>,
        columns: RowColumns<'_>,
        limits: Limits,
    ) -> Result<LocatedGame, LocateError> {
        let source = sources.first().map_or("", |source| &source.name);
        let mut search = Search { source, member, number, ..Search::default() };
        let read_settings = ReadSettings { sources, format: InputFormat::default(), columns, limits };
        let mut records = Records::new(read_settings, 1);
        while let Some(items) = records.next() {
            let flow = items
                .iter()
                .try_for_each(|item| item.open(read_settings, &mut |origin, content| search.visit(origin, content)));
            if flow.is_break() {
                break;
            }
            records.recycle(items);
        }
        search.finish(sources)
    }

    fn from_text(text: &GameText) -> LocatedGame {
        let GameText { kind, file, game, offset, line, bytes, close, charset, .. } = *text;
        LocatedGame { kind, file: file.into(), game, offset, line, bytes: bytes.to_vec(), close, charset }
    }

    /// Returns the text with its position.
    pub fn text(&self) -> GameText<'_> {
        GameText {
            kind: self.kind,
            file: &self.file,
            game: self.game,
            offset: self.offset,
            line: self.line,
            ..GameText::single(&self.bytes, self.close, self.charset)
        }
    }
}

/// Returns the source that contains the game with this name, for a run that selects the game.
///
/// # Errors
/// [`LocateError`] if there is no such file.
pub fn sources(name: &OsStr, columns: RowColumns<'_>) -> Result<Vec<Source>, LocateError> {
    let (path, _) = split_number(name).unwrap_or_else(|| (name.into(), None));
    split_member(&path, columns).map(|(sources, _)| sources)
}

/// Splits a name into file and number. Returns `None` if the name is a file or does not end in a
/// number.
fn split_number(name: &OsStr) -> Option<(PathBuf, Option<u64>)> {
    let bytes = name.as_encoded_bytes();
    let offset = bytes.iter().rposition(|byte| *byte == b'#').filter(|_| !Path::new(name).exists())?;
    let number = std::str::from_utf8(&bytes[offset + 1..]).ok()?.parse().ok()?;
    Some((path_from_bytes(&bytes[..offset]).ok()?, Some(number)))
}

/// Returns the source of a path and, for a path like `archive.zip!inner/name.sgf`, the member or
/// row.
fn split_member(path: &Path, columns: RowColumns<'_>) -> Result<(Vec<Source>, Option<String>), LocateError> {
    let path = &*resolve_path(path);
    let name = display_name(path);
    let discover = |path: &Path| discover_with(&[path], columns, &mut |_| {});
    let error = match fs::metadata(path) {
        _ if path == Path::new("-") => return Ok((discover(path), None)),
        Ok(metadata) if metadata.is_dir() => return Err(LocateError::Folder(name)),
        Ok(_) => return Ok((discover(path), None)),
        Err(error) => error,
    };
    if let Some(member) = name.strip_prefix("-!") {
        return Ok((discover(Path::new("-")), Some(member.to_owned())));
    }
    let bytes = path.as_os_str().as_encoded_bytes();
    let mut outer = memchr::memchr_iter(b'!', bytes).filter_map(|offset| path_from_bytes(&bytes[..offset]).ok());
    match outer.find(|outer| resolve_path(outer).is_file()) {
        Some(outer) => {
            let member = name[display_name(&outer).len() + 1..].to_owned();
            Ok((discover(&outer), Some(member)))
        }
        None => Err(LocateError::Unreadable(name, error.to_string())),
    }
}

/// A search for one game in the texts of a source.
#[derive(Default)]
struct Search<'a> {
    /// The name of the source.
    source: &'a str,
    /// The member or row to find; `None` for the only one.
    member: Option<&'a str>,
    /// The number of the game to find; `None` for the only one.
    number: Option<u64>,
    /// The number of texts and the name of the first one.
    text_count: usize,
    first_text: String,
    /// The name of the latest text while it may continue.
    open_text: Option<String>,
    /// The number of games in the matching text, the text's name, and the game.
    game_count: u64,
    file: Option<String>,
    game: Option<LocatedGame>,
    /// The first fault.
    fault: Option<String>,
}

impl Search<'_> {
    fn visit(&mut self, origin: Origin<'_>, content: WorkItemContent<'_>) -> ControlFlow<()> {
        let name = &origin.source.name;
        match content {
            WorkItemContent::Text(chunk) => return self.text(origin, chunk),
            WorkItemContent::Failed(fault) => self.fault.get_or_insert(format!("{name}: {}", fault.detail)),
            WorkItemContent::Row(RowFinding { code: Code::UnreadableRow, detail, .. }) => {
                self.fault.get_or_insert(format!("{name}: {detail}"))
            }
            WorkItemContent::Row(_) | WorkItemContent::Empty(_) => return ControlFlow::Continue(()),
        };
        ControlFlow::Continue(())
    }

    fn text(&mut self, origin: Origin<'_>, chunk: &Chunk) -> ControlFlow<()> {
        let name = &origin.source.name;
        if self.open_text.as_deref() != Some(name) {
            self.text_count += 1;
        }
        if self.text_count == 1 {
            let is_outer = origin.is_row && self.row_number(name).is_none();
            self.first_text = if is_outer { format!("{}!{name}", self.source) } else { name.clone() };
        }
        self.open_text = (!chunk.is_last).then(|| name.clone());
        // A name may contain `!` itself.
        let is_archive = |outer: &str| outer == self.source || ArchiveFormat::from_name(outer).is_some();
        let is_member = |member: &str| match origin.is_row {
            true => name == member || self.row_number(name) == Some(member),
            false => name.strip_suffix(member).and_then(|outer| outer.strip_suffix('!')).is_some_and(is_archive),
        };
        if !self.member.map_or(self.text_count == 1, is_member) {
            // A fault of the table is more useful to the user than the absence of the row.
            if let Some(fault) = chunk.fault.as_ref().filter(|_| name == self.source) {
                self.fault.get_or_insert(format!("{name}: {}", fault.detail));
            }
            return ControlFlow::Continue(());
        }
        self.file.get_or_insert_with(|| name.clone());
        for item in chunk.items(name) {
            let ChunkItem::Game(text) = item else { continue };
            self.game_count = text.game;
            if self.number.map_or(self.game.is_none(), |number| text.game == number) {
                self.game = Some(LocatedGame::from_text(&text));
            }
        }
        if let Some(fault) = &chunk.fault {
            self.fault.get_or_insert(format!("{name}: {}", fault.detail));
        }
        // If no member is named, the search has to count the other texts.
        if chunk.is_last && self.member.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns the number of a row that is named after its position.
    fn row_number<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.strip_prefix(self.source)?.strip_prefix('!')
    }

    /// Returns the result of the search in the only one of these sources.
    fn finish(self, sources: &[Source]) -> Result<LocatedGame, LocateError> {
        let source = self.source.to_owned();
        let is_file = |source: &Source| matches!(source.kind, SourceKind::File(..));
        match (self.file, self.fault) {
            (None, Some(fault)) => {
                let fault = fault.strip_prefix(&format!("{source}: ")).unwrap_or(&fault);
                Err(LocateError::Unreadable(source, fault.to_owned()))
            }
            (None, None) => match self.member {
                Some(_) if sources.iter().any(is_file) && self.first_text == source => {
                    Err(LocateError::Unreadable(source, "is no archive".into()))
                }
                Some(member) => Err(LocateError::NoMember(source, member.into())),
                None => Err(LocateError::NoGame(source)),
            },
            (Some(_), _) if self.member.is_none() && self.text_count > 1 => {
                Err(LocateError::SeveralFiles(source, self.text_count, self.first_text))
            }
            (Some(file), fault) => match (self.game, self.number) {
                (None, _) if self.game_count == 0 => match fault {
                    Some(fault) if fault.starts_with(&format!("{file}: ")) => {
                        Err(LocateError::Unreadable(file.clone(), fault[file.len() + 2..].to_owned()))
                    }
                    _ => Err(LocateError::NoGame(file)),
                },
                (Some(_), None) if self.game_count > 1 => Err(LocateError::SeveralGames(file, self.game_count)),
                (Some(game), _) => Ok(game),
                (None, number) => Err(LocateError::NoSuchGame(file, self.game_count, number.unwrap_or(0))),
            },
        }
    }
}

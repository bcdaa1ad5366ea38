//! One game by its name: `FILE#GAME`, where FILE may be `archive.zip!inner/name.sgf`.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::archive::{Event, Packed, unpack};
use super::discover::{Source, SourceKind, discover, display_name, path_of};
use jigo_core::sgf::charset::{Basis, Charset};
use jigo_core::sgf::limits::Limits;
use jigo_core::sgf::split::Close;
use jigo_core::sgf::utf16::{Transcoder, utf16, utf16_length};
use jigo_core::sgf::{GameText, Piece, split};

/// A game with its text.
#[derive(Debug)]
pub struct OneGame {
    file: String,
    game: u64,
    offset: u64,
    line: u64,
    bytes: Vec<u8>,
    close: Close,
    charset: Charset,
    /// How many games its file has.
    pub games: u64,
}

/// Why there is no such game.
#[derive(Debug, thiserror::Error)]
pub enum NotFound {
    /// The file, or the archive that it is said to be in, can't be read.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// The name is that of a folder.
    #[error("{0} is a folder: name one of its files")]
    Folder(String),
    /// The archive has several files and the name none of them.
    #[error("{0} is an archive with {1} files: name one of them, such as '{2}'")]
    SeveralFiles(String, usize, String),
    /// The archive has no file of this name.
    #[error("{0} has no file '{1}'")]
    NoMember(String, String),
    /// There is no game in the file.
    #[error("{0} holds no game")]
    NoGame(String),
    /// The file has several games and the name says nothing of which.
    #[error("{0} holds {1} games: say which, {0}#1 to {0}#{1}")]
    SeveralGames(String, u64),
    /// The file has fewer games.
    #[error("{0} holds {1} {games}, there is no game {2}", games = if *.1 == 1 { "game" } else { "games" })]
    NoSuchGame(String, u64, u64),
}

impl OneGame {
    /// The game that a name stands for. A file's only game needs no number; `-` is standard input.
    ///
    /// # Errors
    /// [`NotFound`] says what there is instead.
    pub fn find(name: &OsStr) -> Result<OneGame, NotFound> {
        let (path, game) = numbered(name).unwrap_or_else(|| (name.into(), None));
        let (file, bytes) = read(&path)?;
        let (bytes, encoding) = match utf16(&bytes) {
            Some(encoding) => {
                let mut text = Vec::new();
                // Reading from memory does not fail.
                let _ = Transcoder::new(bytes.as_slice(), encoding).read_to_end(&mut text);
                (text, Some(encoding))
            }
            None => (bytes, None),
        };
        let mut games = Vec::new();
        split(&bytes, true, |piece| {
            if let Piece::Game(range, close, charset) = piece {
                games.push((range, close, charset));
            }
        });
        let count = games.len() as u64;
        let number = match game {
            _ if count == 0 => return Err(NotFound::NoGame(file)),
            None if count > 1 => return Err(NotFound::SeveralGames(file, count)),
            Some(number) if number == 0 || number > count => return Err(NotFound::NoSuchGame(file, count, number)),
            number => number.unwrap_or(1),
        };
        let (range, close, charset) = games.swap_remove(number as usize - 1);
        let before = &bytes[..range.start];
        Ok(OneGame {
            file,
            game: number,
            offset: if encoding.is_some() { utf16_length(before) } else { before.len() } as u64,
            line: memchr::memchr_iter(b'\n', before).count() as u64 + 1,
            bytes: bytes[range].to_vec(),
            close,
            charset: encoding.map_or(charset, |encoding| Charset { encoding, basis: Basis::Transcoded }),
            games: count,
        })
    }

    /// The text with its place.
    pub fn text(&self) -> GameText<'_> {
        GameText {
            file: &self.file,
            game: self.game,
            offset: self.offset,
            line: self.line,
            bytes: &self.bytes,
            close: self.close,
            charset: self.charset,
        }
    }
}

/// The file and the number of a name that is no file's and ends in a number.
fn numbered(name: &OsStr) -> Option<(PathBuf, Option<u64>)> {
    let bytes = name.as_encoded_bytes();
    let at = bytes.iter().rposition(|byte| *byte == b'#').filter(|_| !Path::new(name).exists())?;
    let number = std::str::from_utf8(&bytes[at + 1..]).ok()?.parse().ok()?;
    Some((path_of(&bytes[..at]).ok()?, Some(number)))
}

/// The bytes of a file, of an archive's only file, or of the file of an archive that the path says, and what it is called.
fn read(path: &Path) -> Result<(String, Vec<u8>), NotFound> {
    let name = display_name(path);
    let unreadable = |error: io::Error| NotFound::Unreadable(name.clone(), error.to_string());
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map_err(unreadable)?;
        return Ok((name, bytes));
    }
    let missing = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(NotFound::Folder(name)),
        Ok(_) => {
            return match one_source(path) {
                Some(Source { kind: SourceKind::Archive(..), .. }) => from_archive(path, None),
                _ => fs::read(path).map(|bytes| (name.clone(), bytes)).map_err(unreadable),
            };
        }
        Err(error) => error,
    };
    let bytes = path.as_os_str().as_encoded_bytes();
    let mut archives = memchr::memchr_iter(b'!', bytes).filter_map(|at| path_of(&bytes[..at]).ok());
    match archives.find(|archive| archive.is_file()) {
        Some(archive) => from_archive(&archive, Some(&name)),
        None => Err(unreadable(missing)),
    }
}

fn one_source(path: &Path) -> Option<Source> {
    discover(&[path]).into_iter().next()
}

/// A file of an archive; its only one where none is named.
fn from_archive(path: &Path, wanted: Option<&str>) -> Result<(String, Vec<u8>), NotFound> {
    let archive = display_name(path);
    let unreadable = |error: String| NotFound::Unreadable(archive.clone(), error);
    let source = one_source(path);
    let Some(Source { kind: SourceKind::Archive(path, _, format), .. }) = source else {
        return Err(unreadable("is no archive".into()));
    };
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let events = unpack(archive.clone(), Packed::File(file), format, Limits::default());
    let events = events.map_err(|error| unreadable(error.to_string()))?;
    let mut members: Vec<String> = Vec::new();
    let (mut bytes, mut fault) = (Vec::new(), None);
    for event in events {
        match event {
            Event::Member(name) => members.push(name),
            Event::Bytes(mut block) => {
                let is_wanted = wanted.map_or(members.len() == 1, |wanted| members.last().is_some_and(|m| m == wanted));
                if is_wanted {
                    bytes.append(&mut block);
                }
            }
            Event::MemberEnd if members.last().is_some_and(|member| Some(member.as_str()) == wanted) => break,
            Event::MemberEnd => {}
            Event::Fault(name, _, detail) => fault = fault.or(Some(format!("{name}: {detail}"))),
        }
    }
    let is_there = wanted.is_none_or(|wanted| members.iter().any(|member| member == wanted));
    match (members.as_slice(), wanted) {
        (_, Some(wanted)) if is_there => Ok((wanted.to_owned(), bytes)),
        (_, Some(wanted)) => match fault {
            Some(fault) => Err(unreadable(fault)),
            None => Err(NotFound::NoMember(archive.clone(), wanted[archive.len() + 1..].to_owned())),
        },
        ([], None) => match fault {
            Some(fault) => Err(unreadable(fault)),
            None => Err(NotFound::NoGame(archive)),
        },
        ([only], None) => Ok((only.clone(), bytes)),
        ([first, ..], None) => Err(NotFound::SeveralFiles(archive, members.len(), first.clone())),
    }
}

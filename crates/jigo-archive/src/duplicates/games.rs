//! The games of a run: a few bytes of each in memory, the rest in a file beyond a limit.

use std::collections::HashSet;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use jigo_core::compare::{KEYS, Keys, Sketch};
use tempfile::{SpooledTempFile, spooled_tempfile};

use super::candidates::Shelves;
use crate::pipeline::hash;
use crate::tables::IndexRow;
use crate::visit::KeyedGame;

/// What stays in memory of a game.
pub(super) struct Entry {
    /// The place of the source's name.
    file: u32,
    pub turns: u32,
    pub played: u32,
    pub errors: u32,
    pub game: u64,
    pub offset: u64,
    pub line: u64,
    pub text: u64,
    pub filled: u8,
    /// Where the rest begins in the file, and how long it is.
    at: u64,
    length: u32,
}

/// The games of a run, in the order of the input.
pub struct KeyedGames {
    files: Vec<Arc<str>>,
    pub(super) entries: Vec<Entry>,
    rest: Rest,
    pub(super) shelves: Shelves,
    /// How many are of an index, and hashes of their places and texts.
    indexed: (usize, HashSet<u64>),
    /// Of each game that has any, how many bytes what its root says has, behind the rest.
    stated: Vec<u64>,
}

/// What is looked up of games: written first, read later.
enum Rest {
    Written(BufWriter<SpooledTempFile>, u64),
    Read(SpooledTempFile),
}

impl KeyedGames {
    /// None yet. What is kept of them goes to a temporary file once it is more than `memory` bytes.
    pub fn new(memory: u64) -> KeyedGames {
        let half = usize::try_from(memory / 2).unwrap_or(usize::MAX);
        KeyedGames {
            files: Vec::new(),
            entries: Vec::new(),
            rest: Rest::Written(BufWriter::with_capacity(1 << 16, spooled_tempfile(half)), 0),
            shelves: Shelves::new(half),
            indexed: (0, HashSet::new()),
            stated: Vec::new(),
        }
    }

    /// Adds games; those that an index has already, at the same place and with the same text, only once.
    ///
    /// # Errors
    /// When they don't fit onto the disk.
    pub fn add(&mut self, games: impl IntoIterator<Item = KeyedGame>) -> io::Result<()> {
        games.into_iter().try_for_each(|game| match self.indexed.1.contains(&place(&game.file, game.game, game.text)) {
            true => Ok(()),
            false => self.push(&game),
        })
    }

    /// What was added up to here is of an index.
    #[cfg(feature = "columnar")]
    pub(super) fn end_of_index(&mut self) {
        let places = self.entries.iter().map(|entry| place(&self.files[entry.file as usize], entry.game, entry.text));
        self.indexed = (self.entries.len(), places.collect());
    }

    /// Whether a game is of this run, and not of an index alone.
    pub(super) fn is_new(&self, number: u32) -> bool {
        number as usize >= self.indexed.0
    }

    /// The names of sources, in order; the same may stand there again.
    #[cfg(feature = "columnar")]
    pub(super) fn files(&self) -> &[Arc<str>] {
        &self.files
    }

    pub(super) fn push(&mut self, game: &KeyedGame) -> io::Result<()> {
        let Rest::Written(rest, end) = &mut self.rest else { return Err(io::Error::other("games are added too late")) };
        let number =
            u32::try_from(self.entries.len()).map_err(|_| io::Error::other("more than 4,294,967,295 games"))?;
        if self.files.last().is_none_or(|last| **last != *game.file) {
            self.files.push(Arc::clone(&game.file));
        }
        let keys = packed(&game.keys);
        [&keys, &game.sketch, &game.stated].iter().try_for_each(|part| rest.write_all(part))?;
        let length = (keys.len() + game.sketch.len()) as u32;
        let stated = game.stated.len() as u64;
        self.entries.push(Entry {
            // There are no more names than games.
            file: self.files.len() as u32 - 1,
            turns: game.turns,
            played: game.played,
            errors: game.errors,
            game: game.game,
            offset: game.offset,
            line: game.line,
            text: game.text,
            filled: game.filled,
            at: *end,
            length,
        });
        if stated > 0 {
            self.stated.resize(self.entries.len(), 0);
            self.stated[number as usize] = stated;
        }
        *end += u64::from(length) + stated;
        game.keys.0.iter().flatten().try_for_each(|key| self.shelves.put(*key, number))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The source's name.
    pub(super) fn file(&self, number: u32) -> &str {
        &self.files[self.entry(number).file as usize]
    }

    pub(super) fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    /// Whether the texts of two games are equal, as far as their hashes say.
    pub(super) fn is_same_text(&self, one: u32, other: u32) -> bool {
        self.entry(one).text == self.entry(other).text
    }

    pub(super) fn keys(&mut self, number: u32) -> io::Result<Keys> {
        let Entry { at, length, .. } = *self.entry(number);
        let bytes = self.read(at, (length as usize).min(2 + 8 * KEYS.len()))?;
        Ok(unpacked(&bytes).0)
    }

    pub(super) fn sketch(&mut self, number: u32) -> io::Result<Sketch> {
        unpacked_sketch(&self.bytes(number)?)
    }

    /// What the root of a game says, packed; nothing where that was not kept.
    pub(super) fn stated(&mut self, number: u32) -> io::Result<Vec<u8>> {
        let length = self.stated.get(number as usize).copied().unwrap_or(0);
        let Entry { at, length: before, .. } = *self.entry(number);
        self.read(at + u64::from(before), usize::try_from(length).map_err(io::Error::other)?)
    }

    /// Shows the games as rows of an index, in order.
    ///
    /// # Errors
    /// When what was spilled to the disk can't be read, or whatever `see` fails with.
    pub fn each_row(&mut self, mut see: impl FnMut(&IndexRow) -> io::Result<()>) -> io::Result<()> {
        (0..self.entries.len() as u32).try_for_each(|number| {
            let bytes = self.bytes(number)?;
            let (keys, sketch) = unpacked(&bytes);
            let Entry { turns, played, errors, game, offset, text, filled, .. } = *self.entry(number);
            let place = (self.file(number), game, offset);
            see(&IndexRow { place, text, turns: (turns, played), errors, filled, keys: &keys, sketch })
        })
    }

    /// The keys and the sketch, packed.
    pub(super) fn bytes(&mut self, number: u32) -> io::Result<Vec<u8>> {
        let Entry { at, length, .. } = *self.entry(number);
        self.read(at, length as usize)
    }

    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        let rest = self.reading()?;
        rest.seek(SeekFrom::Start(at))?;
        rest.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The file of the rest, once all is written.
    fn reading(&mut self) -> io::Result<&mut SpooledTempFile> {
        if let Rest::Written(rest, _) = &mut self.rest {
            rest.flush()?;
            let rest = std::mem::replace(rest, BufWriter::new(spooled_tempfile(0)));
            self.rest = Rest::Read(rest.into_inner().map_err(io::IntoInnerError::into_error)?);
        }
        match &mut self.rest {
            Rest::Read(rest) => Ok(rest),
            Rest::Written(..) => Err(io::Error::other("games are still written")),
        }
    }
}

/// A hash of where a game is and what it is.
fn place(file: &str, game: u64, text: u64) -> u64 {
    hash(file.as_bytes(), game) ^ text
}

/// Which keys there are, and those.
fn packed(keys: &Keys) -> Vec<u8> {
    let present = keys.0.iter().enumerate().fold(0_u16, |bits, (place, key)| bits | u16::from(key.is_some()) << place);
    let mut bytes = present.to_le_bytes().to_vec();
    keys.0.iter().flatten().for_each(|key| bytes.extend(key.to_le_bytes()));
    bytes
}

/// The sketch of a game's bytes.
pub(super) fn unpacked_sketch(bytes: &[u8]) -> io::Result<Sketch> {
    let (_, sketch) = unpacked(bytes);
    Sketch::unpack(sketch).ok_or_else(|| io::Error::other("a temporary file has changed"))
}

/// The keys, and what follows them.
fn unpacked(bytes: &[u8]) -> (Keys, &[u8]) {
    let mut keys = Keys::default();
    let Some((present, mut rest)) = bytes.split_first_chunk::<2>() else { return (keys, bytes) };
    let present = u16::from_le_bytes(*present);
    for place in (0..KEYS.len()).filter(|place| present & 1 << place != 0) {
        let Some((key, behind)) = rest.split_first_chunk::<8>() else { break };
        keys.0[place] = Some(u64::from_le_bytes(*key));
        rest = behind;
    }
    (keys, rest)
}

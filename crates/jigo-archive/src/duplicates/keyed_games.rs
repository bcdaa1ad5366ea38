//! The games of a run: a few bytes of each in memory, and the rest in a temporary file above a
//! limit.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use jigo_core::similarity::{Census, GameSketch, KEYS, Outline, SimilarityKeys};

use super::buckets::Buckets;
use super::spool::Spool;
use crate::pipeline::hash;
use crate::tables::{GameFacts, StoreRow};
use crate::visit::KeyedGame;

/// The part of a game that stays in memory.
struct GameEntry {
    /// The index of the source's name.
    file: u32,
    facts: GameFacts,
    /// The position of the game's sketch in [`KeyedGames::data`], and its length.
    sketch_offset: u64,
    sketch_length: u32,
}

/// The games of a run, in input order.
pub struct KeyedGames {
    files: Vec<Arc<str>>,
    entries: Vec<GameEntry>,
    /// Summaries that tell most games with a common key apart.
    censuses: Vec<Census>,
    /// The keys of each game, [`KEY_BYTES`] per game.
    keys: Spool,
    /// The sketch and mergeable values of each game.
    data: Spool,
    pub(super) buckets: Buckets,
    /// The number of games from a store, and hashes of their positions and texts.
    stored: (usize, HashSet<u64>),
    /// The length of each game's packed mergeable values, which follow its sketch. Shorter than
    /// `entries` if the last games have none.
    mergeable_lengths: Vec<u64>,
}

impl KeyedGames {
    /// Returns an empty list. Data above `memory` bytes goes to temporary files.
    pub fn new(memory: u64) -> KeyedGames {
        let eighth = usize::try_from(memory / 8).unwrap_or(usize::MAX);
        KeyedGames {
            files: Vec::new(),
            entries: Vec::new(),
            censuses: Vec::new(),
            // In large groups of games all keys are looked up many times. `data` is long but read
            // in order.
            keys: Spool::new(eighth.saturating_mul(3)),
            data: Spool::new(eighth),
            buckets: Buckets::new(eighth.saturating_mul(4)),
            stored: (0, HashSet::new()),
            mergeable_lengths: Vec::new(),
        }
    }

    /// Adds games. A game that the store already contains, at the same position and with the same
    /// text, is not added again.
    ///
    /// # Errors
    /// Fails if the games don't fit on the disk.
    pub fn add(&mut self, games: impl IntoIterator<Item = KeyedGame>) -> io::Result<()> {
        games.into_iter().try_for_each(|game| match self.stored.1.contains(&position_hash(&game.file, &game.facts)) {
            true => Ok(()),
            false => self.push(&game),
        })
    }

    /// Marks all games up to now as games of a store.
    #[cfg(feature = "columnar")]
    pub(super) fn end_store(&mut self) {
        let position_hashes =
            self.entries.iter().map(|entry| position_hash(&self.files[entry.file as usize], &entry.facts));
        self.stored = (self.entries.len(), position_hashes.collect());
    }

    /// Returns true if a game belongs to this run, not only to a store.
    pub(super) fn is_new(&self, number: u32) -> bool {
        number as usize >= self.stored.0
    }

    /// Returns the names of sources in order. A name may repeat.
    pub(super) fn files(&self) -> &[Arc<str>] {
        &self.files
    }

    pub(super) fn push(&mut self, game: &KeyedGame) -> io::Result<()> {
        let number =
            u32::try_from(self.entries.len()).map_err(|_| io::Error::other("more than 4,294,967,295 games"))?;
        if self.files.last().is_none_or(|last| **last != *game.file) {
            self.files.push(Arc::clone(&game.file));
        }
        self.keys.append(&pack_keys(&game.keys))?;
        let sketch_offset = self.data.append(&game.sketch)?;
        self.data.append(&game.mergeable_values)?;
        let mergeable_length = game.mergeable_values.len() as u64;
        self.censuses.push(Census::from_outline(&Outline::from_packed(&game.sketch).ok_or_else(changed_file_error)?));
        self.entries.push(GameEntry {
            // There are no more names than games, so the index fits into 32 bits.
            file: self.files.len() as u32 - 1,
            facts: game.facts,
            sketch_offset,
            sketch_length: game.sketch.len() as u32,
        });
        if mergeable_length > 0 {
            self.mergeable_lengths.resize(self.entries.len(), 0);
            self.mergeable_lengths[number as usize] = mergeable_length;
        }
        game.keys.0.iter().flatten().try_for_each(|key| self.buckets.insert(*key, number))
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if there are no games.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the name of the game's source.
    pub(super) fn file(&self, number: u32) -> &str {
        &self.files[self.entries[number as usize].file as usize]
    }

    /// Returns the game's position and rank.
    pub(super) fn facts(&self, number: u32) -> &GameFacts {
        &self.entries[number as usize].facts
    }

    /// Returns true if the texts of two games have the same hash.
    pub(super) fn is_same_text(&self, first: u32, second: u32) -> bool {
        self.facts(first).text_hash == self.facts(second).text_hash
    }

    /// Returns a sort key that depends on the input order only among games with equal texts.
    pub(super) fn content_order(&self, number: u32) -> (u32, u64, u32) {
        let GameFacts { played_turns, text_hash, .. } = *self.facts(number);
        (played_turns, text_hash, number)
    }

    /// Returns true unless the data in memory proves that two games are different.
    pub(super) fn may_be_equal(&self, first: u32, second: u32) -> bool {
        self.censuses[first as usize].can_match(self.censuses[second as usize])
    }

    pub(super) fn keys(&mut self, number: u32) -> io::Result<SimilarityKeys> {
        let mut bytes = [0; KEY_BYTES];
        self.keys.read_at(u64::from(number) * KEY_BYTES as u64, &mut bytes)?;
        Ok(unpack_keys(&bytes))
    }

    pub(super) fn sketch(&mut self, number: u32) -> io::Result<GameSketch> {
        unpack_sketch(&self.packed_sketch(number)?)
    }

    /// Returns the length of a packed sketch in bytes.
    pub(super) fn packed_length(&self, number: u32) -> usize {
        self.entries[number as usize].sketch_length as usize
    }

    pub(super) fn packed_sketch(&mut self, number: u32) -> io::Result<Vec<u8>> {
        let GameEntry { sketch_offset, sketch_length, .. } = self.entries[number as usize];
        self.read_data(sketch_offset, sketch_length as usize)
    }

    /// Returns the packed values of the game that duplicates can take over; empty if they were not collected.
    pub(super) fn mergeable_values(&mut self, number: u32) -> io::Result<Vec<u8>> {
        let mergeable_length = self.mergeable_lengths.get(number as usize).copied().unwrap_or(0);
        let GameEntry { sketch_offset, sketch_length, .. } = self.entries[number as usize];
        self.read_data(
            sketch_offset + u64::from(sketch_length),
            usize::try_from(mergeable_length).map_err(io::Error::other)?,
        )
    }

    fn read_data(&mut self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.data.read_at(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Calls `visit` with each game as a row of a store, in order.
    ///
    /// # Errors
    /// Fails if temporary files can't be read, or if `visit` fails.
    pub fn for_each_row(&mut self, mut visit: impl FnMut(&StoreRow) -> io::Result<()>) -> io::Result<()> {
        (0..self.entries.len() as u32).try_for_each(|number| {
            let (keys, sketch) = (self.keys(number)?, self.packed_sketch(number)?);
            visit(&StoreRow { file: self.file(number), facts: self.facts(number), keys: &keys, sketch: &sketch })
        })
    }
}

/// Returns a hash of a game's position and text.
fn position_hash(file: &str, facts: &GameFacts) -> u64 {
    hash(file.as_bytes(), facts.game) ^ facts.text_hash
}

/// The size of a game's keys in bytes: a bit set of the present keys, and all keys.
const KEY_BYTES: usize = 2 + 8 * KEYS.len();

fn pack_keys(keys: &SimilarityKeys) -> [u8; KEY_BYTES] {
    let present = keys.0.iter().enumerate().fold(0_u16, |bits, (index, key)| bits | u16::from(key.is_some()) << index);
    let mut bytes = [0; KEY_BYTES];
    let (first, rest) = bytes.split_at_mut(2);
    first.copy_from_slice(&present.to_le_bytes());
    for (bytes, key) in rest.chunks_exact_mut(8).zip(&keys.0) {
        bytes.copy_from_slice(&key.unwrap_or(0).to_le_bytes());
    }
    bytes
}

fn unpack_keys(bytes: &[u8]) -> SimilarityKeys {
    let mut keys = SimilarityKeys::default();
    let Some((present, rest)) = bytes.split_first_chunk::<2>() else { return keys };
    let present = u16::from_le_bytes(*present);
    for ((index, key), bytes) in keys.0.iter_mut().enumerate().zip(rest.chunks_exact(8)) {
        let bytes = bytes.first_chunk().filter(|_| present & 1 << index != 0);
        *key = bytes.map(|bytes| u64::from_le_bytes(*bytes));
    }
    keys
}

/// Unpacks a sketch.
pub(super) fn unpack_sketch(bytes: &[u8]) -> io::Result<GameSketch> {
    GameSketch::unpack(bytes).ok_or_else(changed_file_error)
}

/// Returns the error for a temporary file with unexpected content.
pub(super) fn changed_file_error() -> io::Error {
    io::Error::other("a temporary file has changed")
}

//! Which games are worked on.

use std::sync::Arc;

use super::filter::Filter;
use super::games::GameList;
use jigo_core::board::hash::split_mix;
use jigo_core::record::Reading;
use jigo_core::record::dialect::DialectChoice;
use jigo_core::record::kinds::decoded;
use jigo_core::sgf::{GameText, Limits};

/// Games to work on; the others are passed over and counted nowhere. What is selected does not depend on the number of threads.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// About one game in so many, by a hash of its text and the seed.
    pub sample: Option<u64>,
    /// Another seed gives another sample.
    pub seed: u64,
    /// Games whose header it selects.
    pub filter: Option<Filter>,
    /// Games that are listed.
    pub games: Option<Arc<GameList>>,
    /// Games that are listed to be left out.
    pub without: Option<Arc<GameList>>,
    /// The first so many of those.
    pub limit: Option<u64>,
}

impl Selection {
    /// Whether it takes every game.
    pub fn is_everything(&self) -> bool {
        let Selection { sample, seed: _, filter, games, without, limit } = self;
        sample.is_none() && filter.is_none() && games.is_none() && without.is_none() && limit.is_none()
    }

    /// Whether a game may be worked on, the limit apart: as far as the header says.
    pub(super) fn takes(&self, text: &GameText, dialect: DialectChoice, limits: Limits) -> bool {
        if self.games.as_ref().is_some_and(|games| !games.has(text.file, text.game)) {
            return false;
        }
        if self.without.as_ref().is_some_and(|games| games.has(text.file, text.game)) {
            return false;
        }
        let is_in_sample = self.sample.is_none_or(|of| hash(text.bytes, self.seed).is_multiple_of(of));
        let fits = |filter: &Filter| {
            if !filter.asks_header() {
                return true;
            }
            let mut reading = Reading::default();
            reading.read(text, &decoded(text).text, dialect, limits);
            filter.may_take(&reading.record.header, reading.unreadable.is_none())
        };
        is_in_sample && self.filter.as_ref().is_none_or(fits)
    }
}

/// A hash of some bytes: the same wherever they lie. It finds damage; who wants to can make bytes with a given one.
pub fn hash(bytes: &[u8], seed: u64) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let last = Some(&last).filter(|_| !rest.is_empty());
    let mut state = seed;
    words.iter().chain(last).fold(bytes.len() as u64, |hash, word| {
        state ^= u64::from_le_bytes(*word);
        hash.rotate_left(5) ^ split_mix(&mut state)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_about_its_share_and_another_seed_another() {
        let games: Vec<String> = (0..10_000).map(|game| format!("(;GM[1]C[{game}])")).collect();
        let taken =
            |seed: u64| games.iter().map(|game| hash(game.as_bytes(), seed).is_multiple_of(10)).collect::<Vec<_>>();
        let [first, second] = [taken(0), taken(1)];
        let both = first.iter().zip(&second).filter(|(one, other)| **one && **other).count();
        for sample in [&first, &second] {
            let count = sample.iter().filter(|taken| **taken).count();
            assert!((900..1100).contains(&count), "{count}");
        }
        assert!((50..150).contains(&both), "{both}");
    }
}

//! Duplicate games: candidates with common keys, compared turn by turn and grouped into clusters.
//!
//! Most data of a game is in temporary files above a memory limit. About 70 bytes per game stay in
//! memory and, during the search for pairs, one bucket of keys.

mod aliases;
mod buckets;
mod candidates;
mod clusters;
mod duplicate_set;
#[cfg(feature = "columnar")]
mod game_store;
mod keyed_games;
mod merge;
mod spool;
mod union_find;

use std::io;

pub use clusters::{KeepRule, Preference};
pub use duplicate_set::{ClusterMember, DuplicateSet};
pub use keyed_games::KeyedGames;

use jigo_core::similarity::{Outline, compare_records};
use rayon::prelude::*;

use crate::pipeline::threads;
use clusters::{Link, build_clusters};
use keyed_games::{changed_file_error, unpack_sketch};

/// The approximate size of the games that are read and compared at a time, in bytes.
const PAIR_BATCH_BYTES: usize = 16 << 20;
/// The stack size of a worker thread. A table of all stones is on the stack.
const STACK_BYTES: usize = 4 << 20;

/// Finds the duplicate games, on `jobs` threads.
///
/// # Errors
/// Fails if threads can't be started or temporary files can't be read.
pub fn find_duplicates(mut games: KeyedGames, keep: &Preference, jobs: usize) -> io::Result<DuplicateSet> {
    let pool = threads(jobs, STACK_BYTES)?;
    let pairs = pool.install(|| candidates::find_pairs(&mut games))?;
    let pairs = candidates::sort_by_group(games.len(), pairs);
    let links = pool.install(|| compare_pairs(&mut games, &pairs))?;
    build_clusters(games, &links, keep)
}

/// Compares pairs of games and returns links between duplicates, sorted by game.
fn compare_pairs(games: &mut KeyedGames, pairs: &[(u32, u32)]) -> io::Result<Vec<Link>> {
    let mut sketch_indices = vec![0; games.len()];
    let (mut links, mut current) = (Vec::new(), Some(PairBatch::read(games, pairs, &mut sketch_indices)?));
    while let Some(batch) = current {
        // While one batch is compared, the next one is read.
        let next =
            || (!batch.rest.is_empty()).then(|| PairBatch::read(games, batch.rest, &mut sketch_indices)).transpose();
        let (batch_links, next) = rayon::join(|| batch.links(), next);
        links.extend(batch_links?);
        current = next?;
    }
    links.sort_unstable_by_key(|link| (link.first, link.second));
    Ok(links)
}

/// Some pairs with the data of their games.
struct PairBatch<'a> {
    pairs: Vec<SketchPair>,
    /// The sketches of the games in these pairs.
    packed_sketches: Vec<Vec<u8>>,
    /// The remaining pairs.
    rest: &'a [(u32, u32)],
}

/// Two games with the indices of their sketches.
struct SketchPair {
    games: [u32; 2],
    sketches: [u32; 2],
    is_same_text: bool,
    /// True if the second game is first by content. Of several alignments of equal value, the
    /// selected one must not depend on the input order.
    is_swapped: bool,
}

impl PairBatch<'_> {
    /// Reads the data of the next pairs. `sketch_indices` has one entry per game, for reuse.
    fn read<'a>(
        games: &mut KeyedGames,
        pairs: &'a [(u32, u32)],
        sketch_indices: &mut [u32],
    ) -> io::Result<PairBatch<'a>> {
        let mut bytes = 0;
        let next = pairs.iter().take_while(|(first, second)| {
            bytes += games.packed_length(*first) + games.packed_length(*second);
            bytes < PAIR_BATCH_BYTES
        });
        let (pairs, rest) = pairs.split_at(next.count().max(1).min(pairs.len()));
        // Many games are in several pairs, and sequential reads from the disk are faster.
        let mut numbers: Vec<u32> = pairs.iter().flat_map(|(first, second)| [*first, *second]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        (0..).zip(&numbers).for_each(|(index, number)| sketch_indices[*number as usize] = index);
        let pair = |&(first, second): &(u32, u32)| SketchPair {
            games: [first, second],
            sketches: [first, second].map(|number| sketch_indices[number as usize]),
            is_same_text: games.is_same_text(first, second),
            is_swapped: games.content_order(second) < games.content_order(first),
        };
        let pairs = pairs.iter().map(pair).collect();
        let packed_sketches = numbers.iter().map(|number| games.packed_sketch(*number)).collect::<io::Result<_>>()?;
        Ok(PairBatch { pairs, packed_sketches, rest })
    }

    fn links(&self) -> io::Result<Vec<Link>> {
        let outlines =
            self.packed_sketches.par_iter().map(|bytes| Outline::from_packed(bytes).ok_or_else(changed_file_error));
        let outlines: Vec<Outline> = outlines.collect::<io::Result<_>>()?;
        self.pairs.par_iter().map(|pair| self.link(pair, &outlines)).filter_map(Result::transpose).collect()
    }

    /// Compares the games of a pair.
    ///
    /// The stack frame is large. It must not be inlined into rayon's frames, many of which may be
    /// nested.
    #[inline(never)]
    fn link(&self, pair: &SketchPair, outlines: &[Outline]) -> io::Result<Option<Link>> {
        let [first_sketch, second_sketch] = pair.sketches.map(|index| index as usize);
        if !pair.is_same_text && !outlines[first_sketch].can_match(&outlines[second_sketch]) {
            return Ok(None);
        }
        let [first_sketch, second_sketch] =
            if pair.is_swapped { [second_sketch, first_sketch] } else { [first_sketch, second_sketch] };
        let [first, second] =
            [unpack_sketch(&self.packed_sketches[first_sketch])?, unpack_sketch(&self.packed_sketches[second_sketch])?];
        let comparison = compare_records(&first, &second, pair.is_same_text);
        Ok(comparison.map(|comparison| Link { first: pair.games[0], second: pair.games[1], comparison }))
    }
}

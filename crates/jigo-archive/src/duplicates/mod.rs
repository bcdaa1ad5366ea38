//! The same game twice: candidates by common keys, held against each other turn by turn, put together to clusters.
//!
//! What is needed of a game lies in a file of its own beyond some memory; in memory stay some 70 bytes for each game, and
//! while pairs are found, those of one part of the keys.

mod candidates;
mod clusters;
mod forest;
mod found;
mod games;
#[cfg(feature = "columnar")]
mod index;
mod merge;
mod spool;

use std::io;

pub use clusters::Keep;
pub use found::{FoundCopies, Twin};
pub use games::KeyedGames;

use jigo_core::compare::{Outline, compare};
use rayon::prelude::*;

use crate::pipeline::threads;
use clusters::{Link, clusters};
use games::{changed, unpacked_sketch};

/// Bytes of games that are read and held against each other at a time, and a little more.
const AT_ONCE: usize = 16 << 20;
/// Stack of a worker: a table of all stones lies on it.
const STACK_BYTES: usize = 4 << 20;

/// Finds the games that are there twice, on `jobs` threads.
///
/// # Errors
/// When threads can't be started, or what was spilled to the disk can't be read.
pub fn find(mut games: KeyedGames, keep: Keep, jobs: usize) -> io::Result<FoundCopies> {
    let pool = threads(jobs, STACK_BYTES)?;
    let pairs = pool.install(|| candidates::pairs(&mut games))?;
    let pairs = candidates::in_groups(games.len(), pairs);
    let links = pool.install(|| linked(&mut games, &pairs))?;
    clusters(games, &links, keep)
}

/// Holds pairs of games against each other; gives those that are one, by their games.
fn linked(games: &mut KeyedGames, pairs: &[(u32, u32)]) -> io::Result<Vec<Link>> {
    let mut places = vec![0; games.len()];
    let (mut links, mut now) = (Vec::new(), Some(PairBatch::of(games, pairs, &mut places)?));
    while let Some(batch) = now {
        // While some are held against each other, the next are read.
        let next = || (!batch.rest.is_empty()).then(|| PairBatch::of(games, batch.rest, &mut places)).transpose();
        let (found, next) = rayon::join(|| batch.links(), next);
        links.extend(found?);
        now = next?;
    }
    links.sort_unstable_by_key(|link| (link.one, link.other));
    Ok(links)
}

/// Some pairs, with what is needed of their games.
struct PairBatch<'a> {
    pairs: Vec<SketchPair>,
    /// The sketches of the games that they are of.
    packed: Vec<Vec<u8>>,
    /// What follows.
    rest: &'a [(u32, u32)],
}

/// Two games, with the places of their sketches.
struct SketchPair {
    games: [u32; 2],
    places: [u32; 2],
    is_same_text: bool,
    /// The second is the first by content: of several alignments that are worth the same, which is taken must not depend on the order of the input.
    is_turned: bool,
}

impl PairBatch<'_> {
    /// Reads what is needed for the next pairs. `places` has room for one of each game.
    fn of<'a>(games: &mut KeyedGames, pairs: &'a [(u32, u32)], places: &mut [u32]) -> io::Result<PairBatch<'a>> {
        let mut bytes = 0;
        let next = pairs.iter().take_while(|(one, other)| {
            bytes += games.packed_length(*one) + games.packed_length(*other);
            bytes < AT_ONCE
        });
        let (pairs, rest) = pairs.split_at(next.count().max(1).min(pairs.len()));
        // Many games are in several pairs, and what lies on the disk is read in its order.
        let mut numbers: Vec<u32> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        (0..).zip(&numbers).for_each(|(place, number)| places[*number as usize] = place);
        let pair = |&(one, other): &(u32, u32)| SketchPair {
            games: [one, other],
            places: [one, other].map(|number| places[number as usize]),
            is_same_text: games.is_same_text(one, other),
            is_turned: games.by_content(other) < games.by_content(one),
        };
        let pairs = pairs.iter().map(pair).collect();
        let packed = numbers.iter().map(|number| games.packed_sketch(*number)).collect::<io::Result<_>>()?;
        Ok(PairBatch { pairs, packed, rest })
    }

    fn links(&self) -> io::Result<Vec<Link>> {
        let outlines = self.packed.par_iter().map(|bytes| Outline::of_packed(bytes).ok_or_else(changed));
        let outlines: Vec<Outline> = outlines.collect::<io::Result<_>>()?;
        self.pairs.par_iter().map(|pair| self.link(pair, &outlines)).filter_map(Result::transpose).collect()
    }

    /// Holds the games of a pair against each other. Its frame is large, and rayon's own frames, of which many may lie on top of each other, must not have it in them.
    #[inline(never)]
    fn link(&self, pair: &SketchPair, outlines: &[Outline]) -> io::Result<Option<Link>> {
        let [one, other] = pair.places.map(|place| place as usize);
        if !pair.is_same_text && !outlines[one].may_be(&outlines[other]) {
            return Ok(None);
        }
        let [one, other] = if pair.is_turned { [other, one] } else { [one, other] };
        let [first, second] = [unpacked_sketch(&self.packed[one])?, unpacked_sketch(&self.packed[other])?];
        let found = compare(&first, &second, pair.is_same_text);
        Ok(found.map(|found| Link { one: pair.games[0], other: pair.games[1], found }))
    }
}

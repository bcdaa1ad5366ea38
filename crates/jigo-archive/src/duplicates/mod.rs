//! The same game twice: candidates by common keys, held against each other turn by turn, put together to clusters.
//!
//! What is needed of a game lies in a file of its own beyond some memory; in memory stay some 70 bytes for each game, and
//! while pairs are found, those of one part of the keys.

mod candidates;
mod clusters;
mod games;
#[cfg(feature = "columnar")]
mod index;
mod merge;

use std::io;

pub use clusters::{FoundCopies, Keep, Twin};
pub use games::KeyedGames;

use jigo_core::compare::compare;
use rayon::prelude::*;

use clusters::{Link, clusters};
use games::unpacked_sketch;

/// Pairs that are read and held against each other at a time.
const AT_ONCE: usize = 4096;
/// Stack of a worker: a table of all stones lies on it.
const STACK_BYTES: usize = 4 << 20;

/// Finds the games that are there twice, on `jobs` threads.
///
/// # Errors
/// When threads can't be started, or what was spilled to the disk can't be read.
pub fn find(mut games: KeyedGames, keep: Keep, jobs: usize) -> io::Result<FoundCopies> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK_BYTES).build();
    let pool = pool.map_err(io::Error::other)?;
    let pairs = pool.install(|| candidates::pairs(&mut games))?;
    let mut links = Vec::new();
    for pairs in pairs.chunks(AT_ONCE) {
        // Many games are in several pairs, and what lies on the disk is read in its order.
        let mut numbers: Vec<u32> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let packed: Vec<_> = numbers.iter().map(|number| games.bytes(*number)).collect::<io::Result<_>>()?;
        let found: io::Result<Vec<Option<Link>>> = pool.install(|| {
            let sketches: Vec<_> = packed.par_iter().map(|bytes| unpacked_sketch(bytes)).collect::<io::Result<_>>()?;
            let sketch = |number| numbers.binary_search(number).ok().map(|place| &sketches[place]);
            let links = pairs.par_iter().map(|(one, other)| {
                let found = compare(sketch(one)?, sketch(other)?, games.is_same_text(*one, *other))?;
                Some(Link { one: *one, other: *other, found })
            });
            Ok(links.collect())
        });
        links.extend(found?.into_iter().flatten());
    }
    clusters(games, &links, keep)
}

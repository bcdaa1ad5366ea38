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

pub use clusters::{Found, Keep, Twin};
pub use games::Games;

use jigo_core::compare::compare;
use rayon::prelude::*;

use clusters::{Link, clusters};

/// Pairs that are read and held against each other at a time.
const AT_ONCE: usize = 4096;
/// Stack of a worker: a table of all stones lies on it.
const STACK_BYTES: usize = 4 << 20;

/// Finds the games that are there twice, on `jobs` threads.
///
/// # Errors
/// When threads can't be started, or what was spilled to the disk can't be read.
pub fn find(mut games: Games, keep: Keep, jobs: usize) -> io::Result<Found> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK_BYTES).build();
    let pool = pool.map_err(io::Error::other)?;
    let pairs = candidates::pairs(&mut games)?;
    let mut links = Vec::new();
    for pairs in pairs.chunks(AT_ONCE) {
        let sketches = pairs.iter().map(|(one, other)| Ok((games.sketch(*one)?, games.sketch(*other)?)));
        let sketches: Vec<_> = sketches.collect::<io::Result<_>>()?;
        let found: Vec<Option<Link>> = pool.install(|| {
            let both = pairs.par_iter().zip(&sketches);
            both.map(|(&(one, other), (sketch, other_sketch))| {
                let found = compare(sketch, other_sketch, games.is_same_text(one, other))?;
                Some(Link { one, other, found })
            })
            .collect()
        });
        links.extend(found.into_iter().flatten());
    }
    clusters(games, &links, keep)
}

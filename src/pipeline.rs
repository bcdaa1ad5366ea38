//! Every game on every core: one reader, bounded batches, rows in the order of the input.
//!
//! While the pool works on one window of batches, the next is read beside it; then the outputs of the first are handed on in
//! order. Memory holds two windows, whatever the size of the input, and the number of threads changes nothing in the output.

mod batch;
mod chunk;
pub mod filter;
mod members;
mod move_list;
mod parts;
mod reader;
mod selection;

use std::sync::atomic::AtomicUsize;

use rayon::prelude::*;

use batch::Bounds;
pub use batch::{BatchOutput, Job, Listed, Tables};
pub use parts::{PartSize, SourcePart, parts};
pub use reader::Reader;
pub use selection::Selection;

use crate::input::Source;
use crate::report::Summary;

/// Stack of a worker: sgf-parse drops trees recursively.
const STACK_BYTES: usize = 16 << 20;

/// Batches in a window, for each thread.
const WINDOW: usize = 4;

/// Runs `job` over the games of `sources` on `jobs` threads, handing the output of each batch to `sink` in the order of the input.
/// `watch` sees the counts after every window. Once `interrupt` holds the number of a signal, the run ends with the batches that are done.
///
/// # Errors
/// When the pool can't be started, or whatever `sink` fails with.
pub fn run(
    sources: &[Source],
    jobs: usize,
    job: &Job,
    interrupt: &AtomicUsize,
    mut sink: impl FnMut(BatchOutput) -> anyhow::Result<()> + Send,
    watch: impl Fn(&Summary) + Sync + Send,
) -> anyhow::Result<Summary> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK_BYTES).build()?;
    let mut reader = Reader::new(sources, job.input, job.settings.limits);
    // Rows are counted one by one.
    let sources_known = if job.input.is_rows() { 0 } else { sources.len() as u64 };
    let mut summary = Summary { sources: sources_known, ..Summary::default() };
    let limit = job.selection.limit.unwrap_or(u64::MAX);
    pool.install(|| {
        let mut window = reader.window(jobs * WINDOW);
        while !window.is_empty() {
            // A thread does not know what the others find: every batch may fill the limit, and what is too much is dropped below.
            let bounds = Bounds { games: limit - summary.found, interrupt };
            let work =
                || window.par_iter().map(|batch| batch.process(sources, job, bounds)).collect::<Vec<BatchOutput>>();
            let (outputs, next) = rayon::join(work, || reader.window(jobs * WINDOW));
            for (batch, mut output) in window.iter().zip(outputs) {
                let left = limit - summary.found;
                if output.summary.found > left {
                    output = batch.process(sources, job, Bounds { games: left, interrupt });
                }
                if output.is_cut {
                    return Ok(summary);
                }
                summary.add(&output.summary);
                sink(output)?;
                if summary.found >= limit {
                    return Ok(summary);
                }
            }
            watch(&summary);
            reader.recycle(std::mem::replace(&mut window, next));
        }
        Ok(summary)
    })
}

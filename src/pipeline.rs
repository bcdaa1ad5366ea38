//! Every game on every core: one reader, bounded batches, rows in the order of the input.
//!
//! While the pool works on one window of batches, the next is read beside it; then the outputs of the first are handed on in
//! order. Memory holds two windows, whatever the size of the input, and the number of threads changes nothing in the output.

mod batch;
mod members;
mod move_list;
mod reader;

use rayon::prelude::*;

pub use batch::{BatchOutput, Job, Tables};
pub use reader::Reader;

use crate::input::Source;
use crate::report::Summary;

/// Stack of a worker: sgf-parse drops trees recursively.
const STACK_BYTES: usize = 16 << 20;

/// Batches in a window, for each thread.
const WINDOW: usize = 4;

/// Runs `job` over all games of `sources` on `jobs` threads, handing the output of each batch to `sink` in the order of the input.
/// `watch` sees the counts after every window.
///
/// # Errors
/// When the pool can't be started, or whatever `sink` fails with.
pub fn run(
    sources: &[Source],
    jobs: usize,
    job: &Job,
    mut sink: impl FnMut(BatchOutput) -> anyhow::Result<()> + Send,
    watch: impl Fn(&Summary) + Sync + Send,
) -> anyhow::Result<Summary> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK_BYTES).build()?;
    let mut reader = Reader::new(sources, job.input, job.limits);
    let mut summary = Summary { sources: sources.len() as u64, ..Summary::default() };
    pool.install(|| {
        let mut window = reader.window(jobs * WINDOW);
        while !window.is_empty() {
            let work = || window.par_iter().map(|batch| batch.process(sources, job)).collect::<Vec<BatchOutput>>();
            let (outputs, next) = rayon::join(work, || reader.window(jobs * WINDOW));
            for output in outputs {
                summary.add(&output.summary);
                sink(output)?;
            }
            watch(&summary);
            window = next;
        }
        Ok(summary)
    })
}

//! Every game on every core: one reader, bounded batches, rows in the order of the input.
//!
//! One thread of the pool reads, hands on the outputs in their order, and works on batches as the others do while the next output is
//! not ready. So many batches are under way that nobody waits for work; memory holds these, whatever the size of the input, and the
//! number of threads changes nothing in the output.

pub mod baseline;
mod batch;
pub mod filter;
mod games;
mod job;
mod parts;
mod selection;
mod visitor;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use batch::{Batch, Bounds, OUTPUT_BYTES, REST_BYTES};
pub use games::{GameList, GamesError};
pub use job::Job;
pub use parts::{PartSize, SourcePart, parts};
pub use selection::{Selection, hash};
pub use visitor::{BatchOutput, Outside, Rest, RestKind, Visited, Visitor};

use crate::records::Records;
use crate::source::Source;
use crate::summary::Summary;
use jigo_core::analyze::Settings;

/// Stack of a worker: sgf-parse drops trees recursively.
const STACK_BYTES: usize = 16 << 20;

/// Batches under way, for each thread where there are several. One thread takes them one by one, as long as they are in its cache.
const UNDER_WAY: usize = 8;

/// What an interrupted run had done; nothing by default. Batches are cut the same way in every run over the same inputs.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Batches that need not be worked on again.
    pub batches: u64,
    /// The counts of these.
    pub summary: Summary,
}

/// Runs `job` over the games of `sources` that are not `done` on `jobs` threads, shows each game to the visitor, and hands what it made of each batch to
/// `sink` in the order of the input. `watch` sees the counts after every batch. Once `interrupt` holds the number of a signal, the run ends with the batches that are
/// done.
///
/// # Errors
/// When the job asks for what is not found out, the pool can't be started, or whatever `sink` fails with.
pub fn run<V: Visitor>(
    sources: &[Source],
    jobs: usize,
    (job, visitor): (&Job, &V),
    interrupt: &Arc<AtomicUsize>,
    done: Done,
    mut sink: impl FnMut(BatchOutput<V::Part>) -> anyhow::Result<()> + Send,
    watch: impl Fn(&Summary) + Sync + Send,
) -> anyhow::Result<Summary> {
    let job = &asked(job, visitor)?;
    let pool = threads(jobs, STACK_BYTES)?;
    let mut records = Records::new(job.opening(sources), jobs);
    let opening = records.opening();
    let mut summary = Summary { sources: done.summary.sources + records.sources_known(), ..done.summary };
    let limit = job.selection.limit.unwrap_or(u64::MAX);
    let most = if jobs == 1 { 1 } else { jobs * UNDER_WAY };
    pool.scope_fifo(|scope| {
        records.pass_over(done.batches, interrupt);
        let mut under_way = VecDeque::with_capacity(most);
        loop {
            while under_way.len() < most
                && interrupt.load(Ordering::Relaxed) == 0
                && let Some(parts) = records.next()
            {
                // A thread does not know what the others find: every batch may fill the limit, and what is too much is dropped below.
                summary.sources += records.take_late_sources();
                let batch = Batch { parts };
                let bounds = Bounds { from: 0, games: limit - summary.found, bytes: OUTPUT_BYTES, interrupt };
                let (sender, receiver) = sync_channel(1);
                scope.spawn_fifo(move |_| {
                    let output = batch.process(opening, (job, visitor), bounds);
                    // Where the run is over already, nobody takes it.
                    let _ = sender.send((batch, output));
                });
                under_way.push_back(receiver);
            }
            let Some((batch, mut output)) = under_way.pop_front().and_then(|next| ready(&next)) else {
                return Ok(summary);
            };
            // What has more rows than one output holds is worked on here, one output after the other.
            let mut bounds = Bounds { from: 0, games: limit - summary.found, bytes: OUTPUT_BYTES, interrupt };
            loop {
                if output.summary.found > bounds.games {
                    output = batch.process(opening, (job, visitor), bounds);
                }
                if output.is_cut {
                    return Ok(summary);
                }
                summary.add(&output.summary);
                let rest_from = output.rest_from;
                sink(output)?;
                if summary.found >= limit && !job.shows_rest {
                    return Ok(summary);
                }
                watch(&summary);
                let Some(from) = rest_from else { break };
                let bytes = (bounds.bytes * 2).min(REST_BYTES);
                bounds = Bounds { from, games: limit - summary.found, bytes, interrupt };
                output = batch.process(opening, (job, visitor), bounds);
            }
            records.recycle(batch.parts);
        }
    })
}

/// So many threads that work together, each with a stack of so many bytes.
///
/// # Errors
/// When the system has not so many.
pub(crate) fn threads(jobs: usize, stack: usize) -> io::Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs).stack_size(stack).build();
    // That error and its source say the same.
    pool.map_err(|error| io::Error::other(format!("cannot start {jobs} threads, --jobs N starts fewer: {error}")))
}

/// The job with what the visitor asks for.
fn asked(job: &Job, visitor: &impl Visitor) -> Result<Job, filter::Unknown> {
    let mut job = job.clone();
    visitor.ask(&mut job.settings);
    let Settings { counted, header_only, .. } = &job.settings;
    let filter = job.selection.filter.as_ref();
    filter.map_or(Ok(()), |filter| filter.check(!header_only, !counted.is_empty()))?;
    Ok(job)
}

/// Makes sure that what the job selects games by is found out with this visitor, as [`run`] does, before anything is opened.
///
/// # Errors
/// When it is not.
pub fn check(job: &Job, visitor: &impl Visitor) -> Result<(), filter::Unknown> {
    asked(job, visitor).map(drop)
}

/// What comes of a batch under way. Until it is ready, this thread works on others. `None` if that thread panicked, which the scope passes on.
fn ready<P>(batch: &Receiver<(Batch, BatchOutput<P>)>) -> Option<(Batch, BatchOutput<P>)> {
    loop {
        match batch.try_recv() {
            Ok(done) => return Some(done),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if rayon::yield_now() == Some(Yield::Executed) => {}
            Err(TryRecvError::Empty) => return batch.recv().ok(),
        }
    }
}

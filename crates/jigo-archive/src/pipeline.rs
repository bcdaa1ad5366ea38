//! The pipeline: one reader, bounded batches, analysis on all cores, output in input order.
//!
//! One thread of the pool reads the inputs and returns the outputs in order. While the next output
//! is not ready, this thread also works on batches. Enough batches are in progress to keep every
//! thread busy. Only these are in memory, so its size does not depend on the input. The output does
//! not depend on the number of threads.

pub mod baseline;
mod batch;
pub mod filter;
mod game_list;
mod job;
mod repartition;
mod selection;
mod visitor;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use batch::{Batch, BatchLimits, MAX_OUTPUT_BYTES, OUTPUT_BYTES};
pub use game_list::{GameList, GameListError};
pub use job::Job;
pub use repartition::{PartSize, SourcePart, split_sources};
pub use selection::{Selection, hash};
pub use visitor::{BatchOutput, NonGameBytes, NonGameKind, Shard, SourceFinding, VisitedGame, Visitor};

use crate::records::Records;
use crate::source::Source;
use crate::summary::Summary;
use jigo_core::analysis::Settings;

/// The stack size of a worker thread. sgf-parse drops trees recursively.
const STACK_BYTES: usize = 16 << 20;

/// The number of batches in progress per thread, if there are several threads. A single thread
/// takes one batch at a time, so that the batch stays in its cache.
const BATCHES_PER_THREAD: usize = 8;

/// The work that an interrupted run had completed; nothing by default.
///
/// Every run over the same inputs forms the same batches.
#[derive(Clone, Debug, Default)]
pub struct ResumePoint {
    /// The number of completed batches.
    pub batches: u64,
    /// The counts of the completed batches.
    pub summary: Summary,
}

/// Runs `job` over the games of `sources`, except the batches in `done`, on `jobs` threads.
///
/// The visitor receives each game. `sink` receives the visitor's result for each batch, in input
/// order, and the counts up to this batch. The run ends with the completed batches as soon as
/// `interrupt` contains the number of a signal.
///
/// # Errors
/// Fails if the job needs data that the analysis does not compute, if the pool can't be started, or
/// if `sink` fails.
pub fn run<T: Send>(
    sources: &[Source],
    jobs: usize,
    job: &Job,
    visitor: &dyn Visitor<Accumulator = T>,
    interrupt: &Arc<AtomicUsize>,
    resume_from: ResumePoint,
    mut sink: impl FnMut(BatchOutput<T>, &Summary) -> anyhow::Result<()> + Send,
) -> anyhow::Result<Summary> {
    let job = &with_requirements(job, visitor)?;
    let pool = threads(jobs, STACK_BYTES)?;
    let mut records = Records::new(job.read_settings(sources), jobs);
    let read_settings = records.read_settings();
    let mut summary =
        Summary { sources: resume_from.summary.sources + records.non_table_count(), ..resume_from.summary };
    let limit = job.selection.limit.unwrap_or(u64::MAX);
    let max_batches = if jobs == 1 { 1 } else { jobs * BATCHES_PER_THREAD };
    pool.scope_fifo(|scope| {
        records.skip_batches(resume_from.batches, interrupt);
        let mut in_progress = VecDeque::with_capacity(max_batches);
        loop {
            while in_progress.len() < max_batches
                && interrupt.load(Ordering::Relaxed) == 0
                && let Some(items) = records.next()
            {
                // A thread does not know how many games the others find. Any batch may fill the
                // limit; the surplus is dropped below.
                summary.sources += records.take_late_sources();
                let batch = Batch { items };
                let limits =
                    BatchLimits { first_step: 0, games: limit - summary.found, bytes: OUTPUT_BYTES, interrupt };
                let (sender, receiver) = sync_channel(1);
                scope.spawn_fifo(move |_| {
                    let output = batch.process(read_settings, job, visitor, limits);
                    // If the run has ended, the receiver is gone.
                    let _ = sender.send((batch, output));
                });
                in_progress.push_back(receiver);
            }
            let Some((batch, mut output)) = in_progress.pop_front().and_then(|next| wait_for_output(&next)) else {
                return Ok(summary);
            };
            // If a batch has more rows than one output holds, this loop computes the remaining
            // outputs one by one.
            let mut limits =
                BatchLimits { first_step: 0, games: limit - summary.found, bytes: OUTPUT_BYTES, interrupt };
            loop {
                if output.summary.found > limits.games {
                    output = batch.process(read_settings, job, visitor, limits);
                }
                if output.is_interrupted {
                    return Ok(summary);
                }
                summary.add(&output.summary);
                let next_step = output.next_step;
                sink(output, &summary)?;
                if summary.found >= limit && !job.continues_after_limit {
                    return Ok(summary);
                }
                let Some(first_step) = next_step else { break };
                let bytes = (limits.bytes * 2).min(MAX_OUTPUT_BYTES);
                limits = BatchLimits { first_step, games: limit - summary.found, bytes, interrupt };
                output = batch.process(read_settings, job, visitor, limits);
            }
            records.recycle(batch.items);
        }
    })
}

/// Starts a pool of `jobs` threads with `stack` bytes of stack each.
///
/// # Errors
/// Fails if the system can't start that many threads.
pub(crate) fn threads(jobs: usize, stack: usize) -> io::Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs).stack_size(stack).build();
    // The source of this error repeats its message.
    pool.map_err(|error| io::Error::other(format!("cannot start {jobs} threads, --jobs N starts fewer: {error}")))
}

/// Returns the job with the settings that the visitor needs.
fn with_requirements(job: &Job, visitor: &(impl Visitor + ?Sized)) -> Result<Job, filter::UndeterminedColumn> {
    let mut job = job.clone();
    visitor.configure(&mut job.settings);
    let Settings { scored_rulesets: counted, header_only, .. } = &job.settings;
    let filter = job.selection.filter.as_ref();
    filter.map_or(Ok(()), |filter| filter.check(!header_only, !counted.is_empty()))?;
    Ok(job)
}

/// Checks, before any input is opened, that the analysis computes every value that the job's filter
/// needs.
///
/// # Errors
/// Fails if a value is not computed, as [`run`] does.
pub fn check_filter(job: &Job, visitor: &(impl Visitor + ?Sized)) -> Result<(), filter::UndeterminedColumn> {
    with_requirements(job, visitor).map(drop)
}

/// Waits for the output of a batch. This thread works on other batches in the meantime.
///
/// Returns `None` if the batch's thread panicked; the scope passes the panic on.
fn wait_for_output<T>(receiver: &Receiver<(Batch, BatchOutput<T>)>) -> Option<(Batch, BatchOutput<T>)> {
    loop {
        match receiver.try_recv() {
            Ok(output) => return Some(output),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if rayon::yield_now() == Some(Yield::Executed) => {}
            Err(TryRecvError::Empty) => return receiver.recv().ok(),
        }
    }
}

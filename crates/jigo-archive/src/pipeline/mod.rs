//! The pipeline: one reader, bounded batches, analysis on all cores, output in input order.
//!
//! One thread of the pool reads the inputs and returns the outputs in order. While the next output
//! is not ready, this thread also works on batches. Enough batches are in progress to keep every
//! thread busy. Only these are in memory, so its size does not depend on the input. The output does
//! not depend on the number of threads.

pub mod baseline;
mod batch;
mod combined_findings;
mod expectations;
pub mod filter;
mod game_list;
mod job;
mod repartition;
mod selection;
mod visitor;

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use batch::{Batch, BatchLimits, MAX_OUTPUT_BYTES, OUTPUT_BYTES};
pub use expectations::{Expectation, Expectations, MAX_EXPECTATIONS};
pub use game_list::{GameList, GameListError, without_dot_slash};
pub use job::Job;
pub use repartition::{PartSize, SourcePart, split_sources};
pub use selection::{ErrorFilter, RejectedGame, Rejection, Selection, hash};
pub use visitor::{BatchOutput, NonGameBytes, NonGameKind, SourceFinding, VisitedGame, Visitor};

use crate::partial_result::PartialResult;
use crate::records::{ReadSettings, Records};
use crate::source::Source;
use crate::summary::Summary;

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

/// Runs `job` over the games of `sources`, except the batches in `resume_from`, on `jobs` threads.
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
    let read_settings = records.read_settings;
    let mut summary =
        Summary { sources: resume_from.summary.sources + records.non_table_count(), ..resume_from.summary };
    let max_batches = if jobs == 1 { 1 } else { jobs * BATCHES_PER_THREAD };
    let process = &BatchProcess { read_settings, job, visitor, interrupt };
    pool.scope_fifo(|scope| {
        records.skip_batches(resume_from.batches, interrupt);
        let mut in_progress = VecDeque::with_capacity(max_batches);
        loop {
            while in_progress.len() < max_batches
                && interrupt.load(Ordering::Relaxed) == 0
                && let Some(items) = records.next()
            {
                // A thread does not know how many games the others find. Any batch may fill the
                // limit; the surplus is dropped when the output is passed on.
                summary.sources += records.take_late_sources();
                let batch = Batch { items };
                let limits = process.first_limits(&summary);
                let (sender, receiver) = sync_channel(1);
                scope.spawn_fifo(move |_| {
                    let output = process.run(&batch, limits);
                    // If the run has ended, the receiver is gone.
                    let _ = sender.send((batch, output));
                });
                in_progress.push_back(receiver);
            }
            let Some((batch, output)) = in_progress.pop_front().and_then(|next| wait_for_output(&next)) else {
                return Ok(summary);
            };
            if process.pass_on(&batch, output, &mut summary, &mut sink)?.is_break() {
                return Ok(summary);
            }
            records.recycle(batch.items);
        }
    })
}

/// The analysis of batches, which all threads share.
struct BatchProcess<'a, T> {
    read_settings: ReadSettings<'a>,
    job: &'a Job,
    visitor: &'a dyn Visitor<Accumulator = T>,
    interrupt: &'a Arc<AtomicUsize>,
}

impl<'a, T: Send> BatchProcess<'a, T> {
    /// Returns the limits for the first output of a batch, if the batches before it have these
    /// counts.
    fn first_limits(&self, before: &Summary) -> BatchLimits<'a> {
        self.limits(0, OUTPUT_BYTES, before)
    }

    /// Returns the limits for an output that begins with the step `first_step` of a batch.
    fn limits(&self, first_step: u64, bytes: usize, before: &Summary) -> BatchLimits<'a> {
        BatchLimits { first_step, games: self.max_games() - before.found, bytes, interrupt: self.interrupt }
    }

    /// Returns the maximum number of games of the run.
    fn max_games(&self) -> u64 {
        self.job.selection.limit.unwrap_or(u64::MAX)
    }

    /// Analyses the games of a batch from the limits' step on.
    fn run(&self, batch: &Batch, limits: BatchLimits<'_>) -> BatchOutput<T> {
        batch.process(self.read_settings, self.job, self.visitor, limits)
    }

    /// Passes the outputs of a batch to `sink` and adds their counts. Breaks if the run ends with
    /// this batch.
    ///
    /// If a batch has more rows than one output holds, this computes the remaining outputs one by
    /// one.
    fn pass_on(
        &self,
        batch: &Batch,
        mut output: BatchOutput<T>,
        summary: &mut Summary,
        sink: &mut impl FnMut(BatchOutput<T>, &Summary) -> anyhow::Result<()>,
    ) -> anyhow::Result<ControlFlow<()>> {
        let mut limits = self.first_limits(summary);
        loop {
            if output.summary.found > limits.games {
                output = self.run(batch, limits);
            }
            if output.is_interrupted {
                return Ok(ControlFlow::Break(()));
            }
            summary.add_part(output.summary.clone());
            let next_step = output.next_step;
            sink(output, summary)?;
            if summary.found >= self.max_games() && !self.job.continues_after_limit {
                return Ok(ControlFlow::Break(()));
            }
            let Some(first_step) = next_step else { return Ok(ControlFlow::Continue(())) };
            limits = self.limits(first_step, (limits.bytes * 2).min(MAX_OUTPUT_BYTES), summary);
            output = self.run(batch, limits);
        }
    }
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
    job.settings.details |= job.selection.filter.as_ref().is_some_and(filter::Filter::needs_details)
        || job.expectations.as_ref().is_some_and(|expectations| expectations.needs_details());
    job.selection.filter.as_ref().map_or(Ok(()), |filter| filter.check(&job.settings))?;
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

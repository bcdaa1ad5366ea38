//! The rows of a run as Arrow record batches, for another program.
//!
//! The run has its own threads. Signals remain the concern of the other program.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use arrow_array::RecordBatch;
use arrow_schema::Schema;

use crate::config::RunConfig;
use crate::execution::duplicate_rows::{SPILL_FAILED, write_in_batches};
use crate::execution::execute::{check_run, run, run_sum};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use jigo_archive::duplicates::{KeyedGames, Preference, find_duplicates};
use jigo_archive::formats::{Rows, columnar};
use jigo_archive::row::{Row, Table};
use jigo_archive::source::{Source, SourceKind};
use jigo_archive::summary::Summary;
use jigo_archive::tables::{Aggregate, DuplicateRow, GameTable};
use jigo_archive::visit::KeyVisitor;
use signal_hook::consts::SIGINT;

/// The most batches that wait for the reader. When the queue is full, the run pauses.
const QUEUE_LENGTH: usize = 8;

/// The rows of a run, which continues while they are read. Dropping the stream ends the run.
pub struct BatchStream {
    items: Receiver<StreamEvent>,
    progress: Arc<RunProgress>,
    /// The total length of all sources in bytes, if known.
    total: Option<u64>,
    /// The flag that ends the run.
    interrupt: Interrupt,
    run: Option<JoinHandle<Result<Summary>>>,
}

/// The progress of a run.
#[derive(Default)]
pub struct RunProgress {
    /// The number of bytes read.
    pub bytes: AtomicU64,
    /// The number of games found.
    pub games: AtomicU64,
}

/// The next event of a [`BatchStream`]. The run sends the first two.
pub enum StreamEvent {
    /// Rows of the table.
    Rows(RecordBatch),
    /// A message of the command, such as a named input without games or with a read error.
    Message(String),
    /// No event happened within the time.
    Timeout,
    /// The run has ended with these counts. `None` if this event was returned before.
    End(Option<Box<Summary>>),
}

/// A run with validated options and sources.
pub struct PreparedRun {
    config: RunConfig,
    schema: Arc<Schema>,
    start: Box<Start>,
}

/// Checks a run, and starts the thread that drives it.
type Start = dyn FnOnce(RunConfig, Arc<Schema>) -> Result<BatchStream> + Send;

impl PreparedRun {
    /// Prepares the run of a table of games.
    ///
    /// # Errors
    /// Fails if a named source can't be opened, or if an option is for programs with an exit code.
    pub fn of_games<R: GameTable + Send + 'static>(config: RunConfig, rows: R) -> Result<PreparedRun> {
        PreparedRun::new(config, R::TABLE, |config, schema| {
            let visitor = config.table(rows);
            check_run(&config, &visitor)?;
            BatchStream::start(config, schema, move |config, work| {
                run(config, &visitor, |output| work.send_rows(output.product))
            })
        })
    }

    /// Prepares the run of the table of an aggregate. Its rows arrive after all games are read.
    ///
    /// # Errors
    /// As [`PreparedRun::of_games`].
    pub fn of_aggregate<A: Aggregate + Send + 'static>(config: RunConfig, aggregate: A) -> Result<PreparedRun> {
        PreparedRun::new(config, A::TABLE, |config, schema| {
            check_run(&config, &aggregate)?;
            BatchStream::start(config, schema, move |config, work| {
                let (total, summary) = run_sum(config, &aggregate)?;
                if config.interrupt.received().is_none() {
                    let mut rows = Rows::new(config.format, A::TABLE.for_input(config.job.input));
                    aggregate.finish(total, &mut rows);
                    work.send_rows(rows)?;
                }
                Ok(summary)
            })
        })
    }

    /// Prepares a search for duplicates. `keep` selects the game to keep. The rows arrive after all
    /// games are read.
    ///
    /// # Errors
    /// As [`PreparedRun::of_games`].
    pub fn of_duplicates(config: RunConfig, keep: Preference) -> Result<PreparedRun> {
        PreparedRun::new(config, DuplicateRow::TABLE, move |config, schema| {
            let visitor = KeyVisitor { keeps_headers: false };
            check_run(&config, &visitor)?;
            BatchStream::start(config, schema, move |config, work| {
                let mut games = KeyedGames::new(config.job.settings.limits.memory);
                let summary = run(config, &visitor, |output| games.add(output.product).context(SPILL_FAILED))?;
                if config.interrupt.received().is_none() {
                    let duplicates = find_duplicates(games, &keep, config.threads).context(SPILL_FAILED)?;
                    let rows = duplicates.members.iter().map(|member| duplicates.row(member));
                    write_in_batches(config, rows, |rows| work.send_rows(rows))?;
                }
                Ok(summary)
            })
        })
    }

    fn new(
        config: RunConfig,
        table: &'static Table,
        start: impl FnOnce(RunConfig, Arc<Schema>) -> Result<BatchStream> + Send + 'static,
    ) -> Result<PreparedRun> {
        ensure!(config.fail_if().is_none(), "--fail-if is for the command: look at the summary");
        for Source { name, kind, is_named } in &config.sources {
            if let (SourceKind::Failed(reason), true) = (kind, is_named) {
                bail!("{name}: {reason}");
            }
        }
        let schema = Arc::new(columnar::schema(&config.written_table(table)));
        Ok(PreparedRun { config, schema, start: Box::new(start) })
    }

    /// Returns the columns of the table.
    pub fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    /// Starts the run.
    ///
    /// # Errors
    /// Fails if the filter needs values that the command does not compute, or if no thread can be
    /// started.
    pub fn begin(self) -> Result<BatchStream> {
        (self.start)(self.config, self.schema)
    }
}

impl BatchStream {
    /// Starts a thread that drives the run.
    fn start(
        config: RunConfig,
        schema: Arc<Schema>,
        drive: impl FnOnce(&RunConfig, &Work) -> Result<Summary> + Send + 'static,
    ) -> Result<BatchStream> {
        let (sender, items) = sync_channel(QUEUE_LENGTH);
        let progress = Arc::new(RunProgress::default());
        let interrupt = config.interrupt.clone();
        let total = config.sources.iter().map(Source::length).sum();
        let work = Work { schema, sender, progress: Arc::clone(&progress) };
        let display = work.clone();
        let config = config.with_progress(Arc::new(move |_| Box::new(display.clone())));
        let run = thread::Builder::new()
            .name("jigo".into())
            .spawn(move || drive(&config, &work).inspect(|summary| work.update(summary)));
        Ok(BatchStream { items, progress, total, interrupt, run: Some(run.context("cannot start a thread")?) })
    }

    /// Returns the progress, and the total number of bytes if known.
    pub fn progress(&self) -> (&RunProgress, Option<u64>) {
        (&self.progress, self.total)
    }

    /// Waits for the next event until the time is over.
    ///
    /// # Errors
    /// Returns the message of the command if the run failed. The run has then ended.
    pub fn next_event_within(&mut self, time: Duration) -> Result<StreamEvent> {
        match self.items.recv_timeout(time) {
            Ok(event) => Ok(event),
            Err(RecvTimeoutError::Timeout) => Ok(StreamEvent::Timeout),
            Err(RecvTimeoutError::Disconnected) => {
                let Some(run) = self.run.take() else { return Ok(StreamEvent::End(None)) };
                let summary = run.join().map_err(|_| anyhow!("the run failed; please report this"))??;
                Ok(StreamEvent::End(Some(Box::new(summary))))
            }
        }
    }

    /// Ends the run early. Rows that are already waiting can still be read.
    pub fn stop(&self) {
        self.interrupt.signal().store(SIGINT.unsigned_abs() as usize, Ordering::Relaxed);
    }
}

impl Drop for BatchStream {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The state of the thread that drives the run.
#[derive(Clone)]
struct Work {
    schema: Arc<Schema>,
    sender: SyncSender<StreamEvent>,
    progress: Arc<RunProgress>,
}

impl Work {
    /// Sends rows to the reader.
    fn send_rows(&self, rows: Rows) -> Result<()> {
        let Some(rows) = rows.into_columns().filter(|rows| !rows.is_empty()) else { return Ok(()) };
        let batch = rows.into_batch(&self.schema)?;
        self.sender.send(StreamEvent::Rows(batch)).map_err(|_| anyhow!("the reader of the rows is gone"))
    }
}

impl Progress for Work {
    fn update(&self, summary: &Summary) {
        self.progress.bytes.store(summary.bytes, Ordering::Relaxed);
        self.progress.games.store(summary.found, Ordering::Relaxed);
    }

    fn message(&self, line: &str) {
        // If the reader is gone, sending rows fails as well.
        let _ = self.sender.send(StreamEvent::Message(line.to_owned()));
    }
}

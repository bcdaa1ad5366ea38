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
use crate::execution::execute::check_run;
use crate::interrupt::Interrupt;
use jigo_archive::duplicates::{KeepRule, KeyedGames, find_duplicates};
use jigo_archive::formats::{Rows, columnar};
use jigo_archive::pipeline::{self, BatchOutput, ResumePoint, Visitor};
use jigo_archive::row::{Row, Table};
use jigo_archive::source::{Source, SourceKind};
use jigo_archive::summary::Summary;
use jigo_archive::tables::{
    Aggregate, Continuations, DuplicateRow, EndingRows, FindingRows, GameRows, GameTable, KeyRows, MatchRows,
    ResultRows, ScoreRows, TurnRows,
};
use jigo_archive::visit::KeyVisitor;
use jigo_core::pattern::PatternSearch;
use signal_hook::consts::SIGINT;

/// The most batches that wait for the reader. When the queue is full, the run pauses.
const QUEUE_LENGTH: usize = 8;

/// The rows of a run, which continues while they are read. Dropping the stream ends the run.
pub struct BatchStream {
    schema: Arc<Schema>,
    items: Receiver<StreamItem>,
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

/// An item from a run.
pub enum StreamItem {
    /// Rows of the table.
    Rows(RecordBatch),
    /// A message of the command, such as a named input without games or with a read error.
    Message(String),
}

/// The next event of a [`BatchStream`].
pub enum StreamEvent {
    /// An item from the run.
    Item(StreamItem),
    /// No event happened within the time.
    Timeout,
    /// The run has ended with these counts. `None` if this event was returned before.
    End(Option<Box<Summary>>),
}

/// A run with validated options and sources.
pub struct PreparedRun {
    config: RunConfig,
    table: StreamTable,
}

/// The tables that another program can request.
#[derive(Clone, Debug)]
pub enum StreamTable {
    /// One row for each finding.
    Findings,
    /// One row for each turn of the main line.
    Turns,
    /// One row for each game with the keys that its duplicates share.
    Keys,
    /// One row for each game and ruleset.
    Scores,
    /// One row for each game with a recorded result.
    Results,
    /// One row for each final position.
    Endings,
    /// One row for each game.
    Games,
    /// One row for each duplicate. The value selects the game to keep.
    Duplicates(KeepRule),
    /// One row for each match of a pattern.
    Matches(Arc<PatternSearch>),
    /// One row for each next turn after the matches of a pattern.
    Continuations(Arc<PatternSearch>),
}

impl PreparedRun {
    /// Prepares the run of a table.
    ///
    /// # Errors
    /// Fails if a named source can't be opened, or if an option is for programs with an exit code.
    pub fn new(config: RunConfig, table: StreamTable) -> Result<PreparedRun> {
        ensure!(config.fail_if().is_none(), "--fail-if is for the command: look at the summary");
        for Source { name, kind, is_named } in config.sources() {
            if let (SourceKind::Failed(reason), true) = (kind, is_named) {
                bail!("{name}: {reason}");
            }
        }
        Ok(PreparedRun { config, table })
    }

    /// Returns the columns of the table.
    pub fn schema(&self) -> Schema {
        columnar::schema(self.config.written_table(match &self.table {
            StreamTable::Findings => FindingRows::TABLE,
            StreamTable::Turns => TurnRows::TABLE,
            StreamTable::Keys => KeyRows::TABLE,
            StreamTable::Scores => ScoreRows::TABLE,
            StreamTable::Results => ResultRows::TABLE,
            StreamTable::Endings => EndingRows::TABLE,
            StreamTable::Games => GameRows::TABLE,
            StreamTable::Duplicates(_) => DuplicateRow::TABLE,
            StreamTable::Matches(_) => MatchRows::TABLE,
            StreamTable::Continuations(_) => Continuations::TABLE,
        }))
    }

    /// Starts the run.
    ///
    /// # Errors
    /// Fails if the filter needs values that the command does not compute, or if no thread can be
    /// started.
    pub fn begin(self) -> Result<BatchStream> {
        let PreparedRun { config, table } = self;
        match table {
            StreamTable::Findings => BatchStream::begin(config, FindingRows),
            StreamTable::Turns => BatchStream::begin(config, TurnRows),
            StreamTable::Keys => BatchStream::begin(config, KeyRows),
            StreamTable::Scores => BatchStream::begin(config, ScoreRows),
            StreamTable::Results => BatchStream::begin(config, ResultRows),
            StreamTable::Endings => BatchStream::begin(config, EndingRows),
            StreamTable::Games => BatchStream::begin(config, GameRows),
            StreamTable::Duplicates(keep) => BatchStream::begin_duplicates(config, keep),
            StreamTable::Matches(search) => BatchStream::begin(config, MatchRows { search }),
            StreamTable::Continuations(search) => BatchStream::begin_aggregate(config, Continuations { search }),
        }
    }
}

impl BatchStream {
    /// Starts a run that writes the rows of a table.
    fn begin<R: GameTable + Send + 'static>(config: RunConfig, rows: R) -> Result<BatchStream> {
        let visitor = config.table(rows);
        check_run(&config, &visitor)?;
        BatchStream::start(config, visitor.table(), move |config, work| {
            work.run(config, &visitor, |output| work.send_output(output.messages, output.product))
        })
    }

    /// Starts a run that writes the table of an aggregate. Its rows arrive after all games are
    /// read.
    fn begin_aggregate<A: Aggregate + Send + 'static>(config: RunConfig, aggregate: A) -> Result<BatchStream> {
        check_run(&config, &aggregate)?;
        let table = A::TABLE.for_input(config.job().input);
        BatchStream::start(config, table, move |config, work| {
            let mut total = aggregate.start();
            let mut summary = work.run(config, &aggregate, |output| {
                work.send_messages(output.messages)?;
                Ok(aggregate.merge(&mut total, output.product)?)
            })?;
            if config.interrupt().received().is_none() {
                let mut rows = Rows::new(config.format(), table);
                aggregate.finish(total, &mut rows, &mut summary)?;
                work.send_output(Vec::new(), rows)?;
            }
            Ok(summary)
        })
    }

    /// Starts a search for duplicates. Its rows arrive after all games are read.
    fn begin_duplicates(config: RunConfig, keep: KeepRule) -> Result<BatchStream> {
        let visitor = KeyVisitor { keeps_headers: false };
        check_run(&config, &visitor)?;
        let table = DuplicateRow::TABLE.for_input(config.job().input);
        BatchStream::start(config, table, move |config, work| {
            let mut games = KeyedGames::new(config.job().settings.limits.memory);
            let summary = work.run(config, &visitor, |output| {
                work.send_messages(output.messages)?;
                games.add(output.product).context(SPILL_FAILED)
            })?;
            if config.interrupt().received().is_none() {
                let duplicates = find_duplicates(games, keep, config.threads()).context(SPILL_FAILED)?;
                write_in_batches(config, duplicates.members.iter().map(|member| duplicates.row(member)), |rows| {
                    work.send_output(Vec::new(), rows)
                })?;
            }
            Ok(summary)
        })
    }

    /// Starts a thread that drives the run.
    fn start(
        config: RunConfig,
        table: &Table,
        drive: impl FnOnce(&RunConfig, &Work) -> Result<Summary> + Send + 'static,
    ) -> Result<BatchStream> {
        let schema = Arc::new(columnar::schema(table));
        let (sender, items) = sync_channel(QUEUE_LENGTH);
        let progress = Arc::new(RunProgress::default());
        let interrupt = config.interrupt().clone();
        let total = config.sources().iter().map(Source::length).sum();
        let work = Work { schema: Arc::clone(&schema), sender, progress: Arc::clone(&progress) };
        let run = thread::Builder::new().name("jigo".into()).spawn(move || drive(&config, &work));
        Ok(BatchStream { schema, items, progress, total, interrupt, run: Some(run.context("cannot start a thread")?) })
    }

    /// Returns the columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
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
            Ok(item) => Ok(StreamEvent::Item(item)),
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
struct Work {
    schema: Arc<Schema>,
    sender: SyncSender<StreamItem>,
    progress: Arc<RunProgress>,
}

impl Work {
    fn run<T: Send>(
        &self,
        config: &RunConfig,
        visitor: &dyn Visitor<Accumulator = T>,
        mut sink: impl FnMut(BatchOutput<T>) -> Result<()> + Send,
    ) -> Result<Summary> {
        let sink = |output: BatchOutput<T>, summary: &Summary| {
            sink(output)?;
            self.record_progress(summary);
            Ok(())
        };
        let (sources, threads, interrupt) = (config.sources(), config.threads(), config.interrupt().signal());
        let summary = pipeline::run(sources, threads, config.job(), visitor, interrupt, ResumePoint::default(), sink)?;
        config.engine().map_or(Ok(()), |engine| engine.check())?;
        ensure!(summary.is_balanced(), "games were lost: {summary:?}; please report this");
        self.record_progress(&summary);
        Ok(summary)
    }

    /// Sends the messages and rows of a batch to the reader.
    fn send_output(&self, messages: Vec<String>, rows: Rows) -> Result<()> {
        self.send_messages(messages)?;
        match rows.into_columns() {
            Some(rows) if !rows.is_empty() => self.send(StreamItem::Rows(rows.into_batch(&self.schema)?)),
            _ => Ok(()),
        }
    }

    fn send_messages(&self, messages: Vec<String>) -> Result<()> {
        messages.into_iter().try_for_each(|message| self.send(StreamItem::Message(message)))
    }

    fn send(&self, item: StreamItem) -> Result<()> {
        self.sender.send(item).map_err(|_| anyhow!("the reader of the rows is gone"))
    }

    fn record_progress(&self, summary: &Summary) {
        self.progress.bytes.store(summary.bytes, Ordering::Relaxed);
        self.progress.games.store(summary.found, Ordering::Relaxed);
    }
}

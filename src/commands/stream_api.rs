//! jigo as part of another program: the rows of a command as Arrow record batches.
//!
//! The run has its own threads. The options and the rows are those of the command. Signals remain
//! the concern of the other program.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use clap::Parser;

use super::check::{CheckArgs, settle};
use super::duplicates::{DuplicatesArgs, DuplicatesTableArg};
use super::score::{NO_HEADER, ScoreArgs};
use crate::args::{BaselineArgs, CountArgs, CountingArgs, InputArgs, OutputArgs, RunArgs, ScoreTableArg, TableArg};
use crate::commands::{Cli, Command};
use crate::run::baseline::BaselineRun;
use crate::run::duplicate_rows::{SPILLED, in_parts};
use crate::run::execute::is_possible;
use crate::run::plan::{Plan, is_of_games};
use jigo_archive::duplicates::{KeepRule, KeyedGames, find_duplicates};
use jigo_archive::formats::{Format, Rows, columnar};
use jigo_archive::pipeline::{self, BatchOutput, Done, Visitor};
use jigo_archive::row::{Row, Table};
use jigo_archive::source::{InputFormat, SkippedFiles, Source, SourceKind};
use jigo_archive::summary::Summary;
use jigo_archive::tables::DuplicateRow;
use jigo_archive::tables::{Endings, Findings, GameRows, GameTable, KeyRows, Results, Scores, Turns};
use jigo_archive::visit::OfKeys;
use signal_hook::consts::SIGINT;

/// The most batches that wait for the reader. When the queue is full, the run pauses.
const WAITING: usize = 8;

/// The rows of a run, which continues while they are read. Dropping the stream ends the run.
pub struct BatchStream {
    schema: Arc<Schema>,
    news: Receiver<News>,
    reached: Arc<RunReached>,
    /// The total length of all sources in bytes, if known.
    total: Option<u64>,
    /// The flag that ends the run.
    interrupt: crate::run::interrupt::Interrupt,
    run: Option<JoinHandle<Result<Summary>>>,
}

/// The progress of a run.
#[derive(Default)]
pub struct RunReached {
    /// The number of bytes read.
    pub bytes: AtomicU64,
    /// The number of games found.
    pub games: AtomicU64,
}

/// An item from a run.
pub enum News {
    /// Rows of the table.
    Rows(RecordBatch),
    /// A message of the command, such as a named input without games or with a read error.
    Message(String),
}

/// The next event of a [`BatchStream`].
pub enum Next {
    /// An item from the run.
    News(News),
    /// No event happened within the time.
    NotYet,
    /// The run has ended with these counts. `None` if this event was returned before.
    End(Option<Box<Summary>>),
}

/// A command with validated options and sources.
pub struct Prepared {
    plan: Plan,
    wanted: Wanted,
}

/// The tables that another program can request.
#[derive(Clone, Copy)]
enum Wanted {
    Findings,
    Turns,
    Keys,
    Scores,
    Results,
    Endings,
    Games,
    Duplicates(KeepRule),
}

/// Validates a command. `words` are its name and options without paths. The name `games` is not a
/// command, but selects the games table of `report`.
///
/// # Errors
/// Returns the message of the command if the options contradict each other, if an option says where
/// to write, or if a named source can't be opened.
pub fn prepare(words: &[OsString], sources: Vec<Source>) -> Result<Prepared> {
    let of_games = words.first().is_some_and(|word| word == "games");
    let command = if of_games { "score".into() } else { words.first().cloned().unwrap_or_default() };
    let line = ["jigo".into(), command].into_iter().chain(words.iter().skip(1).cloned());
    let command = Cli::try_parse_from(line).map_err(|error| anyhow!(reason(&error.to_string())))?.command;
    let (plan, wanted) = match command {
        Command::Check(args) => of_check(&args, sources)?,
        Command::Score(args) => of_score(&args, of_games, sources)?,
        Command::Duplicates(args) => of_duplicates(&args, sources)?,
        _ => bail!("only check, score, games and duplicates have rows for another program"),
    };
    ensure!(plan.fail_if.is_none(), "--fail-if is for the command: look at the summary");
    for Source { name, kind, named } in &plan.sources {
        if let (SourceKind::Failed(reason), true) = (kind, named) {
            bail!("{name}: {reason}");
        }
    }
    Ok(Prepared { plan, wanted })
}

fn of_check(args: &CheckArgs, sources: Vec<Source>) -> Result<(Plan, Wanted)> {
    writes_nothing(&args.output)?;
    is_of_games(&args.input)?;
    let BaselineArgs { write_baseline, prune_baseline, .. } = &args.baseline;
    ensure!(write_baseline.is_none() && !prune_baseline, "baselines are written by the command");
    ensure!(!args.duplicates, "--duplicates is for the command; use the rows of duplicates instead");
    let mut plan = plan(sources, &args.input, &args.run, None)?;
    settle(args, &mut plan)?;
    BaselineRun::begin(&args.baseline, false, &mut plan)?;
    let wanted = match args.table {
        TableArg::Findings => Wanted::Findings,
        TableArg::Turns => Wanted::Turns,
        TableArg::Keys => Wanted::Keys,
    };
    Ok((plan, wanted))
}

fn of_score(args: &ScoreArgs, of_games: bool, sources: Vec<Source>) -> Result<(Plan, Wanted)> {
    let CountingArgs { input, run, count } = &args.counting;
    writes_nothing(&args.output)?;
    if of_games || args.table == ScoreTableArg::Results {
        is_of_games(input)?;
    }
    let plan = plan(sources, input, run, Some(count))?;
    let has_header = plan.job.input != InputFormat::Positions;
    ensure!(has_header || plan.job.selection.filter.is_none(), NO_HEADER);
    let wanted = match args.table {
        _ if of_games => Wanted::Games,
        ScoreTableArg::Scores => Wanted::Scores,
        ScoreTableArg::Results => Wanted::Results,
        ScoreTableArg::Endings => Wanted::Endings,
    };
    Ok((plan, wanted))
}

fn of_duplicates(args: &DuplicatesArgs, sources: Vec<Source>) -> Result<(Plan, Wanted)> {
    writes_nothing(&args.output)?;
    is_of_games(&args.input)?;
    ensure!(args.table == DuplicatesTableArg::Duplicates, "only --table duplicates has rows here");
    let has_file = args.store.is_some() || args.merge_headers || args.checkpoint.is_some();
    ensure!(!has_file, "--store, --merge-headers and --checkpoint are for the command");
    let mut plan = plan(sources, &args.input, &args.run, None)?;
    plan.finds_copies = true;
    Ok((plan, Wanted::Duplicates(args.keep.into())))
}

/// Returns a plan over the given sources. None of them is skipped.
fn plan(sources: Vec<Source>, input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>) -> Result<Plan> {
    Plan::over(|| Ok((sources, SkippedFiles::default())), input, run, count, Format::Arrow)
}

impl Prepared {
    /// Returns the columns of the table.
    pub fn schema(&self) -> Schema {
        let of = |rows: &'static Table| rows.for_input(self.plan.job.input);
        columnar::schema(of(match self.wanted {
            Wanted::Findings => Findings::TABLE,
            Wanted::Turns => Turns::TABLE,
            Wanted::Keys => KeyRows::TABLE,
            Wanted::Scores => Scores::TABLE,
            Wanted::Results => Results::TABLE,
            Wanted::Endings => Endings::TABLE,
            Wanted::Games => GameRows::TABLE,
            Wanted::Duplicates(_) => DuplicateRow::TABLE,
        }))
    }

    /// Starts the run.
    ///
    /// # Errors
    /// Fails if the filter needs values that the command does not compute, or if no thread can be
    /// started.
    pub fn begin(self) -> Result<BatchStream> {
        let Prepared { plan, wanted } = self;
        match wanted {
            Wanted::Findings => BatchStream::begin(plan, Findings),
            Wanted::Turns => BatchStream::begin(plan, Turns),
            Wanted::Keys => BatchStream::begin(plan, KeyRows),
            Wanted::Scores => BatchStream::begin(plan, Scores),
            Wanted::Results => BatchStream::begin(plan, Results),
            Wanted::Endings => BatchStream::begin(plan, Endings),
            Wanted::Games => BatchStream::begin(plan, GameRows),
            Wanted::Duplicates(keep) => BatchStream::begin_duplicates(plan, keep),
        }
    }
}

/// Returns the first sentence of a clap message, without the usage that follows.
fn reason(text: &str) -> String {
    let first = text.split("\n\n").next().unwrap_or(text).trim();
    first.strip_prefix("error: ").unwrap_or(first).to_owned()
}

fn writes_nothing(output: &OutputArgs) -> Result<()> {
    let OutputArgs { output, summary, force, .. } = output;
    ensure!(output.is_none() && summary.is_none() && !force, "--output, --summary and --force are for the command");
    Ok(())
}

impl BatchStream {
    /// Starts a run that writes the rows of a table.
    fn begin<R: GameTable + Send + 'static>(plan: Plan, rows: R) -> Result<BatchStream> {
        let visitor = plan.table(rows);
        is_possible(&plan, &visitor)?;
        BatchStream::of(plan, visitor.table(), move |plan, work| {
            work.run(plan, &visitor, |output| work.tell(output.messages, output.product))
        })
    }

    /// Starts a search for duplicates. Its rows arrive after all games are read.
    fn begin_duplicates(plan: Plan, keep: KeepRule) -> Result<BatchStream> {
        let visitor = OfKeys { keeps_headers: false };
        is_possible(&plan, &visitor)?;
        let table = DuplicateRow::TABLE.for_input(plan.job.input);
        BatchStream::of(plan, table, move |plan, work| {
            let mut seen = KeyedGames::new(plan.job.settings.limits.memory);
            let summary = work.run(plan, &visitor, |output| {
                work.tell_messages(output.messages)?;
                seen.add(output.product).context(SPILLED)
            })?;
            if plan.interrupt.came().is_none() {
                let found = find_duplicates(seen, keep, plan.jobs).context(SPILLED)?;
                in_parts(plan, found.members.iter().map(|member| found.row(member)), |rows| {
                    work.tell(Vec::new(), rows)
                })?;
            }
            Ok(summary)
        })
    }

    fn of(
        plan: Plan,
        table: &Table,
        carry_out: impl FnOnce(&Plan, &Work) -> Result<Summary> + Send + 'static,
    ) -> Result<BatchStream> {
        let schema = Arc::new(columnar::schema(table));
        let (sender, news) = sync_channel(WAITING);
        let reached = Arc::new(RunReached::default());
        let interrupt = plan.interrupt.clone();
        let total = plan.sources.iter().map(Source::length).sum();
        let work = Work { schema: Arc::clone(&schema), sender, reached: Arc::clone(&reached) };
        let run = thread::Builder::new().name("jigo".into()).spawn(move || carry_out(&plan, &work));
        Ok(BatchStream { schema, news, reached, total, interrupt, run: Some(run.context("cannot start a thread")?) })
    }

    /// Returns the columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Returns the progress, and the total number of bytes if known.
    pub fn reached(&self) -> (&RunReached, Option<u64>) {
        (&self.reached, self.total)
    }

    /// Waits for the next event until the time is over.
    ///
    /// # Errors
    /// Returns the message of the command if the run failed. The run has then ended.
    pub fn next_within(&mut self, time: Duration) -> Result<Next> {
        match self.news.recv_timeout(time) {
            Ok(news) => Ok(Next::News(news)),
            Err(RecvTimeoutError::Timeout) => Ok(Next::NotYet),
            Err(RecvTimeoutError::Disconnected) => {
                let Some(run) = self.run.take() else { return Ok(Next::End(None)) };
                let summary = run.join().map_err(|_| anyhow!("the run failed; please report this"))??;
                Ok(Next::End(Some(Box::new(summary))))
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
    sender: SyncSender<News>,
    reached: Arc<RunReached>,
}

impl Work {
    fn run<T: Send>(
        &self,
        plan: &Plan,
        visitor: &dyn Visitor<Accumulator = T>,
        mut sink: impl FnMut(BatchOutput<T>) -> Result<()> + Send,
    ) -> Result<Summary> {
        let sink = |output: BatchOutput<T>, summary: &Summary| {
            sink(output)?;
            self.reach(summary);
            Ok(())
        };
        let interrupt = plan.interrupt.signal();
        let summary = pipeline::run(&plan.sources, plan.jobs, &plan.job, visitor, interrupt, Done::default(), sink)?;
        plan.engine.as_ref().map_or(Ok(()), |engine| engine.check())?;
        ensure!(summary.is_balanced(), "games were lost: {summary:?}; please report this");
        self.reach(&summary);
        Ok(summary)
    }

    /// Sends the messages and rows of a batch to the reader.
    fn tell(&self, messages: Vec<String>, rows: Rows) -> Result<()> {
        self.tell_messages(messages)?;
        match rows.into_columns() {
            Some(rows) if !rows.is_empty() => self.send(News::Rows(rows.into_batch(&self.schema)?)),
            _ => Ok(()),
        }
    }

    fn tell_messages(&self, messages: Vec<String>) -> Result<()> {
        messages.into_iter().try_for_each(|message| self.send(News::Message(message)))
    }

    fn send(&self, news: News) -> Result<()> {
        self.sender.send(news).map_err(|_| anyhow!("the reader of the rows is gone"))
    }

    fn reach(&self, summary: &Summary) {
        self.reached.bytes.store(summary.bytes, Ordering::Relaxed);
        self.reached.games.store(summary.found, Ordering::Relaxed);
    }
}

//! `jigo duplicates`: games that are there twice, and how many different openings there are.

mod journal;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::copies::count_copies;
use super::format;
use super::format::of_log;
use super::output::{Output, TableOutput};
use super::places::NamedPlaces;
use super::plan::{Plan, is_of_games, sources};
use super::run::{closed_pipe, conclude, conclude_resumed, interrupted, is_possible, run, run_on};
use super::standard_error::print;
use super::table::{put_totals, totals};
use super::{Exit, abandon, is_broken_pipe};
use clap::{Args, ValueEnum};
use jigo_archive::duplicates::{FoundCopies, Keep, KeyedGames, find};
use jigo_archive::pipeline::Done;
use jigo_archive::summary::counted;
use jigo_archive::tables::formats::{Format, Rows};
use jigo_archive::tables::{FixRow, Row, Table, of_input};
use jigo_archive::visit::{Diversity, OfDiversity, OfKeys, Offers};
use jigo_core::compare::Class;

use super::args::{InputArgs, OutputArgs, RunArgs, TableFormatArg};
use super::examples::examples;
use journal::Journal;

/// What the flag for the headers of lists of moves is called here, where `--index` is something else.
pub const LIST_INDEX: &str = "--list-index";

/// Find games that are there twice: copied, cut short, mirrored, turned, with slips, under other headers
#[derive(Args, Debug)]
#[command(mut_arg("list_index", |argument| argument.long(&LIST_INDEX[2..])))]
#[command(after_help = examples!(
    "jigo duplicates games/" "every game that has a twin, which of them to keep, and why"
    "jigo duplicates --format text --keep first games/" "the same for reading; the first of the input is kept"
    "jigo duplicates --index seen.parquet games/" "the same, and keep what it takes to hold later games against these"
    "jigo duplicates --table diversity games/" "how many different positions there are after turns 1 to 100"
))]
pub struct DuplicatesArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// Which of the games that are one is to be kept
    #[arg(long, value_name = "WHICH", default_value = "best")]
    pub keep: KeepArg,
    /// Hold the games against those of FILE, too, and add them to it
    ///
    /// FILE is made where it is not there. Rows are of games that have a twin among those of this run, or are one.
    #[cfg(feature = "columnar")]
    #[arg(long, value_name = "FILE")]
    pub index: Option<PathBuf>,
    /// List in --log what headers to keep do not say and those of copies do
    ///
    /// jigo extract --dedupe --merge-headers writes it into the games.
    #[arg(long, requires = "log", help_heading = "Output")]
    pub merge_headers: bool,
    /// With --merge-headers: write a row for each property to FILE
    ///
    /// In CSV, or as JSON lines if FILE ends with .jsonl.
    #[arg(long, value_name = "FILE", requires = "merge_headers", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Keep what is read in FILE, so that a killed run can go on
    ///
    /// After a kill or Ctrl-C the same command goes on from there. FILE is removed when the rows are written.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// What to write
    ///
    /// Games that have a twin, or how many different positions there are.
    #[arg(long, value_name = "TABLE", default_value = "duplicates", help_heading = "Output")]
    pub table: DuplicatesTableArg,
    /// How rows are written [default: as --output ends; else text on a terminal, and csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// Where rows go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `--keep`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum KeepArg {
    /// The one with the fewest findings of severity error, then the most turns, then the most fields in its header, then the first
    Best,
    /// The first of the input
    First,
    /// The one with the most turns, then the first
    Longest,
}

/// `--table`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicatesTableArg {
    /// One row for each game that has a twin
    Duplicates,
    /// One row for each of some turns, with the number of different positions after it
    Diversity,
}

impl From<KeepArg> for Keep {
    fn from(keep: KeepArg) -> Keep {
        match keep {
            KeepArg::Best => Keep::Best,
            KeepArg::First => Keep::First,
            KeepArg::Longest => Keep::Longest,
        }
    }
}

/// One row for each game that has a twin, or for each turn that positions are counted after.
///
/// # Errors
/// When the flags make no sense, what is spilled to the disk does not fit there, or the output fails.
pub fn duplicates(args: &DuplicatesArgs) -> Result<Exit> {
    let format = format::of_rows(args.format.map(|format| format.0), args.run.safe_text, &args.output)?;
    is_of_games(&args.input)?;
    let mut plan = Plan::over(|| sources(&args.input), (&args.input, LIST_INDEX), &args.run, None, format)?;
    plan.shows_findings = false;
    plan.exports_only = true;
    plan.finds_copies = args.table == DuplicatesTableArg::Duplicates;
    #[cfg(feature = "columnar")]
    ensure!(
        args.index.is_none() || args.table == DuplicatesTableArg::Duplicates,
        "--index is for games that have a twin, not for --table diversity"
    );
    ensure!(
        !args.merge_headers || args.table == DuplicatesTableArg::Duplicates,
        "--merge-headers is for games that have a twin, not for --table diversity"
    );
    ensure!(
        args.checkpoint.is_none() || args.table == DuplicatesTableArg::Duplicates,
        "--checkpoint is for games that have a twin, not for --table diversity"
    );
    is_apart(args, &plan)?;
    match args.table {
        DuplicatesTableArg::Duplicates => twins(&plan, args),
        DuplicatesTableArg::Diversity => diversity(&plan, &args.output),
    }
}

/// Makes sure that no output is an input or another output.
fn is_apart(args: &DuplicatesArgs, plan: &Plan) -> Result<()> {
    let read = NamedPlaces::default().reads("--files-from", args.input.files_from.as_deref());
    let places = read.reads(LIST_INDEX, args.input.list_index.as_deref()).table(&args.output);
    #[cfg(feature = "columnar")]
    let places = places.writes("--index", args.index.as_deref());
    places.writes("--log", args.log.as_deref()).writes("--checkpoint", args.checkpoint.as_deref()).check(&plan.sources)
}

/// What to say when games that do not fit into memory can't be kept elsewhere.
pub(super) const SPILLED: &str = "cannot keep the games in a temporary file; TMPDIR names another folder for it";

fn twins(plan: &Plan, args: &DuplicatesArgs) -> Result<Exit> {
    let started = Instant::now();
    let visitor = OfKeys { keeps_headers: args.merge_headers };
    is_possible(plan, &visitor)?;
    let out = Output::open(args.output.output.as_deref(), args.output.force)?;
    let totals = totals(&args.output)?;
    let log = args.log.as_deref().map(|path| open_log(plan, path, args.output.force)).transpose()?;
    let mut games = KeyedGames::new(plan.job.settings.limits.memory);
    #[cfg(feature = "columnar")]
    let index = args.index.as_deref().map(|path| index::begin(path, &mut games)).transpose()?;
    let mut journal = args.checkpoint.as_deref().map(|path| journal(path, plan, args, &mut games)).transpose()?;
    let done = journal.as_ref().map_or_else(Done::default, Journal::done);
    let before = done.summary.found;
    let mut summary = run_on(plan, &visitor, done, |output| {
        if let Some(journal) = &mut journal {
            journal.add(&output.part, &output.summary, output.rest_from.is_none())?;
        }
        games.add(output.part).context(SPILLED)
    })?;
    if let Some(signal) = plan.interrupt.came() {
        let left = journal.map_or_else(|| "no game is held against another".to_owned(), |journal| journal.left());
        return Ok(interrupted(plan, &summary, started, signal, &left));
    }
    let mut found = find(games, args.keep.into(), plan.jobs).context(SPILLED)?;
    count_copies(plan, &mut summary, &found);
    // The other outputs are written, whoever has seen enough of the rows.
    let count = match write_rows(plan, out, found.twins.iter().map(|twin| found.row(twin))) {
        Err(error) if is_broken_pipe(&error) => {
            closed_pipe(plan);
            0
        }
        count => count?,
    };
    let offer = |log| write_offers(plan, log, of_log(args.log.as_deref())?, &found.offers().context(SPILLED)?);
    let offered = log.map(offer).transpose()?;
    #[cfg(feature = "columnar")]
    index.map_or(Ok(()), |index| index::write(index, &mut found.games))?;
    put_totals(totals, &summary, args.output.output.as_deref().map(|path| (path, count)), Some(&found))?;
    journal.map_or(Ok(()), Journal::finish)?;
    let exit = conclude_resumed(plan, &summary, started, before);
    if !plan.quiet {
        print(&format!("{}{}\n", in_words(&found), offered.unwrap_or_default()));
    }
    Ok(exit)
}

/// `--checkpoint`.
fn journal(path: &Path, plan: &Plan, args: &DuplicatesArgs, games: &mut KeyedGames) -> Result<Journal> {
    #[cfg(feature = "columnar")]
    let index = args.index.as_ref().map(|index| std::fs::metadata(index).and_then(|found| found.modified()).ok());
    #[cfg(not(feature = "columnar"))]
    let index = ();
    let journal = Journal::open(path, plan, &format!("{} {index:?}", args.merge_headers), games)?;
    abandon::leaves(journal.left());
    Ok(journal)
}

/// Opens the file of a `--log` for what games to keep take from their copies.
fn open_log(plan: &Plan, path: &Path, force: bool) -> Result<TableOutput<Output>> {
    let out = Output::open(Some(path), force)?;
    let failure = out.failure();
    TableOutput::new(of_log(Some(path))?, log_table(plan), out, failure)
}

/// The table of such a log.
pub(super) fn log_table(plan: &Plan) -> &'static Table {
    of_input(FixRow::TABLE, plan.job.input)
}

/// Writes a row for each offer, and says how many there are.
fn write_offers(plan: &Plan, mut log: TableOutput<Output>, format: Format, all: &[Offers]) -> Result<String> {
    let mut count = 0;
    for Offers { place: (file, game, offset, byte), offers } in all {
        let mut rows = Rows::new(format, log_table(plan));
        for offer in offers {
            rows.push(&offer.row((file, *game, *offset, *byte), &offer.text(), false, &offer.source()));
        }
        count += rows.count();
        log.write(rows)?;
    }
    log.finish()?.finish()?;
    let properties = if count == 1 { "property" } else { "properties" };
    Ok(format!("; {} of those to keep could take {count} {properties} from their copies", all.len()))
}

/// `of 10 games, 3 are there again: 1 identical, 2 prefix; 2 collision`.
fn in_words(found: &FoundCopies) -> String {
    let counts = found.counts();
    let named = |is_twin: &dyn Fn(Class) -> bool| {
        let named = Class::NAMED.iter().filter(|(_, class)| is_twin(*class) && counts[*class as usize] > 0);
        named.map(|(name, class)| format!("{} {name}", counts[*class as usize])).collect::<Vec<_>>().join(", ")
    };
    let again = found.again();
    let twins = match named(&|class| class != Class::Collision) {
        none if none.is_empty() => String::new(),
        twins => format!(": {twins}"),
    };
    let collisions = match named(&|class| class == Class::Collision) {
        none if none.is_empty() => none,
        collisions => format!("; not counted: {collisions}"),
    };
    let verb = if again == 1 { "is" } else { "are" };
    format!("of {}, {again} {verb} there again{twins}{collisions}", counted(found.games.len() as u64, "game"))
}

fn diversity(plan: &Plan, output: &OutputArgs) -> Result<Exit> {
    let started = Instant::now();
    is_possible(plan, &OfDiversity)?;
    let out = Output::open(output.output.as_deref(), output.force)?;
    let totals = totals(output)?;
    let mut all = Diversity::default();
    let summary = run(plan, &OfDiversity, |output| {
        all.add(output.part);
        Ok(())
    })?;
    if let Some(signal) = plan.interrupt.came() {
        return Ok(interrupted(plan, &summary, started, signal, "the positions are not counted"));
    }
    let count = write_rows(plan, out, all.rows().into_iter())?;
    put_totals(totals, &summary, output.output.as_deref().map(|path| (path, count)), None)?;
    Ok(conclude(plan, &summary, started))
}

/// Rows that are written at a time.
const AT_ONCE: usize = 1024;

/// Writes a table whose rows are all known; gives their number.
fn write_rows<R: Row>(plan: &Plan, out: Output, all: impl Iterator<Item = R>) -> Result<u64> {
    let table = of_input(R::TABLE, plan.job.input);
    let failure = out.failure();
    let mut out = TableOutput::new(plan.format, table, out, failure)?;
    let count = in_parts(plan, all, |rows| out.write(rows))?;
    out.finish()?.finish()?;
    Ok(count)
}

/// Hands rows on, some at a time; gives their number.
///
/// # Errors
/// Whatever `sink` fails with.
pub(super) fn in_parts<R: Row>(
    plan: &Plan,
    mut all: impl Iterator<Item = R>,
    mut sink: impl FnMut(Rows) -> Result<()>,
) -> Result<u64> {
    let table = of_input(R::TABLE, plan.job.input);
    let mut count = 0;
    loop {
        let mut rows = Rows::new(plan.format, table);
        all.by_ref().take(AT_ONCE).for_each(|row| rows.push(&row));
        let taken = rows.count();
        count += taken;
        sink(rows)?;
        if taken < AT_ONCE as u64 {
            return Ok(count);
        }
    }
}

/// `--index`.
#[cfg(feature = "columnar")]
mod index {
    use std::io::{self, ErrorKind};
    use std::path::Path;

    use anyhow::{Context, Result};
    use jigo_archive::duplicates::KeyedGames;
    use jigo_archive::tables::formats::{Format, Rows};
    use jigo_archive::tables::{IndexRow, Row};

    use super::super::output::{Output, PendingFile, TableOutput, is_free};
    use super::super::place_lock::PlaceLock;
    use super::AT_ONCE;

    /// What takes the place of the index, and keeps other runs from reading it until then.
    pub struct NextIndex(Output, PlaceLock);

    /// Reads the index where it is there, and opens what takes its place.
    pub fn begin(path: &Path, games: &mut KeyedGames) -> Result<NextIndex> {
        is_free(path, true)?;
        let lock = PlaceLock::take(path)?;
        match games.read_index(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            read => read.with_context(|| format!("--index {}", path.display()))?,
        }
        Ok(NextIndex(Output::File(PendingFile::create(path, true)?), lock))
    }

    /// Writes all games, those that were read among them.
    pub fn write(NextIndex(out, _lock): NextIndex, games: &mut KeyedGames) -> Result<()> {
        let failure = out.failure();
        let mut out = TableOutput::new(Format::Parquet, IndexRow::TABLE, out, failure)?;
        let (mut rows, mut count) = (Rows::new(Format::Parquet, IndexRow::TABLE), 0);
        games.each_row(|row| {
            rows.push(row);
            count += 1;
            if count % AT_ONCE == 0 {
                let rows = std::mem::replace(&mut rows, Rows::new(Format::Parquet, IndexRow::TABLE));
                out.write(rows).map_err(io::Error::other)?;
            }
            Ok(())
        })?;
        out.write(rows)?;
        out.finish()?.finish()
    }
}

//! `jigo duplicates`: duplicate games, and the diversity of openings.

mod key_parts;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::args::format::{self, log_format};
use crate::args::repro_command::own_words;
use crate::args::{OutputArgs, RunArgs, TableFormatArg, examples, run_request};
use crate::version::BUILD;
use clap::Args;
use jigo_archive::duplicates::{DuplicateSet, KeyedGames};
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::formats::{Format, Rows};
use jigo_archive::row::Row;
use jigo_archive::summary::with_noun;
use jigo_archive::tables::{AliasRow, Diversity, DuplicateRow, FixRow};
use jigo_archive::visit::{KeyVisitor, MergeableHeader};
use jigo_core::analysis::Settings;
use jigo_core::similarity::Class;
use jigo_run::config::command_tables::DuplicatesTable;
use jigo_run::config::file_path::FileStamp;
use jigo_run::config::options::DuplicatesOptions;
use jigo_run::config::run_request::FindingsUse;
use jigo_run::execution::run_table::{aggregate_table, open_summary, write_summary};
use jigo_run::execution::table_file::TableFile;
use jigo_run::execution::{
    SPILL_FAILED, check_run, closed_pipe, conclude_resumed, count_duplicates, find_preferred, interrupted, log_table,
    run_in_parts, write_in_batches,
};
use jigo_run::output::Output;
use jigo_run::process::{Exit, is_broken_pipe};
use jigo_run::{RunConfig, RunRequest};

use jigo_run::parts::Parts;
use jigo_run::run_fingerprint::RunFingerprint;
use key_parts::open_parts;

/// Find duplicate games, even if cut short, mirrored, mistyped or under other headers
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo duplicates games/" "every duplicate game, which of a cluster to keep, and why"
    "jigo duplicates --format text --keep first games/" "the same for people; the first game of a cluster is kept"
    "jigo duplicates --store seen.parquet games/" "the same; later runs compare their games with those in seen.parquet"
    "jigo duplicates --table diversity games/" "how many different positions there are after turns 1 to 100"
    "jigo duplicates --table aliases --output players.csv games/" "the names of each player, as a list for --players"
))]
pub struct DuplicatesArgs {
    /// The options of this command.
    #[command(flatten)]
    pub options: DuplicatesOptions,
    /// Also compare the games with those of earlier runs in FILE, and add them to it
    ///
    /// If FILE is missing, create it. Rows list the games of this run that have a duplicate in FILE
    /// or in this run.
    #[cfg(feature = "columnar")]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Save progress in the folder DIR, so that a killed run can be resumed
    ///
    /// To resume, repeat the same command. A complete run removes DIR.
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// List in --log the header values, comments and territory that a kept game lacks and its
    /// duplicates have
    ///
    /// Header values that contradict those of the kept game are listed as well.
    /// Use jigo extract --dedupe --merge-headers to write them into the games.
    #[arg(long, requires = "log")]
    pub merge_headers: bool,
    /// The options for inputs and the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// With --merge-headers, write one row for each property to FILE
    ///
    /// The format is CSV, or JSON lines if FILE ends with .jsonl.
    #[arg(long, value_name = "FILE", requires = "merge_headers", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Set the format of the rows [default: from the suffix of --output; otherwise text on a
    /// terminal, else csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl DuplicatesArgs {
    /// Returns the file of `--store`.
    #[cfg(feature = "columnar")]
    fn store(&self) -> Option<&Path> {
        self.store.as_deref()
    }

    /// Returns `None`, because this build can't read and write the file of `--store`.
    #[cfg(not(feature = "columnar"))]
    fn store(&self) -> Option<&Path> {
        None
    }
}

/// Writes one row for each duplicate, or one for each turn after which positions are counted.
///
/// # Errors
/// Fails if the options contradict each other, temporary files don't fit onto the disk, or the
/// output fails.
pub fn duplicates(args: &DuplicatesArgs) -> Result<Exit> {
    let format =
        format::row_format(args.format.map(|format| format.0), args.run.options.process.safe_text, &args.output)?;
    let is_of_duplicates = *args.options.table != DuplicatesTable::Diversity;
    for (option, is_given) in [
        ("--store", args.store().is_some()),
        ("--merge-headers", args.merge_headers),
        ("--checkpoint", args.checkpoint.is_some()),
    ] {
        ensure!(
            !is_given || is_of_duplicates,
            "{option} is for --table duplicates and aliases, not for --table diversity"
        );
    }
    let problems = args.options.problems;
    ensure!(
        !problems || *args.options.table == DuplicatesTable::Duplicates,
        "--problems compares first positions, which only --table duplicates shows"
    );
    ensure!(!problems || args.store().is_none(), "--store has the turns of games, which --problems does not compare");
    // The games of a store are no inputs.
    let own = own_words("duplicates", &args.options).filter(|_| args.store().is_none());
    let request = RunRequest {
        settings: Settings { problems, ..Settings::default() },
        findings: FindingsUse::Ignored,
        color: args.output.color.choice(),
        finds_duplicates: is_of_duplicates,
        ..run_request(&args.run, None, format, own)
    };
    let config = RunConfig::new(request, || args.run.sources())?;
    check_checkpoint_path(args, &config)?;
    match *args.options.table {
        DuplicatesTable::Duplicates | DuplicatesTable::Aliases => write_duplicates(&config, args),
        DuplicatesTable::Diversity => {
            aggregate_table(&config, &args.output.files, &Diversity, "the positions are not counted")
        }
    }
}

/// Checks that no output is an input or another output.
fn check_checkpoint_path(args: &DuplicatesArgs, config: &RunConfig) -> Result<()> {
    let places = args.run.read_files().table(&args.output.files).writes("--store", args.store());
    places
        .writes("--log", args.log.as_deref())
        .writes("--checkpoint", args.checkpoint.as_deref())
        .check(&config.sources)
}

fn write_duplicates(config: &RunConfig, args: &DuplicatesArgs) -> Result<Exit> {
    let started = Instant::now();
    let visitor = KeyVisitor { keeps_headers: args.merge_headers };
    let has_aliases = *args.options.table == DuplicatesTable::Aliases;
    let table = if has_aliases { AliasRow::TABLE } else { DuplicateRow::TABLE };
    config.format.check_table(table)?;
    check_run(config, &visitor)?;
    let files = &args.output.files;
    let out = TableFile::open(config, files, table.for_input(config.job.input), false)?;
    let summary_file = open_summary(files)?;
    let log = args.log.as_deref().map(|path| open_log(config, path, files.force)).transpose()?;
    let mut games = KeyedGames::new(config.job.settings.limits.memory);
    #[cfg(feature = "columnar")]
    let store = args.store.as_deref().map(|path| store::begin(path, &mut games)).transpose()?;
    let mut parts = args.checkpoint.as_deref().map(|path| key_parts(path, config, args)).transpose()?;
    let resumed_games = parts.as_ref().map_or(0, |parts| parts.before.summary.found);
    let mut summary =
        run_in_parts(config, &visitor, parts.as_mut(), |output| games.add(output.product).context(SPILL_FAILED))?;
    if let Some(signal) = config.interrupt.received() {
        let advice = parts.as_ref().and_then(Parts::advice).unwrap_or("no duplicates were searched");
        return Ok(interrupted(config, &summary, started, signal, advice));
    }
    let mut duplicates = find_preferred(config, games, &args.options.preference())?;
    count_duplicates(config, &mut summary, &duplicates);
    let written = if has_aliases {
        write_rows(config, out, duplicates.aliases().context(SPILL_FAILED)?.into_iter())?
    } else {
        write_rows(config, out, duplicates.rows())?
    };
    let format = log_format(args.log.as_deref())?;
    let merge_log = log.map(|log| write_header_merges(config, log, format, &mut duplicates)).transpose()?;
    #[cfg(feature = "columnar")]
    store.map_or(Ok(()), |store| store::write(store, &mut duplicates.games))?;
    write_summary(config, summary_file, &summary, &written, Some(&duplicates))?;
    parts.into_iter().for_each(Parts::finish);
    let exit = conclude_resumed(config, &summary, started, resumed_games);
    config.print(&format!("{}{}\n", count_text(&duplicates), merge_log.unwrap_or_default()));
    Ok(exit)
}

/// Opens the directory of `--checkpoint`.
fn key_parts(path: &Path, config: &RunConfig, args: &DuplicatesArgs) -> Result<Parts> {
    let own = (args.options.problems, args.merge_headers, args.store().map(FileStamp::new));
    open_parts(path, &RunFingerprint::new(BUILD, config, None, &own)?)
}

/// Opens the file of `--log`, which lists header properties for the kept games.
fn open_log(config: &RunConfig, path: &Path, force: bool) -> Result<TableWriter<Output>> {
    let out = Output::open(Some(path), force)?;
    Ok(TableWriter::new(log_format(Some(path))?, log_table(config), || None, out)?)
}

/// Writes one row for each offered property. Returns the number of properties in words.
fn write_header_merges(
    config: &RunConfig,
    mut log: TableWriter<Output>,
    format: Format,
    duplicates: &mut DuplicateSet,
) -> Result<String> {
    let all = duplicates.mergeable_headers(config.job.settings.players.as_ref()).context(SPILL_FAILED)?;
    let (mut games, mut count, mut contradictions) = (0, 0, 0);
    for MergeableHeader { location: (file, game, offset, byte), properties } in &all {
        let mut rows = Rows::new(format, log_table(config));
        for offer in properties {
            let fix = &offer.fix(*byte, false, offer.source_text());
            rows.push(&FixRow { file, game: Some(*game), offset: *offset, fix });
        }
        let own = properties.iter().filter(|offer| offer.own.is_some()).count();
        games += usize::from(own < properties.len());
        (count, contradictions) = (count + properties.len() - own, contradictions + own);
        log.write(rows)?;
    }
    log.finish()?.finish()?;
    let properties = if count == 1 { "property" } else { "properties" };
    let contradictions = match contradictions {
        0 => String::new(),
        1 => "; 1 value contradicts theirs".into(),
        count => format!("; {count} values contradict theirs"),
    };
    Ok(format!("; {games} of the kept games could take {count} {properties} from their duplicates{contradictions}"))
}

/// Returns the counts in words: `3 duplicates among 10 games: 1 identical, 2 prefix; not counted: 2
/// collision`.
fn count_text(set: &DuplicateSet) -> String {
    let counts = set.counts();
    let class_counts = |includes: &dyn Fn(Class) -> bool| {
        let classes = Class::NAMES.iter().filter(|(_, class)| includes(*class) && counts[*class as usize] > 0);
        classes.map(|(name, class)| format!("{} {name}", counts[*class as usize])).collect::<Vec<_>>().join(", ")
    };
    let duplicate_count = set.duplicate_count();
    let duplicate_classes = match class_counts(&|class| class != Class::Collision) {
        details if details.is_empty() => String::new(),
        duplicate_classes => format!(": {duplicate_classes}"),
    };
    let collisions = match class_counts(&|class| class == Class::Collision) {
        details if details.is_empty() => details,
        collisions => format!("; not counted: {collisions}"),
    };
    let duplicates = match duplicate_count {
        0 => "no duplicates".to_owned(),
        _ => format!("{} of {}", with_noun(duplicate_count, "duplicate"), with_noun(set.cluster_count(), "game")),
    };
    format!("{}, {duplicates}{duplicate_classes}{collisions}", with_noun(set.games.len() as u64, "game"))
}

/// Writes the rows. Returns the files with their numbers of rows.
///
/// A closed pipe ends the rows only. The other outputs are still written.
fn write_rows(config: &RunConfig, mut out: TableFile, rows: impl Iterator<Item: Row>) -> Result<Vec<(PathBuf, u64)>> {
    match write_in_batches(config, rows, |rows| out.write_rows(rows)).and_then(|_| out.finish()) {
        Err(error) if is_broken_pipe(&error) => {
            closed_pipe(config);
            Ok(Vec::new())
        }
        written => written,
    }
}

/// The file of `--store`.
#[cfg(feature = "columnar")]
mod store {
    use std::io::ErrorKind;
    use std::path::Path;

    use anyhow::{Context, Result};
    use jigo_archive::duplicates::KeyedGames;
    use jigo_archive::formats::writer::TableWriter;
    use jigo_archive::formats::{Format, Rows};
    use jigo_archive::row::Row;
    use jigo_archive::tables::StoreRow;

    use jigo_run::execution::duplicate_rows::BATCH_ROWS;
    use jigo_run::output::file_lock::LockFile;
    use jigo_run::output::{Output, PendingFile, check_writable};

    /// The pending file of the next store, with the lock that keeps other runs from reading the old
    /// one.
    pub struct NextStore(Output, LockFile);

    /// Reads the store if it exists, and opens its replacement.
    pub fn begin(path: &Path, games: &mut KeyedGames) -> Result<NextStore> {
        check_writable(path, true)?;
        let lock = LockFile::acquire(path)?;
        match games.read_store(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            read => read.with_context(|| format!("--store {}", path.display()))?,
        }
        Ok(NextStore(Output::File(PendingFile::create(path, true)?), lock))
    }

    /// Writes all games, including those of the old store.
    pub fn write(NextStore(out, _lock): NextStore, games: &mut KeyedGames) -> Result<()> {
        let mut out = TableWriter::new(Format::Parquet, StoreRow::TABLE, || None, out)?;
        let (mut rows, mut count) = (Rows::new(Format::Parquet, StoreRow::TABLE), 0);
        games.for_each_row(|row| {
            rows.push(row);
            count += 1;
            if count % BATCH_ROWS == 0 {
                let rows = std::mem::replace(&mut rows, Rows::new(Format::Parquet, StoreRow::TABLE));
                out.write(rows)?;
            }
            Ok(())
        })?;
        out.write(rows)?;
        out.finish()?.finish()
    }
}

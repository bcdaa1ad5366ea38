//! `jigo split`: collections divided into parts at game boundaries.

mod part_files;

#[cfg(feature = "columnar")]
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

use anyhow::{Result, ensure};

use clap::Args;
#[cfg(feature = "columnar")]
use jigo_archive::formats::Rows;
#[cfg(feature = "columnar")]
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::pipeline::{PartSize, SourcePart, split_sources};
use jigo_archive::records::ReadSettings;
#[cfg(feature = "columnar")]
use jigo_archive::row::Row;
use jigo_archive::source::files::display_name::is_same_or_inside;
use jigo_archive::source::files::separators::Separators;
use jigo_archive::source::{InputFormat, Source};
use jigo_archive::summary::with_noun;
#[cfg(feature = "columnar")]
use jigo_archive::tables::PartRow;
use jigo_run::InputSources;
#[cfg(feature = "columnar")]
use jigo_run::output::Output;
use jigo_run::process::{Exit, note, print};

#[cfg(feature = "columnar")]
use crate::args::BinaryFormatArg;
use crate::args::run_request::columns;
use crate::args::{InputArgs, examples, limits};
use jigo_record::finding::Code;
use jigo_run::config::limits::limits as chosen_limits;
use jigo_run::config::option_value::integer_parser;
use jigo_run::config::options::InputOptions;
use part_files::PartFiles;

/// Divide collections into parts at game boundaries, as files or rows
#[derive(Args, Debug)]
#[command(mut_arg("max", |argument| argument.value_parser(limits::source_limit())))]
#[command(after_help = examples!(
    "jigo split --max-games 1 --out parts games/" "a file for each game"
    "jigo split --output parts.arrows games/" "rows, which jigo check --input-format arrow reads"
))]
pub struct SplitArgs {
    /// End a part with the game that brings it to N bytes
    #[arg(long, value_name = "N", default_value_t = 1 << 20, value_parser = integer_parser::<u64>(1..=u64::MAX))]
    pub max_bytes: u64,
    /// End a part after N games
    #[arg(long, value_name = "N", value_parser = integer_parser::<u64>(1..=u64::MAX))]
    pub max_games: Option<u64>,
    /// The options for inputs.
    #[command(flatten)]
    pub input: InputArgs,
    /// Write each part to a file in DIR, named after its source and its first game
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Set the format of the rows
    #[cfg(feature = "columnar")]
    #[arg(long, value_name = "FORMAT", default_value = "arrow", conflicts_with = "out", help_heading = "Output")]
    pub format: BinaryFormatArg,
    /// Write rows to FILE, which appears complete or not at all
    #[cfg(feature = "columnar")]
    #[arg(long, short, value_name = "FILE", conflicts_with = "out", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Replace existing files
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Print no summary
    #[arg(long, short, help_heading = "Run")]
    pub quiet: bool,
}

/// The approximate size of a batch of rows in bytes. With a single game per batch, the reader would
/// spend more time on the batch than on the game.
#[cfg(feature = "columnar")]
const BATCH_BYTES: usize = 256 << 10;
/// The approximate size of a row without its text, in bytes.
#[cfg(feature = "columnar")]
const ROW_BYTES: usize = 128;

/// The counts for the summary.
#[derive(Default)]
struct Count {
    parts: u64,
    games: u64,
    faults: u64,
    /// The number of faults in named inputs.
    failed: u64,
}

/// Writes the parts into a folder, one file each, or as rows.
///
/// # Errors
/// Fails if the options contradict each other or the output fails.
pub fn split(args: &SplitArgs) -> Result<Exit> {
    let is_text = matches!(*args.input.options.input_format, InputFormat::Auto | InputFormat::Sgf);
    ensure!(is_text, "jigo split takes --input-format auto or sgf");
    let InputSources { sources, skipped } = args.input.sources(&args.input.read_files())?;
    let flag_paths = args.input.read_files().writes("--out", args.out.as_deref());
    #[cfg(feature = "columnar")]
    let flag_paths = flag_paths.writes("--output", args.output.as_deref());
    flag_paths.check(&sources)?;
    let size = PartSize { bytes: args.max_bytes, games: args.max_games.unwrap_or(u64::MAX) };
    let mut count = Count::default();
    let mut split_all = |sink: &mut dyn FnMut(&SourcePart) -> Result<()>| {
        let InputOptions { input_format, records } = &args.input.options;
        let (columns, limits) = (columns(records), chosen_limits(&records.max));
        split_sources(ReadSettings { sources: &sources, format: **input_format, columns, limits }, size, |part| {
            count.add(&part, &sources);
            sink(&part)
        })
    };
    match &args.out {
        Some(folder) => {
            let separators = Separators::new(&sources, *args.input.options.input_format);
            let mut files = PartFiles::new(folder, &sources, args.force, separators);
            split_all(&mut |part| files.add(part))?;
            count.parts -= files.finish()?;
        }
        None => rows(args, split_all)?,
    }
    if !args.quiet {
        let (games, parts) = (with_noun(count.games, "game"), with_noun(count.parts, "part"));
        let (sources, faults) = (with_noun(sources.len() as u64, "source"), with_noun(count.faults, "fault"));
        print(&format!("{sources}, {games} in {parts}, {faults}\n"));
        if skipped.files() > 0 {
            print(&format!("skipped: {skipped}; name a file to read it\n"));
        }
    }
    Ok(match count {
        // In rows, a fault has its own row, which the reader of the rows handles.
        Count { failed: 1.., .. } if args.out.is_some() => Exit::Failure,
        Count { faults: 1.., .. } => Exit::Findings,
        _ => Exit::Clean,
    })
}

impl Count {
    fn add(&mut self, part: &SourcePart, sources: &[Source]) {
        self.parts += 1;
        self.games += part.games;
        if let Some(fault) = &part.part.fault {
            self.faults += 1;
            let source = sources.iter().find(|source| is_same_or_inside(&part.file, &source.name));
            let is_read = matches!(fault.code, Code::NoGame | Code::UnreadableRow);
            self.failed += u64::from(!is_read && source.is_some_and(|source| source.is_named));
            note(&format!("{}: {}: {}", part.file, fault.code.name(), fault.detail));
        }
    }
}

/// Writes the parts as rows.
#[cfg(feature = "columnar")]
fn rows(
    args: &SplitArgs,
    split_all: impl FnOnce(&mut dyn FnMut(&SourcePart) -> Result<()>) -> Result<()>,
) -> Result<()> {
    let refusal =
        "rows are not for a terminal: name a file with --output, send them down a pipe, or cut into files with --out";
    ensure!(args.output.is_some() || !stdout().is_terminal(), refusal);
    let format = args.format.0;
    let out = Output::open(args.output.as_deref(), args.force)?;
    let mut table = TableWriter::new(format, PartRow::TABLE, || None, out)?;
    let mut rows = Rows::new(format, PartRow::TABLE);
    let mut bytes = 0;
    split_all(&mut |part| {
        rows.push(&PartRow { file: &part.file, text: &part.text, games: part.games, part: &part.part });
        bytes += ROW_BYTES + part.text.len();
        if bytes < BATCH_BYTES {
            return Ok(());
        }
        bytes = 0;
        Ok(table.write(std::mem::replace(&mut rows, Rows::new(format, PartRow::TABLE)))?)
    })?;
    table.write(rows)?;
    table.finish()?.finish()
}

#[cfg(not(feature = "columnar"))]
fn rows(_: &SplitArgs, _: impl FnOnce(&mut dyn FnMut(&SourcePart) -> Result<()>) -> Result<()>) -> Result<()> {
    anyhow::bail!("name a folder with --out: this jigo was built without rows as Arrow and Parquet")
}

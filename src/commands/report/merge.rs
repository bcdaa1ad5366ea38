//! `jigo merge`: the report of several machines' reports.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::args::examples;
use crate::commands::report::report_staging::{PAGE, StagedReport, TABLES, files, table_file};
use crate::commands::report::report_state::ReportState;
use crate::html::GameCards;
use crate::version::BUILD;
use jigo_archive::formats::Format;
use jigo_archive::partial_result::PartialResult;
use jigo_archive::report_rows::{ReportRow, ReportRows, file_sort_key};
use jigo_archive::row::Row as _;
use jigo_archive::row::line::visible;
use jigo_archive::summary::Summary;
use jigo_archive::tables::GameRow;
use jigo_archive::visit::figures::{Example, FileFigures, Files};
use jigo_record::finding::Severity;
use jigo_run::config::option_value::OptionValue as _;
use jigo_run::config::values::Shard;
use jigo_run::output::Output;
use jigo_run::output::path_conflicts::resolve;
use jigo_run::process::{Exit, print};
use jigo_run::run_fingerprint::RunFingerprint;

/// Merge the reports of all shards, or of different inputs, into one report
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo report --shard 1/2 --out one games/; jigo report --shard 2/2 --out two games/" "the reports of two shards, perhaps on two machines"
    "jigo merge --out audit one two" "the report of games/"
))]
pub struct MergeArgs {
    /// Name the folders of reports with the same options, without --duplicates, as CSV
    #[arg(value_name = "REPORT", required = true)]
    pub reports: Vec<PathBuf>,
    /// Write the report into DIR; create it if it is missing
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: PathBuf,
    /// Replace existing tables
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Print no summary
    #[arg(long, short, help_heading = "Run")]
    pub quiet: bool,
}

/// Writes the report of the games of several reports.
///
/// # Errors
/// Fails if a folder lacks a complete report, if reports differ in version, options or tables, or if
/// writing fails.
pub fn merge(args: &MergeArgs) -> Result<Exit> {
    let out = resolve(&args.out);
    if let Some(report) = args.reports.iter().find(|report| out.is_some() && resolve(report) == out) {
        bail!("{} is read as an input: --out can't replace it; name another folder", report.display());
    }
    let reports = args.reports.iter().map(|report| ReportState::read(report)).collect::<Result<Vec<_>>>()?;
    let states: Vec<(&Path, ReportState)> = args.reports.iter().map(PathBuf::as_path).zip(reports).collect();
    let expected = TABLES.iter().enumerate().map(|(table, _)| {
        let rows = states.iter().filter_map(|(_, state)| state.rows.get(table));
        rows.fold(0, |sum: u64, rows| sum.saturating_add(*rows))
    });
    let expected: Vec<u64> = expected.collect();
    let (mut whole, inputs) = add_states(states)?;
    let rows = ReportRows::open(&args.reports, &TABLES)?;
    let fingerprint = RunFingerprint::of_merge(BUILD, whole.options.clone());
    let mut staged = StagedReport::begin(&args.out, &files(Format::Csv, false), &fingerprint, false, args.force)?;
    let counts = write_tables(&args.reports, &inputs, rows, &mut staged, &mut whole)?;
    for ((table, count), expected) in TABLES.into_iter().zip(counts).zip(expected) {
        let name = table_file(table, Format::Csv);
        ensure!(
            count == expected,
            "the files {name} have {count} rows, and their reports wrote {expected}; make the reports again"
        );
    }
    whole.write(&mut staged, (&args.out, Format::Csv), TABLES.into_iter().zip(counts), None)?;
    staged.finish()?;
    if !args.quiet {
        print(&format!(
            "{}{}\n",
            whole.summary.counts_in_words(false),
            visible(&args.out.join(PAGE).display().to_string())
        ));
    }
    Ok(Exit::Clean)
}

/// The reports of the shards of some inputs.
struct ShardedReport {
    whole: ReportState,
    shards: Vec<Shard>,
}

impl ShardedReport {
    /// Adds the report of another shard of the same inputs, all of which each shard has read.
    fn add(&mut self, next: ReportState, shard: Shard) {
        let Summary { sources, bytes, skipped_files, .. } = next.summary.clone();
        add(&mut self.whole, next);
        let summary = std::mem::take(&mut self.whole.summary);
        self.whole.summary = Summary { sources, bytes, skipped_files, ..summary };
        self.shards.push(shard);
    }
}

/// Returns the sum of the states, and the number of the inputs of each. The files of the page are
/// counted with the rows.
fn add_states(states: Vec<(&Path, ReportState)>) -> Result<(ReportState, Vec<usize>)> {
    let (mut wholes, mut inputs) = (Vec::<ShardedReport>::new(), Vec::new());
    let (mut examples, mut cards) = (Vec::new(), GameCards::default());
    for (folder, mut state) in states {
        let name = folder.display();
        let shard = take_shard(&mut state).with_context(|| format!("{name} can't be merged"))?;
        let first = wholes.first().map_or(&state, |first| &first.whole);
        ensure!(
            first.options == state.options,
            "{name} has other options than the first report; make both with the same"
        );
        examples.extend(std::mem::take(&mut state.figures.examples).into_single());
        let GameCards { games, outside, with_errors } = std::mem::take(&mut state.cards);
        cards.games.extend(games);
        cards.outside.extend(outside);
        cards.with_errors.extend(with_errors);
        let same = wholes.iter().position(|sharded| sharded.whole.provenance.has_inputs_of(&state.provenance));
        inputs.push(same.unwrap_or(wholes.len()));
        match same {
            None => wholes.push(ShardedReport { whole: state, shards: vec![shard] }),
            Some(same) => wholes[same].add(state, shard),
        }
    }
    wholes.iter().try_for_each(|sharded| check_shards(&sharded.shards))?;
    let whole = wholes.into_iter().map(|sharded| sharded.whole).reduce(|mut whole, next| {
        add(&mut whole, next);
        whole
    });
    let mut whole = whole.context("name a report")?;
    examples.sort_by_cached_key(|(example, _)| place(example));
    examples.into_iter().for_each(|(_, one)| whole.figures.examples.add_part(one));
    cards.games.sort_by_cached_key(|(example, _)| place(example));
    cards.outside.sort_by_cached_key(|(file, _)| file_sort_key(file));
    cards.with_errors.sort_by_cached_key(place);
    whole.cards.add(cards);
    whole.figures.files = Files::default();
    Ok((whole, inputs))
}

/// Returns the sort key of an example.
fn place(example: &Example) -> (String, u64) {
    (file_sort_key(&example.file), example.offset)
}

/// Adds a state to another one, except its examples and cards.
fn add(whole: &mut ReportState, next: ReportState) {
    whole.summary.add_part(next.summary);
    whole.figures.add_part(next.figures);
    whole.inputs.add(next.inputs);
    whole.provenance.add(&next.provenance);
}

/// Removes the shard from the options of a report and returns it.
fn take_shard(state: &mut ReportState) -> Result<Shard> {
    let selection = &mut state.options["selection"];
    ensure!(selection["limit"].is_null(), "it was made with --limit, so it is of no whole");
    let text = selection["shard"].as_str().unwrap_or_default().to_owned();
    let Ok(shard) = Shard::parse(&text) else { bail!("it does not tell its shard; make the report again") };
    selection["shard"] = Shard::default_text().into();
    // Each machine has its own copy of the headers.
    if let Some(modified) = state.options.pointer_mut("/headers/modified") {
        modified.take();
    }
    state.inputs.words = state.inputs.words.take().map(|words| words.replacen(&format!("--shard {text} "), "", 1));
    Ok(shard)
}

/// Checks that there is one report of each shard.
fn check_shards(shards: &[Shard]) -> Result<()> {
    let count = shards[0].count;
    ensure!(shards.iter().all(|shard| shard.count == count), "two reports of the same inputs divide them differently");
    let numbers = |number: u64| shards.iter().filter(|shard| shard.number == number).count();
    for number in shards.iter().map(|shard| shard.number) {
        ensure!(numbers(number) == 1, "two reports are of the same games: shard {number}/{count}; name one of them");
    }
    // All numbers differ, so the first gap is at most at the number of shards.
    if let Some(missing) = (1..=count).find(|number| numbers(*number) == 0) {
        bail!(
            "the report of shard {missing}/{count} of the same inputs is missing; make it with the inputs named as for the others"
        );
    }
    Ok(())
}

/// Writes the rows of all tables, and counts the files of the page. `inputs` are the numbers of the
/// inputs of each report. Returns the numbers of rows.
fn write_tables(
    reports: &[PathBuf],
    inputs: &[usize],
    mut rows: ReportRows,
    staged: &mut StagedReport,
    whole: &mut ReportState,
) -> Result<[u64; TABLES.len()]> {
    let mut outputs = Vec::new();
    for (index, table) in TABLES.into_iter().enumerate() {
        let mut out = staged.create(&table_file(table, Format::Csv))?;
        out.write_all(rows.header(index)?)?;
        outputs.push(out);
    }
    let (mut counts, mut files) = ([0; TABLES.len()], FileCounts::default());
    while let Some(row) = rows.next_row()? {
        outputs[row.table].write_all(&row.bytes)?;
        counts[row.table] += 1;
        let first = files.add_row(&row);
        if inputs[first] != inputs[row.report] {
            let [one, other] = [first, row.report].map(|report| reports[report].display());
            bail!("{} of {one} is also in {other}; name reports of different inputs", row.cell("file"));
        }
    }
    outputs.into_iter().try_for_each(Output::finish)?;
    files.files.into_values().for_each(|(_, file)| whole.figures.files.add(file));
    Ok(counts)
}

/// The counts of files. Members of an archive have any order, so all are in memory.
#[derive(Default)]
struct FileCounts {
    /// The files in the order of a folder, each with the first report that has it.
    files: BTreeMap<String, (usize, FileFigures)>,
    /// The file and number of the last game with an error.
    last_error: [String; 2],
}

impl FileCounts {
    /// Counts a game or a finding. Returns the first report that has its file.
    fn add_row(&mut self, row: &ReportRow) -> usize {
        let name = row.cell("file");
        let (first, file) = self
            .files
            .entry(file_sort_key(name))
            .or_insert_with(|| (row.report, FileFigures { name: name.into(), ..FileFigures::default() }));
        if TABLES[row.table].name == GameRow::TABLE.name {
            file.games += 1;
            file.unreadable += u64::from(row.cell("ending") == "unreadable");
        }
        let mut severities = Severity::NAMES.into_iter();
        let Some((_, severity)) = severities.find(|(name, _)| *name == row.cell("severity")) else { return *first };
        file.findings[severity as usize] += 1;
        let game = [name, row.cell("game")];
        if severity == Severity::Error && !game[1].is_empty() && self.last_error != game {
            file.games_with_errors += 1;
            self.last_error = game.map(str::to_owned);
        }
        *first
    }
}

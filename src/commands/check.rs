//! `jigo check`: the findings of games.

use std::io;

use anyhow::Result;

use crate::args::format;
use crate::args::run_options::run_options;
use clap::Args;
use jigo_archive::duplicates::{KeepRule, KeyedGames, find_duplicates};
use jigo_archive::formats::{Format, Rows};
use jigo_archive::pipeline::baseline::FindingKey;
use jigo_archive::pipeline::{VisitedGame, Visitor};
use jigo_archive::row::{ColumnChoice, LocatedFinding, Row, Table};
use jigo_archive::summary::Summary;
use jigo_archive::tables::{Aggregate, FindingRow, FindingRows, KeyRows, TurnRows};
use jigo_archive::visit::{KeyVisitor, KeyedGame};
use jigo_core::analysis::Settings;
use jigo_run::baseline::BaselineRun;
use jigo_run::config::table_options::{CheckOptions, CheckTable, QUICK_CONFLICTS};
use jigo_run::execution::duplicate_rows::SPILL_FAILED;
use jigo_run::execution::run_table::{table, table_with_aggregate};
use jigo_run::output::path_conflicts::TableFiles;
use jigo_run::process::exit::Exit;
use jigo_run::process::stderr::print;
use jigo_run::{RunConfig, RunOptions};

use crate::args::examples::examples;
use crate::args::{BaselineArgs, FormatArg, InputArgs, OutputArgs, RunArgs, named};

/// Replay games and list errors and other findings, one row per finding
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo check games/" "every illegal turn, repetition, damage and contradiction in a folder, one row each, as CSV"
    "jigo check --rules nz --format text game.sgf" "one game under New Zealand rules, for reading"
    "jigo check --select K,P004 --format sarif --output findings.sarif games/" "repetitions and suicides for a code host"
    "jigo check --table turns --format jsonl --where 'size = 9' games/" "every turn of the games on 9x9"
))]
pub struct CheckArgs {
    /// Choose the table
    ///
    /// Turns have the position after each turn, for training. Keys identify duplicates.
    #[arg(long, value_name = "TABLE", default_value = "findings", value_parser = named(CheckTable::NAMES))]
    pub table: CheckTable,
    /// Choose the columns of --table turns, such as +winner
    ///
    /// The list contains names of columns, separated by commas. +NAME adds a column to the default
    /// ones, and all means every column. The columns winner, stated_black_minus_white and
    /// counted_black_minus_white are written only on request; the last one counts endings.
    #[arg(long, value_name = "LIST", value_parser = |list: &str| Ok::<_, String>(ColumnChoice::parse(list)))]
    pub columns: Option<ColumnChoice>,
    /// Only find the games in the inputs and read their headers
    ///
    /// This finds damage between games and errors in headers, and is much faster. It does not
    /// examine turns, damage within games, repetitions or results.
    #[arg(long, conflicts_with_all = QUICK_CONFLICTS)]
    pub quick: bool,
    /// Report recorded results that the board contradicts
    ///
    /// Count endings by the rules of their servers and compare them with RE.
    #[arg(long)]
    pub results: bool,
    /// Also find duplicate games
    ///
    /// Report them as findings C001 to C006, after all others. jigo duplicates lists which to keep.
    #[arg(long)]
    pub duplicates: bool,
    /// The options for known findings.
    #[command(flatten)]
    pub baseline: BaselineArgs,
    /// The options for inputs.
    #[command(flatten)]
    pub input: InputArgs,
    /// The options for the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// Set the format of the rows [default: from the suffix of --output; otherwise text on a
    /// terminal, else csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<FormatArg>,
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Returns the options of the run.
///
/// # Errors
/// Fails if the options contradict each other.
fn check_options(args: &CheckArgs, format: Format) -> Result<RunOptions> {
    let BaselineArgs { baseline, write_baseline, .. } = &args.baseline;
    let of_check = CheckOptions {
        table: args.table,
        columns: args.columns.clone().unwrap_or_default(),
        quick: args.quick,
        results: args.results,
        duplicates: args.duplicates,
        has_baseline: baseline.is_some() || write_baseline.is_some(),
    };
    of_check.apply(run_options(&args.input, &args.run, None, format)?)
}

/// Writes one row for each finding, for each turn, or for each game with its keys.
///
/// # Errors
/// Fails if the options contradict each other or the output fails.
pub fn check(args: &CheckArgs) -> Result<Exit> {
    let format = format::row_format(args.format.map(|format| format.0), args.run.safe_text, &args.output)?;
    let config = RunConfig::new(check_options(args, format)?, || args.input.sources())?;
    let files = args.output.files();
    let reserved = args.run.read_files(&args.input).reads("--baseline", args.baseline.baseline.as_deref());
    let flag_paths = reserved.writes("--write-baseline", args.baseline.write_baseline.as_deref()).table(&files);
    flag_paths.check(config.sources())?;
    let baseline_files = args.baseline.files(args.output.force);
    let baseline = BaselineRun::begin(baseline_files, &config)?;
    let config = match &baseline {
        Some(baseline) => config.with_baseline(baseline.known()),
        None => config,
    };
    let exit = match args.table {
        CheckTable::Findings if args.duplicates => write_findings_with_duplicates(&config, &files)?,
        CheckTable::Findings => table(&config, &files, FindingRows)?,
        CheckTable::Turns => table(&config, &files, TurnRows)?,
        CheckTable::Keys => table(&config, &files, KeyRows)?,
    };
    if args.quick && !config.is_quiet() {
        print(
            "--quick reads no turns: illegal turns, repetitions, results and damage within games were not examined\n",
        );
    }
    if args.table == CheckTable::Findings && !args.quick && !config.counts_endings() && !config.is_quiet() {
        print("recorded results were not compared with the board (R001, R002); use --results or jigo report\n");
    }
    if let (Some(baseline), None) = (baseline, config.interrupt().received()) {
        let line = baseline.end(baseline_files, &config)?;
        if !config.is_quiet() {
            print(&format!("{line}\n"));
        }
    }
    Ok(exit)
}

/// Writes one row for each finding. Findings on duplicates follow all others.
fn write_findings_with_duplicates(config: &RunConfig, files: &TableFiles) -> Result<Exit> {
    table_with_aggregate(
        config,
        files,
        FindingRows,
        &DuplicateFindings { config, keys: KeyVisitor { keeps_headers: false } },
    )
}

/// The findings on duplicates.
struct DuplicateFindings<'a> {
    config: &'a RunConfig,
    keys: KeyVisitor,
}

impl Visitor for DuplicateFindings<'_> {
    type Accumulator = Vec<KeyedGame>;

    fn configure(&self, settings: &mut Settings) {
        self.keys.configure(settings);
    }

    fn start_batch(&self) -> Vec<KeyedGame> {
        self.keys.start_batch()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut Vec<KeyedGame>) {
        self.keys.visit_game(game, batch);
    }
}

impl Aggregate for DuplicateFindings<'_> {
    const TABLE: &'static Table = FindingRow::TABLE;

    type Total = KeyedGames;

    fn start(&self) -> KeyedGames {
        KeyedGames::new(self.config.job().settings.limits.memory)
    }

    fn merge(&self, games: &mut KeyedGames, batch: Vec<KeyedGame>) -> io::Result<()> {
        games.add(batch).map_err(with_spill_message)
    }

    fn finish(&self, games: KeyedGames, rows: &mut Rows, summary: &mut Summary) -> io::Result<()> {
        let duplicates = find_duplicates(games, KeepRule::Best, self.config.threads()).map_err(with_spill_message)?;
        let findings = duplicates.members.iter().filter_map(|member| duplicates.finding(member));
        for (file, place, line, finding) in
            findings.filter(|(.., finding)| self.config.job().reported_codes.contains(finding.code))
        {
            rows.push(&FindingRow::new(LocatedFinding {
                file,
                game: Some(place),
                byte: place.1,
                line: Some(line),
                finding: &finding,
                // The finding is known if the same duplicate recurs, even if the rest of the file
                // has changed.
                fingerprint: Some(FindingKey::outside_games(file, &finding, Some(&finding.detail)).fingerprint()),
            }));
            summary.add_findings([&finding]);
        }
        Ok(())
    }
}

/// Adds the message that the games fit neither into memory nor into temporary files.
fn with_spill_message(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{SPILL_FAILED}: {error}"))
}

//! `jigo check`: the findings of games.

use std::io;

use anyhow::{Result, ensure};

use crate::run::baseline::BaselineRun;
use crate::run::duplicate_rows::SPILLED;
use crate::run::exit::Exit;
use crate::run::format;
use crate::run::path_conflicts::NamedPlaces;
use crate::run::plan::Plan;
use crate::run::run_table::{table, table_with_aggregate};
use crate::run::stderr::print;
use clap::Args;
use jigo_archive::duplicates::{KeepRule, KeyedGames, find_duplicates};
use jigo_archive::formats::Rows;
use jigo_archive::pipeline::baseline::Known;
use jigo_archive::pipeline::{Visited, Visitor};
use jigo_archive::row::{LocatedFinding, Row, Table};
use jigo_archive::summary::Summary;
use jigo_archive::tables::FindingRow;
use jigo_archive::tables::{Aggregate, Findings, KeyRows, Turns};
use jigo_archive::visit::{KeyedGame, OfKeys};
use jigo_core::analysis::Settings;

use crate::args::examples::examples;
use crate::args::{BaselineArgs, FormatArg, InputArgs, OutputArgs, RunArgs, TableArg};

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
    #[arg(long, value_name = "TABLE", default_value = "findings")]
    pub table: TableArg,
    /// Only find the games in the inputs and read their headers
    ///
    /// This finds damage between games and errors in headers, and is much faster. It does not
    /// examine turns, damage within games, repetitions or results.
    #[arg(long, conflicts_with_all = ["results", "rules", "on_illegal", "variations", "literal_setup"])]
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
    /// Set the format of the rows [default: as --output ends; else text on a terminal, and csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<FormatArg>,
    /// The options for the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Applies the options of the command to a plan, for every kind of output.
///
/// # Errors
/// Fails if the options contradict each other.
pub(super) fn settle(args: &CheckArgs, plan: &mut Plan) -> Result<()> {
    let of_findings = matches!(args.table, TableArg::Findings);
    plan.shows_findings = of_findings;
    plan.exports_only = !of_findings;
    plan.finds_copies = args.duplicates;
    ensure!(of_findings || !args.results, "--results adds findings, which no other table shows");
    if args.results {
        plan.count_results();
    }
    if args.quick {
        ensure!(of_findings, "--quick reads no turns");
        plan.job.settings.header_only = true;
    }
    ensure!(of_findings || !args.duplicates, "--duplicates adds findings, which no other table shows");
    ensure!(!(args.quick && args.duplicates), "--quick reads no turns, which --duplicates is about");
    ensure!(
        !args.duplicates || (args.baseline.baseline.is_none() && args.baseline.write_baseline.is_none()),
        "--duplicates does not go with a baseline: duplicates depend on the other games"
    );
    Ok(())
}

/// Writes one row for each finding, or for each turn.
///
/// # Errors
/// Fails if the options contradict each other or the output fails.
pub fn check(args: &CheckArgs) -> Result<Exit> {
    let format = format::of_rows(args.format.map(|format| format.0), args.run.safe_text, &args.output)?;
    let mut plan = Plan::new(&args.input, &args.run, None, format)?;
    settle(args, &mut plan)?;
    let known = NamedPlaces::of(&args.input).reads("--baseline", args.baseline.baseline.as_deref());
    let places = known.writes("--write-baseline", args.baseline.write_baseline.as_deref()).table(&args.output);
    places.check(&plan.sources)?;
    let baseline = BaselineRun::begin(&args.baseline, args.output.force, &mut plan)?;
    let exit = match args.table {
        TableArg::Findings if args.duplicates => with_copies(&plan, &args.output)?,
        TableArg::Findings => table(&plan, &args.output, Findings)?,
        TableArg::Turns => table(&plan, &args.output, Turns)?,
        TableArg::Keys => table(&plan, &args.output, KeyRows)?,
    };
    if args.quick && !plan.quiet {
        print(
            "--quick reads no turns: illegal turns, repetitions, results and damage within games were not examined\n",
        );
    }
    if matches!(args.table, TableArg::Findings) && !args.quick && !args.results && !plan.quiet {
        print("recorded results were not compared with the board (R001, R002); use --results or jigo report\n");
    }
    if let (Some(baseline), None) = (baseline, plan.interrupt.came()) {
        let line = baseline.end(&args.baseline, &plan)?;
        if !plan.quiet {
            print(&format!("{line}\n"));
        }
    }
    Ok(exit)
}

/// Writes one row for each finding. Findings on duplicates follow all others.
fn with_copies(plan: &Plan, output: &OutputArgs) -> Result<Exit> {
    table_with_aggregate(plan, output, Findings, &DuplicateFindings { plan, keys: OfKeys { keeps_headers: false } })
}

/// The findings on duplicates.
struct DuplicateFindings<'a> {
    plan: &'a Plan,
    keys: OfKeys,
}

impl Visitor for DuplicateFindings<'_> {
    type Accumulator = Vec<KeyedGame>;

    fn configure(&self, settings: &mut Settings) {
        self.keys.configure(settings);
    }

    fn start_batch(&self) -> Vec<KeyedGame> {
        self.keys.start_batch()
    }

    fn visit_game(&self, game: &Visited<'_>, batch: &mut Vec<KeyedGame>) {
        self.keys.visit_game(game, batch);
    }
}

impl Aggregate for DuplicateFindings<'_> {
    const TABLE: &'static Table = FindingRow::TABLE;

    type Total = KeyedGames;

    fn start(&self) -> KeyedGames {
        KeyedGames::new(self.plan.job.settings.limits.memory)
    }

    fn merge(&self, games: &mut KeyedGames, batch: Vec<KeyedGame>) -> io::Result<()> {
        games.add(batch).map_err(spilled)
    }

    fn finish(&self, games: KeyedGames, rows: &mut Rows, summary: &mut Summary) -> io::Result<()> {
        let found = find_duplicates(games, KeepRule::Best, self.plan.jobs).map_err(spilled)?;
        let findings = found.members.iter().filter_map(|twin| found.finding(twin));
        for (file, place, line, finding) in
            findings.filter(|(.., finding)| self.plan.job.reported[finding.code as usize])
        {
            rows.push(&FindingRow::new(LocatedFinding {
                file,
                game: Some(place),
                byte: place.1,
                line: Some(line),
                finding: &finding,
                // The finding is known if the same duplicate recurs, even if the rest of the file
                // has changed.
                fingerprint: Some(Known::outside(file, &finding, Some(&finding.detail)).fingerprint()),
            }));
            summary.add_findings([&finding]);
        }
        Ok(())
    }
}

/// Adds to an error that the games fit neither into memory nor into temporary files.
fn spilled(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{SPILLED}: {error}"))
}

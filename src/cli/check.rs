//! `jigo check`: what is wrong with games.

use anyhow::{Context, Result, ensure};

use super::Exit;
use super::baseline::BaselineRun;
use super::duplicates::SPILLED;
use super::format;
use super::places::NamedPlaces;
use super::plan::Plan;
use super::standard_error::print;
use super::table::{Beside, table, table_beside};
use clap::Args;
use jigo_archive::duplicates::{Keep, KeyedGames, find};
use jigo_archive::pipeline::baseline::Known;
use jigo_archive::summary::Summary;
use jigo_archive::tables::formats::Rows;
use jigo_archive::tables::{FindingRow, Folded};
use jigo_archive::visit::{Findings, KeyRows, OfKeys, Turns};

use super::args::{BaselineArgs, FormatArg, InputArgs, OutputArgs, RunArgs, TableArg};
use super::examples::examples;

/// Replay games and list what is wrong with them, one row per finding
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo check games/" "every illegal turn, repetition, damage and contradiction in a folder, one row each, as CSV"
    "jigo check --rules nz --format text game.sgf" "one game under New Zealand rules, for reading"
    "jigo check --select K,P004 --format sarif --output findings.sarif games/" "repetitions and suicides for a code host"
    "jigo check --table turns --format jsonl --where 'size = 9' games/" "every turn of the games on 9x9"
))]
pub struct CheckArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// Which findings are known.
    #[command(flatten)]
    pub baseline: BaselineArgs,
    /// Only cut inputs into games and read their headers
    ///
    /// At the speed of memory it tells damage between games and what is wrong with headers. Turns, damage within games, repetitions and results that
    /// contradict the board or the play are not looked at.
    #[arg(long, conflicts_with_all = ["results", "rules", "on_illegal", "variations", "literal_setup"])]
    pub quick: bool,
    /// Report stated results that the board contradicts
    ///
    /// Endings are counted too, as their servers did.
    #[arg(long)]
    pub results: bool,
    /// Find games that are there twice, too
    ///
    /// They are C001 to C006, behind all other findings; jigo duplicates says which to keep.
    #[arg(long)]
    pub duplicates: bool,
    /// What to write
    ///
    /// Findings, every turn with the position it led to, for those who train on games, or the keys by which copies are found.
    #[arg(long, value_name = "TABLE", default_value = "findings", help_heading = "Output")]
    pub table: TableArg,
    /// How rows are written [default: as --output ends; else text on a terminal, and csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<FormatArg>,
    /// Where rows go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What the options of the command make of a plan, however its rows go out.
///
/// # Errors
/// When they make no sense together.
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
        "--duplicates does not go with a baseline: what is a copy depends on the other games"
    );
    Ok(())
}

/// One row for each finding, or for each turn.
///
/// # Errors
/// When the flags make no sense or the output fails.
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
            "--quick looked at no turn: nothing is known of illegal moves, repetitions, results and damage within games\n",
        );
    }
    if matches!(args.table, TableArg::Findings) && !args.quick && !args.results && !plan.quiet {
        print("results were not compared with the board (R001, R002): --results and jigo report do that\n");
    }
    if let (Some(baseline), None) = (baseline, plan.interrupt.came()) {
        let line = baseline.end(&args.baseline, &plan)?;
        if !plan.quiet {
            print(&format!("{line}\n"));
        }
    }
    Ok(exit)
}

/// One row for each finding, those on games that are there twice behind all others.
fn with_copies(plan: &Plan, output: &OutputArgs) -> Result<Exit> {
    let copies = Beside {
        visitor: OfKeys { keeps_headers: false },
        made: KeyedGames::new(plan.job.settings.limits.memory),
        see: |games: &mut KeyedGames, part| games.add(part).context(SPILLED),
        last: |games, summary: &mut Summary| {
            let found = find(games, Keep::Best, plan.jobs).context(SPILLED)?;
            let mut rows = Rows::new(plan.format, plan.table(Findings).table());
            let findings = found.twins.iter().filter_map(|twin| found.finding(twin));
            for (file, place, line, finding) in
                findings.filter(|(.., finding)| plan.job.reported[finding.code as usize])
            {
                rows.push(&FindingRow {
                    file,
                    game: Some(place),
                    byte: place.1,
                    line: Some(line),
                    finding: &finding,
                    folded: Folded::default(),
                    // Whatever else is in the file, it is a copy of what its detail names.
                    fingerprint: Some(Known::outside(file, &finding, Some(&finding.detail)).fingerprint()),
                });
                summary.findings([&finding]);
            }
            Ok(Some(rows))
        },
    };
    table_beside(plan, output, Findings, copies)
}

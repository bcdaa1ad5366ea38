//! `jigo check` and `jigo score`: one table to one output.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use super::baseline::BaselineRun;
use super::duplicates::SPILLED;
use super::format;
use super::output::{Output, PendingFile, TableOutput};
use super::places::NamedPlaces;
use super::plan::Plan;
use super::run::{closed_pipe, conclude, interrupted, is_possible, run};
use super::standard_error::print;
use super::{Exit, abandon, checksum, is_broken_pipe};
use clap::Args;
use jigo_archive::duplicates::{FoundCopies, Keep, KeyedGames, find};
use jigo_archive::pipeline::Visitor;
use jigo_archive::pipeline::baseline::Known;
use jigo_archive::source::InputFormat;
use jigo_archive::summary::Summary;
use jigo_archive::tables::formats::Rows;
use jigo_archive::tables::{FindingRow, Folded};
use jigo_archive::visit::{Endings, Findings, KeyRows, OfKeys, Results, Scores, ToRows, Turns};
use jigo_core::rules::select::Choice;

use serde_json::Map;

use super::args::{
    BaselineArgs, CountArgs, FormatArg, InputArgs, OutputArgs, RunArgs, ScoreTableArg, TableArg, TableFormatArg,
};
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

/// Count the endings of games, one row per game and ruleset
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo score games/" "what every ending counts under the usual rulesets"
    "jigo score --rules japanese,aga --format text game.sgf" "one game under two rulesets, for reading"
    "jigo score --sample 10 --format jsonl games/" "about every tenth game"
    "jigo score --table endings --format parquet --output endings.parquet games/" "every last position with its dead stones and whose each point is"
    "jigo score --all-endings --komi preset game.sgf" "a game that somebody resigned, with the komi of each ruleset"
))]
pub struct ScoreArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// How to go about it.
    #[command(flatten)]
    pub run: RunArgs,
    /// How to count.
    #[command(flatten)]
    pub count: CountArgs,
    /// What to write
    ///
    /// Counts under rulesets, stated results against the count, or the last positions.
    #[arg(long, value_name = "TABLE", default_value = "scores", help_heading = "Output")]
    pub table: ScoreTableArg,
    /// How rows are written [default: as --output ends; else text on a terminal, and csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// Where rows go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Why `--where` does not go with bare positions.
pub(super) const NO_HEADER: &str = "--where reads headers, which positions do not have";

/// What the options of the command make of a plan, however its rows go out.
///
/// # Errors
/// When they make no sense together.
pub(super) fn settle(args: &CheckArgs, plan: &mut Plan) -> Result<()> {
    let of_findings = matches!(args.table, TableArg::Findings);
    plan.shows_findings = of_findings;
    plan.finds_copies = args.duplicates;
    ensure!(of_findings || !args.results, "--results adds findings, which no other table shows");
    if args.results {
        plan.count_results();
    }
    if args.quick {
        ensure!(of_findings, "--quick reads no turns");
        plan.job.settings.header_only = true;
        plan.judges.clear();
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
    let judges = plan.judges.clone();
    let exit = match args.table {
        TableArg::Findings if args.duplicates => with_copies(&plan, &args.output, judges)?,
        TableArg::Findings => table(&plan, &args.output, Findings { judges })?,
        TableArg::Turns => table(&plan, &args.output, Turns { judges })?,
        TableArg::Keys => table(&plan, &args.output, KeyRows)?,
    };
    if args.quick && !plan.quiet {
        print(
            "--quick looked at no turn: nothing is known of illegal moves, repetitions, results and damage within games\n",
        );
    }
    if let (Some(baseline), None) = (baseline, plan.interrupt.came()) {
        let line = baseline.end(&args.baseline, &plan)?;
        if !plan.quiet {
            print(&format!("{line}\n"));
        }
    }
    Ok(exit)
}

/// One row for each game and ruleset, for each stated result, or for each last position.
///
/// # Errors
/// When the flags make no sense or the output fails.
pub fn score(args: &ScoreArgs) -> Result<Exit> {
    let format = format::of_rows(args.format.map(|format| format.0), args.run.safe_text, &args.output)?;
    // Bare positions state no result.
    let of_results = args.table == ScoreTableArg::Results;
    ensure!(
        !of_results || args.count.ending.komi.eq_ignore_ascii_case("recorded"),
        "a stated result is held against the count by the record's own komi: --komi is for --table scores"
    );
    let new = if of_results { Plan::new } else { Plan::with_positions };
    let plan = new(&args.input, &args.run, Some(&args.count), format)?;
    NamedPlaces::of(&args.input).table(&args.output).check(&plan.sources)?;
    let has_header = plan.job.input != InputFormat::Positions;
    ensure!(has_header || plan.job.selection.filter.is_none(), NO_HEADER);
    match args.table {
        ScoreTableArg::Endings => table(&plan, &args.output, Endings),
        ScoreTableArg::Results => table(&plan, &args.output, Results),
        _ => table(&plan, &args.output, Scores),
    }
}

/// Carries a plan out whose result is one table.
pub(super) fn table(plan: &Plan, output: &OutputArgs, rows: impl ToRows) -> Result<Exit> {
    let nothing = Beside { visitor: (), made: (), see: |_: &mut (), ()| Ok(()), last: |(), _: &mut Summary| Ok(None) };
    table_beside(plan, output, rows, nothing)
}

/// Another visitor beside the rows of a table.
pub(super) struct Beside<V, M, S, L> {
    /// It.
    pub visitor: V,
    /// What was made of no batch yet.
    pub made: M,
    /// Adds what the visitor made of a batch, in order.
    pub see: S,
    /// The rows that come of it behind all others, which it adds to the counts.
    pub last: L,
}

/// The same with another visitor beside it.
pub(super) fn table_beside<V: Visitor, M: Send>(
    plan: &Plan,
    output: &OutputArgs,
    rows: impl ToRows,
    beside: Beside<
        V,
        M,
        impl FnMut(&mut M, V::Part) -> Result<()> + Send,
        impl FnOnce(M, &mut Summary) -> Result<Option<Rows>>,
    >,
) -> Result<Exit> {
    let started = Instant::now();
    ensure!(
        plan.shows_findings || !plan.format.named().for_findings,
        "this format is for findings, which this table does not show"
    );
    let Beside { visitor, mut made, mut see, last } = beside;
    let rows = plan.table(rows);
    let table = rows.table();
    let visitor = (rows, visitor);
    is_possible(plan, &visitor)?;
    if plan.format.is_binary() && output.output.is_none() && io::stdout().is_terminal() {
        bail!("this format is not for a terminal: name a file with --output, or send it down a pipe");
    }
    let out = Output::open(output.output.as_deref(), output.force)?;
    let failure = out.failure();
    let mut out = TableOutput::new(plan.format, table, out, failure)?;
    let totals = totals(output)?;
    abandon::leaves(match &output.output {
        Some(path) => format!("{} is not written", path.display()),
        None => "the last row may be cut, the rest is left out".into(),
    });
    let mut count = 0;
    let written = run(plan, &visitor, |output| {
        let (rows, part) = output.part;
        see(&mut made, part)?;
        count += rows.count();
        out.write(rows)
    });
    let mut summary = match written {
        Err(error) if is_broken_pipe(&error) => return Ok(closed_pipe(plan)),
        summary => summary?,
    };
    match (plan.interrupt.came(), &output.output) {
        (Some(signal), Some(path)) => {
            let left = format!("{} is not written", path.display());
            Ok(interrupted(plan, &summary, started, signal, &left))
        }
        (Some(signal), None) => {
            out.finish()?.finish()?;
            let left = "their rows are whole, the rest is left out";
            Ok(interrupted(plan, &summary, started, signal, left))
        }
        (None, _) => {
            if let Some(last) = last(made, &mut summary)? {
                count += last.count();
                match out.write(last) {
                    Err(error) if is_broken_pipe(&error) => return Ok(closed_pipe(plan)),
                    written => written?,
                }
            }
            out.finish()?.finish()?;
            put_totals(totals, &summary, output.output.as_deref().map(|path| (path, count)), None)?;
            Ok(conclude(plan, &summary, started))
        }
    }
}

/// One row for each finding, those on games that are there twice behind all others.
fn with_copies(plan: &Plan, output: &OutputArgs, judges: Vec<Choice>) -> Result<Exit> {
    let copies = Beside {
        visitor: OfKeys { judges: judges.clone(), keeps_headers: false },
        made: KeyedGames::new(plan.job.settings.limits.memory),
        see: |games: &mut KeyedGames, part| games.add(part).context(SPILLED),
        last: |games, summary: &mut Summary| {
            let found = find(games, Keep::Best, plan.jobs).context(SPILLED)?;
            let mut rows = Rows::new(plan.format, plan.table(Findings { judges: Vec::new() }).table());
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
    table_beside(plan, output, Findings { judges }, copies)
}

/// Opens the file of `--summary`.
///
/// # Errors
/// When it can't be written there.
pub(super) fn totals(output: &OutputArgs) -> Result<Option<PendingFile>> {
    output.summary.as_deref().map(|path| PendingFile::create(path, output.force)).transpose()
}

/// Puts the file of `--summary` in its place. It tells of the file that was `written`, with so many rows, and of `copies`.
///
/// # Errors
/// When it can't be written.
pub(super) fn put_totals(
    totals: Option<PendingFile>,
    summary: &Summary,
    written: Option<(&Path, u64)>,
    copies: Option<&FoundCopies>,
) -> Result<()> {
    let Some(mut totals) = totals else { return Ok(()) };
    let mut files = Map::new();
    if let Some((path, rows)) = written {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = checksum::of(path, rows).with_context(|| format!("cannot read {}", path.display()))?;
        files.insert(name, found);
    }
    totals.append(summary.json_with(files, copies.map(FoundCopies::json)).as_bytes())?;
    totals.close()?.put_in_place()
}

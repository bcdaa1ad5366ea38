//! `jigo check` and `jigo score`: one table to one output.

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use super::baseline::BaselineRun;
use super::output::{Output, PendingFile, TableOutput};
use super::plan::{Plan, format};
use super::run::{conclude, interrupted, run};
use super::{Exit, abandon, is_broken_pipe};
use clap::Args;
use jigo_archive::pipeline;
use jigo_archive::source::InputFormat;
use jigo_archive::summary::Summary;
use jigo_archive::tables::formats::Format;
use jigo_archive::visit::{Findings, Results, Scores, ToRows, Turns};

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
    /// Count endings too, as their servers did, and report stated results that the board contradicts
    #[arg(long)]
    pub results: bool,
    /// What to write: findings, or every turn with the position it led to, for those who train on games
    #[arg(long, value_name = "TABLE", default_value = "findings", help_heading = "Output")]
    pub table: TableArg,
    /// How rows are written
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: FormatArg,
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
    /// What to write: counts under rulesets, or stated results against the count
    #[arg(long, value_name = "TABLE", default_value = "scores", help_heading = "Output")]
    pub table: ScoreTableArg,
    /// How rows are written
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: TableFormatArg,
    /// Where rows go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// One row for each finding, or for each turn.
///
/// # Errors
/// When the flags make no sense or the output fails.
pub fn check(args: &CheckArgs) -> Result<Exit> {
    let of_turns = matches!(args.table, TableArg::Turns);
    let mut plan = Plan::new(&args.input, &args.run, None, format(args.format, Some(&args.output)))?;
    ensure!(!(of_turns && args.results), "--results adds findings, which --table turns does not show");
    if args.results {
        plan.count_results();
    }
    let for_findings = matches!(plan.format, Format::Sarif | Format::Github);
    ensure!(!(of_turns && for_findings), "this format is for findings, not for --table turns");
    let baseline = BaselineRun::begin(&args.baseline, args.output.force, &mut plan)?;
    let exit = match of_turns {
        true => table(&plan, &args.output, Turns { judges: plan.judges.clone() })?,
        false => table(&plan, &args.output, Findings { judges: plan.judges.clone() })?,
    };
    if let (Some(baseline), None) = (baseline, plan.interrupt.came()) {
        let line = baseline.end(&args.baseline, &plan)?;
        if !plan.quiet {
            // Without standard error there is nobody left to tell.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
    Ok(exit)
}

/// One row for each game and ruleset, or for each stated result.
///
/// # Errors
/// When the flags make no sense or the output fails.
pub fn score(args: &ScoreArgs) -> Result<Exit> {
    let format = format(args.format.0, Some(&args.output));
    if args.table == ScoreTableArg::Results {
        // Bare positions state no result.
        let plan = Plan::new(&args.input, &args.run, Some(&args.count), format)?;
        return table(&plan, &args.output, Results);
    }
    let plan = Plan::with_positions(&args.input, &args.run, Some(&args.count), format)?;
    let has_header = plan.job.input != InputFormat::Positions;
    ensure!(has_header || plan.job.selection.filter.is_none(), "--where reads headers, which positions do not have");
    table(&plan, &args.output, Scores)
}

/// Carries a plan out whose result is one table.
pub(super) fn table(plan: &Plan, output: &OutputArgs, rows: impl ToRows) -> Result<Exit> {
    let started = Instant::now();
    let rows = plan.table(rows);
    pipeline::check(&plan.job, &rows).context("--where")?;
    if plan.format.is_binary() && output.output.is_none() && io::stdout().is_terminal() {
        bail!("this format is not for a terminal: name a file with --output, or send it down a pipe");
    }
    let out = Output::open(output.output.as_deref(), output.force)?;
    let failure = out.failure();
    let mut out = TableOutput::new(plan.format, rows.table(), out, failure)?;
    let totals = totals(output)?;
    abandon::leaves(match &output.output {
        Some(path) => format!("{} is not written", path.display()),
        None => "the last row may be cut, the rest is left out".into(),
    });
    let summary = match run(plan, &rows, |output| out.write(output.part)) {
        Err(error) if is_broken_pipe(&error) => {
            if !plan.quiet {
                // Without standard error there is nobody left to tell.
                let _ = writeln!(io::stderr(), "jigo: whoever read the rows has closed the pipe; the rest is left out");
            }
            return Ok(Exit::Clean);
        }
        summary => summary?,
    };
    match (plan.interrupt.came(), &output.output) {
        (Some(signal), Some(path)) => {
            let left = format!("{} is not written", path.display());
            Ok(interrupted(plan, &summary, started, signal, &left))
        }
        (came, _) => {
            out.finish()?.finish()?;
            if came.is_none() {
                put_totals(totals, &summary)?;
            }
            Ok(came.map_or_else(
                || conclude(plan, &summary, started),
                |signal| interrupted(plan, &summary, started, signal, "their rows are whole, the rest is left out"),
            ))
        }
    }
}

/// Opens the file of `--summary`.
///
/// # Errors
/// When it can't be written there.
pub(super) fn totals(output: &OutputArgs) -> Result<Option<PendingFile>> {
    output.summary.as_deref().map(|path| PendingFile::create(path, output.force)).transpose()
}

/// Puts the file of `--summary` in its place.
///
/// # Errors
/// When it can't be written.
pub(super) fn put_totals(totals: Option<PendingFile>, summary: &Summary) -> Result<()> {
    let Some(mut totals) = totals else { return Ok(()) };
    totals.append(summary.json().as_bytes())?;
    totals.close()?.put_in_place()
}

//! A plan carried out.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use super::args::NamedCodes;
use super::plan::Plan;
use super::progress::Progress;
use super::standard_error::{note, print};
use super::{Exit, interrupt};
use jigo_archive::pipeline::{self, BatchOutput, Done, Visitor};
use jigo_archive::summary::{Summary, counted};
use jigo_core::finding::{Code, Severity};

/// Makes sure that a run can do what `--where` and `--fail-if` ask for.
///
/// # Errors
/// When the filter asks for what is not looked at, or the gate for what is never found.
pub fn is_possible<V: Visitor>(plan: &Plan, visitor: &V) -> Result<()> {
    pipeline::check(&plan.job, visitor).context("--where")?;
    looks_for_what_is_asked(plan)
}

/// What findings take that not every run looks for.
const LOOKED_FOR: &str = "this run does not look for that: copies are found by jigo duplicates and with --duplicates, \
                          results by jigo report, jigo score and with --results or jigo fix --unsafe, failures of \
                          engines with --engine, and turns without --quick";

/// Makes sure that a run looks for what `--select` and `--fail-if` ask about: nothing found would say that nothing is wrong, and a gate that never sees
/// anything lets everything through.
///
/// # Errors
/// When it does not.
pub fn looks_for_what_is_asked(plan: &Plan) -> Result<()> {
    let looks_for = |code: Code| plan.looks_for(code);
    if let Some(NamedCodes { name, .. }) =
        plan.selected.iter().find(|named| !named.codes.iter().any(|code| looks_for(*code)))
    {
        bail!("--select {name}: {LOOKED_FOR}");
    }
    let Some(gate) = &plan.fail_if else { return Ok(()) };
    if let Some(name) = gate.blind(Severity::Info, looks_for) {
        bail!("--fail-if {name}: {LOOKED_FOR}");
    }
    let is_reported = |code: Code| plan.job.reported[code as usize];
    if let Some(name) = gate.blind(plan.job.least, is_reported) {
        bail!("--fail-if {name}: --select, --ignore or --severity leaves it out");
    }
    Ok(())
}

/// Runs the plan, handing what the visitor makes of each batch to `sink`; messages and progress go to standard error.
///
/// # Errors
/// When the sink fails, or when a game was lost on the way.
pub fn run<V: Visitor>(
    plan: &Plan,
    visitor: &V,
    sink: impl FnMut(BatchOutput<V::Part>) -> Result<()> + Send,
) -> Result<Summary> {
    run_on(plan, visitor, Done::default(), sink)
}

/// The same, from where an interrupted run was.
///
/// # Errors
/// As [`run`].
pub fn run_on<V: Visitor>(
    plan: &Plan,
    visitor: &V,
    done: Done,
    mut sink: impl FnMut(BatchOutput<V::Part>) -> Result<()> + Send,
) -> Result<Summary> {
    plan.interrupt.is_looked_for();
    let progress = Progress::new(plan.progress, &plan.sources, &done.summary);
    let summary = pipeline::run(
        &plan.sources,
        plan.jobs,
        (&plan.job, visitor),
        plan.interrupt.signal(),
        done,
        |output| {
            for message in &output.messages {
                progress.message(message);
            }
            progress.beside(|| sink(output))
        },
        |summary| progress.update(summary),
    );
    progress.finish();
    plan.engine.as_ref().map_or(Ok(()), |engine| engine.verdict())?;
    let summary = Summary { passed_over: plan.passed_over.clone(), ..summary? };
    ensure!(summary.closes(), "games were lost: {summary:?}; please report this");
    Ok(summary)
}

/// Says what a signal left of the run, and prints the summary of what was done.
pub fn interrupted(plan: &Plan, summary: &Summary, started: Instant, signal: u8, left: &str) -> Exit {
    let games = counted(summary.found, "game");
    note(&format!("{} after {games}: {left}", interrupt::name(signal)));
    conclude(plan, summary, started);
    Exit::Interrupted(signal)
}

/// Prints the summary and turns the counts into an exit code.
pub fn conclude(plan: &Plan, summary: &Summary, started: Instant) -> Exit {
    conclude_resumed(plan, summary, started, 0)
}

/// The same for a run that went on where another had done so many games.
pub fn conclude_resumed(plan: &Plan, summary: &Summary, started: Instant, before: u64) -> Exit {
    if !plan.quiet {
        let elapsed = started.elapsed();
        print(&match plan.exports_only {
            true => summary.text_without_findings(elapsed, before),
            false => summary.text(elapsed, before),
        });
        if summary.errors() > 0 && !plan.shows_findings && !plan.exit_zero {
            let errors = counted(summary.errors(), "error");
            let listing = plan.listing.as_ref().map_or(String::new(), |listing| format!(": {listing}"));
            print(&match plan.exports_only {
                true => format!("{errors} in these games{listing}\n"),
                false => format!("exit code 1 for {errors}{listing}\n"),
            });
        }
    }
    let by_gate = fail_if(plan, summary);
    let is_clean = summary.errors() == 0 || plan.exit_zero || plan.exports_only;
    let by_errors = || if is_clean { Exit::Clean } else { Exit::Findings };
    match summary {
        Summary { failed_sources: 1.., .. } => Exit::Failure,
        _ => by_gate.unwrap_or_else(by_errors),
    }
}

/// What `--fail-if` makes of the counts, and says so; `None` where it is not given.
pub fn fail_if(plan: &Plan, summary: &Summary) -> Option<Exit> {
    let held = plan.fail_if.as_ref()?.held(summary);
    if !plan.quiet && plan.interrupt.came().is_none() {
        let line = held.as_ref().map_or("--fail-if does not hold".into(), |held| format!("--fail-if holds: {held}"));
        print(&format!("{line}\n"));
    }
    Some(if held.is_some() { Exit::Findings } else { Exit::Clean })
}

/// Whoever read the output has seen enough.
pub fn closed_pipe(plan: &Plan) -> Exit {
    if !plan.quiet {
        note("whoever read the output has closed the pipe; the rest is left out");
    }
    Exit::Clean
}

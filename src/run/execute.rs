//! The execution of a plan.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use super::plan::Plan;
use super::progress::Progress;
use crate::args::NamedCodes;
use crate::run::exit::Exit;
use crate::run::interrupt;
use crate::run::stderr::{note, print};
use jigo_archive::pipeline::{self, BatchOutput, Done, Visitor};
use jigo_archive::summary::{Summary, with_noun};
use jigo_record::finding::{Code, Severity};

/// Checks that a run computes the values that `--where` and `--fail-if` need.
///
/// # Errors
/// Fails if the filter needs a value that the run does not compute, or if the gate needs a finding
/// that the run does not look for.
pub fn is_possible(plan: &Plan, visitor: &(impl Visitor + ?Sized)) -> Result<()> {
    pipeline::check(&plan.job, visitor).context("--where")?;
    looks_for_what_is_asked(plan)
}

/// The rest of the message about findings that only some runs look for.
const LOOKED_FOR: &str = "this run does not look for that: duplicates are found by jigo duplicates and with --duplicates, \
                          results by jigo report, jigo score and with --results or jigo fix --unsafe, failures of \
                          engines with --engine, and turns without --quick";

/// Checks that a run looks for the findings that `--select` and `--fail-if` name. Otherwise an
/// empty result would look like a clean archive, and a gate would pass everything.
///
/// # Errors
/// Fails if the run does not look for one of them.
pub fn looks_for_what_is_asked(plan: &Plan) -> Result<()> {
    let looks_for = |code: Code| plan.looks_for(code);
    if let Some(NamedCodes { name, .. }) =
        plan.selected.iter().find(|named| !named.codes.iter().any(|code| looks_for(*code)))
    {
        bail!("--select {name}: {LOOKED_FOR}");
    }
    let Some(gate) = &plan.fail_if else { return Ok(()) };
    if let Some(name) = gate.unused_comparison(Severity::Info, looks_for) {
        bail!("--fail-if {name}: {LOOKED_FOR}");
    }
    let is_reported = |code: Code| plan.job.reported[code as usize];
    if let Some(name) = gate.unused_comparison(plan.job.least, is_reported) {
        bail!("--fail-if {name}: --select, --ignore or --severity leaves it out");
    }
    Ok(())
}

/// Runs a plan and passes the product of each batch to `sink`. Messages and progress go to standard
/// error.
///
/// # Errors
/// Fails if the sink fails, or if a game was lost in the pipeline.
pub fn run<T: Send>(
    plan: &Plan,
    visitor: &dyn Visitor<Accumulator = T>,
    sink: impl FnMut(BatchOutput<T>) -> Result<()> + Send,
) -> Result<Summary> {
    run_on(plan, visitor, Done::default(), sink)
}

/// Runs a plan from the point at which an interrupted run stopped.
///
/// # Errors
/// As [`run`].
pub fn run_on<T: Send>(
    plan: &Plan,
    visitor: &dyn Visitor<Accumulator = T>,
    done: Done,
    mut sink: impl FnMut(BatchOutput<T>) -> Result<()> + Send,
) -> Result<Summary> {
    plan.interrupt.is_looked_for();
    let progress = Progress::new(plan.progress, &plan.sources, &done.summary);
    let summary = pipeline::run(
        &plan.sources,
        plan.jobs,
        &plan.job,
        visitor,
        plan.interrupt.signal(),
        done,
        |output, summary| {
            for message in &output.messages {
                progress.message(message);
            }
            progress.beside(|| sink(output))?;
            progress.update(summary);
            Ok(())
        },
    );
    progress.finish();
    plan.engine.as_ref().map_or(Ok(()), |engine| engine.check())?;
    let summary = Summary { passed_over: plan.passed_over.clone(), ..summary? };
    ensure!(summary.is_balanced(), "games were lost: {summary:?}; please report this");
    Ok(summary)
}

/// Prints the results that remain after a signal, and the summary so far.
pub fn interrupted(plan: &Plan, summary: &Summary, started: Instant, signal: u8, left: &str) -> Exit {
    let games = with_noun(summary.found, "game");
    note(&format!("{} after {games}: {left}", interrupt::name(signal)));
    conclude(plan, summary, started);
    Exit::Interrupted(signal)
}

/// Prints the summary and returns the exit code.
pub fn conclude(plan: &Plan, summary: &Summary, started: Instant) -> Exit {
    conclude_resumed(plan, summary, started, 0)
}

/// Prints the summary of a resumed run, whose predecessor had analysed `before` games, and returns
/// the exit code.
pub fn conclude_resumed(plan: &Plan, summary: &Summary, started: Instant, before: u64) -> Exit {
    if !plan.quiet {
        let elapsed = started.elapsed();
        print(&match plan.exports_only {
            true => summary.text_without_findings(elapsed, before),
            false => summary.text(elapsed, before),
        });
        if summary.errors() > 0 && !plan.shows_findings && !plan.exit_zero {
            let errors = with_noun(summary.errors(), "error");
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

/// Evaluates `--fail-if` and prints its result. Returns `None` without this option.
pub fn fail_if(plan: &Plan, summary: &Summary) -> Option<Exit> {
    let held = plan.fail_if.as_ref()?.failure_reason(summary);
    if !plan.quiet && plan.interrupt.came().is_none() {
        let line = held.as_ref().map_or("--fail-if does not hold".into(), |held| format!("--fail-if holds: {held}"));
        print(&format!("{line}\n"));
    }
    Some(if held.is_some() { Exit::Findings } else { Exit::Clean })
}

/// Ends a run whose reader has closed the pipe, which is not a failure.
pub fn closed_pipe(plan: &Plan) -> Exit {
    if !plan.quiet {
        note("the reader of the output has closed the pipe; the rest is not written");
    }
    Exit::Clean
}

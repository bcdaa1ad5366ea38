//! A plan carried out.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::{Result, ensure};

use super::plan::Plan;
use super::progress::Progress;
use super::{Exit, interrupt};
use jigo_archive::pipeline::{self, BatchOutput, Done, Visitor};
use jigo_archive::summary::Summary;

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
    let progress = Progress::new(plan.progress, &plan.sources);
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
            sink(output)
        },
        |summary| progress.update(summary),
    );
    progress.finish();
    let summary = summary?;
    ensure!(summary.closes(), "games were lost: {summary:?}; please report this");
    Ok(summary)
}

/// Says what a signal left of the run, and prints the summary of what was done.
pub fn interrupted(plan: &Plan, summary: &Summary, started: Instant, signal: u8, left: &str) -> Exit {
    let games = summary.found;
    // Without standard error there is nobody left to tell.
    let _ = writeln!(io::stderr(), "jigo: {} after {games} games: {left}", interrupt::name(signal));
    conclude(plan, summary, started);
    Exit::Interrupted(signal)
}

/// Prints the summary and turns the counts into an exit code.
pub fn conclude(plan: &Plan, summary: &Summary, started: Instant) -> Exit {
    if !plan.quiet {
        // Without standard error there is nobody left to tell.
        let _ = io::stderr().write_all(summary.text(started.elapsed()).as_bytes());
    }
    match summary {
        Summary { failed_sources: 1.., .. } => Exit::Failure,
        _ if summary.errors() > 0 && !plan.exit_zero => Exit::Findings,
        _ => Exit::Clean,
    }
}

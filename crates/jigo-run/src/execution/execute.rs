//! Runs a configuration through the pipeline.

use anyhow::{Context, Result, bail, ensure};

use crate::config::RunConfig;
use crate::parts::Parts;
use jigo_archive::partial_result::PartialResult;
use jigo_archive::pipeline::{self, BatchOutput, ResumePoint, Visitor};
use jigo_archive::summary::Summary;
use jigo_archive::tables::Aggregate;
use jigo_record::finding::{Code, Severity};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Checks that a run computes the values that `--where` and `--fail-if` need.
///
/// # Errors
/// Fails if the filter needs a value that the run does not compute, or if the gate needs a finding
/// that the run does not look for.
pub fn check_run(config: &RunConfig, visitor: &(impl Visitor + ?Sized)) -> Result<()> {
    pipeline::check_filter(&config.job, visitor).context("--where")?;
    check_searched_codes(config)
}

/// The rest of the message about findings that only some runs look for.
const NOT_SEARCHED: &str = "this run does not look for that: duplicates are found by jigo duplicates and with --duplicates, \
                          results by jigo report, jigo score and with --results or jigo fix --unsafe, failures of \
                          engines with --engine, unmet expectations with a jigo.toml that has some, and turns without --quick";

/// Checks that a run looks for the findings that `--select` and `--fail-if` name. Otherwise an
/// empty result would look like a clean archive, and a gate would pass everything.
///
/// # Errors
/// Fails if the run does not look for one of them.
pub fn check_searched_codes(config: &RunConfig) -> Result<()> {
    let looks_for = |code: Code| config.looks_for(code);
    if let Some(name) =
        config.request.run.selection.select.iter().find(|codes| !codes.iter().any(|code| looks_for(*code)))
    {
        bail!("--select {name}: {NOT_SEARCHED}");
    }
    let Some(gate) = &config.fail_if() else { return Ok(()) };
    if let Some(name) = gate.unused_comparison(Severity::Info, looks_for) {
        bail!("--fail-if {name}: {NOT_SEARCHED}");
    }
    let is_reported = |code: Code| config.job.reported_codes.contains(code);
    if let Some(name) = gate.unused_comparison(config.job.min_severity, is_reported) {
        bail!("--fail-if {name}: --select, --ignore or --severity leaves it out");
    }
    Ok(())
}

/// Runs a configuration and passes the product of each batch to `sink`, in input order.
///
/// # Errors
/// Fails if the sink fails, or if a game was lost in the pipeline.
pub fn run<T: Send>(
    config: &RunConfig,
    visitor: &dyn Visitor<Accumulator = T>,
    sink: impl FnMut(BatchOutput<T>) -> Result<()> + Send,
) -> Result<Summary> {
    run_from(config, visitor, ResumePoint::default(), sink)
}

/// Runs a configuration like [`run`], and returns the sum of the batches with the counts.
///
/// # Errors
/// As [`run`], or if the sum is too large.
pub fn run_sum<A: Aggregate>(config: &RunConfig, aggregate: &A) -> Result<(A::Accumulator, Summary)> {
    let mut sum = aggregate.start_batch();
    let summary = run(config, aggregate, |output| {
        sum.add_part(output.product);
        aggregate.check(&sum)
    })?;
    Ok((sum, summary))
}

/// Runs a configuration like [`run`]. The parts of earlier runs are passed to `sink` first, and the
/// products of the other batches become parts, which are kept for a later run.
///
/// # Errors
/// As [`run`], or if a part can't be read or written.
pub fn run_in_parts<T: Send + Serialize + DeserializeOwned>(
    config: &RunConfig,
    visitor: &dyn Visitor<Accumulator = T>,
    parts: Option<&mut Parts>,
    mut sink: impl FnMut(BatchOutput<T>) -> Result<()> + Send,
) -> Result<Summary> {
    let Some(parts) = parts else { return run(config, visitor, sink) };
    parts.replay(&mut sink)?;
    let resume_point = parts.before.clone();
    let summary = run_from(config, visitor, resume_point, |output| {
        parts.add(&output)?;
        sink(output)
    })?;
    parts.keep()?;
    Ok(summary)
}

/// Runs a configuration from the point at which an interrupted run stopped.
///
/// # Errors
/// As [`run`].
pub(super) fn run_from<T: Send>(
    config: &RunConfig,
    visitor: &dyn Visitor<Accumulator = T>,
    resume_point: ResumePoint,
    mut sink: impl FnMut(BatchOutput<T>) -> Result<()> + Send,
) -> Result<Summary> {
    config.interrupt.start_checking();
    let progress = config.start_progress(&resume_point.summary);
    let summary = pipeline::run(
        &config.sources,
        config.threads,
        &config.job,
        visitor,
        config.interrupt.signal(),
        resume_point,
        |output, summary| {
            for message in &output.messages {
                progress.message(message);
            }
            let (mut output, mut write_result) = (Some(output), Ok(()));
            progress.suspend(&mut || {
                if let Some(output) = output.take() {
                    write_result = sink(output);
                }
            });
            ensure!(output.is_none(), "the display of the progress did not write the rows");
            write_result?;
            progress.update(summary);
            Ok(())
        },
    );
    progress.finish();
    config.engine.as_deref().map_or(Ok(()), |engine| engine.check())?;
    let summary = Summary { skipped_files: config.skipped.clone(), ..summary? };
    ensure!(summary.is_balanced(), "games were lost: {summary:?}; please report this");
    Ok(summary)
}

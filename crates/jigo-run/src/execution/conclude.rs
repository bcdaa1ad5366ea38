//! The end of a run: its summary and its exit code.

use std::time::Instant;

use crate::config::RunConfig;
use crate::config::run_request::FindingsUse;
use crate::interrupt;
use crate::process::{Exit, note};
use jigo_archive::row::line::visible;
use jigo_archive::summary::{Summary, with_noun};

/// Prints the results that remain after a signal, and the summary so far.
pub fn interrupted(config: &RunConfig, summary: &Summary, started: Instant, signal: u8, advice: &str) -> Exit {
    let games = with_noun(summary.found, "game");
    note(&format!("{} after {games}: {advice}", interrupt::name(signal)));
    conclude(config, summary, started);
    Exit::Interrupted(signal)
}

/// Prints the summary and returns the exit code.
pub fn conclude(config: &RunConfig, summary: &Summary, started: Instant) -> Exit {
    conclude_resumed(config, summary, started, 0)
}

/// Prints the summary of a resumed run, whose predecessor had analysed `resumed_games` games, and
/// returns the exit code.
pub fn conclude_resumed(config: &RunConfig, summary: &Summary, started: Instant, resumed_games: u64) -> Exit {
    let elapsed = started.elapsed();
    let ignores_findings = config.request.findings == FindingsUse::Ignored;
    let verdict = config.request.verdict.as_ref().and_then(|verdict| verdict.of_only_game());
    let color = config.colors_summary();
    config.print_styled(&match (ignores_findings, verdict) {
        (true, _) => summary.text_without_findings(elapsed, resumed_games),
        (false, None) => summary.text(elapsed, resumed_games, color),
        (false, Some(_)) => summary.counts_in_words(color),
    });
    if summary.errors() > 0 && config.request.findings != FindingsUse::Listed && !config.exits_zero() {
        let errors = with_noun(summary.errors(), "error");
        let listing = config.error_listing.as_deref().map_or(String::new(), |listing| format!(": {listing}"));
        // A failure, a signal or --fail-if may give another exit code.
        let is_decisive =
            summary.failed_sources == 0 && config.fail_if().is_none() && config.interrupt.received().is_none();
        let code = if is_decisive { "exit code 1 for " } else { "" };
        config.print(&match ignores_findings {
            true if summary.unread_inputs() > 0 => {
                format!("{code}{}{listing}\n", with_noun(summary.unread_inputs(), "unreadable input"))
            }
            true => format!("{errors} in these games{listing}\n"),
            false => format!("{code}{errors}{listing}\n"),
        });
    }
    print_configuration(config);
    config.print(&verdict.map_or(String::new(), |verdict| format!("{verdict}\n")));
    // Rows of an export are incomplete if an input was not read.
    let errors = if ignores_findings { summary.unread_inputs() } else { summary.errors() };
    exit_code(config, summary, errors > 0)
}

/// Returns the exit code of a run, which has findings that matter or not.
pub fn exit_code(config: &RunConfig, summary: &Summary, has_findings: bool) -> Exit {
    let by_gate = fail_if(config, summary);
    match summary {
        Summary { failed_sources: 1.., .. } => Exit::Failure,
        _ => by_gate.unwrap_or(if has_findings && !config.exits_zero() { Exit::Findings } else { Exit::Clean }),
    }
}

/// Prints the configuration file, and the names of the expectations that the run could not check.
pub fn print_configuration(config: &RunConfig) {
    if let Some(file) = config.config_file() {
        let options = with_noun(file.defaults().len() as u64, "option");
        let expectations = with_noun(file.expectation_entries().len() as u64, "expectation");
        config.print(&format!("{}: {options} and {expectations}; see jigo config\n", visible(file.name())));
    }
    let names = &config.unchecked_expectations;
    if !names.is_empty() && config.request.findings != FindingsUse::Ignored {
        let list = names.iter().map(|name| visible(name)).collect::<Vec<_>>().join(", ");
        let count = with_noun(names.len() as u64, "expectation");
        config.print(&format!("{count} not checked, because this run determines no turns or no counts: {list}\n"));
    }
}

/// Evaluates `--fail-if` and prints its result. Returns `None` without this option.
pub fn fail_if(config: &RunConfig, summary: &Summary) -> Option<Exit> {
    let reason = config.fail_if()?.failure_reason(summary);
    if config.interrupt.received().is_none() {
        let line =
            reason.as_ref().map_or("--fail-if does not hold".into(), |reason| format!("--fail-if holds: {reason}"));
        config.print(&format!("{line}\n"));
    }
    Some(if reason.is_some() { Exit::Findings } else { Exit::Clean })
}

/// Ends a run whose reader has closed the pipe, which is not a failure.
pub fn closed_pipe(config: &RunConfig) -> Exit {
    if !config.is_quiet() {
        note("the reader of the output has closed the pipe; the rest is not written");
    }
    Exit::Clean
}

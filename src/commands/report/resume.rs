//! `jigo report --resume`: the arguments of the run that is resumed.
//!
//! The arguments come from the report's folder, which may come from a stranger. They select what is
//! read, but start no program and replace no file.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use clap::{Command, FromArgMatches};

use crate::args::configured_matches;
use crate::commands::report::report_args::ReportArgs;
use crate::commands::report::report_staging::recorded_arguments;
use jigo_run::process::shell::shell_word;

/// Returns the arguments of a run that resumes another one. If the command line names inputs, its
/// arguments are used alone. Otherwise they are added to the recorded arguments.
///
/// `definition` describes the whole command line.
///
/// # Errors
/// Fails if the folder contains no unfinished run, or if the recorded and the given arguments
/// contradict each other.
pub fn resumed_args(report: &Path, command_line: &ReportArgs, definition: Command) -> Result<ReportArgs> {
    if let Some(out) = &command_line.out {
        ensure!(out == report, "--resume continues a report where it is; --out names another folder");
    }
    let given_args = env::args_os().skip(1);
    if !command_line.counting.run.input.paths.is_empty() || command_line.counting.run.input.files_from.is_some() {
        return parse(definition, given_args.collect(), report.to_owned());
    }
    let (folder, words) = recorded_arguments(report)?;
    let mut report = report.to_owned();
    if env::current_dir().ok().as_ref() != Some(&folder) {
        report = fs::canonicalize(&report).with_context(|| report.display().to_string())?;
        env::set_current_dir(&folder).with_context(|| format!("the run was begun in {}", folder.display()))?;
    }
    // The recorded words begin with the command's name already.
    let words = words.into_iter().map(OsString::from).chain(given_args.skip(1)).collect();
    let args = parse(definition, words, report)?;
    ensure!(
        args.counting.run.input.files_from.as_deref() != Some(Path::new("-")),
        "the list of inputs came from standard input: give it again with --files-from"
    );
    if let (Some(engine), None) = (&args.counting.count.ending.engine, &command_line.counting.count.ending.engine) {
        bail!(
            "the run asks an engine, and a folder may come from anybody: to start this program, give it again: --engine {}",
            shell_word(&engine.to_string()).unwrap_or_default()
        );
    }
    Ok(ReportArgs { force: command_line.force, ..args })
}

/// Parses arguments. Later arguments override earlier ones.
fn parse(definition: Command, words: Vec<OsString>, report: PathBuf) -> Result<ReportArgs> {
    let command = definition.mut_subcommand("report", |report| report.args_override_self(true));
    let matches = configured_matches(command.no_binary_name(true), words)?;
    match matches.subcommand() {
        Some(("report", matches)) => Ok(ReportArgs { resume: Some(report), ..ReportArgs::from_arg_matches(matches)? }),
        _ => bail!("the unfinished run is not a jigo report"),
    }
}

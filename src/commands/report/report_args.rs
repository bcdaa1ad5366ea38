//! The options of `jigo report`, as typed and as an unfinished run recorded them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::{Args, Command, FromArgMatches};

use crate::args::{CountingArgs, TableFormatArg, configured_matches, examples};
use crate::commands::report::report_staging::recorded_arguments;
use anyhow::{Context, Result, bail, ensure};
use jigo_run::process::shell_word;

/// Write all tables, summary.json and the page index.html into a folder, in one pass
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo report --out audit games/" "all tables and a summary in one pass; then open audit/index.html"
    "jigo report --out half --limit 100 --exit-zero games/" "the first hundred games, as a preview"
))]
pub struct ReportArgs {
    /// Also find duplicate games
    ///
    /// Write duplicates.csv and a section of the page. jigo duplicates explains the method.
    #[arg(long)]
    pub duplicates: bool,
    /// The options for inputs, run and counting.
    #[command(flatten)]
    pub counting: CountingArgs,
    /// Write the tables into DIR; create it if it is missing
    #[arg(long, value_name = "DIR", help_heading = "Output", required_unless_present = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the unfinished run in DIR, with its inputs and options
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub resume: Option<PathBuf>,
    /// Set the format of the tables
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: TableFormatArg,
    /// Replace existing tables
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

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
